/**
 * The moment at which a test failed: the first marker of the kind `fail` of jobs and uploaded recordings, or of one without
 * such a marker, the first failure that was reported as a test result.
 */
import type { Failure } from "@tapedeck/contract/failure.ts";
import { sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { roundedSeconds } from "#lib/core/times.ts";
import { frameRateOf } from "#lib/lifecycle/labels.ts";
import { placeMarker } from "#lib/lifecycle/marker-store.ts";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";

/** The owner of a marker: a job, or an uploaded recording. */
export interface MarkedVideo {
	jobId: number | null;
	recordingId: number | null;
	/** When the first frame of a job's video was captured, in milliseconds since 1970; null if unknown. */
	startedAt: number | null;
	/** The length of the video; null while it grows, and if there is none. */
	durationSeconds: number | null;
	framesPerSecond: number | null;
}

type FailMarker = NonNullable<Failure["failMarker"]>;

/** @returns the marker of each, in their order. */
export async function failMarkersOf(ctx: Context, videos: readonly MarkedVideo[]): Promise<(FailMarker | null)[]> {
	if (videos.length === 0) return [];
	const first = ({ jobId, recordingId }: MarkedVideo) => {
		const owner = jobId !== null ? sql`"jobId" = ${jobId}` : sql`"recordingId" = ${recordingId}`;
		// Each reads its own markers in their order, however many there are behind the first.
		return sql`select * from (select "jobId", "recordingId", label, message, at from marker
			where ${owner} and kind = 'fail' order by at, id limit 1) as one`;
	};
	const { rows } = await sql<{
		jobId: number | null;
		recordingId: number | null;
		label: string;
		message: string | null;
		at: number;
	}>`${sql.join(videos.map(first), sql` union all `)}`.execute(ctx.db);
	return videos.map((video) => {
		const { jobId, recordingId } = video;
		const row = rows.find((row) => (jobId === null ? row.recordingId === recordingId : row.jobId === jobId));
		if (row === undefined) return null;
		const { offsetSeconds, clampedTo } = placeMarker(row.at, video);
		if (offsetSeconds === null) return null;
		const { label, message } = row;
		return { label, message, offsetSeconds: roundedSeconds(offsetSeconds), clampedTo };
	});
}

/** When the video shows its first marker of the kind `fail`, in seconds. */
export async function failMarkerOf(ctx: Context, row: RecordingRow): Promise<number | null> {
	return (await firstFailMarkerOf(ctx, row))?.offsetSeconds ?? null;
}

/** The first marker of the kind `fail` of a video. */
export async function firstFailMarkerOf(ctx: Context, row: RecordingRow): Promise<FailMarker | null> {
	const [marker] = await failMarkersOf(ctx, [await markedVideo(ctx, row)]);
	return marker ?? null;
}

/** The first test result of a video that says when it failed. */
export interface ReportedFailure {
	test: string;
	message: string | null;
	/** Seconds from the first frame. */
	offsetSeconds: number;
}

/** Only what somebody reported: a result that follows from the job's outcome knows no moment that the outcome does not. */
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
	const { offsetSeconds } = placeMarker(found.momentAt, await markedVideo(ctx, row));
	if (offsetSeconds === null) return null;
	return { test: found.name, message: found.message, offsetSeconds: roundedSeconds(offsetSeconds) };
}

async function markedVideo(ctx: Context, row: RecordingRow): Promise<MarkedVideo> {
	const { id, jobId, createdAt } = row;
	const job =
		jobId === null
			? undefined
			: await ctx.db.selectFrom("job").select("startedAt").where("id", "=", jobId).executeTakeFirst();
	return {
		jobId,
		recordingId: id,
		startedAt: job?.startedAt ?? createdAt,
		durationSeconds: row.state === "live" ? null : row.durationSeconds,
		framesPerSecond: frameRateOf(row),
	};
}
