/** `GET /v1/jobs/{id}/events`: a job's history. */
import type { JobEvent } from "@tapedeck/contract/job.ts";
import type { Page, PageQuery } from "@tapedeck/contract/page.ts";
import type { Selectable } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { readSortedCursor, sortedPageFrom } from "#lib/core/cursor.ts";
import { timestamp } from "#lib/core/times.ts";
import type { JobEventTable } from "#lib/db/schema.ts";
import { readJob } from "./read-job.ts";

const SORTING = "at asc";

/**
 * A page of a job's history, ordered by when events happened, not by when they were reported.
 * @throws not_found if the job doesn't exist in the caller's organization; validation_failed at `cursor`.
 */
export async function listJobEvents(
	ctx: Context,
	jobId: number,
	{ limit, cursor }: PageQuery,
): Promise<Page<JobEvent>> {
	await readJob(ctx, jobId);
	const after = cursor === undefined ? null : readSortedCursor(cursor, SORTING);
	let events = ctx.db
		.selectFrom("jobEvent")
		.select(["id", "type", "at", "message", "data"])
		.where("jobId", "=", jobId)
		.orderBy("at")
		.orderBy("id")
		.limit(limit + 1);
	if (after !== null) {
		events = events.where(({ eb, refTuple, tuple }) => eb(refTuple("at", "id"), ">", tuple(after.value, after.id)));
	}
	return sortedPageFrom(await events.execute(), { limit, sorting: SORTING, rankOf: ({ at }) => at, view: eventView });
}

const eventView = (row: Pick<Selectable<JobEventTable>, "id" | "type" | "at" | "message" | "data">): JobEvent => ({
	id: row.id,
	type: row.type,
	at: timestamp(row.at),
	message: row.message,
	data: JSON.parse(row.data) as Record<string, unknown>,
});
