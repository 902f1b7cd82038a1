/**
 * Writing test results. A result belongs to a job, an uploaded recording, or a test run. What can be said of it by comparing it with
 * others (flaky, new) is stored with it, so that lists read it from their indexes.
 */
import { isDeepStrictEqual } from "node:util";
import type { Labels } from "@tapedeck/contract/labels.ts";
import { AGENT_LABEL, isFailure, type Outcome } from "@tapedeck/contract/recording-kinds.ts";
import { repositoryOf } from "@tapedeck/contract/series.ts";
import { failureMomentOf, type NewTestResult, type StoredStep } from "@tapedeck/contract/test-result.ts";
import { type Selectable, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import type { AttachmentTable, TestResultTable, TestTable } from "#lib/db/schema.ts";
import { changeDetails } from "#lib/lifecycle/change-details.ts";
import { noteEvents } from "#lib/lifecycle/outbox.ts";
import { CAUSE_RULES, causeOf } from "./cause.ts";
import { type OwnerIds, ownerColumn, type ResultOwner } from "./result-owner.ts";
import { summarizeTests } from "./test-summaries.ts";
import { updateCausesOf } from "./update-causes.ts";

export type TestResultRow = Selectable<TestResultTable>;
export type TestRow = Selectable<TestTable>;
export type AttachmentRow = Selectable<AttachmentTable>;

/** A result as it is reported, or follows from the job. What is left out stays as it was, if the result is known. */
export type ReportedResult = Omit<NewTestResult, "attempt"> & {
	attempt?: number;
	/** The moment that shows the failure; found in the steps if left out. */
	momentAt?: number;
};

/** Rows of one statement: SQLite has at most 32,766 parameters. */
const ROWS_AT_ONCE = 500;
/** Approximate size of a result without its texts. */
const ROW_BYTES = 300;
/** The `hasFrame` of a failure that never has one, such as those of test runs without a video. */
export const WITHOUT_FRAME = 2;
/** Characters of a message that searches find. */
const SEARCHED_MESSAGE = 1_000;

/**
 * Stores results: new ones, and those that are known by their key. Call it with the owner's row locked.
 * @param ctx its database must be a transaction; call `publishResults` after the commit.
 * @param results of two with one key, the later one counts.
 * @returns the rows in the order of `results`.
 */
export async function storeResults(
	ctx: Context,
	owner: ResultOwner,
	results: readonly ReportedResult[],
	{ isImplied = false }: { isImplied?: boolean } = {},
): Promise<TestResultRow[]> {
	const known = new Map<string, TestResultRow>();
	for (const keys of chunksOf([...new Set(results.map(({ key }) => key))], ROWS_AT_ONCE)) {
		for (const row of await ofOwner(ctx, owner)
			.selectAll()
			.where("isImplied", "=", Number(isImplied))
			.where("key", "in", keys)
			.execute()) {
			known.set(row.key, row);
		}
	}
	if (owner.testRunId !== null) await updateVideos(ctx, known, results);
	await lockBuild(ctx, owner);
	const testIds = await storeTests(ctx, owner, results);
	const wanted = new Map<string, NewRow>();
	for (const result of results) {
		const before = wanted.get(result.key) ?? known.get(result.key);
		const testId = testIds.get(testKeyOf(result)) as number;
		wanted.set(result.key, rowOf(ctx, owner, { ...result, testId, isImplied }, before));
	}
	const stored = new Map(known);
	const withoutVideo = owner.testRunId === null ? 0 : WITHOUT_FRAME;
	const added = [...wanted.values()].filter(({ key }) => !known.has(key));
	for (const rows of chunksOf(added, ROWS_AT_ONCE)) {
		for (const row of await ctx.db
			.insertInto("testResult")
			.values(rows.map((row) => ({ ...row, hasFrame: withoutVideo })))
			.returningAll()
			.execute())
			stored.set(row.key, row);
	}
	for (const row of wanted.values()) {
		const before = known.get(row.key);
		if (before === undefined || isSame(before, row)) continue;
		const { createdAt, ...changed } = row;
		const hasFrame = row.recordingId === null ? withoutVideo : 0;
		const after = await ctx.db
			.updateTable("testResult")
			// The frame shows another moment.
			.set({ ...changed, ...(before.momentAt === row.momentAt ? {} : { screen: null, hasFrame }) })
			.where("id", "=", before.id)
			.returningAll()
			.executeTakeFirstOrThrow();
		if (before.momentAt !== row.momentAt)
			await ctx.db.deleteFrom("testFrame").where("resultId", "=", before.id).execute();
		stored.set(row.key, after);
	}
	const changed = [...wanted.keys()].map((key) => stored.get(key) as TestResultRow);
	const derived = await derive(ctx, owner, changed);
	for (const row of changed) Object.assign(row, derived.get(row.id));
	// A result that is sent again may be of another test.
	await summarizeTests(
		ctx,
		[...changed, ...known.values()].map(({ testId }) => testId),
	);
	const failed = changed.filter(
		({ key, failedAt }) => failedAt !== null && (known.get(key)?.failedAt ?? null) === null,
	);
	const failedIds = failed.map(({ id }) => id);
	// Imported results are history and cause no events.
	if (!owner.isQuiet) await noteEvents(ctx, "test.failed", owner.organizationId, failedIds);
	return results.map(({ key }) => stored.get(key) as TestResultRow);
}

/**
 * The video of a result has its outcome, unless the video was given another one. Call it before `lockBuild`: changes of a recording
 * lock it before its build.
 */
async function updateVideos(
	ctx: Context,
	known: ReadonlyMap<string, TestResultRow>,
	results: readonly ReportedResult[],
): Promise<void> {
	for (const { key, outcome } of new Map(results.map((result) => [result.key, result])).values()) {
		const before = known.get(key);
		if (before === undefined || before.recordingId === null || outcome === undefined || outcome === before.outcome)
			continue;
		const follows = await ctx.db
			.selectFrom("recording")
			.select("id")
			.where("id", "=", before.recordingId)
			.where("outcome", before.outcome === null ? "is" : "=", before.outcome)
			.where("deletedAt", "is", null)
			.executeTakeFirst();
		if (follows !== undefined) await changeDetails(ctx, { recordingId: follows.id }, { outcome });
	}
}

/**
 * Locks the build that the results count for before the tests: a job that changes its status has locked it by then, and would
 * otherwise wait for the tests of another job that waits for the build.
 */
async function lockBuild(ctx: Context, { organizationId, labels }: ResultOwner): Promise<void> {
	if (ctx.dialect !== "postgres" || labels.build === undefined) return;
	await ctx.db
		.selectFrom("build")
		.select("name")
		.where("organizationId", "=", organizationId)
		.where("name", "=", labels.build)
		.forUpdate()
		.execute();
}

function ofOwner(ctx: Context, owner: OwnerIds) {
	const { column, id } = ownerColumn(owner);
	return ctx.db.selectFrom("testResult").where(column, "=", id);
}

/** Tells tests of one owner apart. */
export const testKeyOf = ({ test, project }: Pick<ReportedResult, "test" | "project">): string =>
	`${project ?? ""}\n${test}`;

/** The part of a result that its test has, too. */
type Located = Pick<ReportedResult, "test" | "project" | "suite" | "file" | "line" | "startedAt">;

/** Adds the tests that are new, and says where the others are by now. @returns their ids by `testKeyOf`. */
async function storeTests(ctx: Context, owner: ResultOwner, results: readonly Located[]): Promise<Map<string, number>> {
	const repository = repositoryOf(owner.labels);
	const tests = new Map(results.map((result) => [testKeyOf(result), result]));
	const ids = new Map<string, number>();
	// In one order, so that concurrent transactions do not wait for each other in a circle.
	const sorted = [...tests].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, result]) => result);
	for (const chunk of chunksOf(sorted, ROWS_AT_ONCE)) {
		const rows = await ctx.db
			.insertInto("test")
			.values(
				chunk.map(({ test, project, suite, file, line, startedAt }) => {
					const at = startedAt ?? owner.startedAt;
					return {
						organizationId: owner.organizationId,
						repository,
						project: project ?? "",
						name: test,
						suite: suite ?? null,
						file: file ?? null,
						line: line ?? null,
						firstAt: at,
						lastAt: at,
					};
				}),
			)
			.onConflict((conflict) =>
				conflict.columns(["organizationId", "name", "project", "repository"]).doUpdateSet(({ ref, fn }) => ({
					suite: fn.coalesce(ref("excluded.suite"), ref("test.suite")),
					file: fn.coalesce(ref("excluded.file"), ref("test.file")),
					line: fn.coalesce(ref("excluded.line"), ref("test.line")),
					firstAt: sql<number>`case when excluded."firstAt" < test."firstAt" then excluded."firstAt" else test."firstAt" end`,
					lastAt: sql<number>`case when excluded."lastAt" > test."lastAt" then excluded."lastAt" else test."lastAt" end`,
				})),
			)
			.returning(["id", "name", "project"])
			.execute();
		for (const { id, name, project } of rows) ids.set(testKeyOf({ test: name, project }), id);
	}
	return ids;
}

type NewRow = Omit<TestResultRow, "id" | "screen" | "hasFrame" | "isFlaky" | "isNew" | "isLast" | "isLetThrough">;

function rowOf(
	ctx: Context,
	owner: ResultOwner,
	result: ReportedResult & { testId: number; isImplied: boolean },
	before: NewRow | TestResultRow | undefined,
): NewRow {
	const now = ctx.clock.now();
	const kept = <T>(sent: T | undefined, was: T | undefined): T | null => (sent === undefined ? was : sent) ?? null;
	const outcome = kept(result.outcome, before?.outcome);
	const startedAt = kept(result.startedAt, before?.startedAt) ?? result.endedAt ?? owner.startedAt;
	const endedAt = kept(result.endedAt, before?.endedAt);
	const message = kept(result.message, before?.message);
	const stack = kept(result.stack, before?.stack);
	const suite = kept(result.suite, before?.suite);
	const file = kept(result.file, before?.file);
	const steps = result.steps == null ? (before?.steps ?? null) : JSON.stringify(result.steps.steps);
	const failed = isFailure(outcome);
	const changes =
		before === undefined || before.outcome === null || before.outcome === outcome
			? (before?.changes ?? null)
			: JSON.stringify([...readChanges(before), { at: now, outcome: before.outcome }]);
	const texts = [result.test, message, stack, steps, changes];
	return {
		organizationId: owner.organizationId,
		jobId: owner.jobId,
		// The video of a test run's result.
		recordingId: owner.recordingId ?? before?.recordingId ?? null,
		testRunId: owner.testRunId,
		testId: result.testId,
		isImplied: Number(result.isImplied),
		key: result.key,
		name: result.test,
		searchText:
			[suite, failed ? message?.slice(0, SEARCHED_MESSAGE) : null].filter((text) => text != null).join("\n") || null,
		project: result.project ?? "",
		suite,
		file,
		line: kept(result.line, before?.line),
		attempt: result.attempt ?? before?.attempt ?? 1,
		outcome,
		startedAt,
		endedAt,
		momentAt: failed
			? (result.momentAt ?? failureMomentOf(result.steps?.steps ?? readSteps(steps), endedAt ?? startedAt))
			: null,
		isApproximate: Number(result.isApproximate ?? before?.isApproximate ?? false),
		failedAt: failed ? (before?.failedAt ?? now) : null,
		...labelColumnsOf(owner.labels),
		cause: failed ? causeOf({ message, stack, test: result.test, file }) : null,
		causeRules: CAUSE_RULES,
		bytes: result.isImplied
			? 0
			: ROW_BYTES + texts.reduce((sum, text) => sum + (text === null ? 0 : Buffer.byteLength(text)), 0),
		stepsLeftOut: result.steps?.leftOut ?? before?.stepsLeftOut ?? 0,
		message,
		stack,
		steps,
		changes,
		createdAt: before?.createdAt ?? now,
	};
}

const labelColumnsOf = ({ build, branch, commit, [AGENT_LABEL]: agent }: Labels) => ({
	build: build ?? null,
	branch: branch ?? null,
	commit: commit ?? null,
	isByAgent: Number(agent !== undefined),
});

export const readChanges = ({ changes }: { changes: string | null }): { at: number; outcome: Outcome | null }[] =>
	changes === null ? [] : JSON.parse(changes);
export const readSteps = (steps: string | null): StoredStep[] => (steps === null ? [] : JSON.parse(steps));

/** Whether a result that is sent again says nothing new. */
function isSame(before: TestResultRow, after: NewRow): boolean {
	return (Object.keys(after) as (keyof NewRow)[]).every((column) => before[column] === after[column]);
}

type Derived = Pick<TestResultRow, "isFlaky" | "isNew">;
type Compared = Pick<TestResultRow, "id" | "testId" | "outcome" | "cause">;

/**
 * Derives what results are by comparison, and stores what has changed.
 * Flaky: the test passed and failed in this job or for this commit, or passed on a retry.
 * New: a failure that the test did not have before, in another build, with this cause on this branch.
 * Results of agents are neither, and do not count for other results.
 * @param rows the owner's that were stored.
 * @returns what these are.
 */
async function derive(ctx: Context, owner: ResultOwner, rows: readonly Compared[]): Promise<Map<number, Derived>> {
	const stored = new Map(rows.map((row) => [row.id, row]));
	const known = await knownFailures(ctx, owner, rows);
	const { isByAgent } = labelColumnsOf(owner.labels);
	const derived = new Map<number, Derived>();
	const toWrite = new Map<string, { derived: Derived; ids: number[] }>();
	for (const group of (await attemptsWith(ctx, owner, rows)).values()) {
		const counting = group.filter((row) => row.isByAgent === 0);
		const has = (is: (row: ComparedRow) => boolean) => counting.some(is);
		const isFlaky =
			has(({ outcome, attempt }) => outcome === "passed" && attempt > 1) ||
			(has(({ outcome }) => outcome === "passed") && has(({ outcome }) => isFailure(outcome)));
		for (const { id, outcome, isByAgent: isAgents, ...before } of group) {
			const own = stored.get(id);
			const next = {
				isFlaky: Number(isFlaky && isAgents === 0 && (outcome === "passed" || isFailure(outcome))),
				isNew:
					own === undefined
						? before.isNew
						: Number(!owner.isQuiet && isByAgent === 0 && isFailure(outcome) && !known.has(failureKeyOf(own))),
			};
			if (own !== undefined) derived.set(id, next);
			if (next.isFlaky === before.isFlaky && next.isNew === before.isNew) continue;
			const key = JSON.stringify(next);
			const same = toWrite.get(key) ?? { derived: next, ids: [] };
			same.ids.push(id);
			toWrite.set(key, same);
		}
	}
	for (const { derived, ids } of toWrite.values()) {
		for (const chunk of chunksOf(ids, ROWS_AT_ONCE)) {
			await ctx.db.updateTable("testResult").set(derived).where("id", "in", chunk).execute();
		}
	}
	return derived;
}

type ComparedRow = Pick<TestResultRow, "id" | "testId" | "outcome" | "attempt" | "isFlaky" | "isNew" | "isByAgent">;

/** All results of the same tests in this job, and for the same commit. @returns them by test. */
async function attemptsWith(
	ctx: Context,
	owner: ResultOwner,
	rows: readonly Compared[],
): Promise<Map<number, ComparedRow[]>> {
	const found = new Map<number, ComparedRow>();
	const { commit } = labelColumnsOf(owner.labels);
	const columns = ["id", "testId", "outcome", "attempt", "isFlaky", "isNew", "isByAgent"] as const;
	for (const ids of chunksOf([...new Set(rows.map(({ testId }) => testId))], ROWS_AT_ONCE)) {
		const ofJob = await ofOwner(ctx, owner).select(columns).where("testId", "in", ids).execute();
		const ofCommit = ctx.db
			.selectFrom("testResult")
			.select(columns)
			.where("organizationId", "=", owner.organizationId)
			.where("commit", "=", commit)
			.where("testId", "in", ids);
		for (const row of [...ofJob, ...(commit === null ? [] : await ofCommit.execute())]) found.set(row.id, row);
	}
	return Map.groupBy(found.values(), ({ testId }) => testId);
}

const failureKeyOf = ({ testId, cause }: Pick<TestResultRow, "testId" | "cause">): string => `${testId} ${cause}`;

/** Finds the failures that their tests had before, on this branch in another build. @returns them by `failureKeyOf`. */
async function knownFailures(ctx: Context, owner: ResultOwner, rows: readonly Compared[]): Promise<Set<string>> {
	const { branch, build } = labelColumnsOf(owner.labels);
	const own = ownerColumn(owner);
	const failures = rows.filter(({ outcome }) => isFailure(outcome));
	const known = new Set<string>();
	for (const chunk of chunksOf(failures, ROWS_AT_ONCE)) {
		await updateCausesOf(ctx, [...new Set(chunk.map(({ testId }) => testId))]);
		const earlier = await ctx.db
			.selectFrom("testResult")
			.select(["testId", "cause"])
			.distinct()
			.where("testId", "in", [...new Set(chunk.map(({ testId }) => testId))])
			.where("cause", "in", [...new Set(chunk.map(({ cause }) => cause ?? ""))])
			.where("branch", branch === null ? "is" : "=", branch)
			.where("isByAgent", "=", 0)
			.where(({ or, eb }) => or([eb(own.column, "is", null), eb(own.column, "!=", own.id)]))
			.$if(build !== null, (query) =>
				query.where(({ or, eb }) => or([eb("build", "is", null), eb("build", "!=", build)])),
			)
			.execute();
		for (const row of earlier) known.add(failureKeyOf(row));
	}
	return known;
}

/**
 * A job or a test run has ended: results of tests that have not are errors.
 * @param ctx its database must be a transaction.
 * @returns the rows that it changed.
 */
export async function endResults(ctx: Context, owner: ResultOwner, endedAt: number): Promise<TestResultRow[]> {
	const rows = await ofOwner(ctx, owner).selectAll().where("outcome", "is", null).execute();
	if (rows.length === 0) return [];
	const ended = rows.map((row) => ({
		key: row.key,
		test: row.name,
		project: row.project || null,
		suite: row.suite,
		outcome: "error" as const,
		endedAt: Math.max(row.startedAt, endedAt),
		message: owner.jobId === null ? NO_RESULT_OF_RUN : NO_RESULT,
	}));
	return storeResults(ctx, owner, ended);
}

const NO_RESULT = "No result: the job ended before anybody said how the test did.";
const NO_RESULT_OF_RUN = "No result: the test run ended before anybody said how the test did.";

/**
 * The labels of a job or an uploaded recording have changed, so that its results are compared with others.
 * @param ctx its database must be a transaction.
 */
export async function relabelResults(ctx: Context, owner: ResultOwner): Promise<void> {
	const own = ownerColumn(owner);
	const columns = labelColumnsOf(owner.labels);
	const one = await ofOwner(ctx, owner)
		.innerJoin("test", "test.id", "testResult.testId")
		.select(["build", "branch", "commit", "isByAgent", "repository"])
		.limit(1)
		.executeTakeFirst();
	const repository = repositoryOf(owner.labels);
	if (one === undefined || isDeepStrictEqual({ ...one }, { ...columns, repository })) return;
	await ctx.db.updateTable("testResult").set(columns).where(own.column, "=", own.id).execute();
	const compared = () => ofOwner(ctx, owner).select(["id", "testId", "outcome", "cause"]).execute();
	const before = await compared();
	if (one.repository !== repository) await moveToTests(ctx, owner);
	const after = await compared();
	await derive(ctx, owner, after);
	await summarizeTests(
		ctx,
		[...before, ...after].map(({ testId }) => testId),
	);
}

/** Makes the results those of the tests of their owner's repository. */
async function moveToTests(ctx: Context, owner: ResultOwner): Promise<void> {
	const rows = await ofOwner(ctx, owner)
		.select(["id", "name as test", "project", "suite", "file", "line", "startedAt"])
		.execute();
	const testIds = await storeTests(ctx, owner, rows);
	for (const [key, results] of Map.groupBy(rows, testKeyOf)) {
		for (const ids of chunksOf(results, ROWS_AT_ONCE)) {
			await ctx.db
				.updateTable("testResult")
				.set({ testId: testIds.get(key) as number })
				.where(
					"id",
					"in",
					ids.map(({ id }) => id),
				)
				.execute();
		}
	}
}

/** @param stored results of a test run: the outcome of their videos may have changed with theirs. */
export function publishResults(
	ctx: Context,
	{ jobId, recordingId, testRunId }: OwnerIds,
	stored: Iterable<Pick<TestResultRow, "recordingId">> = [],
): void {
	const { organizationId } = ctx.actor;
	ctx.events.publish({ type: "tests", organizationId, jobId, recordingId, testRunId });
	if (testRunId === null) return;
	for (const { recordingId } of stored)
		if (recordingId !== null)
			ctx.events.publish({ type: "recording", organizationId, recordingId, jobId: null, deleted: false });
}

function* chunksOf<T>(items: readonly T[], size: number): Generator<T[]> {
	for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
