/** `GET /v1/jobs/counts`: how many jobs have each status, counted so far that any number of jobs costs about the same. */
import { sql } from "kysely";
import { type CountJobsQuery, type JobCounts, MAX_COUNTED_JOBS } from "#lib/contract/job.ts";
import { JOB_STATUSES, type JobStatus } from "#lib/contract/job-status.ts";
import type { Context } from "#lib/core/context.ts";
import { type IdRange, idRangesOf } from "#lib/db/job-zones.ts";
import { readSearch } from "#lib/search/plan.ts";
import { idsInOrder, isOnlyFilters } from "./list-jobs.ts";

type ByStatus = Record<JobStatus, number>;

const NONE = Object.fromEntries(JOB_STATUSES.map((status) => [status, 0])) as ByStatus;

/** Counts the jobs that the list has with these filters, those of each status up to `MAX_COUNTED_JOBS`. */
export async function countJobs(ctx: Context, asked: CountJobsQuery): Promise<JobCounts> {
	const read = await readSearch(ctx, "job", { ...asked, status: undefined as JobStatus[] | undefined });
	if (read === null) return { byStatus: NONE };
	if (read.search !== null && !isOnlyFilters(read.search)) return { byStatus: null };
	const { createdAfter: after, createdBefore: before } = read.query;
	const hasDates = after !== undefined || before !== undefined;
	const ranges = hasDates ? await idRangesOf(ctx.reads, { after, before }) : [null];
	const byStatus = { ...NONE };
	for (const range of ranges) {
		// A search such as `status:failed` leaves the others at 0.
		const statuses = (read.query.status ?? JOB_STATUSES).filter((status) => byStatus[status] < MAX_COUNTED_JOBS);
		if (statuses.length === 0) break;
		for (const { status, count } of await countIn(ctx, read.query, statuses, range)) {
			byStatus[status] = Math.min(MAX_COUNTED_JOBS, byStatus[status] + Number(count));
		}
	}
	return { byStatus };
}

async function countIn(ctx: Context, query: CountJobsQuery, statuses: readonly JobStatus[], range: IdRange | null) {
	const each = statuses.map((status) => {
		const ids = idsInOrder(ctx, { ...query, status: [status] }, range, { limit: MAX_COUNTED_JOBS });
		return sql`select ${sql.lit(status)} as status, count(*) as count from (${ids}) as found`;
	});
	const { rows } = await sql<{ status: JobStatus; count: number }>`${sql.join(each, sql` union all `)}`.execute(
		ctx.reads,
	);
	return rows;
}
