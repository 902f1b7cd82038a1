import type { ComponentProps } from "react";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { playerTexts as texts } from "#lib/texts/player.ts";

type Props = Omit<ComponentProps<typeof Button>, "look" | "size" | "className" | "title"> & {
	label: string;
	/** The keys that do the same, as people read them. */
	keys?: string;
	/** The same for screen readers, as `aria-keyshortcuts` spells keys. */
	shortcuts?: string;
	/** As large as a finger. */
	large?: boolean;
};

const lookOf = (large: boolean | undefined) => (large ? "h-11 min-w-0 flex-1 [&>svg]:size-5" : "[&>svg]:size-4");

/** How it looks, for a button that is none of these but stands beside them. */
export const iconButtonClass = (large: boolean): string => `${buttonClass("quiet", "icon")} ${lookOf(large)}`;

/** One of the player's buttons: a picture, its name, and its keys on hover. */
export function IconButton({ label, keys, shortcuts = keys, large, ...rest }: Props) {
	return (
		<Button
			{...rest}
			look="quiet"
			size="icon"
			aria-label={label}
			aria-keyshortcuts={shortcuts}
			title={keys === undefined ? label : texts.withKeys(label, keys)}
			className={lookOf(large)}
		/>
	);
}
