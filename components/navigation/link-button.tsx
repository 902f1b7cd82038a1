"use client";

import { clsx } from "clsx";
import NextLink from "next/link";
import type { ComponentProps } from "react";
import { type ButtonVariant, buttonClass } from "#components/ui/button.tsx";

interface Props extends Omit<ComponentProps<typeof NextLink>, "role" | "onNavigate" | "onKeyDown" | "onKeyUp"> {
	/** The address of the page with the button's target open. */
	href: string;
	variant?: ButtonVariant;
	onPress(): void;
}

/**
 * A button whose target has an address. Until the page's scripts run, the browser navigates there; a click on a plain
 * button would be lost.
 */
export function LinkButton({ variant, className, onPress, ...rest }: Props) {
	return (
		<NextLink
			{...rest}
			role="button"
			prefetch={false}
			className={clsx(buttonClass(variant), className)}
			onNavigate={(event) => {
				event.preventDefault();
				onPress();
			}}
			onKeyDown={(event) => {
				// Space presses a button when it is released, and scrolls the page when pressed on a link.
				if (event.key === " ") event.preventDefault();
			}}
			onKeyUp={(event) => {
				if (event.key === " ") onPress();
			}}
		/>
	);
}
