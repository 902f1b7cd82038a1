/** `PUT /v1/runner/jobs/{jobId}/screenshot`: stores the picture of a screenshot job and ends the job. */
import { open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { MAX_SCREENSHOT_BYTES, type ScreenshotQuery } from "@tapedeck/contract/runner-protocol.ts";
import { type ImageInfo, sniffImage } from "@tapedeck/media/sniff-image.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { addJobEvent, lockJob, moveJob } from "#lib/lifecycle/job-store.ts";
import { deleteAtOf, recordingSettings, sharedColumnsOf } from "#lib/lifecycle/labels.ts";
import { noteEvents } from "#lib/lifecycle/outbox.ts";
import { publishRecording } from "#lib/lifecycle/recording-store.ts";
import { settleStored } from "#lib/lifecycle/settle-job.ts";
import type { RecordingContext } from "../recording-context.ts";
import { findHeldJob, NOT_HELD, type RunnerCall } from "./owner.ts";
import { storeFile } from "./store-file.ts";

const TOO_LARGE = `A screenshot has at most ${MAX_SCREENSHOT_BYTES} bytes. Take a region of the display.`;

/**
 * Both happen in one transaction. A repeated call, and one for a job that has ended, changes nothing.
 * @throws forbidden unless the caller holds the job; conflict for a recording; invalid_video for a body that is no PNG;
 *   payload_too_large; insufficient_storage; quota_exceeded.
 */
export async function storeScreenshot(
	ctx: RecordingContext,
	call: RunnerCall & ScreenshotQuery & { jobId: number; req: IncomingMessage },
): Promise<void> {
	const { jobId, req } = call;
	const held = await findHeldJob(ctx, call, jobId);
	if (held === undefined) throw new TapedeckError("forbidden", NOT_HELD);
	const limits = { contentType: "image/png", maxBytes: MAX_SCREENSHOT_BYTES, tooLarge: TOO_LARGE };
	const stored = await storeFile(ctx, req, limits, async (ctx, file) => {
		const image = await readImage(ctx.videoFiles.pathOf(file.uploadId), file.bytes);
		return addScreenshot(ctx, call, { ...file, ...image });
	});
	if (stored !== null) await publishRecording(ctx, stored, { withJob: true });
}

async function readImage(path: string, bytes: number): Promise<ImageInfo> {
	const file = await open(path, "r");
	try {
		const image = await sniffImage(file, bytes);
		if (image?.contentType === "image/png") return image;
		throw new TapedeckError("invalid_video", "The body is not a PNG image.");
	} finally {
		await file.close();
	}
}

interface StoredImage extends ImageInfo {
	uploadId: string;
	bytes: number;
	objectKey: string | null;
}

/** @returns null if the job has ended. */
async function addScreenshot(
	ctx: RecordingContext,
	{ jobId, at, clockShiftMs = 0, verdict, note }: ScreenshotQuery & { jobId: number },
	{ uploadId, bytes, objectKey, contentType, width, height }: StoredImage,
) {
	await lockJob(ctx, jobId);
	const job = await ctx.db.selectFrom("job").selectAll().where("id", "=", jobId).executeTakeFirstOrThrow();
	if (job.type !== "screenshot") throw new TapedeckError("conflict", "This job is no screenshot.");
	const now = ctx.clock.now();
	const capturedAt = Math.min(now, Date.parse(at) + clockShiftMs);
	const back = { heldStopReason: null, errorMessage: null, endedAt: null };
	const begun = { ...back, stopReason: null, startedAt: capturedAt };
	if ((await moveJob(ctx, jobId, "recording", begun, { returning: true })) === undefined) return null;
	const row = await ctx.db
		.insertInto("recording")
		.values({
			organizationId: job.organizationId,
			jobId,
			runnerId: job.runnerId,
			name: job.name,
			...sharedColumnsOf(job),
			deleteAt: deleteAtOf(job, await recordingSettings(ctx, job.organizationId), now),
			kind: "image",
			state: "ready",
			contentType,
			uploadId,
			durationSeconds: 0,
			bytes,
			width,
			height,
			objectKey,
			verdict,
			createdAt: capturedAt,
			updatedAt: now,
		})
		.returningAll()
		.executeTakeFirstOrThrow();
	await addJobEvent(ctx, jobId, { type: "recording", message: `Captured, ${width}×${height}.`, at: capturedAt });
	if (note !== undefined) await addJobEvent(ctx, jobId, { type: "note", message: note, at: capturedAt });
	await moveJob(ctx, jobId, "uploading", { stoppedAt: capturedAt, stopReason: "captured" });
	const message = verdict === "black" ? "The screenshot is of a single colour." : "The display was captured.";
	await addJobEvent(ctx, jobId, {
		type: "stopped",
		message,
		at: capturedAt,
		data: { stopReason: "captured", verdict },
	});
	await noteEvents(ctx, "recording.ready", row.organizationId, [row.id]);
	await settleStored(ctx, jobId);
	return row;
}
