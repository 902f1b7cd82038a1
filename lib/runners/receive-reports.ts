/** `POST /v1/runner/reports`: what a runner tells of its displays and jobs, in order. */
import type { ReceivedReportsBody, ReportsAnswer } from "../contract/runner-protocol.ts";
import type { Context } from "../core/context.ts";
import { inTransaction, publishJob } from "../lifecycle/job-store.ts";
import { reportJob } from "../jobs/report-job.ts";
import { isStall, publishStall } from "../jobs/stalls.ts";
import { publishVerdict } from "../lifecycle/verdict.ts";
import { readReports } from "./read-report.ts";
import { runnerOfSession, touchRunner } from "./runner-session.ts";

/**
 * Applies the reports one by one, each in a transaction of its own: one that cannot be taken (a job of
 * another runner) is answered with null and does not hold up the others.
 *
 * @throws session_superseded when the runner has to sign in again; validation_failed when a report cannot be read.
 */
export async function receiveReports(ctx: Context, body: ReceivedReportsBody): Promise<ReportsAnswer> {
	const runner = await runnerOfSession(ctx, body.sessionId);
	const reports = readReports(body.jobs, runner.version);
	const shiftMs = clockShift(ctx, body);
	await touchRunner(ctx, runner, body.displays);
	const jobs: ReportsAnswer["jobs"] = [];
	for (const report of reports) {
		const at = Date.parse(report.at) + shiftMs;
		const row = await inTransaction(ctx, (ctx) => reportJob(ctx, runner.id, report, at));
		if (row !== null || report.jobKey !== undefined) jobs.push({ jobId: report.jobId, status: row?.status ?? null });
		if (row !== null) publishJob(ctx, row);
		if (row !== null && report.type === "stopped") await publishVerdict(ctx, row);
		if (row !== null && isStall(report)) await publishStall(ctx, row);
	}
	return { serverTime: new Date(ctx.clock.now()).toISOString(), jobs };
}

/**
 * How far the runner's clock is behind ours, milliseconds: as it measured it, else by when it says it sent the call.
 * The second takes a call that was long on its way for a clock that is wrong.
 */
export function clockShift(ctx: Context, call: { sentAt: string; clockShiftMs?: number }): number {
	const shiftMs = call.clockShiftMs ?? ctx.clock.now() - Date.parse(call.sentAt);
	// Below this it is the way of the call, not the clock.
	return Math.abs(shiftMs) < 500 ? 0 : shiftMs;
}
