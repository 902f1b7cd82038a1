/** `GET /v1/jobs/{id}/events`: what happened to a job, in order. */
import type { JobEvent } from "../contract/job.ts";
import type { Page } from "../contract/page.ts";
import type { Context } from "../core/context.ts";
import { instant } from "./job-view.ts";
import { readJob } from "./read-job.ts";

/** @throws not_found for a job that the caller's organization does not have. */
export async function listJobEvents(ctx: Context, jobId: number): Promise<Page<JobEvent>> {
	await readJob(ctx, jobId);
	// What a runner reports late happened when it says.
	const rows = await ctx.db
		.selectFrom("jobEvent")
		.selectAll()
		.where("jobId", "=", jobId)
		.orderBy("at")
		.orderBy("id")
		.execute();
	const data = rows.map((row) => ({
		id: row.id,
		type: row.type,
		at: instant(row.at),
		message: row.message,
		data: JSON.parse(row.data) as Record<string, unknown>,
	}));
	return { data, nextCursor: null };
}
