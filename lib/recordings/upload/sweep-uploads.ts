/** Cleans up abandoned uploads and what a crash left behind. */
import { opendir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { UNFINISHED_STATUSES } from "@tapedeck/contract/job-status.ts";
import { type Expression, type SqlBool, sql } from "kysely";
import { inTransaction } from "#lib/core/context.ts";
import { publishRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { recordingStored } from "#lib/lifecycle/settle-job.ts";
import { forgetRecording, isPurged } from "../deletion.ts";
import { isOurFile } from "../playback/video-files.ts";
import type { RecordingContext } from "../recording-context.ts";
import { sweepQuotaReservations } from "../space/storage-quota.ts";
import { fileSize } from "../store/video-store.ts";
import { completeVideo } from "./finish-upload.ts";
import { jobIdOfUpload } from "./owner.ts";
import { contentOf } from "./record-progress.ts";
import { UploadElsewhere } from "./upload-leases.ts";

const ABANDONED_MS = 24 * 3_600_000;
/** Since this dashboard wrote last to an upload that another one has taken over. Longer than their clocks may differ. */
const TAKEN_OVER_MS = 60_000;
/** Rows per query. */
const BATCH = 500;

/** Deletes partially replaced files after a crash. Call before requests are served, so that none is being written. */
export async function removeHalfWritten(ctx: RecordingContext): Promise<void> {
	const { dir } = ctx.videoFiles;
	const names = (await readdir(dir)).filter((name) => name.endsWith(".new") && isOurFile(name));
	await Promise.all(names.map((name) => rm(join(dir, name), { force: true })));
}

/**
 * Recovers uploads after a crash: updates the rows of unfinished ones to match their files, and settles jobs whose
 * video is complete. Runs once after the start, while requests are served: there may be thousands of files to read.
 *
 * @param stopping aborts between two recordings.
 */
export async function recoverUploads(ctx: RecordingContext, stopping: AbortSignal): Promise<void> {
	const stored = await ctx.db
		.selectFrom("job")
		.innerJoin("recording", "recording.jobId", "job.id")
		.select(["job.id", "job.organizationId"])
		.where("job.status", "=", "uploading")
		.where("recording.state", "=", "ready")
		.execute();
	for (const job of stored) {
		await recordingStored({ ...ctx, actor: { kind: "system", organizationId: job.organizationId } }, job.id);
	}
	for (let after = 0; ; ) {
		const unfinished = await ctx.db
			.selectFrom("recording")
			.selectAll()
			// Literally, here and below, as in the indexes of the few recordings that are not ready.
			.where(sql<boolean>`state <> 'ready' and "deletedAt" is null`)
			.where("id", ">", after)
			.orderBy("id")
			.limit(BATCH)
			.execute();
		const elsewhere = await ctx.leases.elsewhere(unfinished.map(({ uploadId }) => uploadId));
		for (const row of unfinished) {
			if (stopping.aborted) return;
			if (!elsewhere.has(row.uploadId)) await refresh(ctx, row);
			after = row.id;
		}
		if (unfinished.length < BATCH) return;
	}
}

/** Updates a row to match its file, unless it does already or an upload is writing it by now. */
async function refresh(ctx: RecordingContext, row: RecordingRow): Promise<void> {
	const files = ctx.videoFiles;
	try {
		const size = await fileSize(files.pathOf(row.uploadId));
		// Its file may be on another machine.
		if (size === row.bytes || (size === null && !ctx.videoStore.fillsDisk)) return;
		await files.use(row.uploadId, row.state === "live", async (video) => {
			await ctx.db
				.updateTable("recording")
				.set(contentOf(video))
				.where("id", "=", row.id)
				.where("updatedAt", "=", row.updatedAt)
				.execute();
		});
	} catch (error) {
		ctx.log.warn({ err: error, recordingId: row.id }, "a recording's file could not be read");
	}
}

/**
 * Ends uploads that got no byte for 24 h and belong to no running job: if playable they become `partial` recordings,
 * otherwise they are deleted, like files without a row. Run by a timer.
 * @param ctx any actor.
 */
export async function sweepUploads(ctx: RecordingContext): Promise<void> {
	const before = ctx.clock.now() - ABANDONED_MS;
	const abandoned = await ctx.db
		.selectFrom("recording")
		.leftJoin("job", "job.id", "recording.jobId")
		.selectAll("recording")
		.where(sql<boolean>`recording.state = 'live'`)
		.where("recording.updatedAt", "<", before)
		.where((where) => where.or([where("job.id", "is", null), where("job.status", "not in", UNFINISHED_STATUSES)]))
		.execute();
	const elsewhere = await ctx.leases.elsewhere(abandoned.map(({ uploadId }) => uploadId));
	for (const row of abandoned) await abandon(ctx, row, !elsewhere.has(row.uploadId));
	// After a day what this process has of them, after two what is durable of those whose process is gone.
	await keepPartials(ctx, sql`recording."updatedAt" < ${before}`, before - ABANDONED_MS);
	await sweepFiles(ctx, before);
	await sweepCopies(ctx, before);
	await sweepQuotaReservations(ctx, before);
}

async function abandon(ctx: RecordingContext, row: RecordingRow, isHere: boolean): Promise<void> {
	if (isHere) await refresh(ctx, row);
	const partial = await ctx.db
		.updateTable("recording")
		.set({ state: "partial" })
		.where("id", "=", row.id)
		.where("state", "=", "live")
		.returning(["id", "organizationId", "jobId", "durationSeconds"])
		.executeTakeFirst();
	if (partial === undefined) return;
	ctx.videoFiles.forget(row.uploadId);
	if (partial.durationSeconds === 0) await forgetRecording(ctx, row.id);
	else await publishRecording(ctx, partial, { withJob: true });
}

/** Before this dashboard stops, which may not return: others then have the interrupted recordings that are here and whole. */
export async function keepPartialsHere(ctx: RecordingContext, stopping: AbortSignal): Promise<void> {
	if (ctx.leases.shared) await keepPartials(ctx, ctx.leases.filesAreHere, 0, stopping);
}

/**
 * Stores partial recordings, which will hardly go on, where finished ones are. One that fails does not keep the others.
 * @param tornBefore of recordings that got their last byte before, what is durable is enough; others must be whole.
 */
async function keepPartials(
	ctx: RecordingContext,
	which: Expression<SqlBool>,
	tornBefore: number,
	stopping?: AbortSignal,
): Promise<void> {
	if (ctx.videoStore.fillsDisk) return;
	const partial = await ctx.db
		.selectFrom("recording")
		.selectAll()
		.where(sql<boolean>`state <> 'ready' and "deletedAt" is null`)
		.where("state", "=", "partial")
		.where("objectKey", "is", null)
		.where(which)
		.limit(BATCH)
		.execute();
	for (const row of partial) {
		if (stopping?.aborted) return;
		try {
			await keepPartial(ctx, row, tornBefore);
		} catch (error) {
			ctx.log.warn({ err: error, recordingId: row.id }, "a partial recording could not be stored in the bucket");
		}
	}
}

async function keepPartial(ctx: RecordingContext, row: RecordingRow, tornBefore: number): Promise<void> {
	const { videoStore, videoFiles } = ctx;
	const size = await fileSize(videoFiles.pathOf(row.uploadId));
	if ((size ?? 0) < row.bytes && row.updatedAt >= tornBefore) return;
	const { leases } = ctx;
	try {
		await leases.take(row.uploadId);
	} catch (error) {
		// A dashboard that runs keeps its own.
		if (error instanceof UploadElsewhere) return;
		throw error;
	}
	if ((await videoStore.restore(row.uploadId)) === null) return;
	const [stored, content] = await videoFiles.use(row.uploadId, false, async (video) => {
		const kept = await videoStore.keep(row.uploadId, completeVideo(video, row));
		return [kept, contentOf(video)] as const;
	});
	const changed = await inTransaction(ctx, async (ctx) => {
		const changed = await ctx.db
			.updateTable("recording")
			.set({ ...content, ...stored.columns })
			.where("id", "=", row.id)
			.where("state", "=", "partial")
			.where("updatedAt", "=", row.updatedAt)
			.where("objectKey", "is", null)
			.returning("id")
			.executeTakeFirst();
		if (changed !== undefined) await stored.commit(ctx.db);
		return changed;
	});
	if (changed === undefined) return;
	await stored.release();
	await publishRecording(ctx, row, { withJob: true });
}

/** Deletes files without a recording after a day: empty or torn uploads, and posters without a video. */
async function sweepFiles(ctx: RecordingContext, before: number): Promise<void> {
	const files = ctx.videoFiles;
	const unknown = new Map<string, string[]>();
	for await (const names of batchesOf(files.dir)) {
		for (const name of await withoutRecording(ctx, names)) {
			const uploadId = uploadIdOf(name);
			unknown.set(uploadId, [...(unknown.get(uploadId) ?? []), name]);
		}
	}
	for (const [uploadId, names] of unknown) await removeOld(ctx, uploadId, names, before);
}

/** The names of a folder's files in pieces: reading a hundred thousand at once would hold up the event loop. */
async function* batchesOf(dir: string): AsyncGenerator<string[]> {
	let batch: string[] = [];
	for await (const { name } of await opendir(dir, { bufferSize: BATCH })) {
		batch.push(name);
		if (batch.length < BATCH) continue;
		yield batch;
		batch = [];
	}
	if (batch.length > 0) yield batch;
}

/** Deletes files of recordings in the bucket: pictures that nobody watched lately, and videos that a crash left. */
async function sweepCopies(ctx: RecordingContext, before: number): Promise<void> {
	if (ctx.bucket === null) return;
	const { dir } = ctx.videoFiles;
	for await (const names of batchesOf(dir)) {
		const uploadIds = [...new Set(names.map(uploadIdOf))];
		const rows = await ctx.reads
			.selectFrom("recording")
			.select("uploadId")
			.where("uploadId", "in", uploadIds)
			.where("objectKey", "is not", null)
			.where("state", "=", "ready")
			.execute();
		const stored = new Set(rows.map((row) => row.uploadId));
		for (const name of names) {
			if (!stored.has(uploadIdOf(name)) || !isOurFile(name)) continue;
			const found = await stat(join(dir, name)).catch(() => null);
			if (found !== null && Math.max(found.mtimeMs, found.atimeMs) < before) await rm(join(dir, name), { force: true });
		}
	}
}

const uploadIdOf = (name: string): string => name.split(".")[0] ?? name;

async function withoutRecording(ctx: RecordingContext, names: readonly string[]): Promise<string[]> {
	const uploadIds = [...new Set(names.map(uploadIdOf))];
	// Elsewhere, because there may be thousands of such batches.
	const rows = await ctx.reads
		.selectFrom("recording")
		.select("uploadId")
		.where("uploadId", "in", uploadIds)
		.where(({ not }) => not(isPurged))
		.execute();
	const attachments = await ctx.reads
		.selectFrom("attachment")
		.select("uploadId")
		.where("uploadId", "in", uploadIds)
		.execute();
	const known = new Set([...rows, ...attachments].map((row) => row.uploadId));
	// Another dashboard has continued these uploads.
	for (const uploadId of await ctx.leases.elsewhere(uploadIds)) known.delete(uploadId);
	return names.filter((name) => !known.has(uploadIdOf(name)));
}

async function removeOld(
	ctx: RecordingContext,
	uploadId: string,
	names: readonly string[],
	before: number,
): Promise<void> {
	const files = ctx.videoFiles;
	if (!names.every((name) => isOurFile(name)) || (await isRunning(ctx, uploadId))) return;
	for (const name of names) {
		const found = await stat(join(files.dir, name)).catch(() => null);
		if (found !== null && found.mtimeMs >= before) return;
	}
	ctx.log.info({ uploadId }, "abandoned upload removed");
	await files.remove(uploadId);
	await Promise.all(names.map((name) => rm(join(files.dir, name), { force: true })));
}

/** A running job may not have captured anything yet. */
async function isRunning(ctx: RecordingContext, uploadId: string): Promise<boolean> {
	const jobId = jobIdOfUpload(uploadId);
	if (jobId === null) return false;
	const job = await ctx.db
		.selectFrom("job")
		.select("id")
		.where("id", "=", jobId)
		.where("status", "in", UNFINISHED_STATUSES);
	return (await job.executeTakeFirst()) !== undefined;
}

/**
 * Deletes videos that another dashboard has taken over and has as much of by now. Their pictures may be copies of what is
 * in the bucket.
 */
export async function removeTakenOver(ctx: RecordingContext): Promise<void> {
	const { dir } = ctx.videoFiles;
	for await (const names of batchesOf(dir)) {
		const elsewhere = await ctx.leases.elsewhere([...new Set(names.map(uploadIdOf))]);
		if (elsewhere.size === 0) continue;
		const rows = await ctx.reads
			.selectFrom("recording")
			.select(["uploadId", "state", "bytes", "updatedAt"])
			.where("uploadId", "in", [...elsewhere])
			.execute();
		for (const { uploadId, state, bytes, updatedAt } of rows) {
			const left = await stat(join(dir, uploadId)).catch(() => null);
			if (left === null || left.mtimeMs > Date.now() - TAKEN_OVER_MS) continue;
			// Right after the change of hands, the row still counts what is here.
			if (state !== "ready" && (bytes < left.size || updatedAt < left.mtimeMs + TAKEN_OVER_MS)) continue;
			ctx.log.info({ uploadId }, "another dashboard has this upload by now; what was left of it here is removed");
			await ctx.videoFiles.removeVideo(uploadId);
		}
	}
}

/** Deletes the files of recordings that other dashboards have deleted. */
export async function removeDeletedElsewhere(ctx: RecordingContext): Promise<void> {
	for (;;) {
		const uploadIds = await ctx.leases.deletedHere(BATCH);
		for (const uploadId of uploadIds) {
			await ctx.videoFiles.remove(uploadId);
			await ctx.leases.drop(uploadId);
		}
		if (uploadIds.length < BATCH) return;
	}
}

/**
 * Notes where the files of recordings are that were moved from SQLite, which has no leases: here, if they are in this
 * directory.
 * @param stopping aborts between two batches.
 */
export async function adoptRecordings(ctx: RecordingContext, stopping: AbortSignal): Promise<void> {
	if (!ctx.leases.shared) return;
	for (let after = 0; !stopping.aborted; ) {
		const rows = await ctx.db
			.selectFrom("recording")
			.select(["id", "uploadId"])
			.where("id", ">", after)
			.where(({ not, exists, selectFrom }) =>
				not(
					exists(
						selectFrom("uploadLease").select("nodeId").whereRef("uploadLease.uploadId", "=", "recording.uploadId"),
					),
				),
			)
			.orderBy("id")
			.limit(BATCH)
			.execute();
		const here = await Promise.all(
			rows.map(({ uploadId }) =>
				stat(ctx.videoFiles.pathOf(uploadId)).then(
					() => uploadId,
					() => null,
				),
			),
		);
		await ctx.leases.adopt(here.filter((uploadId) => uploadId !== null));
		after = rows.at(-1)?.id ?? after;
		if (rows.length < BATCH) return;
	}
}
