/** Changes of many recordings at once, with their progress and a way back. */
import type { QueryClient } from "@tanstack/react-query";
import type { ChangeRecording, Recording } from "@tapedeck/contract/recording.ts";
import { toast } from "#components/ui/toast.ts";
import { errorMessage } from "#lib/client/api.ts";
import { counted } from "#lib/client/format.ts";
import { type Change, changeRecordings } from "./change-recording.ts";

interface What {
	/** The changes to make to a recording; null if nothing changes. */
	changesOf(recording: Recording): ChangeRecording | null;
	/** The changes that restore the recording. */
	undoOf(recording: Recording): ChangeRecording;
	/** The message after the action, with the number of recordings: `Labeled 3 recordings build=1.` */
	done(count: number): string;
}

/** Changes the recordings that need it, and offers to undo this. Refused recordings are reported with the reason. */
export async function changeWithUndo(client: QueryClient, recordings: readonly Recording[], what: What): Promise<void> {
	const changes = recordings.flatMap((one): Change[] => {
		const change = what.changesOf(one);
		return change === null ? [] : [[one.id, change]];
	});
	const refused = new Set(await send(client, changes));
	const changed = recordings.filter(({ id }) => changes.some(([changedId]) => changedId === id) && !refused.has(id));
	if (changed.length === 0 && changes.length > 0) return;
	const undo = () =>
		void send(
			client,
			changed.map((one): Change => [one.id, what.undoOf(one)]),
		);
	toast.success(what.done(recordings.length - refused.size), {
		action: changed.length === 0 ? undefined : { label: "Undo", onClick: undo },
	});
}

/**
 * Sends changes and shows their progress in a toast, and refusals in another one. @returns the ids of the refused
 * recordings.
 */
async function send(client: QueryClient, changes: readonly Change[]): Promise<number[]> {
	if (changes.length === 0) return [];
	const all = counted(changes.length, "recording", "recordings");
	const progress = (done: number) => `Changed ${done} of ${all}…`;
	const id = toast(progress(0), { duration: Number.POSITIVE_INFINITY });
	const refused = await changeRecordings(client, changes, (done) =>
		toast(progress(done), { id, duration: Number.POSITIVE_INFINITY }),
	);
	toast.dismiss(id);
	const [first] = refused;
	if (first !== undefined) toast.error(`Couldn't change ${refused.length} of ${all}. ${errorMessage(first.error)}`);
	return refused.map(({ item: [recordingId] }) => recordingId);
}
