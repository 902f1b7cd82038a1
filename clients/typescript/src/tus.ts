/** Sends large files by tus 1.0: after a broken connection, an upload continues with what has not arrived. */
import { TapedeckError } from "./error.ts";
import type { CallOptions, Http } from "./http.ts";
import { backoffMs, pause } from "./wait.ts";

/** Smaller files are sent in one call. */
const LARGE_BYTES = 4 * 1024 * 1024;
/** One request's part of a file: a proxy may limit the size of a request, and a part is sent again as a whole. */
const PIECE_BYTES = 16 * 1024 * 1024;
const PIECE_TIMEOUT_MS = 10 * 60_000;
/** The number of broken requests in a row after which nothing has arrived. */
const MAX_FRUITLESS = 5;
const TUS = { "tus-resumable": "1.0.0" };

/** Codes of the API for the statuses of refusals, which are text in this protocol. */
const CODES: Readonly<Record<number, string>> = {
	403: "forbidden",
	404: "not_found",
	409: "conflict",
	413: "payload_too_large",
	415: "unsupported_media_type",
	422: "validation_failed",
	507: "quota_exceeded",
};

type Metadata = Readonly<Record<string, string | number | undefined>>;

export const isLarge = (file: Uint8Array | Blob): boolean => sizeOf(file) > LARGE_BYTES;

export const sizeOf = (file: Uint8Array | Blob): number => (file instanceof Blob ? file.size : file.length);

/**
 * @param answerHeader has the id of what the upload becomes.
 * @returns that id; null if the key of these calls may not upload by tus.
 */
export async function sendByTus(
	http: Http,
	file: Uint8Array | Blob,
	metadata: Metadata,
	answerHeader: string,
	{ signal }: CallOptions = {},
): Promise<number | null> {
	const bytes = sizeOf(file);
	const limits = { timeoutMs: PIECE_TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) };
	for (let fruitless = 0; ; ) {
		let created: Response;
		try {
			const headers = { ...TUS, "upload-length": String(bytes), "upload-metadata": format(metadata) };
			// An upload that an unanswered call has created is empty, and is deleted later.
			created = await http.open("POST", "/v1/uploads", { ...limits, headers, repeatable: true });
		} catch (cause) {
			const error = refusalOf(cause);
			if (error instanceof TapedeckError && error.status === 403) return null;
			throw error;
		}
		const path = new URL(created.headers.get("location") ?? "", http.url).pathname;
		for (let offset = 0; ; ) {
			try {
				const headers = { ...TUS, "content-type": "application/offset+octet-stream", "upload-offset": String(offset) };
				const piece = file.slice(offset, offset + PIECE_BYTES);
				// Not repeated with this offset: a part of it may have arrived.
				const answer = await http.open("PATCH", path, { ...limits, headers, bytes: piece, repeatable: false });
				const id = answer.headers.get(answerHeader);
				if (id !== null) return Number(id);
				offset = Number(answer.headers.get("upload-offset"));
				fruitless = 0;
			} catch (cause) {
				signal?.throwIfAborted();
				const error = refusalOf(cause);
				if (!(error instanceof TapedeckError) || !isBroken(error)) throw error;
				fruitless += 1;
				if (fruitless > MAX_FRUITLESS) throw error;
				await pause(backoffMs(fruitless), signal);
				const known = await http.open("HEAD", path, { headers: TUS, ...limits }).catch(refusalOf);
				// The dashboard has lost it, or the same file was there already.
				if (known instanceof TapedeckError && known.status === 404) break;
				if (!(known instanceof Response)) throw known;
				const id = known.headers.get(answerHeader);
				if (id !== null) return Number(id);
				const arrived = Number(known.headers.get("upload-offset"));
				if (arrived > offset) fruitless = 0;
				offset = arrived;
			}
		}
	}
}

/** 409 is a conflict of offsets, too, when a request that seemed broken went on. */
const isBroken = ({ status, detail }: TapedeckError): boolean =>
	[0, 429, 500, 502, 503, 504].includes(status) || (status === 409 && detail.startsWith("Upload-Offset"));

/** Refusals are text in this protocol. */
function refusalOf(cause: unknown): unknown {
	if (!(cause instanceof TapedeckError) || typeof cause.cause !== "string") return cause;
	const code = CODES[cause.status];
	const text = cause.cause.trim();
	if (code === undefined || text === "" || text.startsWith("<")) return cause;
	return new TapedeckError({ status: cause.status, code, detail: text, cause });
}

function format(metadata: Metadata): string {
	return Object.entries(metadata)
		.filter(([, value]) => value !== undefined)
		.map(([key, value]) => {
			const bytes = new TextEncoder().encode(String(value));
			return `${key} ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
		})
		.join(",");
}
