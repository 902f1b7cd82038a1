/** What a runner reports of its jobs, made into transitions. A late or repeated report changes nothing. */
import type { JobReport } from "../contract/runner-protocol.ts";
import type { Context } from "../core/context.ts";
import { addJobEvent, type JobRow, moveJob, type NewJobEvent } from "../lifecycle/job-store.ts";
import { settleJob } from "../lifecycle/settle-job.ts";
import { isStall, markStall, withStalls } from "./stalls.ts";
import { keepVerdict } from "../lifecycle/verdict.ts";

const REASON_WORDS: Record<string, string> = {
	duration_elapsed: "The asked duration has elapsed.",
	cancelled: "Stopped, because it was cancelled.",
	selenium_idle: "Stopped, because the grid had no session for 5 seconds.",
	runner_shutdown: "Stopped, because the runner was shut down.",
	grid_unreachable: "Stopped, because the grid could not be reached for 60 seconds.",
};

/**
 * Applies one report to a job of this runner.
 *
 * @param ctx one whose database is a transaction.
 * @param at the report's instant in the dashboard's clock, milliseconds.
 * @returns the job's row as it stands now, or null when this runner has no such job.
 */
export async function reportJob(ctx: Context, runnerId: number, report: JobReport, at: number): Promise<JobRow | null> {
	const job = await ctx.db
		.selectFrom("job")
		.selectAll()
		.where("id", "=", report.jobId)
		.where("runnerId", "=", runnerId)
		.executeTakeFirst();
	if (job === undefined || (report.jobKey !== undefined && report.jobKey !== job.key)) return null;
	if (await isRepeated(ctx, report)) return job;
	const moved = await applyReport(ctx, job, report, at);
	if (moved === undefined && report.type !== "note") return job;
	await addJobEvent(ctx, job.id, {
		...eventOf(report),
		at: report.type === "stopped" ? await afterItsCause(ctx, job, report.stopReason, at) : at,
		runnerSeq: report.seq,
	});
	if (report.type === "stopped") await keepVerdict(ctx, job.id);
	if (isStall(report)) await markStall(ctx, job, report.data);
	// The upload may have become whole before the report that capture has ended.
	const settled = report.type === "stopped" ? await settleJob(ctx, job.id) : undefined;
	return settled ?? moved ?? job;
}

/**
 * When the history says that capture ended. `at` is the end of the last frame, which lies a little before what made it
 * end: the cancel, or what the runner saw.
 */
async function afterItsCause(ctx: Context, job: JobRow, stopReason: string, at: number): Promise<number> {
	const { seen } = await ctx.db
		.selectFrom("jobEvent")
		.select(({ fn }) => fn.max("at").as("seen"))
		.where("jobId", "=", job.id)
		.where("runnerSeq", "is not", null)
		.executeTakeFirstOrThrow();
	const asked = stopReason === "cancelled" ? job.cancelRequestedAt : null;
	return Math.max(at, seen ?? at, asked ?? at);
}

async function isRepeated(ctx: Context, report: JobReport): Promise<boolean> {
	const earlier = await ctx.db
		.selectFrom("jobEvent")
		.select("id")
		.where("jobId", "=", report.jobId)
		.where("runnerSeq", "=", report.seq)
		.executeTakeFirst();
	return earlier !== undefined;
}

async function applyReport(ctx: Context, job: JobRow, report: JobReport, at: number): Promise<JobRow | undefined> {
	const returning = { returning: true };
	const back = { heldStopReason: null, errorMessage: null, endedAt: null };
	switch (report.type) {
		case "recording":
			return moveJob(
				ctx,
				job.id,
				"recording",
				{ ...back, stopReason: null, startedAt: job.startedAt ?? at },
				returning,
			);
		case "stopped": {
			const errorMessage = report.message === undefined ? null : withStalls(report.message, report.data);
			const set = { ...back, stoppedAt: at, stopReason: report.stopReason, errorMessage };
			return moveJob(ctx, job.id, "uploading", set, returning);
		}
		case "cancelled":
			return moveJob(
				ctx,
				job.id,
				"cancelled",
				{ ...back, stopReason: "cancelled", endedAt: at },
				{ from: ["starting"], returning: true },
			);
		case "failed": {
			const set = { heldStopReason: null, stopReason: report.code, errorMessage: report.message, endedAt: at };
			return moveJob(ctx, job.id, "failed", set, { from: ["starting", "recording"], returning: true });
		}
		case "note":
			return undefined;
	}
}

function eventOf(report: JobReport): NewJobEvent {
	switch (report.type) {
		case "recording":
			return {
				type: "recording",
				message: `The first frame is captured, ${report.width}×${report.height}.`,
				data: { width: report.width, height: report.height },
			};
		case "stopped":
			return {
				type: "stopped",
				message: withStalls(report.message ?? REASON_WORDS[report.stopReason] ?? "Capture has ended.", report.data),
				data: {
					...report.data,
					stopReason: report.stopReason,
					...(report.verdict === undefined ? {} : { verdict: report.verdict }),
				},
			};
		case "cancelled":
			return { type: "cancelled", message: "Cancelled before anything was captured." };
		case "failed":
			return { type: "failed", message: report.message, data: { code: report.code } };
		case "note":
			return { type: report.event, message: report.message, data: report.data ?? {} };
	}
}
