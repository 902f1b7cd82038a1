/** Translates each term of a search for builds: the build, one of its jobs, recordings or test results matches. */
import { parseSearch } from "@tapedeck/contract/search.ts";
import { type RawBuilder, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { conditionOf } from "#lib/search/find.ts";
import { type Comparison, comparisonsOf, contains, withoutSmallWords } from "#lib/search/plan.ts";

/** @returns what a row of `build` must have. */
export async function buildConditions(ctx: Context, q: string): Promise<RawBuilder<boolean>[]> {
	const comparisons = await comparisonsOf(ctx, "testResult", withoutSmallWords(parseSearch(q).terms));
	return comparisons.map((one) => {
		const has = conditionOfBuild(ctx, one);
		return one.not ? sql<boolean>`coalesce(not (${has}), true)` : sql<boolean>`${has}`;
	});
}

/** Labels that a build has as columns. */
const COLUMNS: readonly string[] = ["branch", "repository", "workflow"];

function conditionOfBuild(ctx: Context, one: Comparison): RawBuilder<unknown> {
	switch (one.kind) {
		case "word": {
			const texts = ["name", "branch", "commit"].map((column) => sql`coalesce(build.${sql.ref(column)}, '')`);
			return contains(sql.join(texts, sql` || ${"\n"} || `), one.text);
		}
		case "after":
			return sql`build."lastAt" > ${one.at}`;
		case "before":
			return sql`build."firstAt" < ${one.at}`;
		case "outcome":
			return anyOf(one.values.map(hasOutcome));
		case "status":
			return anyOf([
				hasMember(ctx, one),
				...(one.values.includes("failed") ? [hasOutcome("failed"), hasOutcome("error")] : []),
			]);
		case "label": {
			const { key, values } = one;
			if (key === "build") return values === null ? sql`1 = 1` : sql`build.name in (${sql.join(values)})`;
			if (key === "commit" && values !== null) {
				// Commits are often named by their beginning.
				return anyOf(values.map((value) => sql`substr(build."commit", 1, ${value.length}) = ${value}`));
			}
			if (!COLUMNS.includes(key) && key !== "commit") return anyOf([hasMember(ctx, one), hasResult(ctx, one)]);
			const column = sql`build.${sql.ref(key)}`;
			return values === null ? sql`${column} is not null` : sql`${column} in (${sql.join(values)})`;
		}
		case "runner":
		case "session":
		case "verdict":
			return hasMember(ctx, one);
		case "message":
			return sql`exists (select 1 from "testResult" where ${isOfBuild("testResult")} and outcome in ('failed', 'error')
				and ${conditionOf(ctx, "testResult", one)})`;
		default:
			return hasResult(ctx, one);
	}
}

/** The outcome of the build's tests or, without tests, of its recordings, as the build's status gives it. */
function hasOutcome(outcome: string): RawBuilder<unknown> {
	const count = (tests: string, recordings: string) =>
		sql`(case when build.tests > 0 then build.${sql.ref(tests)} else build.${sql.ref(recordings)} end)`;
	const [passed, failed, error, skipped] = [
		count("testsPassed", "passed"),
		count("testsFailed", "failed"),
		count("testsError", "error"),
		count("testsSkipped", "skipped"),
	];
	if (outcome === "passed") return sql`(${passed} > 0 and ${failed} = 0 and ${error} = 0)`;
	if (outcome === "failed") return sql`${failed} > 0`;
	if (outcome === "error") return sql`${error} > 0`;
	if (outcome === "skipped") return sql`${skipped} > 0`;
	return sql`(${passed} = 0 and ${failed} = 0 and ${error} = 0 and ${skipped} = 0)`;
}

/** A job or an uploaded recording with its label. */
function hasMember(ctx: Context, one: Comparison): RawBuilder<unknown> {
	const of = (table: "job" | "recording", id: string) =>
		sql`exists (select 1 from ${sql.table(`${table}Label`)} as member join ${sql.table(table)} on ${sql.ref(`${table}.id`)} = member.${sql.ref(id)}
			where member."organizationId" = build."organizationId" and member.key = 'build' and member.value = build.name
			and ${conditionOf(ctx, table, one)})`;
	return anyOf([of("job", "jobId"), of("recording", "recordingId")]);
}

/** Not for each build: the index of the term has the results. */
const hasResult = (ctx: Context, one: Comparison): RawBuilder<unknown> =>
	sql`build.name in (select build from "testResult" where "testResult"."organizationId" = ${ctx.actor.organizationId}
		and build is not null and ${conditionOf(ctx, "testResult", one)})`;

const isOfBuild = (table: string): RawBuilder<unknown> =>
	sql`${sql.ref(`${table}.organizationId`)} = build."organizationId" and ${sql.ref(`${table}.build`)} = build.name
		and ${sql.ref(`${table}.build`)} is not null`;

const anyOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
	conditions.length === 0 ? sql`1 = 0` : sql`(${sql.join(conditions, sql` or `)})`;
