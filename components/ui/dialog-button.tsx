"use client";

import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { useLazyModule } from "./use-lazy-module.ts";

/** What a dialog needs to know of the button that opens it. */
export interface DialogPlace {
	open: boolean;
	onOpenChange(open: boolean): void;
	/** Gives the focus back to the button. */
	onCloseAutoFocus(event: Event): void;
}

interface Props<T> extends Omit<ComponentProps<typeof Button>, "ref"> {
	/** Fetches the dialog's module; a function that stays the same. */
	load(): Promise<T>;
	/** Draws the dialog of the fetched module at the given place. */
	dialog(part: T, place: DialogPlace): ReactNode;
}

/** A button with a dialog, which is fetched when the pointer or the focus comes near the button. */
export function DialogButton<T>({ load, dialog, ...button }: Props<T>) {
	const trigger = useRef<HTMLButtonElement>(null);
	const [open, setOpen] = useState(false);
	const [part, fetch] = useLazyModule(load);
	const prepare = () => void fetch(true);
	const press = async () => {
		if (await fetch()) setOpen(true);
	};
	const giveFocusBack = (event: Event) => {
		event.preventDefault();
		trigger.current?.focus();
	};
	return (
		<>
			<Button
				{...button}
				ref={trigger}
				aria-haspopup="dialog"
				aria-expanded={open}
				onPointerEnter={prepare}
				onFocus={prepare}
				onClick={() => void press()}
			/>
			{part === null ? null : dialog(part, { open, onOpenChange: setOpen, onCloseAutoFocus: giveFocusBack })}
		</>
	);
}
