/** Outcomes of the newest results of tests, from one index. */
import { RECENT_RESULTS, type RecentResult } from "@tapedeck/contract/listed-test.ts";
import type { Outcome } from "@tapedeck/contract/recording-kinds.ts";
import { sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { timestamp } from "#lib/core/times.ts";

/** Parts of one statement: SQLite joins at most 500. */
const TESTS_AT_ONCE = 100;

/** @returns the newest first, by test; a test without ended results has none. */
export async function recentResultsOf(
	ctx: Context,
	testIds: Iterable<number>,
): Promise<ReadonlyMap<number, RecentResult[]>> {
	const ids = [...new Set(testIds)];
	const recent = new Map<number, RecentResult[]>();
	for (let at = 0; at < ids.length; at += TESTS_AT_ONCE) {
		const each = ids.slice(at, at + TESTS_AT_ONCE).map(
			(id) => sql`select * from (select id, "testId", outcome, "isFlaky", "startedAt", "endedAt" from "testResult"
				where "testId" = ${id} and outcome is not null order by "startedAt" desc, id desc limit ${RECENT_RESULTS}) as newest`,
		);
		const { rows } = await sql<Row>`${sql.join(each, sql` union all `)}
			order by "startedAt" desc, id desc`.execute(ctx.reads);
		for (const { testId, id, outcome, isFlaky, startedAt, endedAt } of rows) {
			const result = {
				id,
				outcome,
				flaky: isFlaky === 1,
				startedAt: timestamp(startedAt),
				durationSeconds: endedAt === null ? null : (endedAt - startedAt) / 1_000,
			};
			const known = recent.get(testId);
			if (known === undefined) recent.set(testId, [result]);
			else known.push(result);
		}
	}
	return recent;
}

interface Row {
	id: number;
	testId: number;
	outcome: Outcome;
	isFlaky: number;
	startedAt: number;
	endedAt: number | null;
}
