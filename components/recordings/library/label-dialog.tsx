"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import type { DialogControl } from "#components/ui/dialog-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { errorMessage } from "#lib/client/api.ts";
import { type Change, changeRecordings } from "#lib/client/change-recording.ts";
import { counted } from "#lib/client/format.ts";
import type { Recording } from "#lib/contract/recording.ts";
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
		void labelWithUndo(client, recordings, label.key, label.value);
		setText("");
		onOpenChange(false);
	};
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent narrow aria-describedby={undefined} {...content}>
				<DialogHead title={`Label ${counted(recordings.length, "recording", "recordings")}`} />
				<form onSubmit={add} className="flex flex-col gap-4 p-5">
					<Field label="Label" hint="As key=value. A recording that has the key gets the new value.">
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

async function labelWithUndo(
	client: QueryClient,
	recordings: readonly Recording[],
	key: string,
	value: string,
): Promise<void> {
	const changed = recordings.filter(({ labels }) => labels[key] !== value);
	const refused = await send(
		client,
		changed.map(({ id }): Change => [id, { labels: { [key]: value } }]),
	);
	const notLabelled = new Set(refused);
	const labelled = changed.filter(({ id }) => !notLabelled.has(id));
	if (labelled.length === 0 && changed.length > 0) return;
	const undo = () =>
		void send(
			client,
			labelled.map(({ id, labels }): Change => [id, { labels: { [key]: labels[key] ?? null } }]),
		);
	toast.success(`Labelled ${counted(recordings.length - refused.length, "recording", "recordings")} ${key}=${value}.`, {
		action: labelled.length === 0 ? undefined : { label: "Undo", onClick: undo },
	});
}

/** Sends changes, with their progress in a toast and another for what was refused. @returns the ids of those. */
async function send(client: QueryClient, changes: readonly Change[]): Promise<number[]> {
	const all = counted(changes.length, "recording", "recordings");
	const progress = (done: number) => `Changed ${done} of ${all}…`;
	const id = toast(progress(0), { duration: Number.POSITIVE_INFINITY });
	const refused = await changeRecordings(client, changes, (done) =>
		toast(progress(done), { id, duration: Number.POSITIVE_INFINITY }),
	);
	toast.dismiss(id);
	const [first] = refused;
	if (first !== undefined) toast.error(`Couldn't change ${refused.length} of ${all}. ${errorMessage(first.error)}`);
	return refused.map(({ recordingId }) => recordingId);
}
