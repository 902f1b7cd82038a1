/** `GET /v1/jobs/counts`: how many jobs have each status and outcome, counted so far that any number of jobs costs about the same. */
import { type CountJobsQuery, type JobCounts, MAX_COUNTED_JOBS } from "@tapedeck/contract/job.ts";
import { JOB_STATUSES, type JobStatus } from "@tapedeck/contract/job-status.ts";
import { OUTCOMES, type Outcome } from "@tapedeck/contract/recording-kinds.ts";
import { parseSearch } from "@tapedeck/contract/search.ts";
import { sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { type Bounds, inOrder } from "#lib/search/find.ts";
import { planSearch } from "#lib/search/plan.ts";
import { isOfTypes, jobReads, stretchesOf } from "./list-jobs.ts";

type ByStatus = Record<JobStatus, number>;

const NONE = Object.fromEntries(JOB_STATUSES.map((status) => [status, 0])) as ByStatus;

/** Counts the jobs that the list has with these filters, those of each status and outcome up to `MAX_COUNTED_JOBS`. */
export async function countJobs(ctx: Context, asked: CountJobsQuery): Promise<JobCounts> {
	const [byStatus, byOutcome] = await Promise.all([countByStatus(ctx, asked), countByOutcome(ctx, asked)]);
	return { byStatus, byOutcome };
}

/** A choice of outcomes counts all the same: each chip says how many jobs it would show. */
async function countByOutcome(ctx: Context, { q, type, ...filters }: CountJobsQuery): Promise<JobCounts["byOutcome"]> {
	const isFiltered = Object.values(filters).some((value) => value !== undefined);
	if (isFiltered || !parseSearch(q ?? "").terms.every(({ kind, not }) => kind === "outcome" && !not)) return null;
	const each = OUTCOMES.map(
		(outcome) => sql`select ${sql.lit(outcome)} as outcome, count(*) as count from (
			select 1 from job where "organizationId" = ${ctx.actor.organizationId} and outcome = ${outcome}
			and outcome is not null and ${isOfTypes({ type })} limit ${MAX_COUNTED_JOBS}) as found`,
	);
	const { rows } = await sql<{ outcome: Outcome; count: number }>`${sql.join(each, sql` union all `)}`.execute(
		ctx.reads,
	);
	const counts = new Map(rows.map(({ outcome, count }) => [outcome, Number(count)]));
	return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, counts.get(outcome) ?? 0])) as Record<Outcome, number>;
}

async function countByStatus(ctx: Context, asked: CountJobsQuery): Promise<JobCounts["byStatus"]> {
	const plan = await planSearch(ctx, "job", { ...asked, status: undefined as JobStatus[] | undefined });
	if (plan === null) return NONE;
	if (plan.compare.length > 0) return null;
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
	return byStatus;
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
