/** `POST /v1/jobs/{id}/tests` and `POST /v1/test-runs/{id}/tests`: stores what became of tests. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { NewTestResult, TestResult } from "@tapedeck/contract/test-result.ts";
import { type Context, inTransaction, quotasOf } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { lockOwnJob } from "#lib/lifecycle/job-store.ts";
import { resultViews } from "./result-view.ts";
import { ownerOfJob, ownerOfRun, updateResultsOfJob, updateResultsOfRun } from "./store/implied-results.ts";
import { noteReport } from "./store/note-report.ts";
import type { OwnerIds } from "./store/result-owner.ts";
import { publishResults, storeResults, type TestResultRow, testKeyOf } from "./store/result-store.ts";

/**
 * Results of one transaction. Nothing else is read or written during a transaction of SQLite, and a report may have a thousand.
 * The slowest of other calls take 2.8 times as long meanwhile with 25 results, and 1.9 times with 5, for a third more processor time
 * (bench "attachments").
 */
const RESULTS_AT_ONCE = 5;

/**
 * A result whose key the job has already replaces that one, and keeps what it leaves out. If this throws midway, some results are
 * stored: a repeated call stores the others.
 * @returns them in the same order.
 * @throws not_found; quota_exceeded if the organization has used up its storage.
 */
export function createResults(ctx: Context, jobId: number, results: readonly NewTestResult[]): Promise<TestResult[]> {
	return storeInTurns(ctx, results, async (ctx, some) => {
		const job = await lockOwnJob(ctx, jobId);
		const owner = ownerOfJob(job);
		const rows = await storeResults(ctx, owner, some);
		// Reported results replace implied ones.
		await updateResultsOfJob(ctx, job);
		return { owner, rows };
	});
}

/** The same for a test run. A run that was ended because it was silent continues. */
export function createResultsOfRun(
	ctx: Context,
	runId: number,
	results: readonly NewTestResult[],
): Promise<TestResult[]> {
	return storeInTurns(ctx, results, async (ctx, some) => {
		const run = await noteReport(ctx, runId);
		const owner = ownerOfRun(run);
		const rows = await storeResults(ctx, owner, some);
		await updateResultsOfRun(ctx, run);
		return { owner, rows };
	});
}

type Store = (
	ctx: Context,
	some: readonly NewTestResult[],
) => Promise<{ owner: OwnerIds; rows: readonly TestResultRow[] }>;

/** Other calls get their turn after each transaction. */
async function storeInTurns(ctx: Context, results: readonly NewTestResult[], store: Store): Promise<TestResult[]> {
	await assertQuota(ctx);
	const views = new Map<string, TestResult>();
	let owner: OwnerIds | null = null;
	for (const some of turnsOf(results)) {
		const stored = await inTransaction(ctx, (ctx) => store(ctx, some));
		owner = stored.owner;
		const seen = await resultViews(ctx, stored.rows, { isWhole: true });
		for (const [at, { key }] of stored.rows.entries()) views.set(key, seen[at] as TestResult);
		await nextTurn();
	}
	if (owner !== null) publishResults(ctx, owner, views.values());
	return results.map(({ key }) => views.get(key) as TestResult);
}

/** The attempts of a test stay together, because they make each other flaky. */
function* turnsOf(results: readonly NewTestResult[]): Generator<NewTestResult[]> {
	let turn: NewTestResult[] = [];
	for (const attempts of Map.groupBy(results, testKeyOf).values()) {
		turn.push(...attempts);
		if (turn.length < RESULTS_AT_ONCE) continue;
		yield turn;
		turn = [];
	}
	if (turn.length > 0) yield turn;
}

/** Results are small: they are refused when nothing is left, and may exceed the quota by one call. */
async function assertQuota(ctx: Context): Promise<void> {
	const { organizationBytes } = quotasOf(ctx);
	if (organizationBytes === 0) return;
	const use = await ctx.db
		.selectFrom("organizationUse")
		.select("bytes")
		.where("organizationId", "=", ctx.actor.organizationId)
		.executeTakeFirst();
	if (use === undefined || use.bytes < organizationBytes) return;
	ctx.measures?.quotaRefused();
	throw new TapedeckError(
		"quota_exceeded",
		"The organization has used up its storage. Delete recordings, or ask the operator for more.",
	);
}
