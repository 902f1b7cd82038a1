/** Reports of a recorded command (`tapedeck run`): markers while it runs, its test results, its outcome. */
import type { JobReportOf, TestId } from "@tapedeck/contract/runner-protocol.ts";
import { readSteps } from "@tapedeck/contract/test-result.ts";
import type { Context } from "#lib/core/context.ts";
import { changeDetails } from "#lib/lifecycle/change-details.ts";
import { type JobRow, lockJob } from "#lib/lifecycle/job-store.ts";
import { insertMarkerRows } from "#lib/lifecycle/marker-store.ts";
import { publishRecording } from "#lib/lifecycle/recording-store.ts";
import { ownerOfJob, updateResultsOfJob } from "#lib/test-results/store/implied-results.ts";
import { type ReportedResult, storeResults } from "#lib/test-results/store/result-store.ts";

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
	await insertMarkerRows(ctx, { jobId: job.id, recordingId: null }, [{ ...marker, at }]);
	if (marker.kind !== "fail") return job;
	return (await changeDetails(ctx, { jobId: job.id }, { hasFailMarker: true })).job ?? job;
}

/**
 * Stores what became of tests of the command, as its reports say it. What a test has reported itself stays: it knows
 * better when it ran.
 * @param ctx its database must be a transaction; call `publishResults` after the commit.
 */
export async function storeCommandTests(
	ctx: Context,
	job: JobRow,
	{ tests }: JobReportOf<"command_tests">,
): Promise<void> {
	await lockJob(ctx, job.id);
	const { startedAt: from } = job;
	const results = tests.map(({ offsetSeconds, durationSeconds, steps, ...rest }): CommandResult => {
		const test = { ...rest, ...(steps == null ? {} : { steps: readSteps(steps, from) }) };
		if (from === null || offsetSeconds === null) return test;
		const startedAt = from + Math.round(offsetSeconds * 1_000);
		return { ...test, startedAt, endedAt: startedAt + Math.round(durationSeconds * 1_000) };
	});
	const isReported = await reportedOf(ctx, job.id, results);
	const added = results.filter((result) => !isReported(result));
	if (added.length > 0) await storeResults(ctx, ownerOfJob(job), added);
	await updateResultsOfJob(ctx, job);
}

type CommandResult = ReportedResult & { startedAt?: number; endedAt?: number };

/**
 * Finds results that the tests reported themselves: under the same key or, for a reporter whose keys are not made of the test's
 * name, of a test with the same title in the time of the run. Playwright's JUnit report says neither the project nor the
 * attempt that its reporter knows, and only about when each test ran: so none of these has to be the same.
 */
async function reportedOf(
	ctx: Context,
	jobId: number,
	results: readonly CommandResult[],
): Promise<(result: CommandResult) => boolean> {
	const names = [...new Set(results.map(({ test }) => test))];
	const rows = await ctx.db
		.selectFrom("testResult")
		.select(["key", "name", "project", "startedAt", "endedAt"])
		.where("jobId", "=", jobId)
		.where("isImplied", "=", 0)
		.where("outcome", "is not", null)
		.where("name", "in", names)
		.execute();
	const keys = new Set(rows.map(({ key }) => key));
	const others = rows.filter(({ key, name }) => !key.startsWith(name.slice(0, NAMED_BY)));
	const byTest = Map.groupBy(others, ({ name }) => name);
	const begin = others.reduce((min, row) => Math.min(min, row.startedAt), Number.POSITIVE_INFINITY);
	const end = others.reduce((max, row) => Math.max(max, row.endedAt ?? row.startedAt), 0);
	return ({ key, test, project, startedAt, endedAt }) => {
		if (keys.has(key)) return true;
		const has = (byTest.get(test) ?? []).some((row) => project == null || row.project === project);
		return has && (startedAt === undefined || (startedAt <= end && (endedAt ?? startedAt) >= begin));
	};
}

/**
 * The ids of the results of these tests: those of the same key, or those that a reporter has stored under a key of its own.
 * @returns none for a test that the job has no result of.
 */
export async function resultIdsOf(
	ctx: Context,
	jobId: number,
	tests: JobReportOf<"command_tests">["tests"],
): Promise<TestId[]> {
	if (tests.length === 0) return [];
	const rows = await ctx.db
		.selectFrom("testResult")
		.select(["id", "key", "name", "outcome"])
		.where("jobId", "=", jobId)
		.where("isImplied", "=", 0)
		.where("name", "in", [...new Set(tests.map(({ test }) => test))])
		.orderBy("id")
		.execute();
	const byKey = new Map(rows.map((row) => [row.key, row]));
	const byName = Map.groupBy(rows, ({ name }) => name);
	return tests.flatMap(({ key, test, outcome }) => {
		const named = byName.get(test) ?? [];
		const row = byKey.get(key) ?? named.find((one) => one.outcome === outcome) ?? named[0];
		return row === undefined ? [] : [{ key, id: row.id }];
	});
}

/** Characters: a key that is named by its test begins with the title, which may be cut. */
const NAMED_BY = 100;

/**
 * The command's result replaces an outcome that a marker or a reporter set while it ran. One that a user has set since
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
		await insertMarkerRows(ctx, { jobId, recordingId: null }, rows);
	}
	if (outcome === undefined || (await isSetSince(ctx, job.id, endedAt))) return job;
	return (await changeDetails(ctx, { jobId: job.id }, { outcome })).job ?? job;
}

/** Whether a user has set the outcome after that time. */
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
