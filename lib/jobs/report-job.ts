/** Applies a runner's reports to its jobs. A late or repeated report changes nothing. */
import type { StopReason } from "@tapedeck/contract/job-status.ts";
import { isTransition, type JobReport, type TransitionReport } from "@tapedeck/contract/runner-protocol.ts";
import type { VideoFormat } from "@tapedeck/contract/video-options.ts";
import type { Context } from "#lib/core/context.ts";
import { addJobEvent, type JobRow, moveJob, type NewJobEvent } from "#lib/lifecycle/job-store.ts";
import { noteReturn } from "#lib/lifecycle/lose-job.ts";
import { storePrivacy } from "#lib/lifecycle/privacy.ts";
import { settleJob } from "#lib/lifecycle/settle-job.ts";
import { isProvisional } from "#lib/lifecycle/transitions.ts";
import { storeVerdict } from "#lib/lifecycle/verdict.ts";
import { storeCommandMarker, storeCommandResult, storeCommandTests } from "./command-result.ts";
import { storeSession } from "./job-sessions.ts";
import { markStall, withStalls } from "./stalls.ts";

/** For reports without a message: runners explain failures only. */
const REASON_MESSAGES: Partial<Record<StopReason, string>> = {
	duration_elapsed: "Reached its duration.",
	selenium_idle: "Stopped: no Selenium sessions for 5 s.",
	runner_shutdown: "Stopped: the runner shut down.",
	session_ended: "Stopped: the session ended.",
	file_sent: "The file was sent.",
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
	if (job?.key !== report.jobKey) return null;
	if (await isRepeated(ctx, report)) return job;
	const moved = isTransition(report) ? await applyTransition(ctx, job, report, at) : job;
	if (moved === undefined) return job;
	if (isTransition(report) && isProvisional(job)) await noteReturn(ctx, job.id);
	await addJobEvent(ctx, job.id, {
		...eventOf(report, report.type === "stopped" ? await reasonMessage(ctx, job, report.stopReason) : ""),
		at: report.type === "stopped" ? await notBeforeCause(ctx, job, report.stopReason, at) : at,
		runnerSeq: report.seq,
	});
	switch (report.type) {
		case "recording":
			await storeFormat(ctx, job.id, report.video);
			return (await storeNewDisplay(ctx, job, report.displayId)) ?? moved;
		case "stopped":
			await storeVerdict(ctx, job.id);
			// The upload may have completed before this report.
			return (await settleJob(ctx, job.id)) ?? moved;
		case "session_started":
		case "session_ended":
			await storeSession(ctx, job, report, at);
			return job;
		case "command_marker":
			return storeCommandMarker(ctx, job, report, at);
		case "command_tests":
			if (report.tests.length > 0) await storeCommandTests(ctx, job, report);
			return job;
		case "command_ended":
			return storeCommandResult(ctx, job, report, at);
		case "capture_stalled":
			await markStall(ctx, job, report);
			return job;
		case "privacy":
			return storePrivacy(ctx, job, report, at);
		default:
			return moved;
	}
}

/** Stores the format of the job's video, for its recording as well: the upload may have begun before this report. */
async function storeFormat(ctx: Context, jobId: number, format: VideoFormat | undefined): Promise<void> {
	if (format === undefined) return;
	const video = JSON.stringify(format);
	await ctx.db.updateTable("job").set({ usedVideo: video }).where("id", "=", jobId).execute();
	await ctx.db.updateTable("recording").set({ video }).where("jobId", "=", jobId).execute();
}

/** Stores which display the runner made. @returns the job's row then. */
async function storeNewDisplay(
	ctx: Context,
	{ id, newDisplay }: JobRow,
	displayId: string | undefined,
): Promise<JobRow | undefined> {
	if (displayId === undefined || newDisplay === null) return undefined;
	return ctx.db.updateTable("job").set({ displayId }).where("id", "=", id).returningAll().executeTakeFirst();
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

async function applyTransition(
	ctx: Context,
	job: JobRow,
	report: TransitionReport,
	at: number,
): Promise<JobRow | undefined> {
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
	}
}

/** `Stopped by Ann.`, for a capture that ended because the job was cancelled. */
async function cancelMessage(ctx: Context, job: JobRow): Promise<string> {
	const request = await ctx.db
		.selectFrom("jobEvent")
		.select("data")
		.where("jobId", "=", job.id)
		.where("type", "=", "cancel_requested")
		.orderBy("id", "desc")
		.executeTakeFirst();
	// A runner may also stop by itself, as `tapedeck stop` asks it to.
	const { by } = request === undefined ? {} : (JSON.parse(request.data) as { by?: string });
	return by === undefined ? "Stopped." : `Stopped by ${by}.`;
}

async function reasonMessage(ctx: Context, job: JobRow, reason: StopReason): Promise<string> {
	return reason === "cancelled" ? cancelMessage(ctx, job) : (REASON_MESSAGES[reason] ?? "Capture ended.");
}

/** @param ended what to say of the end, for a runner that says nothing. */
function eventOf(report: JobReport, ended: string): NewJobEvent {
	switch (report.type) {
		case "recording":
			if (report.width === 0) return { type: "recording", message: "The file was opened." };
			return {
				type: "recording",
				message: `First frame captured, ${report.width}×${report.height}.`,
				data: { width: report.width, height: report.height },
			};
		case "stopped":
			return {
				type: "stopped",
				message: withStalls(report.message ?? ended, report.data),
				data: {
					...boundedData(report.data),
					stopReason: report.stopReason,
					...(report.verdict === undefined ? {} : { verdict: report.verdict }),
				},
			};
		case "cancelled":
			return { type: "cancelled", message: "Cancelled before anything was captured." };
		case "failed":
			return { type: "failed", message: report.message, data: { code: report.code } };
		// Data that is stored elsewhere, such as a session's capabilities and the messages of markers, is not repeated here.
		case "session_started":
		case "session_ended": {
			const { sessionId, name } = report.session;
			return { type: report.type, message: report.message, data: { sessionId, name } };
		}
		case "command_marker": {
			const { label, kind } = report.marker;
			return { type: report.type, message: report.message, data: { label, kind } };
		}
		case "command_tests":
			return { type: report.type, message: report.message, data: { tests: report.tests.length } };
		case "command_ended": {
			const { outcome, markers, output } = report;
			return { type: report.type, message: report.message, data: { outcome, markers: markers?.length, output } };
		}
		case "capture_stalled": {
			const { from, to, seconds } = report;
			return { type: report.type, message: report.message, data: { from, to, seconds } };
		}
		case "privacy":
			return { type: report.type, message: report.message, data: { on: report.on } };
		case "note":
			return { type: report.event, message: report.message, data: boundedData(report.data) };
	}
}

/** Maximum size of a report's data in the history, in bytes of JSON. A runner of ours sends less. */
const MAX_DATA_BYTES = 8 * 1024;

/** The data of a report as far as it is small: of the fields, the smallest are kept, and `leftOut` counts the others. */
function boundedData(data: Record<string, unknown> = {}): Record<string, unknown> {
	const sizes = new Map(Object.entries(data).map(([key, value]) => [key, jsonBytes({ [key]: value })]));
	const kept = new Set<string>();
	let left = MAX_DATA_BYTES;
	for (const [key, bytes] of [...sizes].sort(([, a], [, b]) => a - b)) {
		left -= bytes;
		if (left < 0) break;
		kept.add(key);
	}
	if (kept.size === sizes.size) return data;
	return {
		...Object.fromEntries(Object.entries(data).filter(([key]) => kept.has(key))),
		leftOut: sizes.size - kept.size,
	};
}

function jsonBytes(value: unknown): number {
	try {
		return Buffer.byteLength(JSON.stringify(value));
	} catch {
		// Nested more deeply than can be written.
		return Number.POSITIVE_INFINITY;
	}
}
