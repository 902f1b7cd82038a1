/**
 * tus 1.0 (https://tus.io/protocols/resumable-upload): the core and its extensions creation, creation-with-upload,
 * creation-defer-length and termination. This file knows requests and answers; a `TusStore` knows uploads.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { plainType } from "@tapedeck/contract/media-type.ts";
import type { UploadRecord } from "./upload-record.ts";

/** A request is refused. The message is for people: what is wrong, and what to do. */
export class Refusal extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.name = "Refusal";
		this.status = status;
	}
}

/** `Upload-Metadata`: a key may have no value. */
export type UploadMetadata = Record<string, string | null>;

/** @property size in bytes; undefined until it is declared. @property offset how many of them are stored. */
export type TusUpload = Pick<UploadRecord, "size" | "metadata"> & { offset: number };

/**
 * The uploads that the caller of a request can reach. Every method but `begin` and `authorize` is called while no other
 * request works on the upload; `finish` also afterwards. Each throws a refusal, or whatever else went wrong.
 */
export interface TusStore {
	/** The most bytes of an upload; 0 for no limit. */
	readonly maxBytes: number;
	/** Authorizes the caller to create an upload, and names it. */
	begin(size: number | undefined, metadata: UploadMetadata): Promise<UploadRecord>;
	create(upload: UploadRecord): Promise<void>;
	/** Authorizes the caller to continue an upload. */
	authorize(id: string): Promise<void>;
	/** Returns the stored size and length. @throws 404 if there is no such upload. */
	find(id: string): Promise<TusUpload>;
	declareLength(id: string, size: number): Promise<void>;
	/** Stores bytes that follow `offset`, each piece before it takes the next. @returns where the upload ends then. */
	append(id: string, offset: number, pieces: AsyncGenerator<Buffer>): Promise<number>;
	/** All bytes are stored. May be called again. @returns headers for the answer. */
	finish(id: string): Promise<OutgoingHttpHeaders>;
	remove(id: string): Promise<void>;
}

const PATH = "/v1/uploads";
/** The only supported version of tus. */
const VERSION = "1.0.0";
/** No expiration: it counts from the creation and would end long recordings. */
const EXTENSIONS = "creation,creation-with-upload,creation-defer-length,termination";
const ALWAYS = { "tus-resumable": VERSION };
/** The media type of what is appended. */
const CHUNK_TYPE = "application/offset+octet-stream";

const WRONG_VERSION = 412;
export const uploadNotFound = () => new Refusal(404, "The file for this url was not found");
const wrongLength = () => new Refusal(400, "Upload-Length or Upload-Defer-Length header required");
const tooLarge = () => new Refusal(413, "Send no more bytes than Upload-Length declares.");

/**
 * Answers a request.
 * @param locks one for all requests of a process.
 * @throws a refusal, for `answerRefusal`, or an error of the store.
 */
export async function handleTus(
	store: TusStore,
	locks: UploadLocks,
	req: IncomingMessage,
	res: ServerResponse,
): Promise<void> {
	const { method, headers, url = "" } = req;
	if (method === "OPTIONS") return answerOptions(store, res);
	if (headers["tus-resumable"] !== VERSION) throw new Refusal(WRONG_VERSION, `Send Tus-Resumable: ${VERSION}.`);
	const asked = parseHeaders(req);
	if (method === "POST") return create(store, locks, asked, req, res);
	const id = /\/([a-z0-9-]{1,64})\/?(?:\?.*)?$/s.exec(url)?.[1];
	if (id === undefined) throw uploadNotFound();
	if (method === "PATCH") return append(store, locks, id, asked, req, res);
	await store.authorize(id);
	if (method === "HEAD") return answerHead(store, locks, id, res);
	await terminate(store, locks, id);
	res.writeHead(204, ALWAYS).end();
}

/** Answers a request that is refused. What comes of its body is discarded. */
export function answerRefusal({ status, message }: Refusal, req: IncomingMessage, res: ServerResponse): void {
	const body = `${message}\n`;
	res.writeHead(status, {
		...ALWAYS,
		...(status === WRONG_VERSION ? { "tus-version": VERSION } : {}),
		"content-type": "text/plain; charset=utf-8",
		"content-length": Buffer.byteLength(body),
		...closing(req),
	});
	res.end(req.method === "HEAD" ? undefined : body);
	req.resume();
}

function answerOptions({ maxBytes }: TusStore, res: ServerResponse): void {
	const limit = maxBytes > 0 ? { "tus-max-size": maxBytes } : {};
	res.writeHead(204, { ...ALWAYS, "tus-version": VERSION, "tus-extension": EXTENSIONS, ...limit }).end();
}

async function create(
	store: TusStore,
	locks: UploadLocks,
	{ length, isDeferred, metadata, isChunk }: Asked,
	req: IncomingMessage,
	res: ServerResponse,
): Promise<void> {
	if (req.headers["upload-concat"] !== undefined) {
		throw new Refusal(
			501,
			"Concatenation extension is not (yet) supported. Disable parallel uploads in the tus client.",
		);
	}
	if ((length === undefined) !== isDeferred) throw wrongLength();
	if (length !== undefined && exceeds(length, store.maxBytes)) throw tooLarge();
	const most = isChunk ? mostBytes(req, { size: length, offset: 0 }, store) : 0;
	const upload = await store.begin(length, metadata);
	const { id, size } = upload;
	const body = new Body(req);
	const offset = await locks.hold(id, body, async () => {
		await store.create(upload);
		return isChunk ? store.append(id, 0, body.pieces(most)) : 0;
	});
	const finished = offset === size ? await store.finish(id) : {};
	const stored = isChunk ? { "upload-offset": offset } : {};
	res.writeHead(201, {
		...ALWAYS,
		location: `${PATH}/${id}`,
		...stored,
		...finished,
		...closing(req),
		"content-length": 0,
	});
	res.end();
	req.resume();
}

async function append(
	store: TusStore,
	locks: UploadLocks,
	id: string,
	{ offset, length, hasType }: Asked,
	req: IncomingMessage,
	res: ServerResponse,
): Promise<void> {
	if (offset === undefined) throw new Refusal(403, "Upload-Offset header required");
	if (!hasType) throw new Refusal(403, "Content-Type header required");
	await store.authorize(id);
	const body = new Body(req);
	let size: number | undefined;
	const end = await locks.hold(id, body, async () => {
		const upload = await store.find(id);
		if (upload.offset !== offset) throw new Refusal(409, "Upload-Offset conflict");
		// A length is declared once.
		if (length !== undefined && (upload.size !== undefined || length < offset)) throw wrongLength();
		if (length !== undefined && exceeds(length, store.maxBytes)) throw tooLarge();
		size = upload.size ?? length;
		const most = mostBytes(req, { size, offset }, store);
		if (length !== undefined) await store.declareLength(id, length);
		return store.append(id, offset, body.pieces(most));
	});
	const finished = end === size ? await store.finish(id) : {};
	res.writeHead(204, { ...ALWAYS, "upload-offset": end, ...finished, ...closing(req) }).end();
	req.resume();
}

async function answerHead(store: TusStore, locks: UploadLocks, id: string, res: ServerResponse): Promise<void> {
	const { offset, size, metadata, finished } = await locks.hold(id, null, async () => {
		const upload = await store.find(id);
		// The request that stored its last bytes may have broken off, and who reads this will send nothing more.
		return { ...upload, finished: upload.offset === upload.size ? await store.finish(id) : {} };
	});
	res.writeHead(200, {
		...ALWAYS,
		"cache-control": "no-store",
		"upload-offset": offset,
		...(size === undefined ? { "upload-defer-length": "1" } : { "upload-length": size }),
		...(metadata === undefined ? {} : { "upload-metadata": formatMetadata(metadata) }),
		...finished,
	});
	res.end();
}

function terminate(store: TusStore, locks: UploadLocks, id: string): Promise<void> {
	return locks.hold(id, null, async () => {
		const { offset, size } = await store.find(id);
		if (offset === size) throw new Refusal(400, "Cannot terminate an already completed upload");
		await store.remove(id);
	});
}

const exceeds = (bytes: number, most: number): boolean => most > 0 && bytes > most;

/** @returns the maximum number of bytes that a request may append. @throws 413 if it announces more. */
function mostBytes(
	{ headers }: IncomingMessage,
	{ size, offset }: Pick<TusUpload, "size" | "offset">,
	{ maxBytes }: TusStore,
): number {
	const most = (size ?? (maxBytes > 0 ? maxBytes : Number.POSITIVE_INFINITY)) - offset;
	if (Number(headers["content-length"] ?? 0) > most) throw tooLarge();
	return most;
}

/** After an answer before the end of its request, the connection ends. */
const closing = ({ complete }: IncomingMessage): OutgoingHttpHeaders => (complete ? {} : { connection: "close" });

/** Time after which a request ends if another one waits for its upload: its client may have disappeared silently. */
const DRAIN_MS = 150;
/** The body of a request as it arrives. Of a connection that breaks, it has what has arrived. */
class Body {
	readonly #req: IncomingMessage;
	#isOver = false;
	#wake = (): void => undefined;

	constructor(req: IncomingMessage) {
		this.#req = req;
	}

	/** Another request waits for the upload: the body ends here, unless all of it arrives in a moment. */
	endSoon(): void {
		setTimeout(() => {
			this.#isOver = true;
			this.#wake();
		}, DRAIN_MS).unref();
	}

	/** Yields the bytes as they arrive. @throws 413 before more than `most` bytes. */
	async *pieces(most: number): AsyncGenerator<Buffer> {
		let left = most;
		for (;;) {
			const piece = this.#req.read() as Buffer | null;
			if (piece !== null) {
				left -= piece.length;
				if (left < 0) throw tooLarge();
				yield piece;
			} else if (this.#req.complete || this.#req.closed || this.#isOver) return;
			else await this.#more();
		}
	}

	/** Resolves when there may be more to read, or nothing will follow. */
	async #more(): Promise<void> {
		const events = ["readable", "end", "close"];
		await new Promise<void>((resolve) => {
			this.#wake = resolve;
			for (const event of events) this.#req.on(event, resolve);
		});
		for (const event of events) this.#req.off(event, this.#wake);
	}
}

const LOCK_MS = 10_000;

interface Holder {
	body: Body | null;
	/** Its turn has come. */
	begin: () => void;
}

/**
 * Locks uploads for one request at a time, in the order in which they come. Who waits asks the holder to end, because a
 * silently broken connection would hold the upload otherwise.
 */
export class UploadLocks {
	/** The request that holds each upload, followed by the waiting ones. */
	readonly #queues = new Map<string, Holder[]>();

	/**
	 * @param body what ends soon when another request waits; null for requests that end by themselves.
	 * @throws a refusal with 503 if the upload does not become free.
	 */
	async hold<T>(id: string, body: Body | null, work: () => Promise<T>): Promise<T> {
		const queue = this.#queues.get(id);
		if (queue === undefined) this.#queues.set(id, [{ body, begin: () => undefined }]);
		else await this.#wait(queue, body);
		try {
			return await work();
		} finally {
			this.#release(id);
		}
	}

	#wait(queue: Holder[], body: Body | null): Promise<void> {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const waiter = { body, begin: resolve };
		const timer = setTimeout(() => {
			queue.splice(queue.indexOf(waiter), 1);
			reject(new Refusal(503, "The upload is busy with another request. Try again."));
		}, LOCK_MS);
		queue.push(waiter);
		queue[0]?.body?.endSoon();
		return promise.finally(() => clearTimeout(timer));
	}

	#release(id: string): void {
		const queue = this.#queues.get(id) ?? [];
		queue.shift();
		const [next] = queue;
		if (next === undefined) {
			this.#queues.delete(id);
			return;
		}
		next.begin();
		if (queue.length > 1) next.body?.endSoon();
	}
}

/** The parsed headers of a request. */
interface Asked {
	offset: number | undefined;
	length: number | undefined;
	isDeferred: boolean;
	metadata: UploadMetadata;
	hasType: boolean;
	/** Whether its body belongs to the upload. */
	isChunk: boolean;
}

/** @throws a refusal with 400 that names the invalid headers. */
function parseHeaders({ method, headers }: IncomingMessage): Asked {
	const invalid: string[] = [];
	const count = (name: string): number | undefined => {
		const text = headers[name];
		if (text === undefined) return undefined;
		const value = Number(text);
		if (String(value) !== text || !Number.isSafeInteger(value) || value < 0) invalid.push(name);
		return value;
	};
	const offset = count("upload-offset");
	const length = count("upload-length");
	const deferred = headers["upload-defer-length"];
	if (deferred !== undefined && deferred !== "1") invalid.push("upload-defer-length");
	const metadata = parseMetadata(headers["upload-metadata"]);
	if (metadata === null) invalid.push("upload-metadata");
	const type = headers["content-type"];
	const isChunk = type === CHUNK_TYPE || plainType(type) === CHUNK_TYPE;
	// Other requests have types that their client sets by itself.
	if (method === "PATCH" && type !== undefined && !isChunk) invalid.push("content-type");
	if (invalid.length > 0) throw new Refusal(400, `Invalid ${invalid.join(" ")}`);
	return {
		offset,
		length,
		isDeferred: deferred !== undefined,
		metadata: metadata ?? {},
		hasType: type !== undefined,
		isChunk,
	};
}

/** Pairs of a key and a Base64 value, which may be missing, joined by commas. @returns null if the header is invalid. */
function parseMetadata(header: string | string[] | undefined): UploadMetadata | null {
	if (header === undefined) return {};
	const metadata = new Map<string, string | null>();
	for (const pair of String(header).split(",")) {
		const [, key = "", value] =
			/^([!-+\--~]+)(?: ((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?))?$/.exec(pair) ?? [];
		if (key === "" || metadata.has(key)) return null;
		metadata.set(key, value ? Buffer.from(value, "base64").toString("utf8") : null);
	}
	return Object.fromEntries(metadata);
}

const formatMetadata = (metadata: UploadMetadata): string =>
	Object.entries(metadata)
		.map(([key, value]) => (value === null ? key : `${key} ${Buffer.from(value).toString("base64")}`))
		.join(",");
