"use client";

import type { Recording } from "@tapedeck/contract/recording.ts";
import { MAX_NAME_LENGTH } from "@tapedeck/contract/recording-kinds.ts";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import type { DialogControl } from "#components/ui/dialog-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { useChangeRecording } from "./change-recording.ts";

/** Renames a recording, and its job with it. */
export function RenameDialog({ recording, open, onOpenChange, ...content }: DialogControl & { recording: Recording }) {
	const [name, setName] = useState(recording.name);
	const change = useChangeRecording(recording.id);
	const isEmpty = name.trim() === "";
	const rename = (event: FormEvent) => {
		event.preventDefault();
		if (isEmpty || change.isPending) return;
		change.mutate({ name: name.trim() }, { onSuccess: () => onOpenChange(false) });
	};
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent narrow aria-describedby={undefined} {...content}>
				<DialogHead title={`Rename ${recording.kind === "video" ? "recording" : "file"}`} />
				<form onSubmit={rename} className="flex flex-col gap-4 p-5">
					<Field label="Name" error={change.error === null ? undefined : errorMessage(change.error)}>
						{(control) => (
							<input
								{...control}
								autoComplete="off"
								maxLength={MAX_NAME_LENGTH}
								value={name}
								onFocus={({ target }) => target.select()}
								onChange={({ target }) => setName(target.value)}
							/>
						)}
					</Field>
					<div className="flex justify-end gap-2">
						<Button onClick={() => onOpenChange(false)}>Cancel</Button>
						<Button type="submit" variant="primary" disabled={isEmpty}>
							Rename
						</Button>
					</div>
				</form>
			</DialogContent>
		</DialogRoot>
	);
}
