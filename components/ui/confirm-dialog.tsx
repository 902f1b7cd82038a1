"use client";

import { type ReactNode, useRef } from "react";
import { Button } from "./button.tsx";
import { DialogContent, DialogDescription, DialogRoot, DialogTitle } from "./dialog.tsx";

interface Props {
	open: boolean;
	onOpenChange(open: boolean): void;
	title: string;
	children: ReactNode;
	/** The label of the button that confirms. */
	action: string;
	/** The label of the button that closes the dialog; only where “Cancel” would be read as the action. */
	dismiss?: string;
	busy?: boolean;
	onConfirm(): void;
	/** Called once it is closed and the focus is back on what opened it. */
	onClosed?(): void;
}

/** Asks for confirmation before something that cannot be undone. */
export function ConfirmDialog({
	open,
	onOpenChange,
	title,
	children,
	action,
	dismiss = "Cancel",
	busy,
	onConfirm,
	onClosed,
}: Props) {
	const opener = useRef<Element | null>(null);
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent
				narrow
				onOpenAutoFocus={() => {
					opener.current = document.activeElement;
				}}
				onCloseAutoFocus={(event) => {
					event.preventDefault();
					if (opener.current instanceof HTMLElement) opener.current.focus();
					onClosed?.();
				}}
			>
				<div className="p-5">
					<DialogTitle className="text-lg font-semibold">{title}</DialogTitle>
					<DialogDescription className="mt-1 text-sm text-muted">{children}</DialogDescription>
					<div className="mt-5 flex justify-end gap-2">
						<Button onClick={() => onOpenChange(false)}>{dismiss}</Button>
						<Button variant="danger" aria-disabled={busy} onClick={busy ? undefined : onConfirm}>
							{action}
						</Button>
					</div>
				</div>
			</DialogContent>
		</DialogRoot>
	);
}
