import { clsx } from "clsx";
import type { ComponentProps } from "react";

export type ButtonLook = "primary" | "plain" | "danger" | "quiet";

const LOOKS: Record<ButtonLook, string> = {
	primary: "bg-accent text-on-accent hover:bg-accent-hover border-transparent",
	plain: "bg-surface text-ink border-line hover:bg-hover",
	danger: "bg-surface text-danger border-line hover:bg-soft-danger",
	quiet: "bg-transparent text-muted border-transparent hover:bg-hover hover:text-ink",
};

export const buttonClass = (look: ButtonLook = "plain", size: "small" | "normal" | "icon" = "normal"): string =>
	clsx(
		"inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors duration-100",
		"disabled:opacity-60 aria-disabled:opacity-60",
		size === "normal" && "h-8 px-3 text-sm",
		size === "small" && "h-7 px-2 text-xs",
		size === "icon" && "size-8",
		LOOKS[look],
	);

type Props = ComponentProps<"button"> & { look?: ButtonLook; size?: "small" | "normal" | "icon" };

export function Button({ look, size, className, type = "button", ...rest }: Props) {
	return <button type={type} className={clsx(buttonClass(look, size), className)} {...rest} />;
}
