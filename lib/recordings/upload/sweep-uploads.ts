/** Cleans up abandoned uploads and what a crash left behind. */
import { opendir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { UNFINISHED_STATUSES } from "#lib/contract/job-status.ts";
import { publishRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { recordingStored } from "#lib/lifecycle/settle-job.ts";
import { discardRecordings } from "../delete-recording.ts";
import { isOurFile } from "../playback/video-files.ts";
import type { RecordingContext } from "../recording-context.ts";
import { sweepQuotaReservations } from "../space/storage-quota.ts";
import { jobIdOfUpload } from "./owner.ts";
import { contentOf } from "./record-progress.ts";

const ABANDONED_MS = 24 * 3_600_000;
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
			.where(sql<boolean>`state <> 'ready'`)
			.where("id", ">", after)
			.orderBy("id")
			.limit(BATCH)
			.execute();
		for (const row of unfinished) {
			if (stopping.aborted) return;
			await refresh(ctx, row);
			after = row.id;
		}
		if (unfinished.length < BATCH) return;
	}
}

/** Updates a row to match its file, unless it does already or an upload is writing it by now. */
async function refresh(ctx: RecordingContext, row: RecordingRow): Promise<void> {
	const files = ctx.videoFiles;
	try {
		const { size } = await stat(files.pathOf(row.uploadId));
		if (size === row.bytes) return;
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
	for (const row of abandoned) await abandon(ctx, row);
	await sweepFiles(ctx, before);
	await sweepQuotaReservations(ctx, before);
}

async function abandon(ctx: RecordingContext, row: RecordingRow): Promise<void> {
	const system: RecordingContext = { ...ctx, actor: { kind: "system", organizationId: row.organizationId } };
	await refresh(ctx, row);
	const partial = await ctx.db
		.updateTable("recording")
		.set({ state: "partial" })
		.where("id", "=", row.id)
		.where("state", "=", "live")
		.returning(["id", "organizationId", "jobId", "durationSeconds"])
		.executeTakeFirst();
	if (partial === undefined) return;
	ctx.videoFiles.forget(row.uploadId);
	if (partial.durationSeconds === 0) await discardRecordings(system, [row.id], { permanently: false });
	else await publishRecording(ctx, partial, { withJob: true });
}

/** Deletes files without a recording after a day: empty or torn uploads, and posters without a video. */
async function sweepFiles(ctx: RecordingContext, before: number): Promise<void> {
	const files = ctx.videoFiles;
	const unknown = new Map<string, string[]>();
	const batch: string[] = [];
	const sort = async () => {
		for (const name of await withoutRecording(ctx, batch.splice(0))) {
			const uploadId = uploadIdOf(name);
			unknown.set(uploadId, [...(unknown.get(uploadId) ?? []), name]);
		}
	};
	// In pieces: reading a hundred thousand names at once would hold up the event loop.
	for await (const { name } of await opendir(files.dir, { bufferSize: BATCH })) {
		batch.push(name);
		if (batch.length >= BATCH) await sort();
	}
	await sort();
	for (const [uploadId, names] of unknown) await removeOld(ctx, uploadId, names, before);
}

const uploadIdOf = (name: string): string => name.split(".")[0] ?? name;

async function withoutRecording(ctx: RecordingContext, names: readonly string[]): Promise<string[]> {
	const uploadIds = [...new Set(names.map(uploadIdOf))];
	if (uploadIds.length === 0) return [];
	// Elsewhere, because there may be thousands of such batches.
	const rows = await ctx.reads.selectFrom("recording").select("uploadId").where("uploadId", "in", uploadIds).execute();
	const known = new Set(rows.map((row) => row.uploadId));
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
