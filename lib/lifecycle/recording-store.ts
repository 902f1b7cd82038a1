/** Queries on recordings. */
import type { Deletion } from "@tapedeck/contract/deleted-recording.ts";
import type { Job } from "@tapedeck/contract/job.ts";
import { type Selectable, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { notFound, TapedeckError } from "#lib/core/errors.ts";
import { timestamp, timestampOrNull } from "#lib/core/times.ts";
import type { RecordingTable } from "#lib/db/schema.ts";

export type RecordingRow = Selectable<RecordingTable>;

/** Condition on a row of `recording`, as 0 or 1: whether it shows a failure. As in the index `recording_expendable`. */
export const showsFailure = sql<number>`(case when coalesce(outcome, '') in ('failed', 'error')
	or coalesce(verdict, '') in ('black', 'frozen') then 1 else 0 end)`;

/** @throws not_found if it doesn't exist, was deleted, or belongs to another organization. */
export async function findRecording(ctx: Context, recordingId: number): Promise<RecordingRow> {
	if (ctx.actor.kind === "link" && ctx.actor.recordingId !== recordingId) throw notFound("recording");
	const row = await ctx.db
		.selectFrom("recording")
		.selectAll()
		.where("id", "=", recordingId)
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("deletedAt", "is", null)
		.executeTakeFirst();
	if (row === undefined) throw notFound("recording");
	return row;
}

/** @throws not_found for a file that has no frames. */
export function assertVideo({ kind }: Pick<RecordingRow, "kind">): void {
	if (kind === "video") return;
	const what = { image: "an image", document: "a document", other: "a file without frames" }[kind];
	throw new TapedeckError("not_found", `This is ${what}, not a video. GET /v1/recordings/{id}/video returns the file.`);
}

/** Columns that describe a video's content. */
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

type DeletionColumns = Pick<RecordingRow, "deletedAt" | "purgeAt" | "deletedBy" | "deletedFor">;

/** When and why a deleted recording was deleted. */
export const deletionOf = ({ deletedAt, purgeAt, deletedBy, deletedFor }: DeletionColumns): Deletion => ({
	deletedAt: timestamp(deletedAt ?? 0),
	deletedBy,
	reason: deletedFor ?? "request",
	restorableUntil: timestampOrNull(purgeAt),
});

/** The deletion that a job or a failure shows; null if the recording was not deleted. */
export const deletedOf = (row: DeletionColumns & { id: number }): Job["deletedRecording"] =>
	row.deletedAt === null ? null : { id: row.id, ...deletionOf(row) };
