/** The SQL of recordings. */
import type { Selectable } from "kysely";
import type { Context } from "../core/context.ts";
import { notFound } from "../core/errors.ts";
import type { RecordingTable } from "../db/schema.ts";

export type RecordingRow = Selectable<RecordingTable>;

/** @throws not_found for what is not there or another organization's. */
export async function findRecording(ctx: Context, recordingId: number): Promise<RecordingRow> {
	if (ctx.actor.kind === "link" && ctx.actor.recordingId !== recordingId) throw notFound("recording");
	const row = await ctx.db
		.selectFrom("recording")
		.selectAll()
		.where("id", "=", recordingId)
		.where("organizationId", "=", ctx.actor.organizationId)
		.executeTakeFirst();
	if (row === undefined) throw notFound("recording");
	return row;
}

/** What is known of a video's content, as its row keeps it. */
export interface StoredFacts {
	bytes: number;
	downloadBytes: number | null;
	durationSeconds: number;
	width: number | null;
	height: number | null;
}

/** Tells a committed change, also to those who look at the recording's job. */
export async function publishRecording(
	ctx: Pick<Context, "db" | "facts">,
	row: Pick<RecordingRow, "id" | "organizationId" | "jobId">,
	options: { deleted?: boolean; withJob?: boolean } = {},
): Promise<void> {
	const { id, organizationId, jobId } = row;
	const deleted = options.deleted === true;
	ctx.facts.publish({ type: "recording", organizationId, recordingId: id, jobId, deleted });
	if (jobId === null || options.withJob !== true) return;
	const job = await ctx.db.selectFrom("job").select("runnerId").where("id", "=", jobId).executeTakeFirst();
	if (job !== undefined) ctx.facts.publish({ type: "job", organizationId, jobId, runnerId: job.runnerId });
}
