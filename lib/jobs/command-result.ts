/** What a recorded command reports (`tapedeck run`): markers while it runs, what became of its tests, its outcome. */
import type { JobReportOf } from "@tapedeck/contract/runner-protocol.ts";
import type { Context } from "#lib/core/context.ts";
import { changeLabelled } from "#lib/lifecycle/change-labelled.ts";
import { followJob, ownerOfJob } from "#lib/lifecycle/implied-results.ts";
import { type JobRow, lockJob } from "#lib/lifecycle/job-store.ts";
import { insertMarkerRows } from "#lib/lifecycle/marker-store.ts";
import { publishRecording } from "#lib/lifecycle/recording-store.ts";
import { type ReportedResult, storeResults } from "#lib/lifecycle/result-store.ts";

/**
 * Adds a marker of the command.
 * @param ctx its database must be a transaction; call `publishMarkersOf` and `publishRecordingOf` after the commit.
 * @param at in milliseconds.
 * @returns the job's row afterwards.
 */
export async function storeCommandMarker(
	ctx: Context,
	job: JobRow,
	{ marker }: JobReportOf<"command_marker">,
	at: number,
): Promise<JobRow> {
	await insertMarkerRows(ctx, { jobId: job.id, recordingId: null, startedAt: job.startedAt, durationSeconds: null }, [
		{ ...marker, at },
	]);
	if (marker.kind !== "fail") return job;
	return (await changeLabelled(ctx, { jobId: job.id }, { hasFailMarker: true })).job ?? job;
}

/**
 * Stores what became of tests of the command, as its JUnit reports say it. What a test has reported itself stays: it knows
 * better when it ran.
 * @param ctx its database must be a transaction; call `publishResults` after the commit.
 */
export async function storeCommandTests(
	ctx: Context,
	job: JobRow,
	{ tests }: JobReportOf<"command_tests">,
): Promise<void> {
	await lockJob(ctx, job.id);
	const { id: jobId, startedAt: from } = job;
	const reported = await ctx.db
		.selectFrom("testResult")
		.select("key")
		.where("jobId", "=", jobId)
		.where("isImplied", "=", 0)
		.where("outcome", "is not", null)
		.where(
			"key",
			"in",
			tests.map(({ key }) => key),
		)
		.execute();
	const known = new Set(reported.map(({ key }) => key));
	const results = tests.flatMap(({ offsetSeconds, durationSeconds, ...test }): ReportedResult[] => {
		if (known.has(test.key)) return [];
		if (from === null || offsetSeconds === null) return [{ ...test }];
		const startedAt = from + Math.round(offsetSeconds * 1_000);
		return [{ ...test, startedAt, endedAt: startedAt + Math.round(durationSeconds * 1_000) }];
	});
	if (results.length > 0) await storeResults(ctx, ownerOfJob(job), results);
	await followJob(ctx, job);
}

/**
 * The command's result replaces an outcome that a marker or a reporter set while it ran. One that somebody has set since
 * stays: the result of a runner without a connection arrives late.
 * @param ctx its database must be a transaction; call `publishRecordingOf` after the commit.
 * @param endedAt when the command ended, in milliseconds.
 * @returns the job's row afterwards.
 */
export async function storeCommandResult(
	ctx: Context,
	job: JobRow,
	{ outcome, markers = [] }: JobReportOf<"command_ended">,
	endedAt: number,
): Promise<JobRow> {
	const { id: jobId, startedAt } = job;
	if (startedAt !== null && markers.length > 0) {
		const rows = markers.map(({ offsetSeconds, ...marker }) => ({ ...marker, at: startedAt + offsetSeconds * 1_000 }));
		await insertMarkerRows(ctx, { jobId, recordingId: null, startedAt, durationSeconds: null }, rows);
	}
	if (outcome === undefined || (await isSetSince(ctx, job.id, endedAt))) return job;
	return (await changeLabelled(ctx, { jobId: job.id }, { outcome })).job ?? job;
}

/** Whether somebody has set the outcome after that time. */
async function isSetSince(ctx: Context, jobId: number, at: number): Promise<boolean> {
	const changes = await ctx.db
		.selectFrom("jobEvent")
		.select("data")
		.where("jobId", "=", jobId)
		.where("type", "=", "outcome")
		.where("at", ">", at)
		.execute();
	return changes.some(({ data }) => JSON.parse(data).implied !== true);
}

/** Publishes a job's recording, which has the same outcome. */
export async function publishRecordingOf(ctx: Context, job: JobRow): Promise<void> {
	const recording = await ctx.db.selectFrom("recording").selectAll().where("jobId", "=", job.id).executeTakeFirst();
	if (recording !== undefined) await publishRecording(ctx, recording);
}
