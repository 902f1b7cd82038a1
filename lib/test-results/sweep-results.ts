/** Results are kept for as long as their organization says, 400 days by default; a test goes with its last result. */
import { DEFAULT_RETENTION } from "@tapedeck/contract/retention.ts";
import { sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { summarizeTests } from "./store/test-summaries.ts";

const DAY_MS = 86_400_000;
/** Deleted in one statement: meanwhile nothing else is written. */
const AT_ONCE = 500;

/** Stops when `signal` aborts, and continues with the next sweep. */
export async function sweepResults(ctx: Context, signal: AbortSignal): Promise<void> {
	const organizations = await ctx.db
		.selectFrom("organization")
		.leftJoin("retention", "retention.organizationId", "organization.id")
		.select(["organization.id", "retention.testResultDays"])
		.execute();
	for (const { id, testResultDays } of organizations) {
		const before = ctx.clock.now() - (testResultDays ?? DEFAULT_RETENTION.testResultDays) * DAY_MS;
		const oldest = resultIds(ctx)
			.where("organizationId", "=", id)
			.where("startedAt", "<", before)
			.orderBy("startedAt")
			.orderBy("id");
		await deleteResults(ctx, oldest, signal);
		await deleteEmptyRuns(ctx, id, before);
	}
}

const resultIds = (ctx: Context) => ctx.db.selectFrom("testResult").select("id");
type FoundResults = ReturnType<typeof resultIds>;

/** A test run goes with its last result. */
async function deleteEmptyRuns(ctx: Context, organizationId: number, before: number): Promise<void> {
	await ctx.db
		.deleteFrom("testRun")
		.where("organizationId", "=", organizationId)
		.where("createdAt", "<", before)
		.where("endedAt", "is not", null)
		.where(sql<boolean>`not exists (select 1 from "testResult" where "testResult"."testRunId" = "testRun".id)`)
		.execute();
}

/** Deletes all that the query finds, some at a time, until `signal` aborts. */
export async function deleteResults(ctx: Context, found: FoundResults, signal?: AbortSignal): Promise<void> {
	while (signal?.aborted !== true && (await deleteSome(ctx, found)) === AT_ONCE);
}

/** @returns how many results. */
async function deleteSome(ctx: Context, found: FoundResults): Promise<number> {
	const some = found.limit(AT_ONCE);
	const deleted = await ctx.db.deleteFrom("testResult").where("id", "in", some).returning("testId").execute();
	const tests = [...new Set(deleted.map(({ testId }) => testId))];
	if (tests.length > 0) {
		await ctx.db
			.deleteFrom("test")
			.where("id", "in", tests)
			.where(sql<boolean>`not exists (select 1 from "testResult" where "testResult"."testId" = test.id)`)
			.execute();
		await summarizeTests(ctx, tests);
	}
	return deleted.length;
}
