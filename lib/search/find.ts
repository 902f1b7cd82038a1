/**
 * Reads pages of lists, with or without a search. All pages cost about the same:
 *
 * 1. If the indexes of a list cover all its filters, a page is their first rows after the cursor.
 * 2. Otherwise the next rows in the list's order are compared: those of the narrowest term, if there is one. They often
 *    fill the page, or are all rows there are.
 * 3. The rest of the page is found by an index that does not have the list's order, and sorted. Without such an index
 *    the page ends with the last compared row, where the next page continues. It may have few rows or none.
 */
import { LABEL_KEY_PATTERN } from "@tapedeck/contract/labels.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Order } from "@tapedeck/contract/recording-kinds.ts";
import { parseSearch } from "@tapedeck/contract/search.ts";
import { type RawBuilder, sql } from "kysely";
import type { Context, Database } from "#lib/core/context.ts";
import { cursorAfter, readCursor, readSortedCursor, type SortedPlace, sortedCursorAfter } from "#lib/core/cursor.ts";
import {
	type Comparison,
	comparisonsOf,
	contains,
	hasErrorText,
	type IndexRead,
	isIndexed,
	type Plan,
	planSearch,
	rarestFirst,
	type SearchedTable,
	type SearchQuery,
	withoutSearch,
	withoutSmallWords,
} from "./plan.ts";
import { postgres } from "./postgres.ts";
import { type SearchDialect, sqlite } from "./sqlite.ts";

/** A list is ordered by a numeric column, then by id. */
export interface Sorting<By extends string = string> {
	by: By;
	order: Order;
	/** Whether some of the numbers are fractions. */
	isFractional?: boolean;
}

/** A range of a list: values of its column above and below these. */
export interface Bounds {
	above?: number | undefined;
	below?: number | undefined;
}

/** The place of the rows that match a list's filters. */
export interface Source {
	/** Indexes that have the rows in the list's order. Null if it is cheaper to sort the rows that the filters find. */
	reads: readonly IndexRead[] | null;
	/**
	 * The filters that these reads cover: all of them by index, all of them with some by comparing rows, or only some. A
	 * read that an index covers is cheap enough for the connection of the calls that write.
	 */
	has: "indexed" | "compared" | "some";
	/** The ranges in which the rows can be, in the list's order. */
	stretches: readonly Bounds[];
	/** The filters, as conditions on a row of the list's table. */
	filters: readonly RawBuilder<unknown>[];
	/**
	 * Whether a filter finds fewer rows than the organization has, so that the filter's index is the better one to read.
	 */
	isNarrow?: boolean;
}

/** A query that finds rows, with columns `id` and the one of the list's order. */
export type FoundRows = RawBuilder<{ id: number }>;
/** Ids for `where("id", "in", …)`. */
export type FoundIds = readonly number[] | RawBuilder<number>;

/** A list that can be paged. A new list needs no more than this and, if it can be searched, a column in TERMS. */
interface List<Q, By extends string, Row, Item> {
	sorting: Sorting<By>;
	/** @param after the place that the page continues after; null for the first page. */
	source(query: Q, after: SortedPlace | null): Source | Promise<Source>;
	/** The rows with these ids, in the list's order. */
	rows(db: Database, ids: FoundIds): Promise<Row[]>;
	view(rows: Row[]): Item[] | Promise<Item[]>;
}
type Listed<Q, By extends string, Row, Item> = List<Q, By, Row, Item> &
	({ table: SearchedTable; isSearched: true } | { table: string; isSearched: false });

interface ListQuery extends SearchQuery {
	limit: number;
	cursor?: string;
}

/** @throws validation_failed at `cursor` if the cursor is malformed or belongs to a list in another order. */
export async function findPage<
	Q extends ListQuery,
	By extends string,
	Row extends { id: number } & Record<By, number>,
	Item,
>(ctx: Context, asked: Q, list: Listed<Q, By, Row, Item>): Promise<Page<Item>> {
	const { sorting } = list;
	const { limit, cursor } = asked;
	const after = cursor === undefined ? null : readPlace(cursor, sorting);
	const plan = list.isSearched ? await planSearch(ctx, list.table, asked) : withoutSearch(asked);
	if (plan === null) return { data: [], nextCursor: null };
	const source = await list.source(plan.query, after);
	const { ids, db, continueAfter } = await find(ctx, { ...list, source, plan }, { after, wanted: limit + 1 });
	const rows = Array.isArray(ids) && ids.length === 0 ? [] : await list.rows(db, ids);
	const shown = rows.slice(0, limit);
	const last = shown.at(-1);
	const isMore = rows.length > limit && last !== undefined;
	const place = continueAfter ?? (isMore ? { value: last[sorting.by], id: last.id } : null);
	return { data: await list.view(shown), nextCursor: place === null ? null : cursorAt(place, sorting) };
}

function readPlace(cursor: string, { by, order, isFractional }: Sorting): SortedPlace {
	if (by !== "id") return readSortedCursor(cursor, `${by} ${order}`, isFractional ? "fractional" : "whole");
	const id = readCursor(cursor, order);
	return { value: id, id };
}

const cursorAt = (place: SortedPlace, { by, order }: Sorting): string =>
	by === "id" ? cursorAfter(place.id, order) : sortedCursorAfter(place, `${by} ${order}`);

interface Search {
	table: string;
	sorting: Sorting;
	source: Source;
	plan: Plan<unknown>;
}

/** A range after a place. */
type Stretch = Bounds & { after: SortedPlace | null };

/** @returns the ids and the connection that reads their rows; `continueAfter` if the page ends early. */
async function find(
	ctx: Context,
	search: Search,
	{ after, wanted }: { after: SortedPlace | null; wanted: number },
): Promise<{ ids: FoundIds; db: Database; continueAfter: SortedPlace | null }> {
	const { sorting, source, plan } = search;
	const { reads, has, stretches } = source;
	const isFound = plan.compare.length === 0 && has !== "some";
	if (isFound && has === "indexed") {
		const found = inOrder(reads ?? [], sorting, { ...stretches[0], after, limit: wanted });
		return { ids: idsIn(found), db: ctx.db, continueAfter: null };
	}
	const ids: number[] = [];
	const whole = { ids, db: ctx.reads, continueAfter: null };
	let shortLeft = plan.looksAt;
	for (const bounds of stretches) {
		const missing = wanted - ids.length;
		if (missing === 0 || shortLeft === 0) break;
		const stretch = { ...bounds, after };
		if (isFound) {
			ids.push(...(await idsOf(ctx, inOrder(reads ?? [], sorting, { ...stretch, limit: missing }))));
			continue;
		}
		const count = plan.isShort ? shortLeft : plan.looksAt;
		const compared = await lookAtNext(ctx, search, { stretch, count, wanted: missing });
		if (compared !== null) {
			ids.push(...compared.ids);
			if (plan.isShort) shortLeft -= compared.count;
			if (compared.last === null) continue;
			if (plan.compare.length > 0 && plan.trigrams === null) return { ...whole, continueAfter: compared.last };
		}
		const next = { ...stretch, after: compared?.last ?? after };
		const rest = sorted(ctx, search, { stretch: next, limit: wanted - ids.length });
		// Saves a statement: each one waits for a reader thread.
		if (ids.length === 0 && stretches.length === 1) return { ...whole, ids: idsIn(rest) };
		ids.push(...(await idsOf(ctx, rest)));
	}
	return whole;
}

/**
 * Compares the next rows as compareNext does. If an index has the words, it compares only as many rows as fill the page
 * when all match. It stops there if fewer than one in 25 match: rare words are found faster by the index than by
 * comparing rows.
 */
async function lookAtNext(
	ctx: Context,
	search: Search,
	{ stretch, count, wanted }: { stretch: Stretch; count: number; wanted: number },
): ReturnType<typeof compareNext> {
	const first = search.plan.trigrams === null ? count : Math.min(count, Math.max(wanted, Math.ceil(count / 10)));
	const compared = await compareNext(ctx, search, { stretch, count: first, wanted });
	if (first === count || compared === null || compared.last === null || compared.ids.length < first / 25)
		return compared;
	const next = {
		stretch: { ...stretch, after: compared.last },
		count: count - first,
		wanted: wanted - compared.ids.length,
	};
	const rest = await compareNext(ctx, search, next);
	return rest === null ? null : { ...rest, ids: [...compared.ids, ...rest.ids] };
}

/**
 * Compares the next rows in the list's order: those of the narrowest term, or all rows that match the list's filters.
 * @param options.count the number of rows to compare.
 * @returns the ids of the matching rows; the last row, if the page is not full and there may be more; and the number of
 *   rows compared, if the words are short. Null if the term or the filters find so few rows that sorting them is
 *   cheaper.
 */
async function compareNext(
	ctx: Context,
	{ table, sorting, source, plan }: Search,
	{ stretch, count, wanted }: { stretch: Stretch; count: number; wanted: number },
): Promise<{ ids: number[]; last: SortedPlace | null; count: number } | null> {
	const narrow = plan.narrow?.by === sorting.by ? plan.narrow : null;
	const reads = narrow?.reads ?? (plan.narrow?.isFew ? null : source.reads);
	if (reads === null) return null;
	const rows = inOrder(reads, sorting, { ...stretch, limit: count });
	const conditions = [...source.filters, ...conditionsOf(ctx, table, (narrow ?? plan).compare)];
	// Row by row: for so many rows, PostgreSQL would read the whole table to join it. The rows come in the order of the
	// subquery, so the query stops as soon as the page is full.
	const matching = sql<{ id: number }>`select id from (${rows}) as next
		where (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = next.id and ${and(conditions)}) = 1
		order by ${orderOf(sorting)} limit ${wanted}`;
	const ids = await idsOf(ctx, matching);
	if (ids.length === wanted) return { ids, last: null, count };
	if (plan.isShort) {
		const counted = await sql<{ count: number }>`select count(*) as count from (${rows}) as next`.execute(ctx.reads);
		return { ids, last: null, count: Number(counted.rows[0]?.count ?? 0) };
	}
	const end = await sql<SortedPlace>`select id, ${sql.ref(sorting.by)} as value from (${rows}) as next
		order by ${orderOf(sorting)} limit 1 offset ${count - 1}`.execute(ctx.reads);
	return { ids, last: end.rows[0] ?? null, count };
}

/** Finds the rows of a range by words, or by the narrowest term or filter, and sorts them. */
function sorted(
	ctx: Context,
	{ table, sorting, source, plan }: Search,
	{ stretch, limit }: { stretch: Stretch; limit: number },
): FoundRows {
	// Words find fewer rows than a term with many rows, but more than a term with few.
	const words = plan.narrow?.isFew ? null : plan.trigrams;
	const narrow = words === null ? plan.narrow : null;
	const found = words === null ? null : dialectOf(ctx).withTexts(table as SearchedTable, words.texts);
	const id = found?.id ?? sql.ref(`${table}.id`);
	const value = sql.ref(`${table}.${sorting.by}`);
	const narrowIds = narrow?.reads.map(
		({ table, id, where }) => sql`select ${sql.ref(id)} from ${sql.table(table)} where ${and(where)}`,
	);
	const conditions = [
		isOfOrganization(ctx, table, { isNarrow: words !== null || narrow !== null || source.isNarrow }),
		...(found?.where ?? []),
		...(narrowIds === undefined ? [] : [sql`${id} in (${sql.join(narrowIds, sql` union all `)})`]),
		...source.filters,
		...within(stretch, sorting, value, id),
		...conditionsOf(ctx, table, (words ?? narrow ?? plan).compare),
	];
	const by = sql.raw(sorting.order);
	const order = sorting.by === "id" ? sql`${id} ${by}` : sql`${value} ${by}, ${id} ${by}`;
	return sql<{ id: number }>`select ${id} as id from ${found?.from ?? sql.table(table)} where ${and(conditions)}
		order by ${order} limit ${limit}`;
}

/** The first rows of several indexes in the list's order. Each index is read as if it alone had to fill the page. */
export function inOrder(
	reads: readonly IndexRead[],
	sorting: Sorting,
	{ limit, ...stretch }: Stretch & { limit: number },
): FoundRows {
	const value = sql.ref(sorting.by);
	const end = sql`order by ${orderOf(sorting)} limit ${limit}`;
	const each = reads.map(({ table, id: name, where }) => {
		const id = sql.ref(name);
		const columns = sorting.by === "id" ? sql`${id} as id` : sql`${id} as id, ${value}`;
		const conditions = [...where, ...within(stretch, sorting, value, id)];
		return sql<{ id: number }>`select ${columns} from ${sql.table(table)} where ${and(conditions)} ${end}`;
	});
	const [only] = each;
	if (only !== undefined && each.length === 1) return only;
	const parts = each.map((part) => sql`select * from (${part}) as part`);
	return sql<{ id: number }>`${sql.join(parts, sql` union all `)} ${end}`;
}

const idsIn = (found: FoundRows): FoundIds => sql<number>`(select id from (${found}) as found)`;

async function idsOf(ctx: Context, found: FoundRows): Promise<number[]> {
	return (await found.execute(ctx.reads)).rows.map(({ id }) => id);
}

const orderOf = ({ by, order }: Sorting): RawBuilder<unknown> =>
	sql.raw(by === "id" ? `id ${order}` : `"${by}" ${order}, id ${order}`);

/**
 * Conditions on the columns of the order. Comparing both columns at once lets the database read a range of an index.
 */
function within(
	{ above, below, after }: Stretch,
	{ by, order }: Sorting,
	value: RawBuilder<unknown>,
	id: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
	const column = by === "id" ? id : value;
	const isAfter = sql.raw(order === "desc" ? "<" : ">");
	const conditions: RawBuilder<unknown>[] = [];
	if (above !== undefined) conditions.push(sql`${column} > ${above}`);
	if (below !== undefined) conditions.push(sql`${column} < ${below}`);
	if (after !== null && by === "id") conditions.push(sql`${id} ${isAfter} ${after.id}`);
	else if (after !== null) conditions.push(sql`(${value}, ${id}) ${isAfter} (${after.value}, ${after.id})`);
	return conditions;
}

const and = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
	conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);

export const dialectOf = ({ dialect }: Pick<Context, "dialect">): SearchDialect =>
	dialect === "sqlite" ? sqlite : postgres;

/**
 * Whether a row belongs to the caller's organization. @param options.isNarrow whether another index is the better one.
 */
export function isOfOrganization(ctx: Context, table: string, { isNarrow = false } = {}): RawBuilder<unknown> {
	const column = sql.ref(`${table}.organizationId`);
	return sql`${isNarrow ? dialectOf(ctx).unindexed(column) : column} = ${ctx.actor.organizationId}`;
}

function conditionsOf(ctx: Context, name: string, compare: readonly Comparison[]): RawBuilder<unknown>[] {
	const table = name as SearchedTable;
	// All words in one condition: the error lines of a row are long and should be read once.
	const words = compare.flatMap((one) => (one.kind === "word" && !one.not ? [one.text] : []));
	const others = compare.filter((one) => one.kind !== "word" || one.not);
	return [
		...others.map((one) => {
			const has = conditionOf(ctx, table, one);
			// A negated term also matches a row without a value.
			return one.not ? sql`coalesce(not (${has}), true)` : has;
		}),
		...(words.length === 0 ? [] : [hasWords(ctx, table, words)]),
	];
}

/** @returns the ids of those of these rows that a search finds. */
export async function foundAmong(
	ctx: Context,
	table: SearchedTable,
	ids: readonly number[],
	q: string,
): Promise<Set<number>> {
	const comparisons = await comparisonsOf(ctx, table, withoutSmallWords(parseSearch(q).terms));
	const conditions = comparisons.map((one) => {
		const has = conditionOf(ctx, table, one);
		return one.not ? sql`coalesce(not (${has}), true)` : has;
	});
	const isRow = [sql`${sql.ref(`${table}.id`)} in (${sql.join(ids)})`, isOfOrganization(ctx, table)];
	const { rows } = await sql<{ id: number }>`
		select id from ${sql.table(table)} where ${sql.join([...isRow, ...conditions], sql` and `)}`.execute(ctx.db);
	return new Set(rows.map(({ id }) => id));
}

/** The condition that a row of the table must meet. */
export function conditionOf(ctx: Context, table: SearchedTable, one: Comparison): RawBuilder<unknown> {
	const column = (name: string) => sql.ref(`${table}.${name}`);
	const jobId = column(table === "job" ? "id" : "jobId");
	switch (one.kind) {
		case "word":
			return hasWords(ctx, table, [one.text]);
		case "label":
			return hasLabel(ctx, table, one);
		case "runner":
			return table === "testResult"
				? sql`exists (select 1 from job where job.id = ${jobId} and job."runnerId" in (${listOf(one.ids)}))`
				: sql`${column("runnerId")} in (${listOf(one.ids)})`;
		case "after":
			return sql`${column(table === "testResult" ? "startedAt" : "createdAt")} > ${one.at}`;
		case "before":
			return sql`${column(table === "testResult" ? "startedAt" : "createdAt")} < ${one.at}`;
		case "outcome":
			return sql`coalesce(${column("outcome")}, 'none') in (${sql.join(one.values)})`;
		case "status":
			return table === "job"
				? sql`job.status in (${sql.join(one.values)})`
				: sql`exists (select 1 from job where job.id = ${jobId} and job.status in (${sql.join(one.values)}))`;
		case "verdict":
			return table === "recording"
				? sql`recording.verdict in (${sql.join(one.values)})`
				: sql`exists (select 1 from recording where recording."jobId" = ${jobId} and recording.verdict in (${sql.join(one.values)}))`;
		case "session":
			return sql`exists (select 1 from "recordedSession" as session where session."jobId" = ${jobId}
				and (session."sessionId" in (${sql.join(one.values)}) or session.name in (${sql.join(one.values)})))`;
		default:
			return table === "testResult"
				? resultIs(one, table)
				: sql`exists (select 1 from "testResult" as result where result."jobId" = ${jobId} and ${resultIs(one, "result")})`;
	}
}

/**
 * Whether a row has all these texts, each in its names or its error lines. If all texts are too short for an index,
 * only the names count.
 */
function hasWords(ctx: Context, table: SearchedTable, texts: readonly string[]): RawBuilder<unknown> {
	const column = (name: string) => sql.ref(`${table}.${name}`);
	// One text of both columns: for a single column, PostgreSQL would use its index and find every other row with the text
	// first.
	const named = sql`${column("name")} || ${"\n"} || coalesce(${column("searchText")}, '')`;
	const isNamed = sql`(${and(texts.map((text) => contains(named, text)))})`;
	const inErrorText = hasErrorText(table) ? texts.filter(isIndexed) : [];
	if (inErrorText.length === 0) return isNamed;
	const has = rarestFirst(texts).map((text) => {
		const isError = dialectOf(ctx).has(sql`"errorText".text`, text.toLowerCase());
		return texts.length === 1 ? isError : sql`(${isError} or ${contains(named, text)})`;
	});
	const jobId = column(table === "job" ? "id" : "jobId");
	// A value instead of `exists`, for the same reason. Appending the empty text makes PostgreSQL read the text once for
	// all conditions, and the limit keeps the planner from undoing this.
	const isInBoth = sql`(select ${and(has)} from (select text || '' as text from "errorText" as stored where stored."jobId" = ${jobId} limit 1) as "errorText")`;
	return sql`(${isNamed} or coalesce(${isInBoth}, false))`;
}

const listOf = (ids: readonly number[]): RawBuilder<unknown> => (ids.length === 0 ? sql`null` : sql.join(ids));

/** A condition on a test result, or on one of a job's results. @param alias the alias of the result's row. */
function resultIs(
	one: Extract<Comparison, { kind: "test" | "message" | "cause" | "screen" | "flaky" | "new" }>,
	alias: string,
): RawBuilder<unknown> {
	const column = (name: string) => sql.ref(`${alias}.${name}`);
	switch (one.kind) {
		case "test":
			return sql`${column("testId")} in (${listOf(one.ids)})`;
		case "message": {
			const message = sql`coalesce(${column("message")}, '')`;
			return sql`(${sql.join(
				one.values.map((text) => contains(message, text)),
				sql` or `,
			)})`;
		}
		case "cause":
		case "screen":
			return sql`${column(one.kind)} in (${sql.join(one.values)})`;
		case "flaky":
		case "new": {
			const flags = one.values.map((value) => Number(value === "yes"));
			return sql`${column(one.kind === "new" ? "isNew" : "isFlaky")} in (${sql.join(flags)})`;
		}
	}
}

/** Columns of a test result that hold the value of a label. */
const LABEL_COLUMNS: Readonly<Record<string, string>> = {
	build: "build",
	branch: "branch",
	commit: "commit",
	test: "name",
	suite: "suite",
	file: "file",
};

function hasLabel(
	ctx: Context,
	table: SearchedTable,
	{ key, values }: Extract<Comparison, { kind: "label" }>,
): RawBuilder<unknown> {
	const column = (name: string) => sql.ref(`${table}.${name}`);
	const is = (value: RawBuilder<unknown>) =>
		values === null ? sql`${value} is not null` : sql`${value} in (${sql.join(values)})`;
	if (table !== "testResult") {
		// A key that no label can have, such as one with a backslash, is not a valid path.
		const isKey = LABEL_KEY_PATTERN.test(key);
		return is(isKey ? dialectOf(ctx).label(column("labels"), key) : sql`cast(null as text)`);
	}
	const own = LABEL_COLUMNS[key];
	if (own !== undefined) return is(column(own));
	const isIts = sql`label."organizationId" = ${ctx.actor.organizationId} and label.key = ${key} and ${is(sql`label.value`)}`;
	return sql`(exists (select 1 from "jobLabel" as label where ${isIts} and label."jobId" = ${column("jobId")})
		or exists (select 1 from "recordingLabel" as label where ${isIts} and label."recordingId" = ${column("recordingId")})
		or exists (select 1 from "testRunLabel" as label where ${isIts} and label."testRunId" = ${column("testRunId")}))`;
}
