/** `GET /v1/jobs`: newest first, paged by keyset, so that every page costs the same. */
import { sql } from "kysely";
import type { Job, ListJobsQuery } from "#lib/contract/job.ts";
import type { Page } from "#lib/contract/page.ts";
import type { Context } from "#lib/core/context.ts";
import { pageFrom, readCursor } from "#lib/core/cursor.ts";
import { selectJobs } from "#lib/lifecycle/job-store.ts";
import { jobView } from "./job-view.ts";

/** @throws validation_failed at `cursor` if it is invalid. */
export async function listJobs(ctx: Context, query: ListJobsQuery): Promise<Page<Job>> {
	let jobs = selectJobs(ctx.db)
		.where("job.organizationId", "=", ctx.actor.organizationId)
		.orderBy("job.id", "desc")
		.limit(query.limit + 1);
	if (query.cursor !== undefined) jobs = jobs.where("job.id", "<", readCursor(query.cursor));
	if (query.status !== undefined && query.status.length > 0) jobs = jobs.where("job.status", "in", query.status);
	if (query.runnerId !== undefined) jobs = jobs.where("job.runnerId", "=", query.runnerId);
	if (query.stopCondition !== undefined) jobs = jobs.where("job.stopCondition", "=", query.stopCondition);
	if (query.createdAfter !== undefined) jobs = jobs.where("job.createdAt", ">", query.createdAfter);
	if (query.createdBefore !== undefined) jobs = jobs.where("job.createdAt", "<", query.createdBefore);
	if (query.q !== undefined && query.q.trim() !== "") jobs = jobs.where(nameContains(query.q.trim()));
	return pageFrom(await jobs.execute(), query.limit, (row) => jobView(ctx, row));
}

const nameContains = (text: string) =>
	sql<boolean>`lower(job.name) like ${`%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`} escape '\\'`;
