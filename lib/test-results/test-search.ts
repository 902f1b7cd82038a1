/** Search terms for tests: a test matches by its own columns, or by those of its results. */
import { RECENT_RESULTS } from "@tapedeck/contract/listed-test.ts";
import { parseSearch } from "@tapedeck/contract/search.ts";
import { type RawBuilder, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { conditionOf } from "#lib/search/find.ts";
import { type Comparison, comparisonsOf, contains, withoutSmallWords } from "#lib/search/plan.ts";

/** @returns what a row of `test` must have. */
export async function testConditions(ctx: Context, q: string): Promise<RawBuilder<boolean>[]> {
	const comparisons = await comparisonsOf(ctx, "testResult", withoutSmallWords(parseSearch(q).terms));
	return comparisons.map((one) => {
		const has = conditionOfTest(ctx, one);
		return one.not ? sql<boolean>`coalesce(not (${has}), true)` : sql<boolean>`(${has})`;
	});
}

/** Labels that a test has as columns. */
const COLUMNS: readonly string[] = ["suite", "file", "repository"];

function conditionOfTest(ctx: Context, one: Comparison): RawBuilder<unknown> {
	switch (one.kind) {
		case "word": {
			const texts = ["name", "suite", "file", "project", "repository"].map(
				(column) => sql`coalesce(${sql.ref(`test.${column}`)}, '')`,
			);
			return contains(sql.join(texts, sql` || ${"\n"} || `), one.text);
		}
		case "after":
			return sql`test."lastAt" > ${one.at}`;
		case "before":
			return sql`test."firstAt" < ${one.at}`;
		case "outcome":
			return sql`coalesce(test."lastOutcome", 'none') in (${sql.join(one.values)})`;
		case "flaky":
			return anyOf(
				one.values.map((value) => (value === "yes" ? sql`test."flakyRate" > 0` : sql`test."flakyRate" = 0`)),
			);
		case "new":
			return sql`test."lastIsNew" in (${sql.join(one.values.map((value) => Number(value === "yes")))})`;
		case "test":
			return one.ids.length === 0 ? sql`1 = 0` : sql`test.id in (${sql.join(one.ids)})`;
		case "label": {
			const { key, values } = one;
			if (key === "test") return sql`1 = 1`;
			if (key === "build" || key === "commit") return isInIndex(ctx, one);
			if (key === "owner") return anyOf([isOwned(ctx, values), hasRecent(ctx, one)]);
			if (!COLUMNS.includes(key)) return hasRecent(ctx, one);
			const column = sql`nullif(${sql.ref(`test.${key}`)}, '')`;
			return values === null ? sql`${column} is not null` : sql`${column} in (${sql.join(values)})`;
		}
		case "cause":
		case "screen":
			return isInIndex(ctx, one);
		default:
			return hasRecent(ctx, one);
	}
}

/** Finds tests by the person assigned to their failures, by name or e-mail address. @param names null for anybody. */
function isOwned(ctx: Context, names: readonly string[] | null): RawBuilder<unknown> {
	const isNamed =
		names === null ? sql`1 = 1` : sql`("user".name in (${sql.join(names)}) or "user".email in (${sql.join(names)}))`;
	return sql`cast(test.id as text) in (select triage.key from "failureTriage" as triage
		join member on member."userId" = triage."assigneeUserId" and member."organizationId" = triage."organizationId"
		join "user" on "user".id = member."userId"
		where triage."organizationId" = ${ctx.actor.organizationId} and triage.kind = 'test' and ${isNamed})`;
}

/** Asks an index of results that has the term: not for each test. */
const isInIndex = (ctx: Context, one: Comparison): RawBuilder<unknown> =>
	sql`test.id in (select "testId" from "testResult" where "testResult"."organizationId" = ${ctx.actor.organizationId}
		and ${conditionOf(ctx, "testResult", one)})`;

/** One of the results that the summary is of has the term. */
const hasRecent = (ctx: Context, one: Comparison): RawBuilder<unknown> =>
	sql`exists (select 1 from "testResult" where "testResult".id in (
			select newest.id from "testResult" as newest where newest."testId" = test.id
			order by newest."startedAt" desc, newest.id desc limit ${RECENT_RESULTS})
		and ${conditionOf(ctx, "testResult", one)})`;

const anyOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
	sql`(${sql.join(conditions, sql` or `)})`;
