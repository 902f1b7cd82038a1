/** The vectors that every client replays: see test/vectors/README.md. */
import { describe, expect, onTestFinished, test } from "vitest";
import { readVectors } from "../../../test/vectors/read-vectors.ts";
import { startReplayServer, VECTOR_KEY } from "../../../test/vectors/replay-server.ts";
import { Tapedeck, type TapedeckError } from "./index.ts";

// biome-ignore lint/suspicious/noExplicitAny: the arguments of any operation
type Arguments = any;

const CALLS: Record<string, (client: Tapedeck, given: Arguments) => Promise<unknown>> = {
	createJob: ({ jobs }, { body }) => jobs.create(body),
	getJob: ({ jobs }, { jobId, waitFor, ...options }) =>
		waitFor === undefined ? jobs.get(jobId) : jobs.wait(jobId, waitFor, options),
	listJobs: ({ jobs }, filter) => jobs.list(filter).toArray(),
	updateJob: ({ jobs }, { jobId, body }) => jobs.update(jobId, body),
	cancelJob: ({ jobs }, { jobId }) => jobs.cancel(jobId),
	changePrivacy: ({ jobs }, { jobId, body }) => jobs.setPrivacy(jobId, body.on),
	createJobMarker: ({ jobs }, { jobId, body }) => jobs.addMarker(jobId, body),
	createJobMarkers: ({ jobs }, { jobId, body }) => jobs.addMarkers(jobId, body.markers),
	listJobMarkers: ({ jobs }, { jobId }) => jobs.markers(jobId).toArray(),
	getRecording: ({ recordings }, { recordingId }) => recordings.get(recordingId),
	listRecordings: ({ recordings }, filter) => recordings.list(filter).toArray(),
	updateRecording: ({ recordings }, { recordingId, body }) => recordings.update(recordingId, body),
	createRecordingMarker: ({ recordings }, { recordingId, body }) => recordings.addMarker(recordingId, body),
	createRecordingMarkers: ({ recordings }, { recordingId, body }) => recordings.addMarkers(recordingId, body.markers),
	createShareLink: ({ recordings }, { recordingId, body }) => recordings.share(recordingId, body),
	createSignedUrl: ({ recordings }, { recordingId, ...options }) => recordings.signedUrl(recordingId, options),
	deleteRecording: ({ recordings }, { recordingId }) => recordings.delete(recordingId),
	listRunners: ({ runners }, filter) => runners.list(filter).toArray(),
};

for (const [file, vectors] of Object.entries(await readVectors())) {
	describe(file, () => {
		for (const { title, operation, arguments: given, exchanges, result, error } of vectors) {
			test(title, async () => {
				const server = await startReplayServer(exchanges);
				onTestFinished(() => server.stop());
				const call = CALLS[operation];
				if (call === undefined) throw new Error(`The client has no call for ${operation}.`);
				const client = new Tapedeck({ url: server.url, apiKey: VECTOR_KEY });
				const outcome = await call(client, given).then(
					(returned) => ({ result: returned ?? null }),
					({ status, code, detail, errors }: TapedeckError) => ({ error: { status, code, detail, errors } }),
				);
				expect(server.complaints()).toEqual([]);
				expect(outcome).toEqual(error === undefined ? { result } : { error });
			});
		}
	});
}
