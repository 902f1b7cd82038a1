/** `npm run dashboard -- move-storage`: moves finished recordings and attachments to where new ones are stored, while dashboards run. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { type Selectable, sql } from "kysely";
import { type Context, inTransaction } from "#lib/core/context.ts";
import type { AttachmentTable } from "#lib/db/schema.ts";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";
import type { Bucket } from "#lib/s3/bucket.ts";
import { ObjectFile } from "#lib/s3/object-file.ts";
import { isPurged } from "../deletion.ts";
import { StoredPictures } from "../pictures/stored-pictures.ts";
import type { VideoFiles } from "../playback/video-files.ts";
import { completeVideo } from "../upload/finish-upload.ts";
import { BucketVideoStore } from "./bucket-store.ts";
import { copyObject, fetchVideo, inParallel, type StoredVideo } from "./fetch-video.ts";
import { discardVideos } from "./object-ledger.ts";
import { readRecordFile } from "./video-store.ts";

const BATCH = 100;
const REPORT_EVERY_MS = 5_000;
/** A partial recording that got no byte for so long will hardly go on; if it does, that works, too. */
const QUIET_MS = 24 * 3_600_000;
const MAX_NAMED = 20;

export interface Move {
	db: Context["db"];
	clock: Context["clock"];
	log: Context["log"];
	bucket: Bucket;
	files: VideoFiles;
	to: "bucket" | "disk";
	/** This dashboard among several, each of which moves what is on its own disk; null if there is one. */
	nodeId: string | null;
	/** Gets a line now and then. */
	report(line: string): void;
}

/** Progress of a move. Recordings are moved one at a time, so that a stopped move can continue. */
interface Progress {
	recordings: number;
	bytes: number;
	failed: number[];
	attachments: number;
	failedAttachments: number[];
}

/** @returns a sentence. @throws an Error if some could not be moved. */
export async function moveStorage(move: Move): Promise<string> {
	const total = await remaining(move);
	const done: Progress = { recordings: 0, bytes: 0, failed: [], attachments: 0, failedAttachments: [] };
	const startedAt = performance.now();
	const timer = setInterval(
		() => move.report(progressLine(done, total, performance.now() - startedAt)),
		REPORT_EVERY_MS,
	);
	try {
		for (let after = 0; ; ) {
			const rows = await movable(move).selectAll().where("id", ">", after).orderBy("id").limit(BATCH).execute();
			await inParallel(rows, async (row) => {
				if (await moveOne(move, row)) {
					done.recordings += 1;
					done.bytes += row.bytes;
				} else done.failed.push(row.id);
			});
			after = rows.at(-1)?.id ?? after;
			if (rows.length < BATCH) break;
		}
		await moveAttachments(move, done);
	} finally {
		clearInterval(timer);
	}
	const where = move.to === "bucket" ? move.bucket.name : "the disk";
	const attachments = done.attachments === 0 ? "" : ` and ${attachmentsOf(done.attachments)}`;
	const moved = `Moved ${countOf(done.recordings)}${attachments} (${gigabytes(done.bytes)}) to ${where}.`;
	const left = [
		...(done.failed.length > 0 ? [`${countOf(done.failed.length)} ${idsOf(done.failed)}`] : []),
		...(done.failedAttachments.length > 0
			? [`${attachmentsOf(done.failedAttachments.length)} ${idsOf(done.failedAttachments)}`]
			: []),
	];
	if (left.length === 0) return `${moved} Nothing is left to move.`;
	throw new Error(
		`${moved} ${left.join(" and ")} could not be moved; the log says why. Solve that and run the same command again.`,
	);
}

const idsOf = (ids: readonly number[]): string =>
	`(${ids.slice(0, MAX_NAMED).join(", ")}${ids.length > MAX_NAMED ? ", …" : ""})`;

/** Whether the file of this column's upload is on another dashboard's disk. */
const isElsewhere = (upload: "recording.uploadId" | "attachment.uploadId", nodeId: string | null) =>
	sql<boolean>`exists (select 1 from "uploadLease" where "uploadLease"."uploadId" = ${sql.ref(upload)} and "nodeId" <> ${nodeId})`;

const movable = ({ db, clock, to, nodeId }: Move) =>
	db
		.selectFrom("recording")
		.$if(to === "bucket" && nodeId !== null, (rows) =>
			rows.where(({ not }) => not(isElsewhere("recording.uploadId", nodeId))),
		)
		.where("objectKey", to === "bucket" ? "is" : "is not", null)
		.where(({ not }) => not(isPurged))
		.where((where) =>
			where.or([
				where("state", "=", "ready"),
				where.and([where("state", "=", "partial"), where("updatedAt", "<", clock.now() - QUIET_MS)]),
			]),
		);

async function remaining(move: Move): Promise<{ recordings: number; bytes: number }> {
	const row = await movable(move)
		.select(({ fn }) => [fn.countAll<number>().as("recordings"), fn.sum<number | null>("bytes").as("bytes")])
		.executeTakeFirstOrThrow();
	return { recordings: Number(row.recordings), bytes: Number(row.bytes ?? 0) };
}

async function moveOne(move: Move, row: RecordingRow): Promise<boolean> {
	try {
		if (row.objectKey === null) await toBucket(move, row);
		else await toDisk(move, { ...row, objectKey: row.objectKey });
		return true;
	} catch (error) {
		move.log.error({ err: error, recordingId: row.id }, "a recording could not be moved");
		return false;
	}
}

/** Its row still says what was copied: it was neither deleted nor continued meanwhile. */
const unchanged = (ctx: Pick<Context, "db">, row: RecordingRow, set: Partial<RecordingRow>) =>
	ctx.db
		.updateTable("recording")
		.set(set)
		.where("id", "=", row.id)
		.where("state", "=", row.state)
		.where("updatedAt", "=", row.updatedAt)
		.where("objectKey", row.objectKey === null ? "is" : "=", row.objectKey)
		.returning("id")
		.executeTakeFirst();

async function toBucket(move: Move, row: RecordingRow): Promise<void> {
	const { files, bucket } = move;
	const store = new BucketVideoStore(move, bucket, files);
	const video = await files.use(row.uploadId, false, async (video) => completeVideo(video, row));
	const kept = await store.keep(row.uploadId, video);
	const { objectKey } = kept.columns;
	const bytes = video.head.length + video.fileBytes;
	const file = createReadStream(video.path, { end: Math.max(0, video.fileBytes - 1) });
	const [here, there] = [await hashOf([video.head], file), await hashOfObject(bucket, objectKey as string, bytes)];
	if (here !== there) throw new Error(`the object ${objectKey} differs from the file`);
	const record = await readRecordFile(files, row.uploadId);
	const moved = await inTransaction(move, async ({ db }) => {
		const downloadBytes = bytes === row.bytes ? row.downloadBytes : bytes;
		const changed = await unchanged({ db }, row, { ...kept.columns, downloadBytes });
		if (changed === undefined) return false;
		await kept.commit(db);
		if (record !== undefined) {
			const values = { id: row.uploadId, record: JSON.stringify(record) };
			await db
				.insertInto("upload")
				.values(values)
				.onConflict((on) => on.column("id").doNothing())
				.execute();
		}
		return true;
	});
	if (moved) await kept.release();
}

async function toDisk(move: Move, row: RecordingRow & { objectKey: string }): Promise<void> {
	const { files, bucket } = move;
	const path = files.pathOf(row.uploadId);
	const part = files.unvalidatedPathOf(row.uploadId);
	await rm(part, { force: true });
	const received = createHash("sha256");
	await fetchVideo(bucket, row satisfies StoredVideo, part, (bytes) => received.update(bytes));
	if ((await hashOf([], createReadStream(part))) !== received.digest("hex")) {
		throw new Error(`the file of ${row.objectKey} differs from what was received`);
	}
	await rename(part, path);
	files.forget(row.uploadId);
	await assertSameHeader(move, row);
	const pictures = new StoredPictures();
	await pictures.fetchPoster(move.bucket, files, row);
	await pictures.fetchStoryboard(move.bucket, files, row);
	await inTransaction(move, async ({ db, clock }) => {
		const changed = await unchanged({ db }, row, { objectKey: null, objectHeaderBytes: null });
		if (changed === undefined) return;
		await discardVideos({ db, clock }, [row.objectKey]);
		if (move.nodeId !== null) await noteOnDisk(db, clock, row.uploadId, move.nodeId);
	});
}

async function moveAttachments(move: Move, done: Progress): Promise<void> {
	const { db, to, nodeId } = move;
	const movable = db
		.selectFrom("attachment")
		.selectAll()
		.$if(to === "bucket" && nodeId !== null, (rows) =>
			rows.where(({ not }) => not(isElsewhere("attachment.uploadId", nodeId))),
		)
		.where("objectKey", to === "bucket" ? "is" : "is not", null)
		.orderBy("id")
		.limit(BATCH);
	for (let after = 0; ; ) {
		const rows = await movable.where("id", ">", after).execute();
		await inParallel(rows, async (row) => {
			try {
				if (row.objectKey === null) await attachmentToBucket(move, row);
				else await attachmentToDisk(move, row, row.objectKey);
				done.attachments += 1;
				done.bytes += row.bytes;
			} catch (error) {
				move.log.error({ err: error, attachmentId: row.id }, "an attachment could not be moved");
				done.failedAttachments.push(row.id);
			}
		});
		after = rows.at(-1)?.id ?? after;
		if (rows.length < BATCH) return;
	}
}

type AttachmentRow = Selectable<AttachmentTable>;

async function attachmentToBucket(
	move: Move,
	{ id, uploadId, bytes, sha256, contentType }: AttachmentRow,
): Promise<void> {
	const { bucket, files } = move;
	const file = { path: files.pathOf(uploadId), head: Buffer.alloc(0), fileBytes: bytes, contentType };
	const kept = await new BucketVideoStore(move, bucket, files).keep(uploadId, file);
	const objectKey = kept.columns.objectKey as string;
	if ((await hashOfObject(bucket, objectKey, bytes)) !== sha256)
		throw new Error(`the object ${objectKey} is not what was attached`);
	const isMoved = await inTransaction(move, async ({ db }) => {
		const { numUpdatedRows } = await db
			.updateTable("attachment")
			.set({ objectKey })
			.where("id", "=", id)
			.where("objectKey", "is", null)
			.executeTakeFirst();
		// Deleted in the meantime. The sweep deletes the object.
		if (numUpdatedRows === 0n) return false;
		await kept.commit(db);
		return true;
	});
	if (isMoved) await kept.release();
}

async function attachmentToDisk(move: Move, row: AttachmentRow, objectKey: string): Promise<void> {
	const { bucket, files } = move;
	const part = files.unvalidatedPathOf(row.uploadId);
	await rm(part, { force: true });
	await fetchVideo(bucket, { objectKey, objectHeaderBytes: 0, downloadBytes: null, bytes: row.bytes }, part);
	if ((await hashOf([], createReadStream(part))) !== row.sha256)
		throw new Error(`the file of ${objectKey} is not what was attached`);
	await rename(part, files.pathOf(row.uploadId));
	await inTransaction(move, async ({ db, clock }) => {
		const { numUpdatedRows } = await db
			.updateTable("attachment")
			.set({ objectKey: null })
			.where("id", "=", row.id)
			.where("objectKey", "=", objectKey)
			.executeTakeFirst();
		// Deleted in the meantime. The sweep of uploads deletes the file.
		if (numUpdatedRows === 0n) return;
		await discardVideos({ db, clock }, [objectKey]);
		if (move.nodeId !== null) await noteOnDisk(db, clock, row.uploadId, move.nodeId);
	});
}

/** From now on the other dashboards pass calls that need the file on to this one. */
async function noteOnDisk(db: Context["db"], clock: Context["clock"], uploadId: string, nodeId: string): Promise<void> {
	const storedAt = clock.now();
	await db
		.insertInto("uploadLease")
		.values({ uploadId, nodeId, epoch: 1, storedAt })
		.onConflict((on) =>
			on.column("uploadId").doUpdateSet((lease) => ({ nodeId, storedAt, epoch: lease("uploadLease.epoch", "+", 1) })),
		)
		.execute();
}

/** The file leads to the very header that its object has. */
async function assertSameHeader({ files, bucket }: Move, row: RecordingRow & { objectKey: string }): Promise<void> {
	const headerBytes = row.objectHeaderBytes ?? 0;
	if (headerBytes === 0) return;
	const here = await files.use(row.uploadId, false, async (video) => video.index.header());
	if (!here.equals(await bucket.read(row.objectKey, 0, headerBytes))) {
		throw new Error(`the file of ${row.objectKey} is not what was stored`);
	}
}

async function hashOf(head: readonly Buffer[], file: AsyncIterable<Buffer>): Promise<string> {
	const hash = createHash("sha256");
	for (const bytes of head) hash.update(bytes);
	for await (const bytes of file) hash.update(bytes);
	return hash.digest("hex");
}

async function hashOfObject(bucket: Bucket, objectKey: string, bytes: number): Promise<string> {
	const hash = createHash("sha256");
	await copyObject(new ObjectFile(bucket, objectKey, bytes), async (part) => hash.update(part));
	return hash.digest("hex");
}

function progressLine(done: Progress, total: { recordings: number; bytes: number }, elapsedMs: number): string {
	const share = done.bytes / Math.max(1, total.bytes);
	const left = done.bytes === 0 ? "" : `, about ${duration(((1 - share) / share) * elapsedMs)} left`;
	return `${done.recordings} of ${countOf(total.recordings)}, ${gigabytes(done.bytes)} of ${gigabytes(total.bytes)}${left}`;
}

const countOf = (recordings: number): string => `${recordings} ${recordings === 1 ? "recording" : "recordings"}`;

const attachmentsOf = (count: number): string => `${count} ${count === 1 ? "attachment" : "attachments"}`;

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(bytes < 1e10 ? 2 : 0)} GB`;

function duration(ms: number): string {
	const minutes = Math.ceil(ms / 60_000);
	return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
