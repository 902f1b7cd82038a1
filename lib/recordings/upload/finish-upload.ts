/** An upload is whole: its file is safe on disk, judged, and plays from now on. */
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { audit } from "../../core/audit.ts";
import type { Context } from "../../core/context.ts";
import { recordingStored } from "../../lifecycle/settle-job.ts";
import type { GrowingVideo } from "../../media/growing-video.ts";
import { sniffVideo } from "../../media/sniff-video.ts";
import { isUndecodable } from "../pictures/grab-frame.ts";
import { factsSoFar } from "./record-progress.ts";
import { publishRecording, type StoredFacts } from "../../lifecycle/recording-store.ts";
import { shelfOf } from "../playback/video-files.ts";

/**
 * Makes the recording of a whole upload `ready` and tells its job. Idempotent: one that is ready stays as it is.
 * @returns false for a file that is no video. A job's recording is kept even so: its job must end, and it can be
 *   downloaded; it has no length then.
 */
export async function finishUpload(ctx: Context, uploadId: string, jobId: number | null): Promise<boolean> {
	return shelfOf(ctx).use(uploadId, true, async (video) => {
		if (await isReady(ctx, uploadId)) return true;
		const facts = await judge(video);
		if (jobId === null && (facts === null || (await isBroken(ctx, video, facts.contentType)))) return false;
		const { contentType, ...stored } = facts ?? { ...factsSoFar(video), contentType: undefined };
		const row = await ctx.db
			.updateTable("recording")
			.set({ ...stored, ...(contentType === undefined ? {} : { contentType }), state: "ready" })
			.set({ updatedAt: ctx.clock.now() })
			.where("uploadId", "=", uploadId)
			.returning(["id", "organizationId", "jobId", "name", "bytes"])
			.executeTakeFirst();
		video.finish();
		if (row === undefined) return facts !== null;
		if (facts === null) ctx.log.warn({ recordingId: row.id, jobId }, "a job's video has no frames that play");
		if (row.jobId !== null) await recordingStored(ctx, row.jobId);
		else await auditUpload(ctx, row);
		await publishRecording(ctx, row, { withJob: true });
		return facts !== null;
	});
}

async function isReady(ctx: Context, uploadId: string): Promise<boolean> {
	const row = await ctx.db.selectFrom("recording").select("state").where("uploadId", "=", uploadId).executeTakeFirst();
	return row?.state === "ready";
}

/** Writes down that somebody brought a video that was made elsewhere. */
export const auditUpload = (ctx: Context, row: { id: number; name: string; bytes: number }): Promise<void> =>
	audit(ctx, {
		action: "recording.uploaded",
		target: { kind: "recording", id: row.id, name: row.name },
		detail: { bytes: row.bytes },
	});

/** A video from elsewhere must play. What a job recorded is kept as it is. */
async function isBroken(ctx: Context, video: GrowingVideo, contentType: string): Promise<boolean> {
	if (video.index.playable && video.index.keyframeOffsets.length === 0) return true;
	return isUndecodable(ctx.log, video.path, contentType);
}

/** Brings the file to the disk and looks at all of it. */
async function judge(video: GrowingVideo): Promise<(StoredFacts & { contentType: string }) | null> {
	const handle = await open(video.path, "r+");
	try {
		const { size } = await handle.stat();
		await handle.sync();
		await syncFolder(dirname(video.path));
		await video.grew(handle, size);
		if (video.index.playable) return { ...factsSoFar(video), contentType: "video/mp4" };
		const sniffed = await sniffVideo(handle, size);
		if (sniffed === null) return null;
		const { contentType, durationSeconds, width, height } = sniffed;
		return { bytes: size, downloadBytes: null, contentType, durationSeconds, width, height };
	} finally {
		await handle.close();
	}
}

/** A new file is only safe once its folder is. */
export async function syncFolder(path: string): Promise<void> {
	const handle = await open(path, "r");
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}
