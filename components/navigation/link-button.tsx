"use client";

import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { type ButtonVariant, buttonClass } from "#components/ui/button.tsx";
import { isPlainClick } from "./link.tsx";

interface Props extends Omit<ComponentProps<"a">, "role" | "onClick" | "onKeyDown" | "onKeyUp"> {
	/** The address at which what the button opens is open. */
	href: string;
	variant?: ButtonVariant;
	onPress(button: HTMLElement): void;
}

/**
 * A button for what has an address of its own. Until the page's scripts run, the browser goes there; a click on a plain
 * button would be lost.
 */
export function LinkButton({ href, variant, className, onPress, ...rest }: Props) {
	return (
		// biome-ignore lint/a11y/useSemanticElements: a button has no address
		<a
			{...rest}
			href={href}
			role="button"
			className={clsx(buttonClass(variant), className)}
			onClick={(event) => {
				if (!isPlainClick(event)) return;
				event.preventDefault();
				onPress(event.currentTarget);
			}}
			onKeyDown={(event) => {
				// Space presses a button when it is released, and scrolls the page when pressed on a link.
				if (event.key === " ") event.preventDefault();
			}}
			onKeyUp={(event) => {
				if (event.key === " ") onPress(event.currentTarget);
			}}
		/>
	);
}
