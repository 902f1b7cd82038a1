/** Finished videos in a bucket. What it needs to survive this machine of a recording in progress goes there, too. */
import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import type { Context, Database } from "#lib/core/context.ts";
import { oneAtATime } from "#lib/core/one-at-a-time.ts";
import type { Bucket, Content, Part } from "#lib/s3/bucket.ts";
import { objectFaultOf } from "#lib/s3/object-fault.ts";
import { ObjectFile } from "#lib/s3/object-file.ts";
import type { VideoFiles } from "../playback/video-files.ts";
import type { UploadRecord } from "../upload/upload-record.ts";
import { copyObject, fetchVideo, inParallel, type StoredVideo } from "./fetch-video.ts";
import {
	announceObjects,
	announceParts,
	claimObjects,
	discardSegments,
	segmentsOf,
	withPictures,
} from "./object-ledger.ts";
import { putPictures } from "./put-pictures.ts";
import {
	type CompleteVideo,
	fileSize,
	type KeptVideo,
	readRecordFile,
	SEGMENT_BYTES,
	type VideoStore,
	writeRecordFile,
} from "./video-store.ts";

/** Segments sent at once. They are streamed from the disk. */
const SENT_AT_ONCE = 4;
/** After a failed attempt to send segments. */
const PAUSE_MS = 5_000;
const MAX_PARTS = 10_000;

type StoreContext = Pick<Context, "db" | "clock" | "log">;

/** A recording in progress. */
interface Sending {
	path: string;
	bytes: number;
	/** Segments in the bucket; null until that is read. */
	segments: number | null;
	/** While segments are sent. */
	work: Promise<void> | null;
	pausedUntil: number;
}

/**
 * Ends a transaction that writes what is durable of an upload unless this process still owns it.
 * @throws if another process does.
 */
export type AssertOwner = (db: Database, uploadId: string) => Promise<void>;

export class BucketVideoStore implements VideoStore {
	readonly fillsDisk = false;
	readonly #ctx: StoreContext;
	readonly #bucket: Bucket;
	readonly #files: VideoFiles;
	readonly #assertOwner: AssertOwner;
	readonly #sending = new Map<string, Sending>();
	readonly #keeping = new Map<string, Promise<KeptVideo>>();
	readonly #restoring = new Map<string, Promise<number | null>>();
	readonly #slots = new Slots(SENT_AT_ONCE);
	/** False once the store has refused to compose an object of copies or of parts that differ in size. */
	#composesCopies = true;

	constructor(ctx: StoreContext, bucket: Bucket, files: VideoFiles, assertOwner: AssertOwner = async () => undefined) {
		this.#ctx = ctx;
		this.#bucket = bucket;
		this.#files = files;
		this.#assertOwner = assertOwner;
	}

	async readRecord(uploadId: string): Promise<UploadRecord | undefined> {
		const { db } = this.#ctx;
		const row = await db.selectFrom("upload").select("record").where("id", "=", uploadId).executeTakeFirst();
		// Begun before there was a bucket.
		return row === undefined ? readRecordFile(this.#files, uploadId) : (JSON.parse(row.record) as UploadRecord);
	}

	async writeRecord(record: UploadRecord): Promise<void> {
		const values = { id: record.id, record: JSON.stringify(record) };
		await this.#ctx.db.transaction().execute(async (db) => {
			await this.#assertOwner(db, record.id);
			await db
				.insertInto("upload")
				.values(values)
				.onConflict((conflict) => conflict.column("id").doUpdateSet({ record: values.record }))
				.execute();
		});
		await writeRecordFile(this.#files, record);
	}

	restore(uploadId: string): Promise<number | null> {
		return oneAtATime(this.#restoring, uploadId, () => this.#restore(uploadId));
	}

	grew(uploadId: string, path: string, bytes: number): void {
		const known = this.#sending.get(uploadId);
		const sending = known ?? { path, bytes, segments: null, work: null, pausedUntil: 0 };
		if (known === undefined) this.#sending.set(uploadId, sending);
		sending.bytes = bytes;
		if (sending.work !== null || bytes < ((sending.segments ?? 0) + 1) * SEGMENT_BYTES) return;
		if (performance.now() < sending.pausedUntil) return;
		sending.work = this.#slots
			.run(() => this.#send(uploadId, sending))
			.catch((error) => {
				sending.pausedUntil = performance.now() + PAUSE_MS;
				// Read again: this process may have lost the upload.
				sending.segments = null;
				this.#ctx.log.warn(
					{ err: error, uploadId },
					"could not send a part of a recording to the bucket; trying again",
				);
			})
			.finally(() => {
				sending.work = null;
			});
	}

	async flush(): Promise<void> {
		await Promise.all([...this.#sending.values()].map(({ work }) => work));
	}

	keep(uploadId: string, video: CompleteVideo): Promise<KeptVideo> {
		return oneAtATime(this.#keeping, uploadId, () => this.#keep(uploadId, video));
	}

	async #send(uploadId: string, sending: Sending): Promise<void> {
		const { db } = this.#ctx;
		sending.segments ??= (await segmentsOf(db, uploadId)).length;
		while (this.#sending.get(uploadId) === sending && sending.bytes >= (sending.segments + 1) * SEGMENT_BYTES) {
			const number = sending.segments;
			const objectKey = `segments/${uploadId}/${number}-${randomBytes(8).toString("hex")}`;
			const start = number * SEGMENT_BYTES;
			await announceObjects(this.#ctx, [objectKey]);
			const file = { path: sending.path, start, end: start + SEGMENT_BYTES };
			await this.#bucket.put(objectKey, { file }, "application/octet-stream");
			await db.transaction().execute(async (db) => {
				await this.#assertOwner(db, uploadId);
				await db.insertInto("videoSegment").values({ uploadId, number, objectKey }).execute();
				await claimObjects(db, [objectKey]);
			});
			sending.segments += 1;
		}
	}

	async #keep(uploadId: string, video: CompleteVideo): Promise<KeptVideo> {
		const objectKey = `videos/${uploadId}-${randomBytes(8).toString("hex")}`;
		await announceObjects(this.#ctx, withPictures(objectKey));
		const bytes = video.head.length + video.fileBytes;
		if (bytes <= SEGMENT_BYTES) {
			const file = { path: video.path, start: 0, end: video.fileBytes };
			await this.#bucket.put(objectKey, { head: video.head, file }, video.contentType);
		} else await this.#compose(uploadId, objectKey, video);
		const stored = await this.#bucket.size(objectKey);
		if (stored !== bytes) throw new Error(`the bucket has ${stored} bytes of ${objectKey} instead of ${bytes}`);
		await putPictures(this.#bucket, this.#files, { uploadId, objectKey });
		return {
			columns: { objectKey, objectHeaderBytes: video.head.length },
			commit: async (db) => {
				await this.#assertOwner(db, uploadId);
				await claimObjects(db, withPictures(objectKey));
				await discardSegments({ ...this.#ctx, db }, [uploadId]);
			},
			release: async () => {
				this.#sending.delete(uploadId);
				await this.#files.removeVideo(uploadId);
			},
		};
	}

	/** Composes the video of its segments in the bucket, or sends it if the store cannot do that. */
	async #compose(uploadId: string, objectKey: string, video: CompleteVideo): Promise<void> {
		const segments = this.#composesCopies ? await segmentsOf(this.#ctx.db, uploadId) : [];
		const whole = segments.slice(0, Math.floor(video.fileBytes / SEGMENT_BYTES));
		if (whole.length < 2 || whole.length > MAX_PARTS - 2) {
			return this.#putParts(objectKey, video.contentType, equalParts(video));
		}
		try {
			await this.#putParts(objectKey, video.contentType, composedParts(video, whole));
		} catch (error) {
			if (!["unsupported", "missing"].includes(objectFaultOf(error) ?? "")) throw error;
			if (objectFaultOf(error) === "unsupported") this.#composesCopies = false;
			this.#ctx.log.warn({ err: error, uploadId }, "the bucket could not compose a video; sending it instead");
			await this.#putParts(objectKey, video.contentType, equalParts(video));
		}
	}

	async #putParts(objectKey: string, contentType: string, contents: readonly (Content | string)[]): Promise<void> {
		const multipartId = await this.#bucket.beginParts(objectKey, contentType);
		try {
			await announceParts(this.#ctx, objectKey, multipartId);
			const parts = await inParallel(contents, (content, index): Promise<Part> => {
				if (typeof content === "string") return this.#bucket.copyPart(objectKey, multipartId, index + 1, content);
				return this.#bucket.putPart(objectKey, multipartId, index + 1, content);
			});
			await this.#bucket.completeParts(objectKey, multipartId, parts);
		} catch (error) {
			// The sweep deletes what this leaves behind.
			await this.#bucket.abortParts(objectKey, multipartId).catch(() => undefined);
			throw error;
		}
	}

	async #restore(uploadId: string): Promise<number | null> {
		const { db } = this.#ctx;
		const path = this.#files.pathOf(uploadId);
		const local = await fileSize(path);
		const row = await db.selectFrom("upload").select("record").where("id", "=", uploadId).executeTakeFirst();
		if (row === undefined) return local;
		const record = JSON.parse(row.record) as UploadRecord;
		const known = await readRecordFile(this.#files, uploadId);
		const stored = await db
			.selectFrom("recording")
			.select(["state", "bytes", "downloadBytes", "objectKey", "objectHeaderBytes"])
			.where("uploadId", "=", uploadId)
			.executeTakeFirst();
		if (stored?.state === "ready") {
			if (stored.objectKey === null) return local;
			// Left from before another process took the upload over.
			await this.#files.removeVideo(uploadId);
			return null;
		}
		const segments = await segmentsOf(db, uploadId);
		// Another upload of that name, from before this process lost it, is of no use.
		const isSame = known?.creation_date === record.creation_date;
		if (local !== null && isSame && local >= segments.length * SEGMENT_BYTES) return local;
		const whole = stored?.objectKey ?? null;
		this.#ctx.log.info({ uploadId, segments: segments.length }, "taking over an upload from the bucket");
		this.#files.forget(uploadId);
		this.#sending.delete(uploadId);
		const part = this.#files.unvalidatedPathOf(uploadId);
		await rm(part, { force: true });
		const size =
			whole === null
				? await this.#fetchSegments(segments, part)
				: await fetchVideo(this.#bucket, { ...stored, objectKey: whole } as StoredVideo, part);
		await writeRecordFile(this.#files, record);
		await rename(part, path);
		return size;
	}

	async #fetchSegments(segments: readonly string[], path: string): Promise<number> {
		const handle = await open(path, "wx", 0o600);
		try {
			await inParallel(segments, async (objectKey, index) => {
				const file = new ObjectFile(this.#bucket, objectKey, SEGMENT_BYTES);
				await copyObject(file, (bytes, at) => handle.write(bytes, 0, bytes.length, index * SEGMENT_BYTES + at));
			});
		} finally {
			await handle.close();
		}
		return segments.length * SEGMENT_BYTES;
	}
}

/** The header with the first segment, copies of the others, and what is left on the disk. */
function composedParts({ path, head, fileBytes }: CompleteVideo, segments: readonly string[]): (Content | string)[] {
	const parts: (Content | string)[] = [{ head, file: { path, start: 0, end: SEGMENT_BYTES } }, ...segments.slice(1)];
	const start = segments.length * SEGMENT_BYTES;
	return start < fileBytes ? [...parts, { file: { path, start, end: fileBytes } }] : parts;
}

/** Parts of one size, as some stores want them, but for the last. */
function equalParts({ path, head, fileBytes }: CompleteVideo): Content[] {
	const bytes = head.length + fileBytes;
	const each = Math.max(SEGMENT_BYTES, Math.ceil(bytes / MAX_PARTS));
	return Array.from({ length: Math.ceil(bytes / each) }, (_, index) => {
		const [start, end] = [index * each, Math.min(bytes, (index + 1) * each)];
		const file = { path, start: Math.max(0, start - head.length), end: Math.max(0, end - head.length) };
		return { head: head.subarray(start, end), file };
	});
}

/** Runs a limited number of tasks at once; the others wait in order. */
class Slots {
	#free: number;
	readonly #waiting: (() => void)[] = [];

	constructor(count: number) {
		this.#free = count;
	}

	async run<T>(task: () => Promise<T>): Promise<T> {
		if (this.#free > 0) this.#free -= 1;
		else await new Promise<void>((resolve) => this.#waiting.push(resolve));
		try {
			return await task();
		} finally {
			const next = this.#waiting.shift();
			if (next === undefined) this.#free += 1;
			else next();
		}
	}
}
