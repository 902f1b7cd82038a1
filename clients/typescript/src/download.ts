/** Downloads that go on where their connection broke. */
import { chunksOf } from "./chunks.ts";
import { TapedeckError } from "./error.ts";
import type { CallOptions, Http } from "./http.ts";
import { backoffMs, pause } from "./wait.ts";

export interface DownloadOptions extends CallOptions {
	/** Called with the number of bytes so far, and the total. */
	onProgress?: (bytes: number, total: number) => void;
}

export interface Download {
	/** The file's bytes, to be read once: as a stream, or by `for await`. */
	readonly body: ReadableStream<Uint8Array<ArrayBuffer>> & AsyncIterable<Uint8Array<ArrayBuffer>>;
	/** The file's size. */
	readonly bytes: number;
	readonly contentType: string;
}

/** Compressed bytes could not be counted. */
const IDENTITY = { "accept-encoding": "identity" };
/** The maximum number of consecutive connections that break without a single byte. */
const MAX_FRUITLESS = 5;
/** The time without data after which a connection counts as broken. */
const IDLE_MS = 30_000;

interface Version {
	etag: string;
	total: number;
}

export async function download(http: Http, path: string, options: DownloadOptions = {}): Promise<Download> {
	const cancelled = new AbortController();
	const signal = options.signal === undefined ? cancelled.signal : AbortSignal.any([options.signal, cancelled.signal]);
	const first = await http.open("GET", path, { headers: IDENTITY, signal });
	const version = versionOf(first, http);
	const bytes = follow(http, path, first, version, { ...options, signal });
	const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
		async pull(controller) {
			const { done, value } = await bytes.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		cancel: () => cancelled.abort(),
	});
	// Not all browsers can iterate over streams.
	const iterable = Object.assign(body, Symbol.asyncIterator in body ? {} : { [Symbol.asyncIterator]: () => bytes });
	return {
		body: iterable as Download["body"],
		bytes: version.total,
		contentType: first.headers.get("content-type") ?? "video/mp4",
	};
}

/** The file's bytes, over as many connections as it takes. */
async function* follow(
	http: Http,
	path: string,
	first: Response,
	{ etag, total }: Version,
	{ signal, onProgress }: DownloadOptions & { signal: AbortSignal },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
	let response: Response = first;
	let at = 0;
	for (let fruitless = 0; ; ) {
		const before = at;
		try {
			for await (const chunk of chunksOf(response, IDLE_MS)) {
				at += chunk.byteLength;
				onProgress?.(at, total);
				yield chunk;
			}
		} catch (cause) {
			if (signal.aborted) throw signal.reason;
			if (at === before && fruitless >= MAX_FRUITLESS) throw broken(http, cause);
		}
		if (at >= total) return;
		fruitless = at === before ? fruitless + 1 : 0;
		if (fruitless > MAX_FRUITLESS) throw broken(http, null);
		await pause(backoffMs(fruitless + 1), signal);
		const headers = { ...IDENTITY, range: `bytes=${at}-`, "if-range": etag };
		response = await http.open("GET", path, { headers, signal });
		if (response.status !== 206 || response.headers.get("etag") !== etag) {
			await response.body?.cancel();
			const detail = "The video changed while it was downloaded. Download it again.";
			throw new TapedeckError({ status: response.status, code: "changed", detail });
		}
	}
}

function versionOf({ headers, status }: Response, { url }: Http): Version {
	const etag = headers.get("etag");
	const total = Number(headers.get("content-length") ?? Number.NaN);
	if (etag !== null && Number.isInteger(total)) return { etag, total };
	const detail = `The size of the video is unknown. If it has ended, check what is between here and ${url}.`;
	throw new TapedeckError({ status, code: "no_size", detail });
}

const broken = ({ url }: Http, cause: unknown): TapedeckError =>
	new TapedeckError({
		status: 0,
		code: "unreachable",
		detail: `The download from ${url} broke again and again. Check the connection, and download it again.`,
		cause,
	});
