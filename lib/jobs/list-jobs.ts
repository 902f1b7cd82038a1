/** `GET /v1/jobs`: newest or oldest first, paged by keyset, so that every page costs the same. */
import type { Job, ListJobsQuery } from "@tapedeck/contract/job.ts";
import { JOB_STATUSES, JOB_TYPES, type JobType } from "@tapedeck/contract/job-status.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Order } from "@tapedeck/contract/recording-kinds.ts";
import { type RawBuilder, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { idRangesOf } from "#lib/db/job-zones.ts";
import { selectJobs } from "#lib/lifecycle/job-store.ts";
import { type Bounds, findPage, isOfOrganization, type Source } from "#lib/search/find.ts";
import { withMatchedLines } from "#lib/search/matched-line.ts";
import type { IndexRead } from "#lib/search/plan.ts";
import { jobView } from "./job-view.ts";

/** @throws validation_failed at `cursor` if it is invalid. */
export function listJobs(ctx: Context, asked: ListJobsQuery): Promise<Page<Job>> {
	const { order } = asked;
	return findPage(ctx, asked, {
		table: "job",
		isSearched: true,
		sorting: { by: "id", order },
		source: async (query, after) => jobsWith(ctx, query, await stretchesOf(ctx, query, { order, after: after?.id })),
		rows: (db, ids) => selectJobs(db).where("job.id", "in", ids).orderBy("job.id", order).execute(),
		view: (rows) =>
			withMatchedLines(
				ctx,
				asked.q,
				rows.map((row) => ({ ...row, jobId: row.id })),
				(row) => jobView(ctx, row),
			),
	});
}

type JobFilters = Omit<ListJobsQuery, "order" | "limit" | "cursor">;

/** The index stretches that have the jobs with these filters. */
function jobsWith(ctx: Context, query: JobFilters, stretches: readonly Bounds[]): Source {
	const filters = filtersOf(query);
	if (query.status?.length) filters.push(sql`job.status in (${sql.join(query.status)})`);
	return {
		reads: jobReads(ctx, query),
		stretches,
		filters,
		has: hasDates(query) || !typesOf(query).includes("recording") ? "compared" : "indexed",
	};
}

/**
 * A status, a runner and a stop condition are the beginning of an index that continues by id, so several statuses are as many
 * short reads.
 */
export function jobReads(ctx: Context, query: JobFilters): IndexRead[] {
	const { runnerId, stopCondition } = query;
	const all = [isOfOrganization(ctx, "job", { isNarrow: runnerId !== undefined }), ...filtersOf(query)];
	const isNarrowed = runnerId !== undefined || stopCondition !== undefined;
	const statuses = query.status?.length ? [...new Set(query.status)] : isNarrowed ? JOB_STATUSES : [null];
	return statuses.map((status) => ({
		table: "job",
		id: "id",
		where: status === null ? all : [...all, sql`status = ${status}`],
	}));
}

/** Clients that know of no types get recordings only. */
const typesOf = ({ type, stopCondition }: Pick<JobFilters, "type" | "stopCondition">): JobType[] =>
	type?.length && stopCondition === undefined ? [...new Set(type)] : ["recording"];

/** Most jobs are recordings, so the type needs no index. */
export const isOfTypes = (query: Pick<JobFilters, "type" | "stopCondition">): RawBuilder<unknown> => {
	const types = typesOf(query);
	return types.length === JOB_TYPES.length ? sql`true` : sql`job.type in (${sql.join(types)})`;
};

/** The filters that have one value. */
const filtersOf = ({
	type,
	runnerId,
	stopCondition,
	createdAfter,
	createdBefore,
}: JobFilters): RawBuilder<unknown>[] => [
	...(typesOf({ type, stopCondition }).length === JOB_TYPES.length ? [] : [isOfTypes({ type, stopCondition })]),
	...(runnerId === undefined ? [] : [sql`job."runnerId" = ${runnerId}`]),
	...(stopCondition === undefined ? [] : [sql`job."stopCondition" = ${stopCondition}`]),
	...(createdAfter === undefined ? [] : [sql`job."createdAt" > ${createdAfter}`]),
	...(createdBefore === undefined ? [] : [sql`job."createdAt" < ${createdBefore}`]),
];

const hasDates = ({ createdAfter, createdBefore }: JobFilters): boolean =>
	createdAfter !== undefined || createdBefore !== undefined;

/** Ids, within which jobs of these dates are. @param options.after an id. */
export async function stretchesOf(
	ctx: Context,
	query: JobFilters,
	{ order = "desc", after }: { order?: Order; after?: number } = {},
): Promise<Bounds[]> {
	if (!hasDates(query)) return [{}];
	const dates = { after: query.createdAfter, before: query.createdBefore };
	const ranges = await idRangesOf(ctx.reads, dates, { after, order });
	return ranges.map(({ from, to }) => ({ above: from - 1, below: to + 1 }));
}
