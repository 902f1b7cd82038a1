/** `DELETE /v1/recordings/{id}`: the row goes first, then everything on disk. The job's row stays. */
import { assertMayWrite } from "../core/access.ts";
import { audit } from "../core/audit.ts";
import type { Context } from "../core/context.ts";
import { TapedeckError } from "../core/errors.ts";
import { inTransaction } from "../core/in-transaction.ts";
import { lockJob } from "../lifecycle/job-store.ts";
import { LEASED_STATUSES } from "../lifecycle/transitions.ts";
import { findRecording, publishRecording } from "../lifecycle/recording-store.ts";
import { shelfOf } from "./playback/video-files.ts";

/** @throws forbidden; not_found; conflict while bytes still arrive. */
export async function deleteRecording(ctx: Context, recordingId: number): Promise<void> {
	assertMayWrite(ctx);
	await findRecording(ctx, recordingId);
	if (await discardRecording(ctx, recordingId)) return;
	throw new TapedeckError(
		"conflict",
		"This recording is still being made. Cancel its job first, or end its upload; then it can be deleted.",
	);
}

/**
 * Deletes a recording of the actor's organization unless bytes still arrive, or its runner has taken the job up again.
 * @param options.forGood false when its runner may still send it again.
 * @returns whether it is gone now.
 */
export async function discardRecording(
	ctx: Context,
	recordingId: number,
	{ forGood = true }: { forGood?: boolean } = {},
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
		if (forGood && row.jobId !== null) {
			const recordingDeletedAt = ctx.clock.now();
			await ctx.db.updateTable("job").set({ recordingDeletedAt }).where("id", "=", row.jobId).execute();
		}
		const target = { kind: "recording", id: recordingId, name: row.name } as const;
		await audit(ctx, { action: "recording.deleted", target });
		return row;
	});
	if (row === undefined) return false;
	// Files that a crash leaves behind here are found by the sweep.
	await shelfOf(ctx).remove(row.uploadId);
	await publishRecording(ctx, row, { deleted: true, withJob: true });
	return true;
}

/** Whether no runner holds the recording's job; it cannot be taken up again before the transaction is over. */
async function isJobOver(ctx: Context, recordingId: number): Promise<boolean> {
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
