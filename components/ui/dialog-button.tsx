"use client";

import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import { Button } from "./button.tsx";

/** Props that a `DialogButton` passes to its dialog. */
export interface DialogControl {
	open: boolean;
	onOpenChange(open: boolean): void;
	/** Gives the focus back to the button. */
	onCloseAutoFocus(event: Event): void;
}

interface Props extends Omit<ComponentProps<typeof Button>, "ref" | "onClick"> {
	/** Renders the dialog, from its first opening on. */
	dialog(control: DialogControl): ReactNode;
}

/** A button with a dialog. */
export function DialogButton({ dialog, ...button }: Props) {
	const trigger = useRef<HTMLButtonElement>(null);
	const [open, setOpen] = useState<boolean | null>(null);
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
				aria-expanded={open === true}
				onClick={() => setOpen(true)}
			/>
			{open === null ? null : dialog({ open, onOpenChange: setOpen, onCloseAutoFocus: giveFocusBack })}
		</>
	);
}
