/** `POST /v1/runner/reports`: a runner's displays and job reports, in order. */
import type { JobReport, ReceivedReportsBody, ReportsAnswer } from "@tapedeck/contract/runner-protocol.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { publishRecordingOf, resultIdsOf } from "#lib/jobs/command-result.ts";
import { reportJob } from "#lib/jobs/report-job.ts";
import { publishMarkersOf } from "#lib/jobs/stalls.ts";
import { type JobRow, publishJob } from "#lib/lifecycle/job-store.ts";
import { publishVerdict } from "#lib/lifecycle/verdict.ts";
import { ownedByJob } from "#lib/test-results/store/result-owner.ts";
import { publishResults } from "#lib/test-results/store/result-store.ts";
import { readReports } from "./read-report.ts";
import { noteReports, runnerOfSession } from "./runner-session.ts";
import { storeSeenSessions } from "./seen-sessions.ts";

/**
 * Applies the reports one by one, each in its own transaction. A report that does not apply, for example to another
 * runner's job, is answered with null and does not block the others.
 *
 * @throws session_superseded if the runner has to sign in again; validation_failed if a report cannot be parsed.
 */
export async function receiveReports(ctx: Context, body: ReceivedReportsBody): Promise<ReportsAnswer> {
	const runner = await runnerOfSession(ctx, body.sessionId);
	const reports = readReports(body.jobs, runner.version);
	const shiftMs = clockShift(ctx, body);
	await noteReports(ctx, runner, body.displays);
	await storeSeenSessions(ctx, runner, body.sessions ?? [], shiftMs);
	const jobs: ReportsAnswer["jobs"] = [];
	for (const report of reports) {
		const at = Date.parse(report.at) + shiftMs;
		const row = await inTransaction(ctx, (ctx) => reportJob(ctx, runner.id, report, at));
		const results =
			row === null || report.type !== "command_tests" ? {} : { results: await resultIdsOf(ctx, row.id, report.tests) };
		jobs.push({ jobId: report.jobId, status: row?.status ?? null, ...results });
		if (row !== null) await publishReport(ctx, row, report.type);
	}
	return { serverTime: new Date(ctx.clock.now()).toISOString(), jobs };
}

/** Publishes the data that a report may have changed. */
async function publishReport(ctx: Context, job: JobRow, type: JobReport["type"]): Promise<void> {
	publishJob(ctx, job);
	switch (type) {
		case "stopped":
			return publishVerdict(ctx, job);
		case "session_started":
		case "session_ended":
			await publishVerdict(ctx, job);
			return publishMarkersOf(ctx, job);
		case "command_marker":
		case "command_ended":
			await publishRecordingOf(ctx, job);
			return publishMarkersOf(ctx, job);
		case "privacy":
			return publishRecordingOf(ctx, job);
		case "command_tests":
			return publishResults(ctx, ownedByJob(job.id));
		case "capture_stalled":
			return publishMarkersOf(ctx, job);
	}
}

/**
 * The delay of the runner's clock behind the dashboard's clock, in milliseconds. Uses the runner's own measurement if
 * there is one. Otherwise derives it from the time at which the runner claims to have sent the request, which mistakes
 * a slow request for a wrong clock.
 */
export function clockShift(ctx: Context, call: { sentAt: string; clockShiftMs?: number }): number {
	const shiftMs = call.clockShiftMs ?? ctx.clock.now() - Date.parse(call.sentAt);
	// Below this, it is latency rather than a wrong clock.
	return Math.abs(shiftMs) < 500 ? 0 : shiftMs;
}
