/**
 * The moment at which a test failed: the first marker of the kind `fail` of jobs and uploaded recordings, or of one without
 * such a marker, the first failure that was reported as a test result.
 */
import type { Context } from "#lib/core/context.ts";
import { roundedSeconds } from "#lib/core/times.ts";
import { frameRateOf } from "#lib/lifecycle/labels.ts";
import { placeMarker } from "#lib/lifecycle/marker-store.ts";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";

/** The first marker of the kind `fail` of a video. */
interface FailMarker {
	label: string;
	/** Several lines, such as the error of the test. */
	message: string | null;
	/** Seconds from the first frame. */
	offsetSeconds: number;
}

/** When the video shows its first marker of the kind `fail`, in seconds. */
export async function failMarkerOf(ctx: Context, row: RecordingRow): Promise<number | null> {
	return (await firstFailMarkerOf(ctx, row))?.offsetSeconds ?? null;
}

export async function firstFailMarkerOf(ctx: Context, row: RecordingRow): Promise<FailMarker | null> {
	const marker = await ctx.db
		.selectFrom("marker")
		.select(["label", "message", "at"])
		.where(row.jobId === null ? "recordingId" : "jobId", "=", row.jobId ?? row.id)
		.where("kind", "=", "fail")
		.orderBy("at")
		.orderBy("id")
		.limit(1)
		.executeTakeFirst();
	if (marker === undefined) return null;
	const { offsetSeconds } = placeMarker(marker.at, await placedVideo(ctx, row));
	if (offsetSeconds === null) return null;
	return { label: marker.label, message: marker.message, offsetSeconds: roundedSeconds(offsetSeconds) };
}

/** The first test result of a video that says when it failed. */
export interface ReportedFailure {
	test: string;
	message: string | null;
	/** Seconds from the first frame. */
	offsetSeconds: number;
}

/** Only of reported results: a result that follows from the job's outcome knows no moment that the outcome does not. */
export async function reportedFailureOf(ctx: Context, row: RecordingRow): Promise<ReportedFailure | null> {
	const found = await ctx.db
		.selectFrom("testResult")
		.select(["name", "message", "momentAt"])
		.where(row.jobId === null ? "recordingId" : "jobId", "=", row.jobId ?? row.id)
		.where("isImplied", "=", 0)
		.where("outcome", "in", ["failed", "error"])
		.where("momentAt", "is not", null)
		.orderBy("startedAt")
		.orderBy("id")
		.limit(1)
		.executeTakeFirst();
	if (found === undefined || found.momentAt === null) return null;
	const { offsetSeconds } = placeMarker(found.momentAt, await placedVideo(ctx, row));
	if (offsetSeconds === null) return null;
	return { test: found.name, message: found.message, offsetSeconds: roundedSeconds(offsetSeconds) };
}

/** The position of a video in time, as placeMarker takes it. */
async function placedVideo(ctx: Context, { jobId, ...row }: RecordingRow) {
	const job =
		jobId === null
			? undefined
			: await ctx.db.selectFrom("job").select("startedAt").where("id", "=", jobId).executeTakeFirst();
	return {
		jobId,
		startedAt: job?.startedAt ?? row.createdAt,
		durationSeconds: row.state === "live" ? null : row.durationSeconds,
		framesPerSecond: frameRateOf(row),
	};
}
