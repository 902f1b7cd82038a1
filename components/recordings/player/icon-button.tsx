import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { useSingleKeys } from "#components/navigation/use-shortcuts.ts";
import { Button, buttonClass } from "#components/ui/button.tsx";

type Props = Omit<ComponentProps<typeof Button>, "variant" | "size" | "className" | "title"> & {
	label: string;
	/** The keys that do the same, as people read them. */
	keys?: string;
	/** The same for screen readers, as `aria-keyshortcuts` spells keys. */
	shortcuts?: string;
	/** Text next to the icon where the controls are wide enough. For icons that not everyone knows. */
	text?: string;
	/** Whether the button is large enough for a finger. */
	large?: boolean;
};

const sizeOf = (large: boolean | undefined) => (large ? "h-11 min-w-0 flex-1 [&>svg]:size-5" : "[&>svg]:size-4");

/** The same classes for a menu or dialog button next to these buttons. */
export const iconButtonClass = (large: boolean): string => `${buttonClass("ghost", "icon")} ${sizeOf(large)}`;

/** A tooltip that names the keys too. */
export const titleWithKeys = (label: string, keys: string): string => `${label} (${keys})`;

/** A button of the player: an icon, its name, and its keys on hover. */
export function IconButton({ label, keys, shortcuts = keys, text, large, children, ...rest }: Props) {
	const isNamed = useSingleKeys() && keys !== undefined;
	return (
		<Button
			{...rest}
			variant="ghost"
			size="icon"
			aria-label={label}
			aria-keyshortcuts={isNamed ? shortcuts : undefined}
			title={isNamed ? titleWithKeys(label, keys) : label}
			className={clsx(sizeOf(large), text !== undefined && "@min-[1060px]:w-auto @min-[1060px]:px-2")}
		>
			{children}
			{text === undefined ? null : <span className="hidden text-xs @min-[1060px]:inline">{text}</span>}
		</Button>
	);
}
