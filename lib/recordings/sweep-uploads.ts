/** Uploads that nobody finishes, and files that a crash left behind. */
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../core/context.ts";
import { recordingStored } from "../lifecycle/settle-job.ts";
import { discardRecording } from "./delete-recording.ts";
import { sweepHeldRoom } from "./organization-room.ts";
import { factsSoFar } from "./upload/record-progress.ts";
import { publishRecording, type RecordingRow } from "../lifecycle/recording-store.ts";
import { jobIdOfUpload } from "./upload/owner.ts";
import { shelfOf } from "./playback/video-files.ts";

const ABANDONED_MS = 24 * 3_600_000;
const RUNNING = ["queued", "starting", "recording", "uploading"] as const;
const LOOKUP = 500;

/**
 * Once at start, before requests come: rows of unfinished uploads say what their files hold (a crash may have come
 * before the last write), and jobs whose video was stored just before it are told so.
 */
export async function recoverUploads(ctx: Context): Promise<void> {
	await removeHalfWritten(ctx);
	const unfinished = await ctx.db.selectFrom("recording").selectAll().where("state", "!=", "ready").execute();
	for (const row of unfinished) await refresh(ctx, row);
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
}

/** What a crash left of files that were being replaced: at a start nobody writes them any more. */
async function removeHalfWritten(ctx: Context): Promise<void> {
	const { dir } = shelfOf(ctx);
	const names = (await readdir(dir)).filter((name) => name.endsWith(".new") && OURS.test(name));
	await Promise.all(names.map((name) => rm(join(dir, name), { force: true })));
}

async function refresh(ctx: Context, row: RecordingRow): Promise<void> {
	try {
		await shelfOf(ctx).use(row.uploadId, row.state === "live", async (video) => {
			await ctx.db.updateTable("recording").set(factsSoFar(video)).where("id", "=", row.id).execute();
		});
	} catch (error) {
		ctx.log.warn({ err: error, recordingId: row.id }, "a recording's file could not be read");
	}
}

/**
 * Uploads without a byte for 24 h that belong to no running job end: what plays becomes a `partial` recording, the
 * rest goes. So do files without a row. For a timer.
 * @param ctx whose actor is not looked at.
 */
export async function sweepUploads(ctx: Context): Promise<void> {
	const before = ctx.clock.now() - ABANDONED_MS;
	const abandoned = await ctx.db
		.selectFrom("recording")
		.leftJoin("job", "job.id", "recording.jobId")
		.selectAll("recording")
		.where("recording.state", "=", "live")
		.where("recording.updatedAt", "<", before)
		.where((where) => where.or([where("job.id", "is", null), where("job.status", "not in", RUNNING)]))
		.execute();
	for (const row of abandoned) await giveUp(ctx, row);
	await sweepFiles(ctx, before);
	await sweepHeldRoom(ctx, before);
}

async function giveUp(ctx: Context, row: RecordingRow): Promise<void> {
	const system: Context = { ...ctx, actor: { kind: "system", organizationId: row.organizationId } };
	await refresh(ctx, row);
	const partial = await ctx.db
		.updateTable("recording")
		.set({ state: "partial" })
		.where("id", "=", row.id)
		.where("state", "=", "live")
		.returning(["id", "organizationId", "jobId", "durationSeconds"])
		.executeTakeFirst();
	if (partial === undefined) return;
	shelfOf(ctx).forget(row.uploadId);
	if (partial.durationSeconds === 0) await discardRecording(system, row.id, { forGood: false });
	else await publishRecording(ctx, partial, { withJob: true });
}

/** Files of no recording that nobody touched for a day: uploads without a byte, torn ones, posters without a video. */
async function sweepFiles(ctx: Context, before: number): Promise<void> {
	const shelf = shelfOf(ctx);
	const uploads = new Map<string, string[]>();
	for (const name of await readdir(shelf.dir)) {
		const uploadId = name.split(".")[0] ?? name;
		uploads.set(uploadId, [...(uploads.get(uploadId) ?? []), name]);
	}
	const uploadIds = [...uploads.keys()];
	for (let at = 0; at < uploadIds.length; at += LOOKUP) {
		const some = uploadIds.slice(at, at + LOOKUP);
		const rows = await ctx.db.selectFrom("recording").select("uploadId").where("uploadId", "in", some).execute();
		const known = new Set(rows.map((row) => row.uploadId));
		for (const uploadId of some) {
			if (known.has(uploadId)) continue;
			await removeOld(ctx, uploadId, uploads.get(uploadId) ?? [], before);
		}
	}
}

/** Names that we give: nothing else in the folder is touched. */
const OURS =
	/^(?:job-\d{1,16}|[0-9a-f]{32})(?:\.(?:json|jpg|first\.jpg|part|frames|stills)(?:\.[0-9a-f]+)?(?:\.new)?)?$/;

async function removeOld(ctx: Context, uploadId: string, names: readonly string[], before: number): Promise<void> {
	const shelf = shelfOf(ctx);
	if (!names.every((name) => OURS.test(name)) || (await isRunning(ctx, uploadId))) return;
	for (const name of names) {
		const found = await stat(join(shelf.dir, name)).catch(() => null);
		if (found !== null && found.mtimeMs >= before) return;
	}
	ctx.log.info({ uploadId }, "an upload that nobody went on with was removed");
	await shelf.remove(uploadId);
	await Promise.all(names.map((name) => rm(join(shelf.dir, name), { force: true })));
}

/** A job that runs may not have captured anything yet. */
async function isRunning(ctx: Context, uploadId: string): Promise<boolean> {
	const jobId = jobIdOfUpload(uploadId);
	if (jobId === null) return false;
	const job = await ctx.db.selectFrom("job").select("id").where("id", "=", jobId).where("status", "in", RUNNING);
	return (await job.executeTakeFirst()) !== undefined;
}
