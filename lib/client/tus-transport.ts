/** Brings a file to the server by tus: it goes on after a pause, a lost connection, and a reload of the page. */
import { DetailedError, Upload } from "tus-js-client";
import { RECORDING_HEADER } from "../contract/recording.ts";
import { UNREACHABLE } from "./api.ts";
import type { OpenTransport, TransportEvents } from "./uploads.ts";
import { nameOfFile } from "./video-file.ts";

/** One request's worth: servers in between may limit how long or large one is. */
const CHUNK_BYTES = 32 * 2 ** 20;
/** The server sweeps uploads that got no byte for that long. */
const FORGOTTEN_MS = 24 * 3_600_000;

/** Makes a transport for `file` that continues where an earlier page of the same person left off. */
export const openTusTransport: OpenTransport = async (file, { type, owner }, events) => {
	const upload = new Upload(file, {
		endpoint: new URL("/v1/uploads", location.href).href,
		metadata: { name: nameOfFile(file.name), filetype: type },
		chunkSize: CHUNK_BYTES,
		// Trying again is the queue's affair.
		retryDelays: null,
		removeFingerprintOnSuccess: true,
		fingerprint: async () => ["tapedeck", owner, file.name, file.size, file.lastModified].join(" "),
		onProgress: (sentBytes) => events.onProgress(sentBytes),
		onSuccess: ({ lastResponse }) => events.onDone(Number(lastResponse.getHeader(RECORDING_HEADER)) || null),
		onError: (error) => tellBroken(error, upload.url !== null, events),
	});
	const [earlier] = (await upload.findPreviousUploads())
		.filter(({ creationTime }) => Date.now() - Date.parse(creationTime) < FORGOTTEN_MS)
		.sort((one, other) => Date.parse(other.creationTime) - Date.parse(one.creationTime));
	if (earlier !== undefined) upload.resumeFromPreviousUpload(earlier);
	return {
		start: () => upload.start(),
		stop: () => upload.abort(),
		remove: () => upload.abort(true),
	};
};

/** What passes by itself: no connection, a server that starts or is at its limits, a lock, and a full disk. */
const PASSING = [0, 409, 423, 429, 507];

function tellBroken(error: Error | DetailedError, begun: boolean, events: TransportEvents): void {
	const answer = error instanceof DetailedError ? error.originalResponse : null;
	const status = answer?.getStatus() ?? 0;
	const passes = PASSING.includes(status) || status >= 500;
	const words = status === 0 ? UNREACHABLE : (answer?.getBody().trim() ?? "");
	// A file that does not fit is refused before its first byte; what is begun waits for room.
	events.onBroken(
		words === "" ? `Tapedeck answered with status ${status}.` : words,
		passes && (status !== 507 || begun),
	);
}
