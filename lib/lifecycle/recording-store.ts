/** Queries on recordings. */
import type { Selectable } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import type { RecordingTable } from "#lib/db/schema.ts";

export type RecordingRow = Selectable<RecordingTable>;

/** @throws not_found if it doesn't exist or belongs to another organization. */
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

/** What a row stores about a video's content. */
export interface StoredContent {
	bytes: number;
	downloadBytes: number | null;
	durationSeconds: number;
	width: number | null;
	height: number | null;
}

/** Publishes a committed change; with `withJob` also as a change of the recording's job. */
export async function publishRecording(
	ctx: Pick<Context, "db" | "events">,
	row: Pick<RecordingRow, "id" | "organizationId" | "jobId">,
	options: { deleted?: boolean; withJob?: boolean } = {},
): Promise<void> {
	const { id, organizationId, jobId } = row;
	const deleted = options.deleted === true;
	ctx.events.publish({ type: "recording", organizationId, recordingId: id, jobId, deleted });
	if (jobId === null || options.withJob !== true) return;
	const job = await ctx.db.selectFrom("job").select("runnerId").where("id", "=", jobId).executeTakeFirst();
	if (job !== undefined) ctx.events.publish({ type: "job", organizationId, jobId, runnerId: job.runnerId });
}
