/** `GET /v1/builds/{build}/report`: a build's tests, and what is different from the build before. */

import {
	type BuildReport,
	MAX_LISTED_RESULTS,
	MAX_REPORTED_CAUSES,
	MAX_REPORTED_RESULTS,
	type ReportedCause,
} from "@tapedeck/contract/build-report.ts";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { type RawBuilder, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { timestampOrNull } from "#lib/core/times.ts";
import { buildBefore } from "./build-before.ts";
import { resultViews } from "./result-view.ts";
import type { TestResultRow } from "./store/result-store.ts";
import { NO_TRIAGE, triageOf } from "./triage.ts";

/**
 * A build whose jobs have no results yet has an empty report.
 * @throws not_found if no job, recording or result has this label.
 */
export async function reportBuild(ctx: Context, build: string): Promise<BuildReport> {
	const whole = await summaryOf(ctx, build);
	const newest = await newestOf(ctx, build);
	if (newest === undefined && !(await isLabel(ctx, build))) throw notFound("build");
	const branch = newest?.branch ?? null;
	const previous = await buildBefore(ctx, build, branch);
	const before = testsIn(previous === null ? [] : await resultsOf(ctx, previous.name, isFailed));
	const failingBefore = new Set(
		[...before.values()].flatMap(({ last }) => (isFailure(last.outcome) ? last.testId : [])),
	);
	// All others passed, and did before.
	const rows = await resultsOf(ctx, build, sql`(outcome is null or outcome <> 'passed' or "isFlaky" = 1)`);
	const tests = testsIn(rows);
	const fixedIds = [...failingBefore].filter((testId) => !tests.has(testId));
	if (fixedIds.length > 0) {
		const passed = await resultsOf(ctx, build, sql`"testId" in (${sql.join(fixedIds)})`);
		for (const [testId, test] of testsIn(passed)) tests.set(testId, test);
	}
	const all = [...tests.values()];
	const count = (outcome: TestResultRow["outcome"]) => all.filter(({ last }) => last.outcome === outcome).length;
	const [failed, error, skipped, running] = [count("failed"), count("error"), count("skipped"), count(null)];
	const isFailing = ({ last }: TestInBuild) => isFailure(last.outcome);
	const failedBefore = ({ last }: TestInBuild) => failingBefore.has(last.testId);
	const parts = {
		newlyFailing: all.filter((test) => isFailing(test) && !failedBefore(test)),
		stillFailing: all.filter((test) => isFailing(test) && failedBefore(test)),
		fixed: all.filter((test) => test.last.outcome === "passed" && failedBefore(test)),
		flaky: all.filter(({ isFlaky, last }) => isFlaky && last.outcome === "passed"),
	};
	const listed = (part: TestInBuild[]) => part.slice(0, MAX_LISTED_RESULTS).map(({ last }) => last.id);
	const ids = [...(newest === undefined ? [] : [newest.id]), ...Object.values(parts).flatMap(listed)];
	const views = await viewsOf(ctx, ids);
	const labels = views.get(newest?.id ?? 0)?.labels ?? {};
	const partOf = (part: TestInBuild[]) => ({
		tests: part.length,
		// One may have been deleted since.
		data: listed(part).flatMap((id) => views.get(id) ?? []),
	});
	return {
		build,
		branch,
		commit: newest?.commit ?? null,
		repository: labels.repository ?? null,
		ciUrl: labels["ci.url"] ?? null,
		startedAt: timestampOrNull(whole.startedAt),
		endedAt: timestampOrNull(running > 0 ? null : whole.endedAt),
		tests: {
			all: whole.tests,
			passed: whole.tests - failed - error - skipped - running,
			failed,
			error,
			skipped,
			running,
		},
		isMore: rows.length === MAX_REPORTED_RESULTS,
		previous: previous?.name ?? null,
		previousBranch: previous?.branch ?? null,
		newlyFailing: partOf(parts.newlyFailing),
		stillFailing: partOf(parts.stillFailing),
		fixed: partOf(parts.fixed),
		flaky: partOf(parts.flaky),
		causes: await causesOf(ctx, all.filter(isFailing), before),
	};
}

/** @param before tests that failed in the build before, or did at first. */
async function causesOf(
	ctx: Context,
	failing: readonly TestInBuild[],
	before: ReadonlyMap<number, TestInBuild>,
): Promise<BuildReport["causes"]> {
	const isNew = ({ last }: TestInBuild) => {
		const earlier = before.get(last.testId)?.last;
		return earlier === undefined || !isFailure(earlier.outcome) || earlier.cause !== last.cause;
	};
	const groups = [...Map.groupBy(failing, ({ last }) => last.cause)].map(([cause, tests]) => {
		const added = tests.filter(isNew);
		const [first] = [...added, ...tests] as [TestInBuild];
		return { cause, tests: tests.length, newTests: added.length, firstId: first.last.id };
	});
	groups.sort((a, b) => b.newTests - a.newTests || b.tests - a.tests);
	const listed = groups.slice(0, MAX_REPORTED_CAUSES);
	const views = await viewsOf(
		ctx,
		listed.map(({ firstId }) => firstId),
	);
	const triage = await triageOf(
		ctx,
		"cause",
		listed.flatMap(({ cause }) => cause ?? []),
	);
	return {
		all: groups.length,
		new: groups.filter(({ newTests }) => newTests > 0).length,
		newTests: groups.reduce((sum, { newTests }) => sum + newTests, 0),
		data: listed.flatMap(({ cause, firstId, ...counts }): ReportedCause[] => {
			const view = views.get(firstId);
			// Deleted since.
			if (view === undefined) return [];
			const { id, testId, jobId, recordingId, testRunId, test, file, line, project } = view;
			const { hasFrame, failureOffsetSeconds, isApproximate } = view;
			return [
				{
					cause,
					title: view.reason ?? `${test} failed without a message`,
					...counts,
					first: {
						id,
						testId,
						jobId,
						recordingId,
						testRunId,
						test,
						file,
						line,
						project,
						hasFrame,
						failureOffsetSeconds,
						isApproximate,
					},
					triage: triage.get(cause ?? "") ?? NO_TRIAGE,
				},
			];
		}),
	};
}

/** Whether a job, a recording or a test run has this build. */
async function isLabel(ctx: Context, build: string): Promise<boolean> {
	for (const table of ["jobLabel", "recordingLabel", "testRunLabel"] as const) {
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

type Row = Pick<TestResultRow, "id" | "testId" | "outcome" | "isFlaky" | "startedAt" | "cause">;

const ofBuild = (ctx: Context, build: string) =>
	ctx.reads
		.selectFrom("testResult")
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("build", "=", build)
		// Literally, as in the index.
		.where(sql<boolean>`build is not null`);

async function summaryOf(ctx: Context, build: string) {
	const { tests, startedAt, endedAt } = await ofBuild(ctx, build)
		.select(({ fn }) => [
			fn.count("testId").distinct().as("tests"),
			fn.min("startedAt").as("startedAt"),
			fn.max("endedAt").as("endedAt"),
		])
		.executeTakeFirstOrThrow();
	const timeOrNull = (at: unknown) => (at === null ? null : Number(at));
	return { tests: Number(tests), startedAt: timeOrNull(startedAt), endedAt: timeOrNull(endedAt) };
}

const newestOf = (ctx: Context, build: string) =>
	ofBuild(ctx, build)
		.select(["id", "branch", "commit"])
		.orderBy("startedAt", "desc")
		.orderBy("id", "desc")
		.limit(1)
		.executeTakeFirst();

const isFailed = sql<boolean>`outcome in ('failed', 'error')`;

/** All results of the tests of which at least one is `such`, in the order in which they began. */
function resultsOf(ctx: Context, build: string, such: RawBuilder<boolean>): Promise<Row[]> {
	return ofBuild(ctx, build)
		.select(["id", "testId", "outcome", "isFlaky", "startedAt", "cause"])
		.where("testId", "in", ofBuild(ctx, build).select("testId").where(such))
		.orderBy("startedAt")
		.orderBy("id")
		.limit(MAX_REPORTED_RESULTS)
		.execute();
}

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

async function viewsOf(ctx: Context, ids: readonly number[]): Promise<Map<number, TestResult>> {
	if (ids.length === 0) return new Map();
	const rows = await ctx.reads
		.selectFrom("testResult")
		.selectAll()
		.where("id", "in", [...new Set(ids)])
		.execute();
	return new Map((await resultViews(ctx, rows)).map((view) => [view.id, view]));
}
