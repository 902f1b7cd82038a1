/** `GET /v1/tests`, `GET /v1/tests/{id}` and `GET /v1/test-history`: results, the newest first. */

import type { Page } from "@tapedeck/contract/page.ts";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import { printTerm } from "@tapedeck/contract/search.ts";
import type {
	ListTestResultsQuery,
	Test,
	TestHistory,
	TestHistoryQuery,
	TestResult,
	TestResultDetail,
} from "@tapedeck/contract/test-result.ts";
import { type RawBuilder, sql } from "kysely";
import type { Context, Database } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { timestamp } from "#lib/core/times.ts";
import { type FoundIds, findPage, isOfOrganization, type Source } from "#lib/search/find.ts";
import { readAttachments } from "./attachment-view.ts";
import { resultViews } from "./result-view.ts";
import type { TestResultRow, TestRow } from "./store/result-store.ts";

const SORTING = { by: "startedAt", order: "desc" } as const;

/** @throws validation_failed at `cursor` */
export function listResults(ctx: Context, asked: ListTestResultsQuery): Promise<Page<TestResult>> {
	const { q = "", lastOfBuild } = asked;
	// Together with other terms, the build is one of those of which the narrowest is read.
	const search = lastOfBuild === undefined || q === "" ? asked : { ...asked, q: `${q} ${buildIs(lastOfBuild)}` };
	return findPage(ctx, search, {
		table: "testResult",
		isSearched: true,
		sorting: SORTING,
		source: async (query) => resultsWith(ctx, query),
		rows: rowsWith,
		view: (rows) => resultViews(ctx, rows),
	});
}

const buildIs = (build: string): string => printTerm({ kind: "label", key: "build", value: build, not: false });

const rowsWith = (db: Database, ids: FoundIds): Promise<TestResultRow[]> =>
	db
		.selectFrom("testResult")
		.selectAll()
		.where("id", "in", ids)
		.orderBy("startedAt", "desc")
		.orderBy("id", "desc")
		.execute();

async function resultsWith(ctx: Context, query: ListTestResultsQuery): Promise<Source> {
	const { jobId, recordingId, testRunId, lastOfBuild, createdAfter, createdBefore } = query;
	const filters: RawBuilder<unknown>[] = [];
	if (jobId !== undefined) filters.push(sql`"testResult"."jobId" = ${jobId}`);
	if (testRunId !== undefined) filters.push(sql`"testResult"."testRunId" = ${testRunId}`);
	if (recordingId !== undefined) filters.push(await ofRecording(ctx, recordingId));
	const isNarrow = filters.length > 0;
	const isOfBuild = lastOfBuild === undefined ? [] : [sql`"testResult".build = ${lastOfBuild}`, isLast];
	const where = [isOfOrganization(ctx, "testResult", { isNarrow }), ...isOfBuild];
	filters.push(...isOfBuild);
	return {
		// A job's results are few, and sorted.
		reads: isNarrow ? null : [{ table: "testResult", id: "id", where }],
		has: isNarrow ? "some" : "indexed",
		stretches: [{ above: createdAfter, below: createdBefore }],
		filters,
		isNarrow,
	};
}

/** The last result of a test in one build. Written literally, as in the index. */
const isLast = sql`"testResult"."isLast" = 1 and "testResult".build is not null`;

/** A recording has the results of its job, or an uploaded one its own. */
async function ofRecording(ctx: Context, recordingId: number): Promise<RawBuilder<unknown>> {
	const recording = await ctx.db
		.selectFrom("recording")
		.select("jobId")
		.where("id", "=", recordingId)
		.where("organizationId", "=", ctx.actor.organizationId)
		.executeTakeFirst();
	const jobId = recording?.jobId ?? null;
	return jobId === null ? sql`"testResult"."recordingId" = ${recordingId}` : sql`"testResult"."jobId" = ${jobId}`;
}

/** @throws not_found */
export async function findResult(ctx: Context, resultId: number): Promise<TestResultRow> {
	const row = await ctx.db
		.selectFrom("testResult")
		.selectAll()
		.where("id", "=", resultId)
		.where("organizationId", "=", ctx.actor.organizationId)
		.executeTakeFirst();
	if (row === undefined) throw notFound("test result");
	return row;
}

/** Returns a result with all its steps. @throws not_found */
export async function readResult(ctx: Context, resultId: number): Promise<TestResultDetail> {
	const [result] = await resultViews(ctx, [await findResult(ctx, resultId)], { isWhole: true });
	const attachments = await readAttachments(ctx, { resultId, testRunId: null });
	return { ...(result as TestResult), attachments };
}

/** Number of a test's newest results in its summary. */
const SUMMARIZED = 1_000;

/** @throws validation_failed at `cursor` */
export async function readHistory(ctx: Context, asked: TestHistoryQuery): Promise<TestHistory> {
	const tests = await testsOf(ctx, asked);
	const newest = tests[0];
	if (newest === undefined) return { test: null, summary: summaryOf([]), data: [], nextCursor: null };
	const { branch } = asked;
	const ids = tests.map(({ id }) => id);
	const branchIs = branch === undefined ? [] : [sql`branch = ${branch}`];
	const page = await findPage(ctx, asked, {
		table: "testResult",
		isSearched: false,
		sorting: SORTING,
		source: () => ({
			reads: ids.map((id) => ({ table: "testResult", id: "id", where: [sql`"testId" = ${id}`, ...branchIs] })),
			has: "indexed",
			stretches: [{}],
			filters: [],
		}),
		rows: rowsWith,
		view: (rows) => resultViews(ctx, rows),
	});
	const summarized = await ctx.reads
		.selectFrom("testResult")
		.select(["id", "outcome", "isFlaky", "startedAt", "endedAt", "branch", "build", "commit", "project"])
		.where("testId", "in", ids)
		.where("isByAgent", "=", 0)
		.$if(branch !== undefined, (query) => query.where("branch", "=", branch ?? ""))
		.orderBy("startedAt", "desc")
		.orderBy("id", "desc")
		.limit(SUMMARIZED)
		.execute();
	return { test: testView(newest), summary: summaryOf(summarized), ...page };
}

/** Tests of one repository, the newest first. */
async function testsOf(ctx: Context, { test, testId, project, repository }: TestHistoryQuery) {
	const tests = await ctx.db
		.selectFrom("test")
		.selectAll()
		.where("organizationId", "=", ctx.actor.organizationId)
		.$if(testId !== undefined, (query) => query.where("id", "=", testId ?? 0))
		.$if(test !== undefined, (query) => query.where("name", "=", test ?? ""))
		.$if(project !== undefined, (query) => query.where("project", "=", project ?? ""))
		.$if(repository !== undefined, (query) => query.where("repository", "=", repository ?? ""))
		.orderBy("lastAt", "desc")
		.orderBy("id", "desc")
		.limit(MAX_PROJECTS)
		.execute();
	return tests.filter((one) => one.repository === tests[0]?.repository);
}

/** Maximum number of projects with one title, whose results are read together. */
const MAX_PROJECTS = 50;

export const testView = (row: TestRow): Test => ({
	id: row.id,
	test: row.name,
	suite: row.suite,
	file: row.file,
	line: row.line,
	project: row.project === "" ? null : row.project,
	repository: row.repository === "" ? null : row.repository,
	firstAt: timestamp(row.firstAt),
	lastAt: timestamp(row.lastAt),
});

type SummarizedRow = Pick<
	TestResultRow,
	"id" | "outcome" | "isFlaky" | "startedAt" | "endedAt" | "branch" | "build" | "commit" | "project"
>;

/** @param rows the newest first. */
function summaryOf(rows: readonly SummarizedRow[]): TestHistory["summary"] {
	const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
	const durations = rows
		.flatMap(({ startedAt, endedAt }) => (endedAt === null ? [] : [(endedAt - startedAt) / 1_000]))
		.sort((a, b) => a - b);
	// Skipped ones, and those that run, say nothing.
	const ended = rows.filter(({ outcome }) => outcome === "passed" || isFailure(outcome));
	const lastPassed = ended.findIndex(({ outcome }) => outcome === "passed");
	const first = ended[(lastPassed < 0 ? ended.length : lastPassed) - 1];
	return {
		results: rows.length,
		passed: count("passed"),
		failed: count("failed"),
		error: count("error"),
		skipped: count("skipped"),
		flaky: rows.filter(({ isFlaky }) => isFlaky === 1).length,
		durationSeconds: durations[Math.floor(durations.length / 2)] ?? null,
		branches: [...new Set(rows.flatMap(({ branch }) => branch ?? []))],
		projects: [...new Set(rows.flatMap(({ project }) => (project === "" ? [] : [project])))],
		failingSince:
			first === undefined
				? null
				: { id: first.id, startedAt: timestamp(first.startedAt), build: first.build, commit: first.commit },
		lastPassedId: ended[lastPassed]?.id ?? null,
		lastFailedId: ended.find(({ outcome }) => isFailure(outcome))?.id ?? null,
	};
}
