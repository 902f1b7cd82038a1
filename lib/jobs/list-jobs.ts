/** `GET /v1/jobs`: newest or oldest first, paged by keyset, so that every page costs the same. */
import { type RawBuilder, sql } from "kysely";
import type { Job, ListJobsQuery } from "#lib/contract/job.ts";
import { JOB_STATUSES, type JobStatus } from "#lib/contract/job-status.ts";
import type { Page } from "#lib/contract/page.ts";
import type { Order } from "#lib/contract/recording-kinds.ts";
import type { Context } from "#lib/core/context.ts";
import { cursorAfter, pageFrom, readCursor } from "#lib/core/cursor.ts";
import { type IdRange, idRangesOf } from "#lib/db/job-zones.ts";
import { isFoundBy, NAMES_FOR_SHORT, phrasesOf } from "#lib/db/name-search.ts";
import { type JobViewRow, selectJobs } from "#lib/lifecycle/job-store.ts";
import { narrowJobs, readSearch, type Search } from "#lib/search/plan.ts";
import { jobView } from "./job-view.ts";

/** @throws validation_failed at `cursor` if it is invalid. */
export async function listJobs(ctx: Context, asked: ListJobsQuery): Promise<Page<Job>> {
	const { order, limit } = asked;
	const after = asked.cursor === undefined ? null : readCursor(asked.cursor, order);
	const read = await readSearch(ctx, "job", asked);
	if (read === null) return { data: [], nextCursor: null };
	const { query, search } = read;
	const hasDates = query.createdAfter !== undefined || query.createdBefore !== undefined;
	const view = (row: JobViewRow) => jobView(ctx, row);
	if ((search === null || isOnlyFilters(search)) && !hasDates) {
		return pageFrom(await rowsByIndex(ctx, query, after), limit, view, order);
	}
	const { ids, goesOnAfter } = await findJobs(ctx, query, { after, search });
	const page = pageFrom(await rowsOf(ctx, ids, order), limit, view, order);
	return goesOnAfter === null ? page : { ...page, nextCursor: cursorAfter(goesOnAfter, order) };
}

/** Whether every term became a filter that an index has. */
export const isOnlyFilters = (search: Search): boolean => search.words.length + search.others.length === 0;

/** The ids after this one in the list's order. */
const idsAfter = (id: number | null, order: Order): IdRange =>
	order === "desc"
		? { from: 1, to: (id ?? Number.MAX_SAFE_INTEGER) - 1 }
		: { from: (id ?? 0) + 1, to: Number.MAX_SAFE_INTEGER - 1 };

/** Filters that an index has: cheap enough for the connection of the calls that write. */
function rowsByIndex(ctx: Context, query: ListJobsQuery, after: number | null): Promise<JobViewRow[]> {
	const { order } = query;
	const range = after === null ? null : idsAfter(after, order);
	const isPlain = query.runnerId === undefined && query.stopCondition === undefined && !query.status?.length;
	const limit = query.limit + 1;
	const jobs = selectJobs(ctx.db).orderBy("job.id", order);
	if (!isPlain)
		return jobs.where("job.id", "in", sql`(${idsInOrder(ctx, query, range, { order, limit })})` as never).execute();
	return jobs
		.where("job.organizationId", "=", ctx.actor.organizationId)
		.$if(range !== null, (jobs) => jobs.where("job.id", ">=", range?.from ?? 0).where("job.id", "<=", range?.to ?? 0))
		.limit(limit)
		.execute();
}

async function rowsOf(ctx: Context, ids: number[], order: Order): Promise<JobViewRow[]> {
	if (ids.length === 0) return [];
	return selectJobs(ctx.reads).where("job.id", "in", ids).orderBy("job.id", order).execute();
}

/**
 * The ids of a page and one more, searched where matching jobs can be. A search that looked at many jobs for few ends
 * its page at `goesOnAfter`, so that every page costs about the same.
 */
async function findJobs(
	ctx: Context,
	query: ListJobsQuery,
	{ after, search }: { after: number | null; search: Search | null },
): Promise<{ ids: number[]; goesOnAfter: number | null }> {
	const { createdAfter, createdBefore, order } = query;
	const within = idsAfter(after, order);
	const ranges =
		createdAfter === undefined && createdBefore === undefined
			? [within]
			: await idRangesOf(ctx.reads, { after: createdAfter, before: createdBefore }, { within, order });
	const found: number[] = [];
	let namesLeft = NAMES_FOR_SHORT;
	for (const range of ranges) {
		const wanted = query.limit + 1 - found.length;
		if (wanted <= 0 || namesLeft <= 0) break;
		if (search === null || isOnlyFilters(search)) {
			const { rows } = await idsInOrder(ctx, query, range, { order, limit: wanted }).execute(ctx.reads);
			found.push(...rows.map(({ id }) => id));
			continue;
		}
		const names = search.isShort ? namesLeft : search.looksAt;
		const compared = await compareJobs(ctx, query, range, { search, names, wanted });
		found.push(...compared.ids);
		if (search.isShort) namesLeft -= compared.names;
		else if (compared.ids.length < wanted && compared.names === names) {
			if (search.indexedParts.length === 0) return { ids: found, goesOnAfter: compared.last };
			const { from, to } = idsAfter(compared.last, order);
			const rest = { from: Math.max(from, range.from), to: Math.min(to, range.to) };
			found.push(...(await idsBySearch(ctx, query, rest, { search, wanted: wanted - compared.ids.length })));
		}
	}
	return { ids: found, goesOnAfter: null };
}

const organizationIs = ({ actor }: Context) => sql`job."organizationId" = ${actor.organizationId}`;

/** The filters that have one value. */
const filtersOf = ({ runnerId, stopCondition, createdAfter, createdBefore }: JobFilters) => [
	...(runnerId === undefined ? [] : [sql`job."runnerId" = ${runnerId}`]),
	...(stopCondition === undefined ? [] : [sql`job."stopCondition" = ${stopCondition}`]),
	...(createdAfter === undefined ? [] : [sql`job."createdAt" > ${createdAfter}`]),
	...(createdBefore === undefined ? [] : [sql`job."createdAt" < ${createdBefore}`]),
];

type JobFilters = Omit<ListJobsQuery, "order" | "limit" | "cursor">;
type Ids = RawBuilder<{ id: number }>;

/**
 * The highest ids in the range, or the lowest, that match every filter but the name. A status, a runner and a stop condition are the
 * beginning of an index that goes on by id, so several statuses are as many short reads.
 */
export function idsInOrder(
	ctx: Context,
	query: JobFilters,
	range: IdRange | null,
	{ order = "desc", limit }: { order?: Order; limit: number },
): Ids {
	const { runnerId, stopCondition } = query;
	const end = sql`order by id ${sql.raw(order)} limit ${limit}`;
	const withStatus = (status: JobStatus | null) => {
		const filters = [
			// `+` hides the column from SQLite's planner: the runner's index is the narrower one. PostgreSQL knows that, and
			// would expect few rows of an expression, and so read them all before it sorts.
			runnerId === undefined || ctx.dialect !== "sqlite" ? organizationIs(ctx) : sql`+${organizationIs(ctx)}`,
			...filtersOf(query),
			...(status === null ? [] : [sql`status = ${status}`]),
			...(range === null ? [] : [sql`id >= ${range.from} and id <= ${range.to}`]),
		];
		return sql<{ id: number }>`select id from job where ${sql.join(filters, sql` and `)} ${end}`;
	};
	const isNarrowed = runnerId !== undefined || stopCondition !== undefined;
	const statuses = query.status?.length ? [...new Set(query.status)] : isNarrowed ? JOB_STATUSES : [null];
	const [only] = statuses;
	if (statuses.length === 1 && only !== undefined) return withStatus(only);
	const each = statuses.map((status) => sql`select id from (${withStatus(status)}) as part`);
	return sql<{ id: number }>`${sql.join(each, sql` union all `)} ${end}`;
}

/** All conditions on a job, without those that an index has made sure of. */
const conditionsOf = (query: JobFilters, { words, others }: Pick<Search, "words" | "others">) => [
	sql`1 = 1`,
	...filtersOf(query),
	...(query.status?.length ? [sql`job.status in (${sql.join(query.status)})`] : []),
	...others,
	...words,
];

/**
 * Compares the first jobs of a range in the list's order: of those with the narrowest term, or of all that match the filters.
 * @returns how many names there were and the id of the last, unless the page is full.
 */
async function compareJobs(
	ctx: Context,
	query: ListJobsQuery,
	range: IdRange,
	{ search, names, wanted }: { search: Search; names: number; wanted: number },
): Promise<{ ids: number[]; names: number; last: number }> {
	const { order } = query;
	const first = { order, limit: names };
	const others = search.narrow === null ? search.others : search.othersInNarrow;
	const compared =
		search.narrow === null ? idsInOrder(ctx, query, range, first) : narrowJobs(ctx, search.narrow, range, first);
	// Their order is that of the subquery, so PostgreSQL stops as soon as the page is full.
	const found = await sql<{ id: number }>`
		select id from (${compared}) as compared
		where (select 1 from job where job.id = compared.id
			and ${sql.join(conditionsOf(query, { ...search, others }), sql` and `)}) = 1
		order by id ${sql.raw(order)} limit ${wanted}`.execute(ctx.reads);
	const ids = found.rows.map(({ id }) => id);
	if (ids.length === wanted) return { ids, names: 0, last: 0 };
	const last = sql.raw(order === "desc" ? "min(id)" : "max(id)");
	const summary = await sql<{ names: number; last: number | null }>`
		select count(*) as names, ${last} as last from (${compared}) as compared`.execute(ctx.reads);
	return { ids, names: Number(summary.rows[0]?.names ?? 0), last: summary.rows[0]?.last ?? 0 };
}

async function idsBySearch(
	ctx: Context,
	query: ListJobsQuery,
	{ from, to }: IdRange,
	{ search, wanted }: { search: Search; wanted: number },
): Promise<number[]> {
	const { indexedParts } = search;
	const by = sql.raw(query.order);
	const bySqlite = indexedParts.length > 0 && ctx.dialect === "sqlite";
	const conditions = [
		organizationIs(ctx),
		...conditionsOf(query, bySqlite ? { ...search, words: search.wordsAfterIndex } : search),
	];
	const all = sql.join(conditions, sql` and `);
	const byIndex = sql.join(
		indexedParts.map((part) => isFoundBy("job", part)),
		sql` and `,
	);
	const found = bySqlite
		? // A cross join is read in this order: the index finds, and the job is looked up.
			sql<{ id: number }>`select job.id from "jobSearch" cross join job
				where "jobSearch" match ${phrasesOf(indexedParts)} and "jobSearch".rowid between ${from} and ${to}
					and job.id = "jobSearch".rowid and ${all}
				order by "jobSearch".rowid ${by} limit ${wanted}`
		: sql<{ id: number }>`select id from job where ${byIndex} and id between ${from} and ${to} and ${all}
				order by id ${by} limit ${wanted}`;
	return (await found.execute(ctx.reads)).rows.map(({ id }) => id);
}
