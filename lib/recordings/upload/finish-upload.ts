/** Finishes a complete upload: syncs its file to disk, inspects it, and makes it playable. */
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { RecordingKind } from "@tapedeck/contract/recording-kinds.ts";
import type { GrowingVideo } from "@tapedeck/media/growing-video.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { inTransaction } from "#lib/core/context.ts";
import { syncFolder } from "#lib/core/sync-folder.ts";
import { lockJob } from "#lib/lifecycle/job-store.ts";
import { deleteAtOf, labelColumns, readLabels, recordingSettings } from "#lib/lifecycle/labels.ts";
import { noteEvents } from "#lib/lifecycle/outbox.ts";
import { publishRecording, type RecordingRow, type StoredContent } from "#lib/lifecycle/recording-store.ts";
import { settleStored } from "#lib/lifecycle/settle-job.ts";
import { updateResultsOfUpload } from "#lib/test-results/store/implied-results.ts";
import { ownedByRun, ownedByUpload } from "#lib/test-results/store/result-owner.ts";
import { publishResults } from "#lib/test-results/store/result-store.ts";
import type { RecordingContext } from "../recording-context.ts";
import type { CompleteVideo } from "../store/video-store.ts";
import { inspectFile } from "./file-kind.ts";
import { contentOf } from "./record-progress.ts";
import type { ResultVideo } from "./upload-purpose.ts";
import { assertShows, attachVideo, findShownResult, lockShownResult, type ShownResult } from "./video-of-result.ts";
import { inspectVideo } from "./video-type.ts";

/** Details that the uploader gives about a file. */
export interface NewFile {
	kind: RecordingKind;
	type: string | null;
	/** The result that gets the video. */
	ofResult: ResultVideo | null;
}
const VIDEO: NewFile = { kind: "video", type: null, ofResult: null };

/**
 * Makes the recording of a complete upload `ready` and settles its job, both or neither. Idempotent.
 * @param file what the uploader says that it is, and the result that gets the video.
 * @returns false if the file isn't a video, or not the image that it is said to be. A job's recording is kept even then,
 *   without a length: its job must end,
 *   and it can be downloaded.
 */
export async function finishUpload(
	ctx: RecordingContext,
	uploadId: string,
	jobId: number | null,
	{ kind, type, ofResult }: NewFile = VIDEO,
): Promise<boolean> {
	// Its file may be gone from this disk by now.
	if (await wasFinished(ctx, uploadId)) return true;
	return ctx.videoFiles.use(uploadId, true, async (video) => {
		if (await wasFinished(ctx, uploadId)) return true;
		const content = await syncAndInspect(ctx, video, { kind, type });
		// The end of a job must not wait for a decoder, which a busy machine gives no processor time.
		if (jobId === null && (content === null || (kind === "video" && (await isBroken(ctx, video, content.contentType)))))
			return false;
		const shown = ofResult === null || content === null ? null : await shownBy(ctx, ofResult, content);
		const { contentType, ...stored } = content ?? { ...contentOf(video), contentType: undefined };
		const kept = await ctx.videoStore.keep(
			uploadId,
			completeVideo(video, { kind, contentType: contentType ?? "video/mp4" }),
		);
		const row = await inTransaction(ctx, async (ctx) => {
			// Before the recording, like everything that changes both.
			if (jobId !== null) await lockJob(ctx, jobId);
			const locked = shown === null ? null : { ...shown, result: await lockShownResult(ctx, shown.result) };
			await ctx.leases.complete(ctx, uploadId, { onDisk: kept.columns.objectKey === null });
			const row = await ctx.db
				.updateTable("recording")
				.set({ ...stored, ...(contentType === undefined ? {} : { contentType }), ...kept.columns, state: "ready" })
				.set({ updatedAt: ctx.clock.now() })
				.set(locked === null ? {} : await columnsOf(ctx, uploadId, locked))
				.where("uploadId", "=", uploadId)
				.where("state", "!=", "ready")
				.returningAll()
				.executeTakeFirst();
			if (row === undefined) return undefined;
			await kept.commit(ctx.db);
			await noteEvents(ctx, "recording.ready", row.organizationId, [row.id]);
			if (row.jobId !== null) await settleStored(ctx, row.jobId);
			else {
				if (locked !== null) await attachVideo(ctx, locked.result, row.id);
				await deleteWhenDue(ctx, row);
				await updateResultsOfUpload(ctx, row);
				await auditUpload(ctx, row);
			}
			return row;
		});
		video.finish();
		if (row === undefined) return content !== null;
		await kept.release();
		if (content === null) ctx.log.warn({ recordingId: row.id, jobId }, "a job's video has no playable frames");
		await publishRecording(ctx, row, { withJob: true });
		if (shown !== null) publishResults(ctx, ownedByRun(shown.result.testRunId));
		else if (row.jobId === null && row.outcome !== null) publishResults(ctx, ownedByUpload(row.id));
		return content !== null;
	});
}

interface Shown {
	result: ShownResult;
	/** When the first frame was captured. */
	createdAt: number;
}

/** @throws not_found; conflict; validation_failed. */
async function shownBy(
	ctx: RecordingContext,
	{ testResultId, startedAt }: ResultVideo,
	{ durationSeconds }: StoredContent,
): Promise<Shown> {
	const result = await findShownResult(ctx, testResultId);
	const createdAt = startedAt ?? result.startedAt;
	assertShows(result, createdAt, durationSeconds);
	return { result, createdAt };
}

/** Values that a recording takes from the result that it shows. Its own labels and outcome take precedence. */
async function columnsOf({ db }: RecordingContext, uploadId: string, { result, createdAt }: Shown) {
	const row = await db
		.selectFrom("recording")
		.select(["labels", "outcome"])
		.where("uploadId", "=", uploadId)
		.executeTakeFirst();
	const labels = { ...result.labels, ...(row === undefined ? {} : readLabels(row)) };
	return { createdAt, outcome: row?.outcome ?? result.outcome, ...labelColumns(labels) };
}

/** The time until it is deleted counts from here: an upload may take days. */
async function deleteWhenDue({ db, clock }: RecordingContext, row: RecordingRow): Promise<void> {
	const deleteAt = deleteAtOf(row, await recordingSettings({ db }, row.organizationId), clock.now());
	if (deleteAt !== null) await db.updateTable("recording").set({ deleteAt }).where("id", "=", row.id).execute();
}

/** The video that is played: without a torn end, and other formats than fragmented MP4 unchanged. */
export function completeVideo(
	{ path, index, bytes }: GrowingVideo,
	{ kind, contentType }: { kind: RecordingKind; contentType: string },
): CompleteVideo {
	if (kind !== "video" || !index.playable) return { path, head: Buffer.alloc(0), fileBytes: bytes, contentType };
	return { path, head: index.header(), fileBytes: index.completeBytes, contentType };
}

/** If the connection to the database broke before the answer to an earlier attempt's commit, nobody was notified of it. */
async function wasFinished(ctx: RecordingContext, uploadId: string): Promise<boolean> {
	const row = await ctx.db
		.selectFrom("recording")
		.select(["id", "organizationId", "jobId", "state"])
		.where("uploadId", "=", uploadId)
		.executeTakeFirst();
	if (row?.state !== "ready") return false;
	await publishRecording(ctx, row, { withJob: true });
	return true;
}

/** Writes the audit entry for an uploaded video. */
export const auditUpload = (ctx: RecordingContext, row: { id: number; name: string; bytes: number }): Promise<void> =>
	audit(ctx, {
		action: "recording.uploaded",
		target: { kind: "recording", id: row.id, name: row.name },
		detail: { bytes: row.bytes },
	});

/** An uploaded video must be playable. A job's recording is kept regardless. */
async function isBroken(ctx: RecordingContext, video: GrowingVideo, contentType: string): Promise<boolean> {
	if (video.index.playable && video.index.keyframeOffsets.length === 0) return true;
	return ctx.frameGrabber.isUndecodable(ctx, video.path, contentType);
}

/** Syncs the file and its folder to disk and reads its metadata; null if it isn't a file of that kind. */
async function syncAndInspect(
	ctx: RecordingContext,
	video: GrowingVideo,
	{ kind, type }: { kind: RecordingKind; type: string | null },
): Promise<(StoredContent & { contentType: string }) | null> {
	const handle = await open(video.path, "r+");
	try {
		const { size } = await handle.stat();
		await Promise.all([handle.sync(), syncFolder(dirname(video.path))]);
		await video.grew(handle, size);
		if (kind !== "video") return await inspectFile(kind, type, handle, size);
		if (video.index.playable) return { ...contentOf(video), contentType: "video/mp4" };
		const sniffed = await inspectVideo(ctx, video.path, handle, size);
		if (sniffed === null) return null;
		const { contentType, durationSeconds, width, height } = sniffed;
		return { bytes: size, downloadBytes: null, contentType, durationSeconds, width, height };
	} finally {
		await handle.close();
	}
}
