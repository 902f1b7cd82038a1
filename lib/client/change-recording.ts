/** Labels and outcome of recordings, as the pages change them. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ChangeRecording, Recording } from "#lib/contract/recording.ts";
import { call } from "./api.ts";
import { applyRecording } from "./recordings.ts";

/** Changes a recording and its job. */
export function useChangeRecording(recordingId: number) {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (changes: ChangeRecording) =>
			call<Recording>("PATCH", `/v1/recordings/${recordingId}`, { body: changes }),
		onSuccess: (recording) => applyRecording(client, recording),
	});
}
