"use client";

import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { useLazyModule } from "./use-lazy-module.ts";

/** What a `DialogButton` passes to its dialog. */
export interface DialogControl {
	open: boolean;
	onOpenChange(open: boolean): void;
	/** Gives the focus back to the button. */
	onCloseAutoFocus(event: Event): void;
}

interface Props<T> extends Omit<ComponentProps<typeof Button>, "ref"> {
	/** Fetches the dialog's module; a stable function. */
	load(): Promise<T>;
	/** Renders the dialog of the fetched module. */
	dialog(module: T, control: DialogControl): ReactNode;
}

/** A button with a dialog, which is fetched when the pointer or the focus comes near the button. */
export function DialogButton<T>({ load, dialog, ...button }: Props<T>) {
	const trigger = useRef<HTMLButtonElement>(null);
	const [open, setOpen] = useState(false);
	const [module, fetch] = useLazyModule(load);
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
			{module === null ? null : dialog(module, { open, onOpenChange: setOpen, onCloseAutoFocus: giveFocusBack })}
		</>
	);
}
