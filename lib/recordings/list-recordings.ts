/** `GET /v1/recordings` and `GET /v1/recordings/{id}`. */
import { type RawBuilder, sql } from "kysely";
import type { Page } from "#lib/contract/page.ts";
import type { ListRecordingsQuery, Recording } from "#lib/contract/recording.ts";
import { RECORDING_STATES, type RecordingState, VERDICTS } from "#lib/contract/recording-kinds.ts";
import type { Context, Database } from "#lib/core/context.ts";
import { readSortedCursor, type SortedPlace, sortedCursorAfter, sortedPageFrom } from "#lib/core/cursor.ts";
import { isFoundBy, LOOKED_AT, phrasesOf } from "#lib/db/name-search.ts";
import { findRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { narrowRecordings, readSearch, type Search } from "#lib/search/plan.ts";
import { recordingView } from "./recording-view.ts";
import { sessionsOf } from "./sessions.ts";

/**
 * Recordings in the requested order, paged by keyset, so that every page costs the same.
 * @throws validation_failed at `cursor` if it is invalid or from a list in another order.
 */
export async function listRecordings(ctx: Context, query: ListRecordingsQuery): Promise<Page<Recording>> {
	const { sort, order, cursor, limit } = query;
	const sorting = `${sort} ${order}`;
	const values = sort === "durationSeconds" ? "fractional" : "whole";
	const after = cursor === undefined ? null : readSortedCursor(cursor, sorting, values);
	const read = await readSearch(ctx, "recording", { ...query, after, wanted: limit + 1 });
	const { rows, goesOnAfter } =
		read === null ? { rows: [], goesOnAfter: null } : await find(ctx, read.query, read.search);
	const page = sortedPageFrom(rows, {
		limit,
		sorting,
		rankOf: (row) => row[sort],
		view: (row) => recordingView(ctx, row),
	});
	return goesOnAfter === null ? page : { ...page, nextCursor: sortedCursorAfter(goesOnAfter, sorting) };
}

/** A list's query, with the place that it continues after. */
type Find = ListRecordingsQuery & { after: SortedPlace | null; wanted: number };

/**
 * Reads an index in the list's order if one has all filters. For other combinations and searches it looks at the next
 * rows in this order, which often fill the page, and else sorts what matches the narrowest filter. A search without
 * indexed words ends its page there, at `goesOnAfter`, so that every page costs about the same.
 */
async function find(
	ctx: Context,
	query: Find,
	asked: Search | null,
): Promise<{ rows: RecordingRow[]; goesOnAfter: SortedPlace | null }> {
	const whole = (rows: RecordingRow[]) => ({ rows, goesOnAfter: null });
	// Every term may have become a filter that an index has.
	const search = asked !== null && asked.words.length + asked.others.length > 0 ? asked : null;
	const hasDates = query.createdAfter !== undefined || query.createdBefore !== undefined;
	const hasIndex = query.sort === "createdAt" || !hasDates;
	if (search === null && hasIndex) return whole(await rowsOf(ctx.db, query, inOrder(ctx, query, query.wanted)));
	const isSortedByFew = query.sort !== "createdAt" && search?.isFew === true;
	if (!isSortedByFew && (hasIndex || query.runnerId === undefined)) {
		const { rows, isAll, last } = await lookAt(ctx, query, search, search?.looksAt ?? LOOKED_AT);
		if (rows.length === query.wanted || isAll || search?.isShort) return whole(rows);
		if (search?.indexedParts.length === 0) return { rows, goesOnAfter: await last() };
	}
	return whole(await rowsOf(ctx.reads, query, sorted(ctx, query, search)));
}

/** @param ids the ids themselves, or a query of them. */
function rowsOf(
	db: Database,
	{ sort, order }: Find,
	ids: readonly number[] | RawBuilder<{ id: number }>,
): Promise<RecordingRow[]> {
	const rows = db.selectFrom("recording").selectAll().orderBy(sort, order).orderBy("id", order);
	const wanted = "toOperationNode" in ids ? sql<number>`(select id from (${ids}) as found)` : ids;
	return rows.where("id", "in", wanted).execute();
}

/** The next rows in the list's order, whether they match the dates and the text or not; those that do are returned. */
async function lookAt(ctx: Context, query: Find, search: Search | null, count: number) {
	const { sort, order, wanted } = query;
	const narrow = sort === "createdAt" ? (search?.narrow ?? null) : null;
	const filters =
		search === null
			? datesOf(query)
			: conditionsOf(query, narrow === null ? search : { ...search, others: search.othersInNarrow });
	const by = sql.raw(`"${sort}" ${order}, id ${order}`);
	const withoutDates = { ...query, createdAfter: undefined, createdBefore: undefined };
	// Only by age are the dates a range of the order.
	const looked =
		narrow !== null
			? narrowInOrder(ctx, query, narrow, count)
			: inOrder(ctx, sort === "createdAt" ? query : withoutDates, count);
	// Row by row: PostgreSQL would read the whole table to join it with so many rows. Their order is that of the subquery,
	// so it stops as soon as the page is full.
	const { rows } = await sql<{ id: number }>`
		select id from (${looked}) as looked
		where (select 1 from recording where recording.id = looked.id and ${sql.join(filters, sql` and `)}) = 1
		order by ${by} limit ${wanted}`.execute(ctx.reads);
	const lookedAt = rows.length === wanted ? count : await countOf(ctx, looked);
	const found = rows.map(({ id }) => id);
	const last = async (): Promise<SortedPlace | null> => {
		const back = sql.raw(order === "desc" ? `"${sort}" asc, id asc` : `"${sort}" desc, id desc`);
		const end = sql<{ id: number; value: number }>`select id, ${sql.ref(sort)} as value from (${looked}) as looked
			order by ${back} limit 1`;
		return (await end.execute(ctx.reads)).rows[0] ?? null;
	};
	return { rows: found.length === 0 ? [] : await rowsOf(ctx.reads, query, found), isAll: lookedAt < count, last };
}

async function countOf(ctx: Context, ids: RawBuilder<unknown>): Promise<number> {
	const { rows } = await sql<{ count: number }>`select count(*) as count from (${ids}) as looked`.execute(ctx.reads);
	return Number(rows[0]?.count ?? 0);
}

const datesOf = ({ createdAfter, createdBefore }: Find) => [
	...(createdAfter === undefined ? [] : [sql<boolean>`recording."createdAt" > ${createdAfter}`]),
	...(createdBefore === undefined ? [] : [sql<boolean>`recording."createdAt" < ${createdBefore}`]),
];

/** The filters of the query's parameters. */
const filtersOf = ({ runnerId, state, verdict }: Find) => [
	sql<boolean>`recording."deletedAt" is null`,
	...(runnerId === undefined ? [] : [sql<boolean>`recording."runnerId" = ${runnerId}`]),
	...(state?.length ? [sql<boolean>`recording.state in (${sql.join(state)})`] : []),
	...(verdict?.length ? [sql<boolean>`recording.verdict in (${sql.join(verdict)})`] : []),
];

/** All conditions on a recording, without those that an index has made sure of. */
const conditionsOf = (query: Find, { words, others }: Pick<Search, "words" | "others">) => [
	sql`1 = 1`,
	...datesOf(query),
	...filtersOf(query),
	...others,
	...words,
];

/** The recordings of the narrowest term in the list's order, from its place on. */
const narrowInOrder = (ctx: Context, query: Find, narrow: NonNullable<Search["narrow"]>, limit: number | null) => {
	const { order, after, createdAfter, createdBefore } = query;
	const place = (id: RawBuilder<unknown>) => [
		...(createdAfter === undefined ? [] : [sql<boolean>`"createdAt" > ${createdAfter}`]),
		...(createdBefore === undefined ? [] : [sql<boolean>`"createdAt" < ${createdBefore}`]),
		...(after === null
			? []
			: [sql<boolean>`("createdAt", ${id}) ${sql.raw(order === "desc" ? "<" : ">")} (${after.value}, ${after.id})`]),
	];
	return narrowRecordings(ctx, narrow, place, { order, limit });
};

const placeOf = ({ sort, order, after }: Find) =>
	// A row-value comparison of both columns is a range in the index.
	after === null
		? []
		: [sql<boolean>`(${sql.ref(sort)}, id) ${sql.raw(order === "desc" ? "<" : ">")} (${after.value}, ${after.id})`];

/** A recording without a verdict has an empty one in the indexes, which cannot be asked for what is missing. */
const NO_VERDICT = "";

/**
 * The first ids in the list's order that match every filter but the name. State and verdict are the beginning of the
 * indexes, so several of them are as many short reads.
 */
function inOrder(ctx: Context, query: Find, limit: number): RawBuilder<{ id: number }> {
	const { sort, order, runnerId } = query;
	const { organizationId } = ctx.actor;
	const by = sql.raw(`"${sort}" ${order}, id ${order}`);
	const common = [
		// Literally, as in the indexes.
		sql`"deletedAt" is null`,
		// `+` hides the column from SQLite's planner: the runner's index is the narrower one. PostgreSQL knows that, and
		// would expect few rows of an expression, and so read them all before it sorts.
		runnerId === undefined || ctx.dialect !== "sqlite"
			? sql`"organizationId" = ${organizationId}`
			: sql`+"organizationId" = ${organizationId}`,
		...(runnerId === undefined ? [] : [sql`"runnerId" = ${runnerId}`]),
		...datesOf(query),
		...placeOf(query),
	];
	const idsWith = (filters: RawBuilder<unknown>[]) =>
		sql<{
			id: number;
		}>`select id, ${sql.ref(sort)} from recording where ${sql.join([...common, ...filters], sql` and `)} order by ${by} limit ${limit}`;
	const isPlain = sort === "createdAt" && runnerId === undefined && !query.state?.length && !query.verdict?.length;
	if (isPlain) return idsWith([]);
	const states = query.state?.length ? [...new Set(query.state)] : RECORDING_STATES;
	const verdicts = query.verdict?.length ? [...new Set(query.verdict)] : [...VERDICTS, NO_VERDICT];
	const each = states.flatMap((state) =>
		verdicts.map((verdict) => {
			const kind = [stateIs(state), sql`coalesce(verdict, '') = ${verdict}`];
			return sql`select id, ${sql.ref(sort)} from (${idsWith(kind)}) as part`;
		}),
	);
	return sql<{ id: number }>`${sql.join(each, sql` union all `)} order by ${by} limit ${limit}`;
}

/** Literally, because indexes of size and duration leave out live recordings, and the planner must see that it fits. */
const stateIs = (state: RecordingState): RawBuilder<boolean> =>
	state === "live" ? sql`state = 'live'` : sql`state = ${sql.lit(state)} and state <> 'live'`;

/** Finds by the narrowest filter, the text, the runner or the dates, and sorts what it found. */
function sorted(ctx: Context, query: Find, search: Search | null): RawBuilder<{ id: number }> {
	const { sort, order, runnerId, wanted } = query;
	// Words find fewer than a term that many rows have, and more than one that few have.
	const indexedParts = search?.isFew ? [] : (search?.indexedParts ?? []);
	const byWords = indexedParts.length > 0;
	const byText = byWords && ctx.dialect === "sqlite";
	const ids =
		search?.narrow == null || byWords ? null : narrowRecordings(ctx, search.narrow, () => [], { order, limit: null });
	const filters = [
		ctx.dialect === "sqlite" && (byText || ids !== null || runnerId !== undefined)
			? sql`+recording."organizationId" = ${ctx.actor.organizationId}`
			: sql`recording."organizationId" = ${ctx.actor.organizationId}`,
		...filtersOf(query),
		...datesOf(query),
		...placeOf(query),
		...(search?.others ?? []),
		...((byWords ? search?.wordsAfterIndex : search?.words) ?? []),
		...(byText ? [] : indexedParts.map((part) => isFoundBy("recording", part))),
		...(ids === null ? [] : [sql`recording.id in (select id from (${ids}) as narrow)`]),
	];
	const by = sql.raw(`"${sort}" ${order}, recording.id ${order}`);
	const from = byText
		? sql`"recordingSearch" cross join recording where "recordingSearch" match ${phrasesOf(indexedParts)} and recording.id = "recordingSearch".rowid and`
		: sql`recording where`;
	return sql<{
		id: number;
	}>`select recording.id, ${sql.ref(`recording.${sort}`)} from ${from} ${sql.join(filters, sql` and `)} order by ${by} limit ${wanted}`;
}

/** @throws not_found */
export async function readRecording(ctx: Context, recordingId: number): Promise<Recording> {
	const row = await findRecording(ctx, recordingId);
	return { ...recordingView(ctx, row), sessions: await sessionsOf(ctx, row) };
}
