import { clsx } from "clsx";
import type { ComponentProps } from "react";

export type ButtonVariant = "primary" | "secondary" | "danger" | "ghost";

const VARIANTS: Record<ButtonVariant, string> = {
	primary: "bg-accent text-on-accent hover:bg-accent-hover border-transparent",
	secondary: "bg-surface text-ink border-line hover:bg-hover",
	danger: "bg-surface text-danger border-line hover:bg-soft-danger",
	ghost: "bg-transparent text-muted border-transparent hover:bg-hover hover:text-ink",
};

export const buttonClass = (
	variant: ButtonVariant = "secondary",
	size: "small" | "normal" | "icon" = "normal",
): string =>
	clsx(
		"inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors duration-100",
		"disabled:opacity-60 aria-disabled:opacity-60",
		size === "normal" && "h-8 px-3 text-sm",
		size === "small" && "h-7 px-2 text-xs",
		size === "icon" && "size-8",
		VARIANTS[variant],
	);

type Props = ComponentProps<"button"> & { variant?: ButtonVariant; size?: "small" | "normal" | "icon" };

export function Button({ variant, size, className, type = "button", ...rest }: Props) {
	return <button type={type} className={clsx(buttonClass(variant, size), className)} {...rest} />;
}
