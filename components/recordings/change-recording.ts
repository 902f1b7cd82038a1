/** Labels and outcome of recordings, as the pages change them. */
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ChangeRecording, Recording } from "@tapedeck/contract/recording.ts";
import { call } from "#lib/client/api.ts";
import { fewAtATime } from "#lib/client/few-at-a-time.ts";
import { applyRecording } from "#lib/client/recordings.ts";

const change = (recordingId: number, changes: ChangeRecording) =>
	call<Recording>("PATCH", `/v1/recordings/${recordingId}`, { body: changes });

/** Changes a recording and its job. */
export function useChangeRecording(recordingId: number) {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (changes: ChangeRecording) => change(recordingId, changes),
		onSuccess: (recording) => applyRecording(client, recording),
	});
}

/** The changes to make to a recording. */
export type Change = readonly [recordingId: number, changes: ChangeRecording];

/**
 * Changes many recordings, a few at a time.
 * @param onProgress called with the number of recordings that were answered
 * @returns the recordings that the server refused, with its errors
 */
export async function changeRecordings(
	client: QueryClient,
	all: readonly Change[],
	onProgress: (done: number) => void,
): Promise<{ item: Change; error: unknown }[]> {
	let done = 0;
	return fewAtATime(all, ([recordingId, changes]) =>
		change(recordingId, changes)
			.then((recording) => applyRecording(client, recording))
			.finally(() => {
				done += 1;
				onProgress(done);
			}),
	);
}
