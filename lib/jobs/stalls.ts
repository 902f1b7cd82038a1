/** Stretches in which a runner captured nothing: what its reports say of them, in words and as marks on the video. */
import { STALL_MARKER } from "../contract/marker-kinds.ts";
import type { JobReport } from "../contract/runner-protocol.ts";
import type { Context } from "../core/context.ts";
import type { JobRow } from "../lifecycle/job-store.ts";
import { insertRow, publishMarkers } from "./marker-store.ts";

type ReportData = Record<string, unknown> | undefined;

/** Whether a report tells of one: `data` then holds `from`, `to` and `seconds`. */
export const isStall = (report: JobReport): report is Extract<JobReport, { type: "note" }> =>
	report.type === "note" && report.event === "capture_stalled";

const numberIn = (data: ReportData, name: string): number | null => {
	const value = data?.[name];
	return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
};

const secondsOf = (seconds: number): string => `${Number(seconds.toFixed(1))} s`;

/** Why a recording ended, and that its capture stalled if it did. */
export function withStalls(message: string, data: ReportData): string {
	const [stalls, seconds] = [numberIn(data, "stalls"), numberIn(data, "stalledSeconds")];
	if (stalls === null || seconds === null || stalls < 1) return message;
	const times = stalls === 1 ? "" : ` ${stalls} times,`;
	return `${message} The capture stalled${times} for ${secondsOf(seconds)}${stalls === 1 ? "" : " in all"}; the video shows the last frame from before.`;
}

/** Marks a stall on the video. @param ctx one whose database is a transaction; `publishStall` follows its end. */
export async function markStall(ctx: Context, job: JobRow, data: ReportData): Promise<void> {
	const [from, seconds] = [numberIn(data, "from"), numberIn(data, "seconds")];
	if (from === null || seconds === null || job.startedAt === null) return;
	const owner = { jobId: job.id, recordingId: null, startedAt: job.startedAt };
	const label = `No frame captured for ${secondsOf(seconds)}`;
	await insertRow(ctx, owner, { label, kind: STALL_MARKER, at: job.startedAt + from * 1_000 });
}

/** Tells those who look at the recording of a job that a stall was marked on it. */
export async function publishStall(ctx: Context, job: JobRow): Promise<void> {
	const recording = await ctx.db.selectFrom("recording").select("id").where("jobId", "=", job.id).executeTakeFirst();
	publishMarkers(ctx, { jobId: job.id, recordingId: recording?.id ?? null });
}
