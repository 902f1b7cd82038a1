/** `DELETE /v1/recordings/{id}`: deletes the row first, then all files. The job's row stays. */
import type { ExpressionBuilder, NotNull } from "kysely";
import { auditAll } from "#lib/audit/write-audit.ts";
import { LEASED_STATUSES } from "#lib/contract/job-status.ts";
import { inTransaction } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import type { Tables } from "#lib/db/schema.ts";
import { publishJob } from "#lib/lifecycle/job-store.ts";
import { findRecording, publishRecording } from "#lib/lifecycle/recording-store.ts";
import type { RecordingContext } from "./recording-context.ts";
import { discardObjects } from "./store/object-ledger.ts";

/** @throws not_found; conflict while it is still being uploaded. */
export async function deleteRecording(ctx: RecordingContext, recordingId: number): Promise<void> {
	await findRecording(ctx, recordingId);
	if ((await discardRecordings(ctx, [recordingId])).length > 0) return;
	throw new TapedeckError("conflict", "This recording is still in progress. Cancel its job or its upload first.");
}

/**
 * Deletes recordings of the actor's organization in one transaction, except those that are still being uploaded or whose
 * runner has resumed the job. For a few at a time: meanwhile nothing else is written.
 * @param options.permanently false if their runners may upload them again later.
 * @param options.keepPinned true if pinned ones stay.
 * @param options.dueBy only those whose tests passed, and that were to be deleted by then: somebody may have kept them.
 * @returns the ids of those that were deleted.
 */
export async function discardRecordings(
	ctx: RecordingContext,
	recordingIds: readonly number[],
	{
		permanently = true,
		keepPinned = false,
		dueBy,
	}: { permanently?: boolean; keepPinned?: boolean; dueBy?: number } = {},
): Promise<number[]> {
	const { deleted, jobs } = await inTransaction(ctx, async (ctx) => {
		const { organizationId } = ctx.actor;
		const isDeletable = (where: ExpressionBuilder<Tables, "recording">) =>
			where.and([
				where("id", "in", recordingIds),
				where("organizationId", "=", organizationId),
				where("state", "!=", "live"),
				...(keepPinned ? [where("pinned", "=", 0)] : []),
				...(dueBy === undefined ? [] : [where("deleteAt", "<=", dueBy)]),
			]);
		const itsJobs = ctx.db
			.selectFrom("recording")
			.select("jobId")
			.where("jobId", "is not", null)
			.where(isDeletable)
			.$narrowType<{ jobId: NotNull }>();
		// Written even if nothing changes: a job cannot be resumed before the transaction ends.
		const jobs = await ctx.db
			.updateTable("job")
			.set((job) => ({ recordingDeletedAt: permanently ? ctx.clock.now() : job.ref("recordingDeletedAt") }))
			.where("id", "in", itsJobs)
			.where("status", "not in", LEASED_STATUSES)
			.returning(["id", "organizationId", "runnerId"])
			.execute();
		const over = jobs.map(({ id }) => id);
		const deleted = await ctx.db
			.deleteFrom("recording")
			.where(isDeletable)
			.where((where) =>
				where.or([where("jobId", "is", null), ...(over.length > 0 ? [where("jobId", "in", over)] : [])]),
			)
			.returning(["id", "organizationId", "jobId", "uploadId", "name", "objectKey"])
			.execute();
		await discardObjects(
			ctx,
			deleted.map(({ uploadId }) => uploadId),
			deleted.map(({ objectKey }) => objectKey),
		);
		await ctx.leases.markDeleted(
			ctx,
			deleted.map(({ uploadId }) => uploadId),
		);
		await auditAll(
			ctx,
			deleted.map(({ id, name }) => ({
				action: "recording.deleted",
				target: { kind: "recording", id, name },
				...(dueBy === undefined ? {} : { detail: { reason: "passed" } }),
			})),
		);
		return { deleted, jobs };
	});
	// If the process crashes here, the sweep deletes the files.
	for (const { uploadId } of deleted) await ctx.videoFiles.remove(uploadId);
	for (const row of deleted) await publishRecording(ctx, row, { deleted: true });
	for (const job of jobs) publishJob(ctx, job);
	return deleted.map(({ id }) => id);
}
