/** `GET /v1/test-summaries`: tests, with summaries of their newest results. Stored with each test as its results change. */
import type { ListedTest, ListTestSummariesQuery, TestSort } from "@tapedeck/contract/listed-test.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Context } from "#lib/core/context.ts";
import { findPage, isOfOrganization } from "#lib/search/find.ts";
import { testView } from "./list-results.ts";
import { recentResultsOf } from "./recent-results.ts";
import type { TestRow } from "./store/result-store.ts";
import { testConditions } from "./test-search.ts";
import { triageOf } from "./triage.ts";

/** The column of each order; each has an index. */
const COLUMNS = {
	lastAt: "lastAt",
	passRate: "passRate",
	flakyRate: "flakyRate",
	durationSeconds: "durationMs",
	durationChangeSeconds: "durationChangeMs",
} as const satisfies Record<TestSort, keyof TestRow>;

/** A search is compared in the order of the list. @throws validation_failed at `cursor` */
export async function listTests(
	ctx: Context,
	{ q, sort, order, ...page }: ListTestSummariesQuery,
): Promise<Page<ListedTest>> {
	const by = COLUMNS[sort];
	const conditions = await testConditions(ctx, q ?? "");
	return findPage(ctx, page, {
		table: "test",
		isSearched: false,
		sorting: { by, order, isFractional: sort === "passRate" || sort === "flakyRate" },
		source: () => ({
			reads: [{ table: "test", id: "id", where: [isOfOrganization(ctx, "test"), ...conditions] }],
			has: conditions.length === 0 ? "indexed" : "compared",
			stretches: [{}],
			filters: [],
		}),
		rows: (db, ids) =>
			db.selectFrom("test").selectAll().where("id", "in", ids).orderBy(by, order).orderBy("id", order).execute(),
		view: (rows: TestRow[]) => testViews(ctx, rows),
	});
}

async function testViews(ctx: Context, rows: readonly TestRow[]): Promise<ListedTest[]> {
	const ids = rows.map(({ id }) => id);
	const recent = await recentResultsOf(ctx, ids);
	const approximate = await approximateAmong(
		ctx,
		[...recent.values()].flatMap(([newest]) => newest?.id ?? []),
	);
	const triage = await triageOf(ctx, "test", ids.map(String));
	return rows.map((row) => {
		const hasResults = row.recentResults > 0;
		return {
			...testView(row),
			outcome: row.lastOutcome,
			new: row.lastIsNew === 1,
			isApproximate: approximate.has(recent.get(row.id)?.[0]?.id ?? 0),
			results: row.recentResults,
			passRate: hasResults ? row.passRate : null,
			flakyRate: hasResults ? row.flakyRate : null,
			durationSeconds: row.durationMs < 0 ? null : row.durationMs / 1_000,
			durationChangeSeconds: row.durationChangeMs / 1_000,
			owner: triage.get(String(row.id))?.assignee ?? null,
			recent: recent.get(row.id) ?? [],
		};
	});
}

/** @returns those of these results whose times are not exact. */
async function approximateAmong(ctx: Context, resultIds: readonly number[]): Promise<ReadonlySet<number>> {
	if (resultIds.length === 0) return new Set();
	const rows = await ctx.reads
		.selectFrom("testResult")
		.select("id")
		.where("id", "in", resultIds)
		.where("isApproximate", "=", 1)
		.execute();
	return new Set(rows.map(({ id }) => id));
}
