/** `DELETE /v1/recordings/{id}`: deletes the row first, then all files. The job's row stays. */
import { audit } from "#lib/audit/write-audit.ts";
import { LEASED_STATUSES } from "#lib/contract/job-status.ts";
import { inTransaction } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { lockJob } from "#lib/lifecycle/job-store.ts";
import { findRecording, publishRecording } from "#lib/lifecycle/recording-store.ts";
import type { RecordingContext } from "./recording-context.ts";

/** @throws not_found; conflict while it is still being uploaded. */
export async function deleteRecording(ctx: RecordingContext, recordingId: number): Promise<void> {
	await findRecording(ctx, recordingId);
	if (await discardRecording(ctx, recordingId)) return;
	throw new TapedeckError("conflict", "This recording is still in progress. Cancel its job or its upload first.");
}

/**
 * Deletes a recording of the actor's organization, unless it is still being uploaded or its runner has resumed the job.
 * @param options.permanently false if its runner may upload it again later.
 * @returns whether it was deleted.
 */
export async function discardRecording(
	ctx: RecordingContext,
	recordingId: number,
	{ permanently = true }: { permanently?: boolean } = {},
): Promise<boolean> {
	const row = await inTransaction(ctx, async (ctx) => {
		if (!(await isJobOver(ctx, recordingId))) return undefined;
		const row = await ctx.db
			.deleteFrom("recording")
			.where("id", "=", recordingId)
			.where("organizationId", "=", ctx.actor.organizationId)
			.where("state", "!=", "live")
			.returning(["id", "organizationId", "jobId", "uploadId", "name"])
			.executeTakeFirst();
		if (row === undefined) return undefined;
		if (permanently && row.jobId !== null) {
			const recordingDeletedAt = ctx.clock.now();
			await ctx.db.updateTable("job").set({ recordingDeletedAt }).where("id", "=", row.jobId).execute();
		}
		const target = { kind: "recording", id: recordingId, name: row.name } as const;
		await audit(ctx, { action: "recording.deleted", target });
		return row;
	});
	if (row === undefined) return false;
	// If the process crashes here, the sweep deletes the files.
	await ctx.videoFiles.remove(row.uploadId);
	await publishRecording(ctx, row, { deleted: true, withJob: true });
	return true;
}

/** Whether no runner holds the recording's job. It cannot be resumed before the transaction ends. */
async function isJobOver(ctx: RecordingContext, recordingId: number): Promise<boolean> {
	const recording = await ctx.db
		.selectFrom("recording")
		.select("jobId")
		.where("id", "=", recordingId)
		.executeTakeFirst();
	if (recording?.jobId == null) return true;
	await lockJob(ctx, recording.jobId);
	const held = await ctx.db
		.selectFrom("job")
		.select("id")
		.where("id", "=", recording.jobId)
		.where("status", "in", LEASED_STATUSES)
		.executeTakeFirst();
	return held === undefined;
}
