/** `GET /v1/jobs/counts`: how many jobs have each status, counted so far that any number of jobs costs about the same. */
import { sql } from "kysely";
import { type CountJobsQuery, type JobCounts, MAX_COUNTED_JOBS } from "#lib/contract/job.ts";
import { JOB_STATUSES, type JobStatus } from "#lib/contract/job-status.ts";
import type { Context } from "#lib/core/context.ts";
import { type Bounds, inOrder } from "#lib/search/find.ts";
import { planSearch } from "#lib/search/plan.ts";
import { jobReads, stretchesOf } from "./list-jobs.ts";

type ByStatus = Record<JobStatus, number>;

const NONE = Object.fromEntries(JOB_STATUSES.map((status) => [status, 0])) as ByStatus;

/** Counts the jobs that the list has with these filters, those of each status up to `MAX_COUNTED_JOBS`. */
export async function countJobs(ctx: Context, asked: CountJobsQuery): Promise<JobCounts> {
	const plan = await planSearch(ctx, "job", { ...asked, status: undefined as JobStatus[] | undefined });
	if (plan === null) return { byStatus: NONE };
	if (plan.compare.length > 0) return { byStatus: null };
	const { query } = plan;
	const byStatus = { ...NONE };
	for (const stretch of await stretchesOf(ctx, query)) {
		// A search such as `status:failed` leaves the others at 0.
		const statuses = (query.status ?? JOB_STATUSES).filter((status) => byStatus[status] < MAX_COUNTED_JOBS);
		if (statuses.length === 0) break;
		for (const { status, count } of await countIn(ctx, query, statuses, stretch)) {
			byStatus[status] = Math.min(MAX_COUNTED_JOBS, byStatus[status] + Number(count));
		}
	}
	return { byStatus };
}

async function countIn(ctx: Context, query: CountJobsQuery, statuses: readonly JobStatus[], stretch: Bounds) {
	const each = statuses.map((status) => {
		const reads = jobReads(ctx, { ...query, status: [status] });
		const ids = inOrder(reads, { by: "id", order: "desc" }, { ...stretch, after: null, limit: MAX_COUNTED_JOBS });
		return sql`select ${sql.lit(status)} as status, count(*) as count from (${ids}) as found`;
	});
	const { rows } = await sql<{ status: JobStatus; count: number }>`${sql.join(each, sql` union all `)}`.execute(
		ctx.reads,
	);
	return rows;
}
