"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import type { DialogControl } from "#components/ui/dialog-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { counted } from "#lib/client/format.ts";
import { changeWithUndo } from "../change-with-undo.ts";
import { labelIn } from "../label-text.ts";

/** Adds a label to many recordings. */
export function LabelDialog(props: DialogControl & { recordings: readonly Recording[] }) {
	const { recordings, open, onOpenChange, ...content } = props;
	const client = useQueryClient();
	const [text, setText] = useState("");
	const add = (event: FormEvent) => {
		event.preventDefault();
		const label = labelIn(text);
		if (label === null) return;
		const { key, value } = label;
		void changeWithUndo(client, recordings, {
			changesOf: ({ labels }) => (labels[key] === value ? null : { labels: { [key]: value } }),
			undoOf: ({ labels }) => ({ labels: { [key]: labels[key] ?? null } }),
			done: (count) => `Labeled ${counted(count, "recording", "recordings")} ${key}=${value}.`,
		});
		setText("");
		onOpenChange(false);
	};
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent narrow aria-describedby={undefined} {...content}>
				<DialogHead title={`Label ${counted(recordings.length, "recording", "recordings")}`} />
				<form onSubmit={add} className="flex flex-col gap-4 p-5">
					<Field label="Label" hint="key=value. Replaces an existing value.">
						{(control) => (
							<input
								{...control}
								placeholder="build=123"
								autoComplete="off"
								value={text}
								onChange={({ target }) => setText(target.value)}
							/>
						)}
					</Field>
					<div className="flex justify-end gap-2">
						<Button onClick={() => onOpenChange(false)}>Cancel</Button>
						<Button type="submit" variant="primary" disabled={labelIn(text) === null}>
							Add label
						</Button>
					</div>
				</form>
			</DialogContent>
		</DialogRoot>
	);
}
