/** Summaries of the newest results of each test, stored with the test: lists of tests are sorted and filtered by them. */
import { sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { SUMMARY_OF_RESULTS } from "#lib/db/test-summary.ts";

/** Tests of one statement: SQLite has at most 32,766 parameters. */
const TESTS_AT_ONCE = 500;

/**
 * Call after any change of these tests' results.
 * @param ctx its database may be a transaction.
 */
export async function summarizeTests(ctx: Context, testIds: Iterable<number>): Promise<void> {
	const ids = [...new Set(testIds)];
	if (ids.length === 0) return;
	await lockInOrder(ctx, ids);
	for (let at = 0; at < ids.length; at += TESTS_AT_ONCE) {
		const some = ids.slice(at, at + TESTS_AT_ONCE);
		await sql`update test set ${sql.raw(SUMMARY_OF_RESULTS)} where id in (${sql.join(some)})`.execute(ctx.db);
	}
}

/** The order in which results are stored, so that concurrent transactions do not wait for each other in a circle. */
async function lockInOrder(ctx: Context, ids: readonly number[]): Promise<void> {
	if (ctx.dialect !== "postgres") return;
	await sql`select id from test where id = any(${ids})
		order by (project || chr(10) || name) collate "C", repository for update`.execute(ctx.db);
}
