/**
 * Plans a search: decides which terms become filters of the list, which index has the fewest rows, and what the rows
 * are compared with. TERMS lists what can be done with each term. find.ts runs the plan.
 */
import type { JobStatus } from "@tapedeck/contract/job-status.ts";
import type { Verdict } from "@tapedeck/contract/recording-kinds.ts";
import { momentOf, parseSearch, type SearchTerm } from "@tapedeck/contract/search.ts";
import { MAX_GROUPED_FAILURES } from "@tapedeck/contract/test-failure.ts";
import { isSameScreen, screenHash } from "@tapedeck/contract/test-result.ts";
import { type RawBuilder, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";

/** The tables whose rows can be searched. */
export type SearchedTable = "job" | "recording" | "testResult";

/**
 * The way in which a list handles a term. Negated terms are always compared.
 * filter: a query parameter can express the term. The list's indexes cover it, together with the other filters.
 * inOrder: an index has the rows of each value in ORDER_OF the list.
 * jobs: an index finds the jobs, whose ids then select the rows.
 * trigrams: an index finds the rows that contain a text, in no order.
 * compared: no index covers the term, so the rows found otherwise are compared.
 */
interface Access {
	way: "filter" | "inOrder" | "jobs" | "trigrams" | "compared";
	/** The index or table that is read, under its name in the database. */
	sqlite?: string;
	postgres?: string;
}

const compared: Access = { way: "compared" };
const indexed = (way: Access["way"], index: string): Access => ({ way, sqlite: index, postgres: index });

export const TERMS: Record<Comparison["kind"], Record<SearchedTable, Access>> = {
	word: {
		job: { way: "trigrams", sqlite: "jobSearch", postgres: "job_name_search" },
		recording: { way: "trigrams", sqlite: "recordingSearch", postgres: "recording_name_search" },
		testResult: { way: "trigrams", sqlite: "testResultSearch", postgres: "test_result_name_search" },
	},
	label: {
		job: indexed("inOrder", "jobLabel"),
		recording: indexed("inOrder", "recordingLabel"),
		// The label `build`; other labels are compared.
		testResult: indexed("inOrder", "test_result_by_build"),
	},
	outcome: {
		job: indexed("inOrder", "job_by_outcome"),
		recording: indexed("inOrder", "recording_by_outcome"),
		// Only results that did not pass.
		testResult: indexed("inOrder", "test_result_by_outcome"),
	},
	status: { job: indexed("filter", "job_by_status"), recording: compared, testResult: compared },
	verdict: { job: compared, recording: indexed("filter", "recording_by_kind"), testResult: compared },
	runner: {
		job: indexed("filter", "job_by_runner"),
		recording: indexed("filter", "recording_by_runner"),
		testResult: compared,
	},
	session: {
		job: indexed("jobs", "recorded_session_by_id"),
		recording: indexed("jobs", "recorded_session_by_id"),
		testResult: indexed("jobs", "recorded_session_by_id"),
	},
	/** The label `test` of jobs and recordings, or the test of a result. */
	test: { job: compared, recording: compared, testResult: indexed("inOrder", "test_result_by_test") },
	message: { job: compared, recording: compared, testResult: compared },
	cause: { job: compared, recording: compared, testResult: indexed("inOrder", "test_result_by_cause") },
	/** Results whose screens look alike. */
	screen: { job: compared, recording: compared, testResult: indexed("inOrder", "test_result_by_screen") },
	flaky: { job: compared, recording: compared, testResult: indexed("inOrder", "test_result_flaky") },
	new: { job: compared, recording: compared, testResult: indexed("inOrder", "test_result_new") },
	after: {
		job: indexed("filter", "jobZone"),
		recording: indexed("filter", "recording_by_age|recording_by_file_kind"),
		testResult: indexed("filter", "test_result_by_time"),
	},
	before: {
		job: indexed("filter", "jobZone"),
		recording: indexed("filter", "recording_by_age|recording_by_file_kind"),
		testResult: indexed("filter", "test_result_by_time"),
	},
};

/** The column by which the indexes of terms are ordered. */
const ORDER_OF: Record<SearchedTable, string> = { job: "id", recording: "createdAt", testResult: "startedAt" };

/**
 * The number of rows that a page compares in the list's order before it uses the index of words or ends. These rows
 * often fill the page.
 */
export const LOOKED_AT = 500;
/** The number of names that are compared with a text too short for the index. */
export const NAMES_FOR_SHORT = 2_000;
/** A limit above the number of jobs that ever record one session. */
const JOBS_OF_SESSION = 1_000;

/** The values of which a row must have one or, if negated, must have none. */
export type Comparison = { not: boolean } & (
	| { kind: "word"; text: string }
	/** Null for any value. */
	| { kind: "label"; key: string; values: readonly string[] | null }
	| { kind: "outcome" | "verdict" | "status" | "session"; values: readonly string[] }
	| { kind: "runner"; ids: readonly number[] }
	| { kind: "test"; ids: readonly number[] }
	| { kind: "message" | "cause" | "screen" | "flaky" | "new"; values: readonly string[] }
	| { kind: "after" | "before"; at: number }
);

/** Rows of one index, in the list's order. */
export interface IndexRead {
	table: string;
	/** The column with the id of the list's row. */
	id: string;
	where: readonly RawBuilder<unknown>[];
}

export interface Plan<Q> {
	/** The list's filters, including the terms that became filters. */
	query: Q;
	/** The comparisons for rows that match these filters. Empty if the filters cover the whole search. */
	compare: readonly Comparison[];
	/**
	 * The rows of the term with the fewest rows, ordered by a column, and the remaining comparisons. Null if no term has
	 * an index.
	 */
	narrow: { reads: readonly IndexRead[]; by: string; compare: readonly Comparison[]; isFew: boolean } | null;
	/** Texts for the index of words, and the remaining comparisons. Null without such texts. */
	trigrams: { texts: readonly string[]; compare: readonly Comparison[] } | null;
	/** The number of rows that are compared first, in the list's order. */
	looksAt: number;
	/** Whether no further rows are compared, because the words are too short for an index. */
	isShort: boolean;
}

/** The part of a list's query that a search can express, too. */
export interface SearchQuery {
	q?: string;
	runnerId?: number;
	status?: JobStatus[];
	verdict?: Verdict[];
	createdAfter?: number;
	createdBefore?: number;
}

/** The plan of a list that is not searched. */
export const withoutSearch = <Q>(query: Q): Plan<Q> => ({
	query,
	compare: [],
	narrow: null,
	trigrams: null,
	looksAt: LOOKED_AT,
	isShort: false,
});

/** @returns null if nothing can match. */
export async function planSearch<Q extends SearchQuery>(
	ctx: Context,
	table: SearchedTable,
	asked: Q,
): Promise<Plan<Q> | null> {
	const terms = withoutSmallWords(parseSearch(asked.q ?? "").terms);
	if (terms.length === 0) return withoutSearch(asked);
	const query = { ...asked };
	const compare: Comparison[] = [];
	for (const one of await comparisonsOf(ctx, table, terms)) {
		// No runner has this name, so every row matches.
		if (one.not && one.kind === "runner" && one.ids.length === 0) continue;
		const left = one.not || TERMS[one.kind][table].way !== "filter" ? one : moveToFilters(query, one);
		if (left === "impossible") return null;
		if (left !== "moved") compare.push(left);
	}
	const wanted = compare.filter((one) => !one.not);
	const session = await jobsOfSession(ctx, wanted);
	const narrow = session.ids === null ? await narrowest(ctx, table, wanted) : jobsAs(ctx, table, session.ids);
	const words = wanted.flatMap((one) => (one.kind === "word" ? [one.text] : []));
	// The search text contains the names of sessions.
	const texts = [...words, ...session.names].filter(isIndexed).map(rarestPartOf);
	const isFoundWhole = (one: Comparison) =>
		one.kind === "word" && !one.not && isIndexed(one.text) && rarestPartOf(one.text) === one.text;
	const isShort = words.length > 0 && texts.length === 0 && narrow === null;
	return {
		query,
		compare,
		narrow:
			narrow === null
				? null
				: {
						reads: narrow.reads,
						by: ORDER_OF[table],
						compare: compare.filter((one) => one !== narrow.ensures),
						isFew: narrow.count < LOOKED_AT,
					},
		trigrams: texts.length === 0 ? null : { texts, compare: compare.filter((one) => !isFoundWhole(one)) },
		looksAt: isShort ? NAMES_FOR_SHORT : LOOKED_AT,
		isShort,
	};
}

/**
 * Leaves out words such as `of` and `is` next to longer ones: pasting a whole message finds the same rows as its
 * distinctive words. Numbers and Asian words stay.
 */
export function withoutSmallWords(terms: readonly SearchTerm[]): readonly SearchTerm[] {
	const isWord = (term: SearchTerm) => term.kind === "word" && !term.not;
	const hasLonger = terms.some((term) => isWord(term) && "text" in term && isIndexed(term.text));
	return hasLonger ? terms.filter((term) => !(isWord(term) && "text" in term && SMALL_WORD.test(term.text))) : terms;
}

const SMALL_WORD = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{P}\p{S}]{1,2}$/u;

/**
 * Terms of one key are alternatives. If they are negated, a row must match none of them. Each word and time stands
 * alone.
 */
export async function comparisonsOf(
	ctx: Context,
	table: SearchedTable,
	terms: readonly SearchTerm[],
): Promise<Comparison[]> {
	const groups = Map.groupBy(terms, (term) => {
		if (term.kind === "word" || term.kind === "after" || term.kind === "before") return term;
		return `${term.not ? "-" : ""}${term.kind === "label" ? `label ${term.key}` : term.kind}`;
	});
	return Promise.all([...groups.values()].map((group) => comparisonOf(ctx, table, group)));
}

/** @param group terms of one key, at least one. */
async function comparisonOf(ctx: Context, table: SearchedTable, group: readonly SearchTerm[]): Promise<Comparison> {
	const term = group[0] as SearchTerm;
	if (term.kind === "word") return term;
	const { kind, not } = term;
	const values = [...new Set(group.flatMap((one) => ("value" in one && one.value !== null ? [one.value] : [])))];
	switch (kind) {
		case "after":
		case "before":
			return { kind, not, at: momentOf(term.value) ?? 0 };
		case "label": {
			// "Any value" includes each single value.
			const isAny = group.some((one) => one.kind === "label" && one.value === null);
			if (table === "testResult" && term.key === "test" && !isAny)
				return { kind: "test", not, ids: await testsNamed(ctx, values) };
			return { kind, not, key: term.key, values: isAny ? null : values };
		}
		case "runner":
			return { kind, not, ids: await runnersNamed(ctx, values) };
		case "screen":
			return { kind, not, values: await screensLike(ctx, values) };
		default:
			return { kind, not, values };
	}
}

/** Finds runners by name or id, including removed ones. */
async function runnersNamed(ctx: Context, names: readonly string[]): Promise<number[]> {
	const ids = names.filter((name) => /^[1-9]\d{0,15}$/.test(name)).map(Number);
	const rows = await ctx.db
		.selectFrom("runner")
		.select("id")
		.where("organizationId", "=", ctx.actor.organizationId)
		.where((where) => where.or([where("name", "in", names), ...(ids.length === 0 ? [] : [where("id", "in", ids)])]))
		.execute();
	return rows.map(({ id }) => id);
}

/** Finds tests by name in all projects. */
async function testsNamed(ctx: Context, names: readonly string[]): Promise<number[]> {
	const rows = await ctx.db
		.selectFrom("test")
		.select("id")
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("name", "in", names)
		.orderBy("lastAt", "desc")
		.limit(MAX_TESTS)
		.execute();
	return rows.map(({ id }) => id);
}

/** A limit, because each test is a separate read. */
const MAX_TESTS = 50;

/** Screens of the newest failures that look like the given ones, or only the given ones if none does. */
async function screensLike(ctx: Context, screens: readonly string[]): Promise<string[]> {
	const known = await ctx.db
		.selectFrom("testResult")
		.select("screen")
		.where("organizationId", "=", ctx.actor.organizationId)
		// Written literally, so that the planner sees that the partial index fits.
		.where(sql<boolean>`"failedAt" is not null`)
		.orderBy("failedAt", "desc")
		.orderBy("id", "desc")
		.limit(MAX_GROUPED_FAILURES)
		.execute();
	const wanted = screens.filter((screen) => /^[0-9a-f]{16}$/.test(screen)).map(screenHash);
	const isLike = (one: string) => {
		const shown = screenHash(one);
		return wanted.some((screen) => isSameScreen(shown, screen));
	};
	return [
		...new Set([...screens, ...known.flatMap(({ screen }) => (screen !== null && isLike(screen) ? [screen] : []))]),
	];
}

/** @returns the comparison that remains if a filter cannot express the term. */
function moveToFilters(query: SearchQuery, one: Comparison): Comparison | "moved" | "impossible" {
	switch (one.kind) {
		case "after":
			query.createdAfter = Math.max(one.at, query.createdAfter ?? one.at);
			return "moved";
		case "before":
			query.createdBefore = Math.min(one.at, query.createdBefore ?? one.at);
			return "moved";
		case "status":
			query.status = both(query.status, one.values as JobStatus[]);
			return query.status.length === 0 ? "impossible" : "moved";
		case "verdict":
			query.verdict = both(query.verdict, one.values as Verdict[]);
			return query.verdict.length === 0 ? "impossible" : "moved";
		case "runner": {
			const ids = both(query.runnerId === undefined ? [] : [query.runnerId], one.ids);
			if (ids.length > 1) return { ...one, ids };
			query.runnerId = ids[0];
			return ids.length === 0 ? "impossible" : "moved";
		}
		default:
			return one;
	}
}

/** @param one undefined or empty for all values. */
const both = <T>(one: readonly T[] | undefined, other: readonly T[]): T[] =>
	one === undefined || one.length === 0 ? [...other] : one.filter((each) => other.includes(each));

/** The jobs of a session. Session ids have an index; names are words of the search text. */
async function jobsOfSession(
	ctx: Context,
	wanted: readonly Comparison[],
): Promise<{ ids: number[] | null; names: readonly string[] }> {
	const values = wanted.flatMap((one) => (one.kind === "session" ? one.values : []));
	if (values.length === 0) return { ids: null, names: [] };
	const rows = await ctx.db
		.selectFrom("recordedSession")
		.select("jobId")
		.distinct()
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("sessionId", "in", values)
		.limit(JOBS_OF_SESSION)
		.execute();
	// One of several values may be a name.
	if (rows.length === 0 || values.length > 1) return { ids: null, names: values.length === 1 ? values : [] };
	return { ids: rows.map(({ jobId }) => jobId), names: [] };
}

/**
 * Rows of an index, their number, and the condition that all of them meet. No condition if it has to be compared
 * anyway.
 */
interface Narrow {
	reads: readonly IndexRead[];
	count: number;
	ensures: Comparison | null;
}

const isOfCaller = (ctx: Context) => sql`"organizationId" = ${ctx.actor.organizationId}`;

function jobsAs(ctx: Context, table: SearchedTable, ids: readonly number[]): Narrow {
	const column = sql.ref(table === "job" ? "id" : "jobId");
	const where = [isOfCaller(ctx), sql`${column} in (${sql.join(ids)})`];
	return { reads: [{ table, id: "id", where }], count: ids.length, ensures: null };
}

/** The term with the fewest rows, among those with an index in the list's order. Counting stops after a few rows. */
async function narrowest(ctx: Context, table: SearchedTable, wanted: readonly Comparison[]): Promise<Narrow | null> {
	let best: Narrow | null = null;
	// If two terms have many rows, the label is better: outcomes have more rows than labels.
	const labelsFirst = wanted.toSorted((a, b) => Number(b.kind === "label") - Number(a.kind === "label"));
	for (const one of labelsFirst) {
		const reads = TERMS[one.kind][table].way === "inOrder" ? readsOf(ctx, table, one) : null;
		if (reads === null) continue;
		const rows = reads.map(
			({ table, where }) =>
				sql`select 1 from (select 1 from ${sql.table(table)} where ${sql.join(where, sql` and `)} limit ${LOOKED_AT}) as part`,
		);
		const counted = await sql<{
			count: number;
		}>`select count(*) as count from (${sql.join(rows, sql` union all `)}) as counted`.execute(ctx.reads);
		const count = Number(counted.rows[0]?.count ?? 0);
		if (best === null || count < best.count) best = { reads, count, ensures: one };
	}
	return best;
}

/** A read for each value. Null if the index does not cover all values, such as any value of a label, or no outcome. */
function readsOf(ctx: Context, table: SearchedTable, one: Comparison): IndexRead[] | null {
	if (table === "testResult") return resultReads(ctx, one);
	if (one.kind === "label" && one.values !== null) {
		const labelIs = (value: string) => [isOfCaller(ctx), sql`key = ${one.key}`, sql`value = ${value}`];
		return one.values.map((value) => ({ table: `${table}Label`, id: `${table}Id`, where: labelIs(value) }));
	}
	if (one.kind === "outcome" && !one.values.includes("none")) {
		const outcomeIs = (value: string) => [isOfCaller(ctx), sql`outcome = ${value}`, sql`outcome is not null`];
		return one.values.map((value) => ({ table, id: "id", where: outcomeIs(value) }));
	}
	return null;
}

/** Conditions of partial indexes are literal: the planner must see that the index fits. */
function resultReads(ctx: Context, one: Comparison): IndexRead[] | null {
	const read = (...where: RawBuilder<unknown>[]) => ({
		table: "testResult",
		id: "id",
		where: [isOfCaller(ctx), ...where],
	});
	switch (one.kind) {
		case "test":
			// No condition on the organization, which the tests imply: with it, SQLite would read all results of the
			// organization.
			return one.ids.length === 0
				? null
				: one.ids.map((id) => ({ table: "testResult", id: "id", where: [sql`"testId" = ${id}`] }));
		case "label":
			if (one.key !== "build" || one.values === null) return null;
			return one.values.map((value) => read(sql`build = ${value}`, sql`build is not null`));
		case "outcome": {
			if (one.values.some((value) => value === "none" || value === "passed")) return null;
			const isIndexed = sql`outcome in ('failed', 'error', 'skipped')`;
			return one.values.map((value) => read(sql`outcome = ${value}`, isIndexed));
		}
		case "cause":
			return one.values.map((value) => read(sql`cause = ${value}`, sql`cause is not null`));
		case "screen":
			return one.values.map((value) => read(sql`screen = ${value}`, sql`screen is not null`));
		case "flaky":
			return one.values.includes("no") ? null : [read(sql`"isFlaky" = 1`)];
		case "new":
			return one.values.includes("no") ? null : [read(sql`"isNew" = 1`)];
		default:
			return null;
	}
}

/** Shorter texts have no trigram, so the index cannot find them. */
const SHORTEST_INDEXED = 3;
export const isIndexed = (text: string): boolean => [...text].length >= SHORTEST_INDEXED;

/**
 * The part of a word that the index looks up. A search costs as much as its most frequent trigram, such as those of
 * `test-` where every name contains it. Trigrams with two digits are rare. Rows that contain the part are then compared
 * with the whole word.
 */
export function rarestPartOf(word: string): string {
	const parts = isAscii(word) ? (word.match(/\D?\d\d(?:\d|\D(?=\d\d))*\D?/g) ?? []) : [];
	const longest = parts.reduce((longest, part) => (part.length > longest.length ? part : longest), "");
	return isIndexed(longest) ? longest : word;
}

/**
 * The order in which to compare texts with a long text: longer ones are rarer, and if the first is missing, the rest is
 * skipped.
 */
export const rarestFirst = (texts: readonly string[]): string[] =>
	texts.toSorted((one, other) => other.length - one.length);

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/**
 * Whether a word search also reads the error lines of tracks. The error lines of test results are in their messages.
 */
export const hasErrorText = (table: SearchedTable): table is "job" | "recording" => table !== "testResult";

/** Whether a value contains the text, in upper or lower case. */
export function contains(value: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
	// The databases fold the case of ASCII letters only.
	const spellings = new Set(isAscii(text) ? [text] : [text, text.toLowerCase(), text.toUpperCase()]);
	const each = [...spellings].map((spelling) => {
		return sql`lower(${value}) like lower(${containing(spelling)}) escape '\\'`;
	});
	return sql<boolean>`(${sql.join(each, sql` or `)})`;
}

/** A pattern of LIKE. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
