/** Outcomes of the newest results of tests, from one index. */
import { RECENT_RESULTS, type RecentResult } from "@tapedeck/contract/listed-test.ts";
import type { Outcome } from "@tapedeck/contract/recording-kinds.ts";
import { sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { timestamp } from "#lib/core/times.ts";

/** SQLite has at most 32,766 parameters. */
const TESTS_AT_ONCE = 1_000;

/**
 * Reads a text of JSON for each test: 3,000 results of 100 tests as rows take seven times as long.
 * @returns the newest first, by test; a test without ended results has none.
 */
export async function recentResultsOf(
	ctx: Context,
	testIds: Iterable<number>,
): Promise<ReadonlyMap<number, RecentResult[]>> {
	const ids = [...new Set(testIds)];
	const recent = new Map<number, RecentResult[]>();
	const [list, item] =
		ctx.dialect === "sqlite"
			? [sql.raw("json_group_array"), sql.raw("json_array")]
			: [sql.raw("json_agg"), sql.raw("json_build_array")];
	for (let at = 0; at < ids.length; at += TESTS_AT_ONCE) {
		const some = ids.slice(at, at + TESTS_AT_ONCE);
		const { rows } = await sql<{ id: number; results: string | null }>`select test.id, (
				select cast(${list}(${item}(id, outcome, "isFlaky", "startedAt", "endedAt")) as text) from (
					select id, outcome, "isFlaky", "startedAt", "endedAt" from "testResult"
					where "testId" = test.id and outcome is not null and "isByAgent" = 0
					order by "startedAt" desc, id desc limit ${RECENT_RESULTS}
				) as newest
			) as results from test where test.id in (${sql.join(some)})`.execute(ctx.reads);
		for (const { id, results } of rows) {
			const read = JSON.parse(results ?? "[]") as Read[];
			if (read.length > 0) recent.set(id, read.toSorted(newestFirst).map(recentResult));
		}
	}
	return recent;
}

type Read = [id: number, outcome: Outcome, isFlaky: number, startedAt: number, endedAt: number | null];

/** An aggregate promises no order. */
const newestFirst = ([idA, , , startA]: Read, [idB, , , startB]: Read): number => startB - startA || idB - idA;

const recentResult = ([id, outcome, isFlaky, startedAt, endedAt]: Read): RecentResult => ({
	id,
	outcome,
	flaky: isFlaky === 1,
	startedAt: timestamp(startedAt),
	durationSeconds: endedAt === null ? null : (endedAt - startedAt) / 1_000,
});
