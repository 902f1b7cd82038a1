/** Stalls: periods in which a runner captured nothing, shown in the job's history and as markers on its video. */
import { STALL_MARKER } from "@tapedeck/contract/recording-kinds.ts";
import type { JobReportOf } from "@tapedeck/contract/runner-protocol.ts";
import type { Context } from "#lib/core/context.ts";
import type { JobRow } from "#lib/lifecycle/job-store.ts";
import { insertMarkerRows, publishMarkers } from "#lib/lifecycle/marker-store.ts";

type ReportData = Record<string, unknown> | undefined;

const numberIn = (data: ReportData, name: string): number | null => {
	const value = data?.[name];
	return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
};

const secondsOf = (seconds: number): string => `${Number(seconds.toFixed(1))} s`;

/** The end reason, with the stalls appended if there were any. */
export function withStalls(message: string, data: ReportData): string {
	const [stalls, seconds] = [numberIn(data, "stalls"), numberIn(data, "stalledSeconds")];
	if (stalls === null || seconds === null || stalls < 1) return message;
	const times = stalls === 1 ? "" : ` ${stalls} times,`;
	return `${message} The capture stalled${times} for ${secondsOf(seconds)}${stalls === 1 ? "" : " in all"}; the video shows the last frame before it.`;
}

/** Adds a marker for a stall. @param ctx its database must be a transaction; call `publishMarkersOf` after the commit. */
export async function markStall(
	ctx: Context,
	job: JobRow,
	{ from, seconds }: JobReportOf<"capture_stalled">,
): Promise<void> {
	if (job.startedAt === null) return;
	const owner = { jobId: job.id, recordingId: null };
	const label = `No frame captured for ${secondsOf(seconds)}`;
	await insertMarkerRows(ctx, owner, [{ label, kind: STALL_MARKER, at: job.startedAt + from * 1_000 }]);
}

/** Publishes the markers of a job's recording, after a report added some. */
export async function publishMarkersOf(ctx: Context, job: JobRow): Promise<void> {
	const recording = await ctx.db.selectFrom("recording").select("id").where("jobId", "=", job.id).executeTakeFirst();
	publishMarkers(ctx, { jobId: job.id, recordingId: recording?.id ?? null });
}
