/** A search in the terms of the database: conditions on jobs or recordings, and the index that finds few of them. */
import { type RawBuilder, sql } from "kysely";
import type { JobStatus } from "#lib/contract/job-status.ts";
import { LABEL_KEY_PATTERN } from "#lib/contract/labels.ts";
import type { Order, Verdict } from "#lib/contract/recording-kinds.ts";
import type { Context } from "#lib/core/context.ts";
import { isIndexed, LOOKED_AT, NAMES_FOR_SHORT, rarestPartOf, textContains } from "#lib/db/name-search.ts";
import { momentOf, parseSearch, type SearchTerm } from "./parse.ts";

/** Whose rows are searched. */
export type SearchedTable = "job" | "recording";

/** More than have recorded any session. */
const JOBS_OF_SESSION = 1_000;

/** Rows with a label, or an outcome, in the order of the list: the index has both. */
type Narrow =
	| { kind: "label"; key: string; values: readonly string[] }
	| { kind: "outcome"; values: readonly string[] }
	/** Jobs that are known already, because a session was named. */
	| { kind: "jobs"; ids: readonly number[]; values: readonly string[] };

export interface Search {
	/** Parts of the words of at least three characters, which an index of trigrams finds. */
	indexedParts: readonly string[];
	/** Whether a name contains the words. */
	words: readonly RawBuilder<boolean>[];
	/** The same for words that the index does not find, or only in part. */
	wordsAfterIndex: readonly RawBuilder<boolean>[];
	/** Everything else that has to hold. */
	others: readonly RawBuilder<boolean>[];
	/** The same for rows that have the narrowest term. */
	othersInNarrow: readonly RawBuilder<boolean>[];
	/** The term that finds the fewest rows; null if none has an index. */
	narrow: Narrow | null;
	/** Whether so few rows have the narrowest term that a page looks at all of them. */
	isFew: boolean;
	/**
	 * How many rows in the order of the list are looked at. Indexed words are looked for by their index afterwards;
	 * other searches end the page there, and the next one goes on.
	 */
	looksAt: number;
	/** Whether that is all that may be read, because the words have no index. */
	isShort: boolean;
}

/** The part of a list's query that searches. Filters by query parameters are indexed with one another. */
interface SearchedQuery {
	q?: string;
	runnerId?: number;
	status?: JobStatus[];
	verdict?: Verdict[];
	createdAfter?: number;
	createdBefore?: number;
}

/**
 * Reads `q`. Terms that a query parameter could say move there.
 * @returns null if nothing can match.
 */
export async function readSearch<Q extends SearchedQuery>(
	ctx: Context,
	table: SearchedTable,
	query: Q,
): Promise<{ query: Q; search: Search | null } | null> {
	const { terms } = parseSearch(query.q ?? "");
	if (terms.length === 0) return { query, search: null };
	const moved: SearchedQuery = { ...query };
	const others: RawBuilder<boolean>[] = [];
	const sessions = await sessionsOf(ctx, table, terms);
	for (const [kind, some] of Map.groupBy(terms, ({ kind }) => kind)) {
		const wanted = some.filter(({ not }) => !not);
		const values = wanted.flatMap((term) => ("value" in term && term.value !== null ? [term.value] : []));
		if (kind === "after" || kind === "before") {
			for (const term of some) addMoment(moved, others, term as SearchTerm & MomentTerm, table);
			continue;
		}
		if (kind === "session" && values.length > 0) others.push(sessions.condition);
		else if (kind === "runner") {
			const ids = values.length === 0 ? null : await runnersNamed(ctx, values);
			if (ids !== null && !moveRunner(moved, others, ids, table)) return null;
		} else if (kind === "status" && table === "job" && values.length > 0) {
			moved.status = both(moved.status, values as JobStatus[]);
			if (moved.status.length === 0) return null;
		} else if (kind === "verdict" && table === "recording" && values.length > 0) {
			moved.verdict = both(moved.verdict, values as Verdict[]);
			if (moved.verdict.length === 0) return null;
		} else if (kind !== "word" && kind !== "label" && values.length > 0) {
			others.push(isOneOf(table, kind, values));
		}
		for (const term of some) {
			if (!term.not || kind === "word" || kind === "label" || !("value" in term) || term.value === null) continue;
			if (kind === "runner") {
				const ids = await runnersNamed(ctx, [term.value]);
				if (ids.length > 0) others.push(not(sql`${column(table, "runnerId")} in (${sql.join(ids)})`));
			} else others.push(not(isOneOf(table, kind, [term.value])));
		}
	}
	const wordTerms = terms.filter((term) => term.kind === "word");
	for (const { text, not: negated } of wordTerms) if (negated) others.push(not(textContains(table, text)));
	const words = wordTerms.filter((term) => !term.not).map(({ text }) => text);
	const { narrow, count } = sessions.narrow === null ? await narrowest(ctx, table, terms) : sessions;
	// Names of sessions are in the search text.
	const indexedParts = [...words, ...sessions.names].filter(isIndexed).map(rarestPartOf);
	const isShort = words.length > 0 && indexedParts.length === 0 && narrow === null;
	const isFew = count !== null && count < LOOKED_AT;
	return {
		query: moved as Q,
		search: {
			indexedParts,
			words: words.map((text) => textContains(table, text)),
			wordsAfterIndex: words
				.filter((text) => !isIndexed(text) || rarestPartOf(text) !== text)
				.map((text) => textContains(table, text)),
			others: [...others, ...labelConditions(ctx, table, terms)],
			othersInNarrow: [...others, ...labelConditions(ctx, table, terms, narrow)],
			narrow,
			isFew,
			looksAt: isShort ? NAMES_FOR_SHORT : LOOKED_AT,
			isShort,
		},
	};
}

const column = (table: SearchedTable, name: string) => sql.ref(`${table}.${name}`);
/** Not, also where something is unknown. */
const not = (condition: RawBuilder<unknown>) => sql<boolean>`coalesce(not (${condition}), true)`;
const both = <T>(one: readonly T[] | undefined, other: readonly T[]): T[] =>
	one === undefined || one.length === 0 ? [...other] : one.filter((each) => other.includes(each));

type MomentTerm = { kind: "after" | "before"; value: string; not: boolean };

function addMoment(moved: SearchedQuery, others: RawBuilder<boolean>[], term: MomentTerm, table: SearchedTable): void {
	const at = momentOf(term.value) ?? 0;
	if (term.not) {
		const created = column(table, "createdAt");
		others.push(term.kind === "after" ? sql<boolean>`${created} <= ${at}` : sql<boolean>`${created} >= ${at}`);
	} else if (term.kind === "after") moved.createdAfter = Math.max(at, moved.createdAfter ?? at);
	else moved.createdBefore = Math.min(at, moved.createdBefore ?? at);
}

/** By name or id; removed runners too. */
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

/** @returns false if no runner is left. */
function moveRunner(
	moved: SearchedQuery,
	others: RawBuilder<boolean>[],
	ids: readonly number[],
	table: SearchedTable,
): boolean {
	const wanted = moved.runnerId === undefined ? ids : ids.filter((id) => id === moved.runnerId);
	if (wanted.length === 0) return false;
	if (wanted.length === 1) moved.runnerId = wanted[0];
	else others.push(sql<boolean>`${column(table, "runnerId")} in (${sql.join(wanted)})`);
	return true;
}

type ColumnKind = Exclude<SearchTerm["kind"], "word" | "label" | "after" | "before" | "runner">;

function isOneOf(table: SearchedTable, kind: ColumnKind, values: readonly string[]): RawBuilder<boolean> {
	const list = sql.join(values);
	switch (kind) {
		case "outcome":
			return sql<boolean>`coalesce(${column(table, "outcome")}, 'none') in (${list})`;
		case "status":
			return table === "job"
				? sql<boolean>`job.status in (${list})`
				: sql<boolean>`exists (select 1 from job where job.id = recording."jobId" and job.status in (${list}))`;
		case "verdict":
			return table === "recording"
				? sql<boolean>`recording.verdict in (${list})`
				: sql<boolean>`exists (select 1 from recording where recording."jobId" = job.id and recording.verdict in (${list}))`;
		case "session":
			return sql<boolean>`exists (select 1 from "recordedSession" as session
				where session."jobId" = ${table === "job" ? sql`job.id` : sql`recording."jobId"`}
				and (session."sessionId" in (${list}) or session.name in (${list})))`;
	}
}

/** The jobs of named sessions: ids have an index, names are words of the search text. */
async function sessionsOf(ctx: Context, table: SearchedTable, terms: readonly SearchTerm[]) {
	const values = terms.flatMap((term) => (term.kind === "session" && !term.not ? [term.value] : []));
	if (values.length === 0) return { condition: sql<boolean>`1 = 1`, narrow: null, count: null, names: [] };
	const rows = await ctx.db
		.selectFrom("recordedSession")
		.select("jobId")
		.distinct()
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("sessionId", "in", values)
		.limit(JOBS_OF_SESSION)
		.execute();
	const condition = isOneOf(table, "session", values);
	// With several, one may be a name.
	if (rows.length === 0 || values.length > 1) {
		return { condition, narrow: null, count: null, names: values.length === 1 ? values : [] };
	}
	const ids = rows.map(({ jobId }) => jobId);
	return { condition, narrow: { kind: "jobs", ids, values: [""] } as const, count: ids.length, names: [] };
}

/** A label's value; null without it. A key that no label can have, such as one with a backslash, is not even a path. */
function labelOf({ dialect }: Context, table: SearchedTable, key: string): RawBuilder<string | null> {
	if (!LABEL_KEY_PATTERN.test(key)) return sql<string | null>`cast(null as text)`;
	return dialect === "sqlite"
		? sql<string | null>`json_extract(${column(table, "labels")}, ${`$."${key}"`})`
		: sql<string | null>`(${column(table, "labels")}::jsonb ->> ${key})`;
}

/** @param narrow the term that the rows have. */
function labelConditions(
	ctx: Context,
	table: SearchedTable,
	terms: readonly SearchTerm[],
	narrow: Narrow | null = null,
): RawBuilder<boolean>[] {
	const conditions: RawBuilder<boolean>[] = [];
	const labels = terms.filter((term) => term.kind === "label");
	for (const [key, some] of Map.groupBy(labels, ({ key }) => key)) {
		const label = labelOf(ctx, table, key);
		const isNarrow = narrow?.kind === "label" && narrow.key === key;
		const wanted = some.filter((term) => !term.not && !isNarrow);
		const values = wanted.flatMap(({ value }) => value ?? []);
		// Any value includes each.
		if (wanted.some(({ value }) => value === null)) conditions.push(sql<boolean>`${label} is not null`);
		else if (values.length > 0) conditions.push(sql<boolean>`${label} in (${sql.join(values)})`);
		for (const { value, not: negated } of some) {
			if (!negated) continue;
			conditions.push(value === null ? sql<boolean>`${label} is null` : not(sql`${label} = ${value}`));
		}
	}
	return conditions;
}

/** Of the terms that an index has in the order of lists, the one with the fewest rows; more than a few are not counted. */
async function narrowest(
	ctx: Context,
	table: SearchedTable,
	terms: readonly SearchTerm[],
): Promise<{ narrow: Narrow | null; count: number | null }> {
	const found: Narrow[] = [];
	const wanted = terms.filter((term) => !term.not);
	const labels = wanted.filter((term) => term.kind === "label");
	for (const [key, some] of Map.groupBy(labels, ({ key }) => key)) {
		const values = some.flatMap(({ value }) => value ?? []);
		if (values.length === some.length) found.push({ kind: "label", key, values: [...new Set(values)] });
	}
	const outcomes = wanted.flatMap((term) => (term.kind === "outcome" ? [term.value] : []));
	if (outcomes.length > 0 && !outcomes.includes("none")) {
		found.push({ kind: "outcome", values: [...new Set(outcomes)] });
	}
	let best: { narrow: Narrow | null; count: number | null } = { narrow: null, count: null };
	for (const narrow of found) {
		const rows = sql.join(
			narrow.values.map(
				(value) => sql`select 1 from (${rowsWith(ctx, table, narrow, value)} limit ${LOOKED_AT}) as part`,
			),
			sql` union all `,
		);
		const counted = await sql<{ count: number }>`select count(*) as count from (${rows}) as counted`.execute(ctx.reads);
		const count = Number(counted.rows[0]?.count ?? 0);
		if (best.count === null || count < best.count) best = { narrow, count };
	}
	return best;
}

function rowsWith(ctx: Context, table: SearchedTable, narrow: Narrow, value: string): RawBuilder<unknown> {
	const { organizationId } = ctx.actor;
	if (narrow.kind === "outcome") {
		const order = table === "job" ? sql`id` : sql`id, "createdAt"`;
		return sql`select ${order} from ${sql.table(table)}
			where "organizationId" = ${organizationId} and outcome = ${value} and outcome is not null`;
	}
	if (narrow.kind === "jobs") {
		const ids = sql.join(narrow.ids);
		return table === "job"
			? sql`select id from job where "organizationId" = ${organizationId} and id in (${ids})`
			: sql`select id, "createdAt" from recording where "organizationId" = ${organizationId} and "jobId" in (${ids})`;
	}
	const columns = table === "job" ? sql`"jobId" as id` : sql`"recordingId" as id, "createdAt"`;
	return sql`select ${columns} from ${sql.table(`${table}Label`)}
		where "organizationId" = ${organizationId} and key = ${narrow.key} and value = ${value}`;
}

/** The jobs of the narrowest term with ids in a range, newest first. */
export function narrowJobs(
	ctx: Context,
	narrow: Narrow,
	range: { from: number; to: number },
	{ order, limit }: { order: Order; limit: number },
): RawBuilder<{ id: number }> {
	const id = narrow.kind === "label" ? sql`"jobId"` : sql`id`;
	const end = sql`${sql.raw(order)} limit ${limit}`;
	const each = narrow.values.map(
		(value) => sql`select id from (${rowsWith(ctx, "job", narrow, value)}
			and ${id} >= ${range.from} and ${id} <= ${range.to} order by ${id} ${end}) as part`,
	);
	return sql<{ id: number }>`${sql.join(each, sql` union all `)} order by id ${end}`;
}

/** The recordings of the narrowest term, by time of creation. @param place conditions on `"createdAt"` and `id`. */
export function narrowRecordings(
	ctx: Context,
	narrow: Narrow,
	place: (id: RawBuilder<unknown>) => readonly RawBuilder<boolean>[],
	{ order, limit }: { order: Order; limit: number | null },
): RawBuilder<{ id: number }> {
	const id = narrow.kind === "label" ? sql`"recordingId"` : sql`id`;
	const end = limit === null ? sql`` : sql` limit ${limit}`;
	const by = sql.raw(order);
	const within = place(id);
	const and = within.length === 0 ? sql`` : sql` and ${sql.join(within, sql` and `)}`;
	const each = narrow.values.map(
		(value) => sql`select id, "createdAt" from (${rowsWith(ctx, "recording", narrow, value)}${and}
			order by "createdAt" ${by}, ${id} ${by}${end}) as part`,
	);
	return sql<{ id: number }>`${sql.join(each, sql` union all `)} order by "createdAt" ${by}, id ${by}${end}`;
}
