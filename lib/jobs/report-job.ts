/** Applies a runner's reports to its jobs. A late or repeated report changes nothing. */
import type { StopReason } from "#lib/contract/job-status.ts";
import type { JobReport } from "#lib/contract/runner-protocol.ts";
import type { Context } from "#lib/core/context.ts";
import { addJobEvent, type JobRow, moveJob, type NewJobEvent } from "#lib/lifecycle/job-store.ts";
import { settleJob } from "#lib/lifecycle/settle-job.ts";
import { storeVerdict } from "#lib/lifecycle/verdict.ts";
import { isCommandResult, storeCommandResult } from "./command-result.ts";
import { isSessionNote, storeSession } from "./job-sessions.ts";
import { isStall, markStall, withStalls } from "./stalls.ts";

/** For reports without a message: runners explain failures only. */
const REASON_MESSAGES: Partial<Record<StopReason, string>> = {
	duration_elapsed: "Stopped after the requested duration.",
	cancelled: "Stopped because the job was cancelled.",
	selenium_idle: "Stopped because the grid had no sessions for 5 seconds.",
	runner_shutdown: "Stopped because the runner shut down.",
	session_ended: "Stopped because the session ended.",
};

/**
 * Applies one report to a job of this runner.
 *
 * @param ctx its database must be a transaction.
 * @param at when it happened by the dashboard's clock, in milliseconds.
 * @returns the job's updated row, or null if this runner has no such job.
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
		at: report.type === "stopped" ? await notBeforeCause(ctx, job, report.stopReason, at) : at,
		runnerSeq: report.seq,
	});
	if (report.type === "stopped") await storeVerdict(ctx, job.id);
	if (isStall(report)) await markStall(ctx, job, report.data);
	if (isCommandResult(report)) return storeCommandResult(ctx, job, report);
	if (isSessionNote(report)) await storeSession(ctx, job, report, at);
	// The upload may have completed before this report.
	const settled = report.type === "stopped" ? await settleJob(ctx, job.id) : undefined;
	return settled ?? moved ?? job;
}

/**
 * When the history shows the end of capture. `at` is the end of the last frame, slightly before its cause (a cancel, or
 * what the runner reported), but the history must list the cause first.
 */
async function notBeforeCause(ctx: Context, job: JobRow, stopReason: string, at: number): Promise<number> {
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
				message: `First frame captured, ${report.width}×${report.height}.`,
				data: { width: report.width, height: report.height },
			};
		case "stopped":
			return {
				type: "stopped",
				message: withStalls(report.message ?? REASON_MESSAGES[report.stopReason] ?? "Capture ended.", report.data),
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
