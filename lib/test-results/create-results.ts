/** `POST /v1/jobs/{id}/tests` and `POST /v1/test-runs/{id}/tests`: stores what became of tests. */
import type { NewTestResult, TestResult } from "@tapedeck/contract/test-result.ts";
import { type Context, inTransaction, quotasOf } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { lockOwnJob } from "#lib/lifecycle/job-store.ts";
import { resultViews } from "./result-view.ts";
import { ownerOfJob, ownerOfRun, updateResultsOfJob, updateResultsOfRun } from "./store/implied-results.ts";
import { noteReport } from "./store/note-report.ts";
import { publishResults, storeResults } from "./store/result-store.ts";

/**
 * All of them, or none. A result whose key the job has already replaces that one, and keeps what it leaves out.
 * @returns them in the same order.
 * @throws not_found; quota_exceeded if the organization has used up its storage.
 */
export async function createResults(
	ctx: Context,
	jobId: number,
	results: readonly NewTestResult[],
): Promise<TestResult[]> {
	const { owner, rows } = await inTransaction(ctx, async (ctx) => {
		const job = await lockOwnJob(ctx, jobId);
		await assertQuota(ctx);
		const owner = ownerOfJob(job);
		const rows = await storeResults(ctx, owner, results);
		// Reported results replace implied ones.
		await updateResultsOfJob(ctx, job);
		return { owner, rows };
	});
	publishResults(ctx, owner);
	return resultViews(ctx, rows, { isWhole: true });
}

/** The same for a test run. A run that was ended because it was silent continues. */
export async function createResultsOfRun(
	ctx: Context,
	runId: number,
	results: readonly NewTestResult[],
): Promise<TestResult[]> {
	const { owner, rows } = await inTransaction(ctx, async (ctx) => {
		await assertQuota(ctx);
		const run = await noteReport(ctx, runId);
		const owner = ownerOfRun(run);
		const rows = await storeResults(ctx, owner, results);
		await updateResultsOfRun(ctx, run);
		return { owner, rows };
	});
	publishResults(ctx, owner);
	return resultViews(ctx, rows, { isWhole: true });
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
