/** A bucket of an S3-compatible store: whole objects, ranges of them, and objects composed from parts. */
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import { callSignal, onAbort, onTimeout } from "#lib/core/call-signal.ts";
import { type ObjectFault, ObjectStoreError, objectFaultOf, objectStoreError } from "./object-fault.ts";
import type { BucketLocation } from "./storage-url.ts";

type Sdk = typeof import("@aws-sdk/client-s3");

const ATTEMPTS = 4;
const RETRY_MS = 200;
const CONNECT_MS = 3_000;
/** For what moves no or few bytes, with all attempts: callers get an answer within 10 s. */
const CALL_MS = 8_000;
/** For a part of 16 MiB: 2.2 Mb/s are enough. */
const TRANSFER_MS = 60_000;
const MAX_SOCKETS = 256;
const MAX_DELETED_AT_ONCE = 1_000;

/** A key that no object has. */
const NO_OBJECT = "no-object";

/** Called for each attempt that failed. @param isProbe whether nobody needs what was asked for. */
type OnError = (error: ObjectStoreError, isProbe: boolean) => void;

const ignore = () => undefined;

/** The content to store: bytes, followed by a part of a file. Either may be empty. */
export interface Content {
	head?: Buffer;
	file?: { path: string; start: number; end: number };
}

export const contentBytes = ({ head, file }: Content): number =>
	(head?.length ?? 0) + (file === undefined ? 0 : file.end - file.start);

export type Part = { PartNumber: number; ETag: string };

/**
 * Every method throws an ObjectStoreError, or the error of a file that it could not read. Keys are relative to the
 * location's prefix.
 */
export class Bucket {
	readonly location: BucketLocation;
	readonly #sdk: Sdk;
	readonly #client: S3Client;
	readonly #onError: OnError;
	readonly #callMs: number;
	/** Called for each attempt that failed, for whatever counts them. */
	onFault: (fault: ObjectFault) => void = () => {};
	#last = { answered: true, at: performance.now() };

	private constructor(location: BucketLocation, sdk: Sdk, onError: OnError, callMs: number) {
		this.location = location;
		this.#sdk = sdk;
		this.#onError = onError;
		this.#callMs = callMs;
		this.#client = new sdk.S3Client({
			region: location.region,
			...(location.endpoint === null ? {} : { endpoint: location.endpoint, forcePathStyle: true }),
			// Not every store knows the SDK's own checksums.
			requestChecksumCalculation: "WHEN_REQUIRED",
			responseChecksumValidation: "WHEN_REQUIRED",
			// Retried here, because the SDK cannot read a stream again.
			maxAttempts: 1,
			// Its warnings about streams are expected, and would go to the console.
			logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
			requestHandler: {
				connectionTimeout: CONNECT_MS,
				httpAgent: { maxSockets: MAX_SOCKETS },
				httpsAgent: { maxSockets: MAX_SOCKETS },
			},
		});
	}

	/**
	 * The SDK is loaded only now, so that a dashboard without a bucket does not pay for it. Makes no request.
	 * @param callMs the limit of calls that move no or few bytes; for tests.
	 */
	static async open(location: BucketLocation, onError: OnError = () => {}, callMs = CALL_MS): Promise<Bucket> {
		return new Bucket(location, await import("@aws-sdk/client-s3"), onError, callMs);
	}

	/** Its name and prefix, for messages. */
	get name(): string {
		return `s3://${this.location.bucket}/${this.location.prefix}`;
	}

	/** Whether the store answered the last request. */
	get answers(): boolean {
		return this.#last.answered;
	}

	/** Asks the store for something small, unless another request has just been answered. Never throws. */
	async probe(quietMs: number): Promise<void> {
		if (this.#last.answered && performance.now() - this.#last.at < quietMs) return;
		await this.size(NO_OBJECT).catch(ignore);
	}

	close(): void {
		this.#client.destroy();
	}

	/** Stores an object in one request. */
	async put(key: string, content: Content, contentType: string): Promise<void> {
		await this.#retried(`store ${key}`, "transfer", (signal) =>
			withBody(content, signal, (Body, abortSignal) =>
				this.#client.send(
					new this.#sdk.PutObjectCommand({
						...this.#at(key),
						Body,
						ContentLength: contentBytes(content),
						ContentType: contentType,
					}),
					{ abortSignal },
				),
			),
		);
	}

	/** Reads `[start, end)` of an object. */
	async read(key: string, start: number, end: number): Promise<Buffer> {
		return this.#retried(`read ${key}`, "call", async (abortSignal) => {
			const range = `bytes=${start}-${end - 1}`;
			const command = new this.#sdk.GetObjectCommand({ ...this.#at(key), Range: range });
			const { Body } = await this.#client.send(command, { abortSignal });
			return readBody(Body as Readable, end - start, abortSignal);
		});
	}

	/** Reads a whole small object; null if it does not exist. */
	async readWhole(key: string, maxBytes: number): Promise<Buffer | null> {
		try {
			return await this.#retried(`read ${key}`, "call", async (abortSignal) => {
				const { Body, ContentLength } = await this.#client.send(new this.#sdk.GetObjectCommand(this.#at(key)), {
					abortSignal,
				});
				const length = ContentLength ?? 0;
				if (length > maxBytes) {
					(Body as Readable).destroy();
					throw new ObjectStoreError("unsupported", `The object ${key} is larger than expected: ${length} bytes`);
				}
				return readBody(Body as Readable, length, abortSignal);
			});
		} catch (error) {
			if (objectFaultOf(error) === "missing") return null;
			throw error;
		}
	}

	/** The size of an object; null if it does not exist. */
	async size(key: string): Promise<number | null> {
		try {
			const { ContentLength } = await this.#retried(`find ${key}`, "call", (abortSignal) =>
				this.#client.send(new this.#sdk.HeadObjectCommand(this.#at(key)), { abortSignal }),
			);
			return ContentLength ?? 0;
		} catch (error) {
			if (objectFaultOf(error) === "missing") return null;
			throw error;
		}
	}

	/** Lists at most 1,000 keys, for the check at the start and for tests. */
	async list(): Promise<string[]> {
		const { bucket, prefix } = this.location;
		const { Contents = [] } = await this.#retried("list objects", "call", (abortSignal) =>
			this.#client.send(new this.#sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }), { abortSignal }),
		);
		return Contents.map(({ Key = "" }) => Key.slice(prefix.length));
	}

	/** Deletes objects. Missing ones are no error. */
	async remove(keys: readonly string[]): Promise<void> {
		for (let from = 0; from < keys.length; from += MAX_DELETED_AT_ONCE) {
			const some = keys.slice(from, from + MAX_DELETED_AT_ONCE);
			await this.#retried("delete objects", "call", async (abortSignal) => {
				const Objects = some.map((key) => ({ Key: this.#at(key).Key }));
				const command = new this.#sdk.DeleteObjectsCommand({
					Bucket: this.location.bucket,
					Delete: { Objects, Quiet: true },
				});
				const { Errors = [] } = await this.#client.send(command, { abortSignal });
				const failed = Errors.find(({ Code }) => Code !== "NoSuchKey");
				if (failed !== undefined) throw Object.assign(new Error(failed.Message), { name: failed.Code ?? "Error" });
			});
		}
	}

	/** Begins an object of several parts. @returns its multipart id. */
	async beginParts(key: string, contentType: string): Promise<string> {
		const { UploadId } = await this.#retried(`begin ${key}`, "call", (abortSignal) =>
			this.#client.send(new this.#sdk.CreateMultipartUploadCommand({ ...this.#at(key), ContentType: contentType }), {
				abortSignal,
			}),
		);
		return UploadId as string;
	}

	/** All parts but the last must have 5 MiB or more. */
	async putPart(key: string, multipartId: string, number: number, content: Content): Promise<Part> {
		const { ETag } = await this.#retried(`store part ${number} of ${key}`, "transfer", (signal) =>
			withBody(content, signal, (Body, abortSignal) =>
				this.#client.send(
					new this.#sdk.UploadPartCommand({
						...this.#at(key),
						UploadId: multipartId,
						PartNumber: number,
						Body,
						ContentLength: contentBytes(content),
					}),
					{ abortSignal },
				),
			),
		);
		return { PartNumber: number, ETag: ETag as string };
	}

	/** Copies a whole object as a part of another one, within the store. */
	async copyPart(key: string, multipartId: string, number: number, source: string): Promise<Part> {
		const { CopyPartResult } = await this.#retried(`copy ${source}`, "transfer", (abortSignal) =>
			this.#client.send(
				new this.#sdk.UploadPartCopyCommand({
					...this.#at(key),
					UploadId: multipartId,
					PartNumber: number,
					CopySource: `${this.location.bucket}/${encodeURI(this.#at(source).Key)}`,
				}),
				{ abortSignal },
			),
		);
		return { PartNumber: number, ETag: CopyPartResult?.ETag as string };
	}

	async completeParts(key: string, multipartId: string, parts: readonly Part[]): Promise<void> {
		const Parts = parts.toSorted((a, b) => a.PartNumber - b.PartNumber);
		await this.#retried(`compose ${key}`, "transfer", (abortSignal) =>
			this.#client.send(
				new this.#sdk.CompleteMultipartUploadCommand({
					...this.#at(key),
					UploadId: multipartId,
					MultipartUpload: { Parts },
				}),
				{ abortSignal },
			),
		);
	}

	/** Frees the parts of an object that was not completed. One that was, or is unknown, is no error. */
	async abortParts(key: string, multipartId: string): Promise<void> {
		try {
			await this.#retried(`give up ${key}`, "call", (abortSignal) =>
				this.#client.send(new this.#sdk.AbortMultipartUploadCommand({ ...this.#at(key), UploadId: multipartId }), {
					abortSignal,
				}),
			);
		} catch (error) {
			if (objectFaultOf(error) !== "missing") throw error;
		}
	}

	#at(key: string): { Bucket: string; Key: string } {
		return { Bucket: this.location.bucket, Key: this.location.prefix + key };
	}

	/** Within the limit of calls; every attempt of a transfer has the limit of transfers. */
	async #retried<T>(doing: string, limit: "call" | "transfer", work: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const endsAt = performance.now() + this.#callMs;
		for (let attempt = 1; ; attempt += 1) {
			const leftMs = limit === "transfer" ? TRANSFER_MS : Math.max(0, Math.round(endsAt - performance.now()));
			const ended = callSignal(onTimeout(leftMs));
			try {
				const result = await work(ended.signal);
				this.#last = { answered: true, at: performance.now() };
				return result;
			} catch (cause) {
				if (unreadable.has(cause as object)) throw cause;
				const error = objectStoreError(cause, doing);
				this.#last = { answered: error.objectFault !== "unavailable", at: performance.now() };
				if (error.objectFault !== "missing") {
					this.#onError(error, doing === `find ${NO_OBJECT}`);
					this.onFault(error.objectFault);
				}
				if (error.objectFault !== "unavailable" || attempt === ATTEMPTS) throw error;
				const pauseMs = RETRY_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
				if (limit === "call" && performance.now() + pauseMs >= endsAt) throw error;
				await sleep(pauseMs);
			} finally {
				ended.release();
			}
		}
	}
}

/** Errors of bodies whose file could not be read. The store is not at fault, and a retry would not help. */
const unreadable = new WeakSet<object>();

/**
 * Sends a request with a body. The SDK does not listen to the errors of a body, which would end this process, and does
 * not close one that it has not read to its end.
 */
async function withBody<T>(
	content: Content,
	signal: AbortSignal,
	send: (body: Readable | Buffer, signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const body = bodyOf(content);
	if (!(body instanceof Readable)) return send(body, signal);
	const failed = new AbortController();
	body.on("error", (error) => {
		unreadable.add(error);
		failed.abort(error);
	});
	const ended = callSignal(onAbort(signal), onAbort(failed.signal));
	try {
		return await send(body, ended.signal);
	} catch (error) {
		throw failed.signal.aborted ? failed.signal.reason : error;
	} finally {
		ended.release();
		body.destroy();
	}
}

/** A stream, so that its bytes are neither held in memory nor hashed for the signature. */
function bodyOf({ head = Buffer.alloc(0), file }: Content): Readable | Buffer {
	if (file === undefined || file.start === file.end) return head;
	const open = () => createReadStream(file.path, { start: file.start, end: file.end - 1, highWaterMark: 512 * 1024 });
	if (head.length === 0) return open();
	return Readable.from(
		(async function* () {
			yield head;
			yield* open();
		})(),
		{ objectMode: false },
	);
}

/** @throws an Error if the body has another length, such as when its connection breaks. */
async function readBody(body: Readable, length: number, signal: AbortSignal): Promise<Buffer> {
	const bytes = Buffer.allocUnsafe(length);
	let filled = 0;
	const stop = () => body.destroy(new Error("the answer took too long"));
	signal.addEventListener("abort", stop);
	try {
		for await (const chunk of body as AsyncIterable<Buffer>) {
			if (filled + chunk.length > length) throw new Error("the answer has more bytes than were asked for");
			filled += chunk.copy(bytes, filled);
		}
	} finally {
		signal.removeEventListener("abort", stop);
	}
	if (filled < length) throw new Error(`the answer ended after ${filled} of ${length} bytes`);
	return bytes;
}
