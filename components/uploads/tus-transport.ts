/** Uploads a file by tus: resumes after a pause, a lost connection or a reload of the page. */
import { nameOfFile } from "@tapedeck/contract/file-types.ts";
import { RECORDING_HEADER } from "@tapedeck/contract/recording.ts";
import { DetailedError, Upload } from "tus-js-client";
import { toast } from "#components/ui/toast.ts";
import { call, errorMessage, UNREACHABLE } from "#lib/client/api.ts";
import type { OpenTransport, TransportEvents, UploadKeeping } from "./uploads.ts";

/** The size of a request: proxies may limit a request's duration or size. */
const CHUNK_BYTES = 32 * 2 ** 20;
/** The server deletes uploads that got no byte for this long. */
const EXPIRED_MS = 24 * 3_600_000;

/** Opens a transport for `file` that resumes a previous upload of the same user. */
export const openTusTransport: OpenTransport = async (file, { kind, type, owner, keeping }, events) => {
	const upload = new Upload(file, {
		endpoint: new URL("/v1/uploads", location.href).href,
		metadata: {
			name: nameOfFile(file.name, kind).name,
			filetype: type,
			...(kind === "video" ? {} : { kind }),
			...metadataOf(keeping),
		},
		chunkSize: CHUNK_BYTES,
		// The queue handles retries.
		retryDelays: null,
		removeFingerprintOnSuccess: true,
		fingerprint: async () => ["tapedeck", owner, file.name, file.size, file.lastModified].join(" "),
		onProgress: (sentBytes) => events.onProgress(sentBytes),
		onSuccess: async ({ lastResponse }) => {
			const recordingId = Number(lastResponse.getHeader(RECORDING_HEADER)) || null;
			if (earlier !== undefined && recordingId !== null) await say(recordingId, keeping);
			events.onDone(recordingId);
		},
		onError: (error) => reportError(error, upload.url !== null, events),
	});
	const [earlier] = (await upload.findPreviousUploads())
		.filter(({ creationTime }) => Date.now() - Date.parse(creationTime) < EXPIRED_MS)
		.sort((one, other) => Date.parse(other.creationTime) - Date.parse(one.creationTime));
	if (earlier !== undefined) upload.resumeFromPreviousUpload(earlier);
	return {
		start: () => upload.start(),
		stop: () => upload.abort(),
		remove: () => upload.abort(true),
	};
};

const metadataOf = ({ labels, outcome, keep }: UploadKeeping): Record<string, string> => ({
	...(Object.keys(labels).length === 0 ? {} : { labels: JSON.stringify(labels) }),
	...(outcome === null ? {} : { outcome }),
	...(keep === null ? {} : { keep }),
});

/** A resumed upload has the metadata with which it began: later changes of the user are added at its end. */
async function say(recordingId: number, { labels, outcome, keep }: UploadKeeping): Promise<void> {
	const body = {
		...(Object.keys(labels).length === 0 ? {} : { labels }),
		...(outcome === null ? {} : { outcome }),
		...(keep === null ? {} : { keep }),
	};
	if (Object.keys(body).length === 0) return;
	await call("PATCH", `/v1/recordings/${recordingId}`, { body }).catch((error: unknown) =>
		toast.error(`The file was uploaded without its labels. ${errorMessage(error)}`),
	);
}

/** Statuses worth retrying: no connection, a server that is starting or overloaded, a lock, a full disk. */
const TRANSIENT = [0, 409, 423, 429, 507];

function reportError(error: Error | DetailedError, started: boolean, events: TransportEvents): void {
	const answer = error instanceof DetailedError ? error.originalResponse : null;
	const status = answer?.getStatus() ?? 0;
	const isTransient = TRANSIENT.includes(status) || status >= 500;
	const message = status === 0 ? UNREACHABLE : (answer?.getBody().trim() ?? "");
	// A file that does not fit is refused before its first byte; one that has started waits for space.
	events.onError(
		message === "" ? `Tapedeck answered with status ${status}.` : message,
		isTransient && (status !== 507 || started),
	);
}
