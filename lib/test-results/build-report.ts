/** `GET /v1/builds/{build}/report`: a build's tests, and what is different from the build before on its branch. */

import { type BuildReport, MAX_LISTED_RESULTS, MAX_REPORTED_RESULTS } from "@tapedeck/contract/build-report.ts";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import type { Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { timestampOrNull } from "#lib/core/times.ts";
import { readLabels } from "#lib/lifecycle/labelled.ts";
import type { TestResultRow } from "#lib/lifecycle/result-store.ts";
import { resultViews } from "./result-view.ts";

/** How many jobs of the branch are asked for their build: all but a few have one, or none has. */
const LOOKED_AT_JOBS = 100;

/**
 * A build whose jobs have no results yet has an empty report.
 * @throws not_found if no job, recording or result has this label.
 */
export async function reportBuild(ctx: Context, build: string): Promise<BuildReport> {
	const rows = await resultsOf(ctx, build);
	if (rows.length === 0 && !(await isLabel(ctx, build))) throw notFound("build");
	const tests = testsIn(rows);
	const [newest] = await fullRows(ctx, rows.slice(-1));
	const branch = newest?.branch ?? null;
	const first = rows[0];
	const previous = first === undefined || branch === null ? null : await buildBefore(ctx, build, branch);
	const before = testsIn(previous === null ? [] : await resultsOf(ctx, previous));
	const isFailing = ({ last }: TestInBuild) => isFailure(last.outcome);
	const failedBefore = ({ last }: TestInBuild) => {
		const old = before.get(last.testId);
		return old !== undefined && isFailing(old);
	};
	const all = [...tests.values()];
	const part = async (fits: (test: TestInBuild) => boolean) => {
		const found = all.filter(fits).map(({ last }) => last);
		const shown = await fullRows(ctx, found.slice(0, MAX_LISTED_RESULTS));
		return { tests: found.length, data: await resultViews(ctx, shown) };
	};
	const count = (outcome: TestResultRow["outcome"]) => all.filter(({ last }) => last.outcome === outcome).length;
	const isRunning = count(null) > 0;
	const ends = rows.flatMap(({ endedAt }) => endedAt ?? []);
	return {
		build,
		branch,
		commit: newest?.commit ?? null,
		ciUrl: newest === undefined ? null : ((await resultViews(ctx, [newest]))[0]?.labels["ci.url"] ?? null),
		startedAt: timestampOrNull(first?.startedAt ?? null),
		endedAt: timestampOrNull(isRunning || ends.length === 0 ? null : ends.reduce((a, b) => Math.max(a, b))),
		tests: {
			all: all.length,
			...{ passed: count("passed"), failed: count("failed"), error: count("error"), skipped: count("skipped") },
			running: count(null),
		},
		isMore: rows.length === MAX_REPORTED_RESULTS,
		previous,
		newlyFailing: await part((test) => isFailing(test) && !failedBefore(test)),
		stillFailing: await part((test) => isFailing(test) && failedBefore(test)),
		fixed: await part((test) => test.last.outcome === "passed" && failedBefore(test)),
		flaky: await part(({ isFlaky }) => isFlaky),
	};
}

/** Whether a job or a recording has this build. */
async function isLabel(ctx: Context, build: string): Promise<boolean> {
	for (const table of ["jobLabel", "recordingLabel"] as const) {
		const found = await ctx.db
			.selectFrom(table)
			.select("value")
			.where("organizationId", "=", ctx.actor.organizationId)
			.where("key", "=", "build")
			.where("value", "=", build)
			.limit(1)
			.executeTakeFirst();
		if (found !== undefined) return true;
	}
	return false;
}

type Row = Pick<TestResultRow, "id" | "testId" | "outcome" | "isFlaky" | "startedAt" | "endedAt">;

/** In the order in which they began. */
const resultsOf = (ctx: Context, build: string): Promise<Row[]> =>
	ctx.reads
		.selectFrom("testResult")
		.select(["id", "testId", "outcome", "isFlaky", "startedAt", "endedAt"])
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("build", "=", build)
		.orderBy("startedAt")
		.orderBy("id")
		.limit(MAX_REPORTED_RESULTS)
		.execute();

interface TestInBuild {
	last: Row;
	isFlaky: boolean;
}

/** @param rows in the order in which they began: the last one of a test counts. */
function testsIn(rows: readonly Row[]): Map<number, TestInBuild> {
	const tests = new Map<number, TestInBuild>();
	for (const row of rows) {
		const isFlaky = row.isFlaky === 1 || tests.get(row.testId)?.isFlaky === true;
		tests.set(row.testId, { last: row, isFlaky });
	}
	return tests;
}

/** The whole rows, in the same order. */
async function fullRows(ctx: Context, rows: readonly Row[]): Promise<TestResultRow[]> {
	if (rows.length === 0) return [];
	const ids = rows.map(({ id }) => id);
	const found = await ctx.reads.selectFrom("testResult").selectAll().where("id", "in", ids).execute();
	const byId = new Map(found.map((row) => [row.id, row]));
	return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * The build of the last job of the branch that was created before this build's first one, read backwards from there. Builds of
 * uploaded recordings alone, which have no jobs, are compared with none.
 */
async function buildBefore(ctx: Context, build: string, branch: string): Promise<string | null> {
	const labelled = (key: string, value: string) =>
		ctx.reads
			.selectFrom("jobLabel")
			.where("jobLabel.organizationId", "=", ctx.actor.organizationId)
			.where("jobLabel.key", "=", key)
			.where("jobLabel.value", "=", value);
	const first = await labelled("build", build)
		.select(({ fn }) => fn.min("jobId").as("jobId"))
		.executeTakeFirst();
	if (first?.jobId == null) return null;
	const jobs = await labelled("branch", branch)
		.innerJoin("job", "job.id", "jobLabel.jobId")
		.select("job.labels")
		.where("jobId", "<", Number(first.jobId))
		.orderBy("jobId", "desc")
		.limit(LOOKED_AT_JOBS)
		.execute();
	return jobs.map((job) => readLabels(job).build).find((other) => other !== undefined && other !== build) ?? null;
}
