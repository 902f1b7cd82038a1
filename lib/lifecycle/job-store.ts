/** Queries on jobs, and the one guarded write that every transition goes through. */
import type { Job } from "@tapedeck/contract/job.ts";
import { isEnded, isFailedReason, type JobStatus } from "@tapedeck/contract/job-status.ts";
import type { Selectable, UpdateObject } from "kysely";
import type { Context, Database } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { dialectOf } from "#lib/db/dialect.ts";
import type { JobTable, Tables } from "#lib/db/schema.ts";
import { noteEvents } from "./outbox.ts";
import { mayCapture, RETURNS, statusesBefore } from "./transitions.ts";

export type JobRow = Selectable<JobTable>;

/** Jobs, joined with the parts of their recording that the API returns. */
export const selectJobs = (db: Database) =>
	db
		.selectFrom("job")
		.leftJoin("recording", "recording.jobId", "job.id")
		.selectAll("job")
		.select([
			"recording.id as recordingId",
			"recording.kind as recordingKind",
			"recording.state as recordingState",
			"recording.durationSeconds as recordingDurationSeconds",
			"recording.bytes as recordingBytes",
			"recording.downloadBytes as recordingDownloadBytes",
			"recording.width as recordingWidth",
			"recording.height as recordingHeight",
			"recording.verdict as recordingVerdict",
			"recording.pinned as recordingPinned",
			"recording.deleteAt as recordingDeleteAt",
			"recording.deletedAt as recordingRemovedAt",
			"recording.purgeAt as recordingPurgeAt",
			"recording.deletedBy as recordingDeletedBy",
			"recording.deletedFor as recordingDeletedFor",
		]);
export type JobViewRow = NonNullable<Awaited<ReturnType<ReturnType<typeof selectJobs>["executeTakeFirst"]>>>;

/** Why a job failed; null if it did not. */
export function jobError(row: Pick<JobRow, "status" | "stopReason" | "errorMessage">): Job["error"] {
	if (row.status !== "failed" || row.stopReason === null || !isFailedReason(row.stopReason)) return null;
	return { code: row.stopReason, message: row.errorMessage ?? "The recording failed." };
}

/** The recording's columns for a job that has none. */
export const NO_RECORDING = {
	recordingId: null,
	recordingKind: null,
	recordingState: null,
	recordingDurationSeconds: null,
	recordingBytes: null,
	recordingDownloadBytes: null,
	recordingWidth: null,
	recordingHeight: null,
	recordingVerdict: null,
	recordingPinned: null,
	recordingDeleteAt: null,
	recordingRemovedAt: null,
	recordingPurgeAt: null,
	recordingDeletedBy: null,
	recordingDeletedFor: null,
} satisfies Partial<JobViewRow>;

/** `runnerSeq` numbers a runner's report, which counts once. */
export type NewJobEvent = {
	type: string;
	message: string;
	at?: number;
	data?: Record<string, unknown>;
	runnerSeq?: number;
};

/** @returns whether the entry is new; false if this runner report was stored before. */
export async function addJobEvent(
	ctx: Pick<Context, "db" | "clock">,
	jobId: number,
	event: NewJobEvent,
): Promise<boolean> {
	const inserted = await ctx.db
		.insertInto("jobEvent")
		.values({
			jobId,
			type: event.type,
			at: event.at ?? ctx.clock.now(),
			message: event.message,
			data: JSON.stringify(event.data ?? {}),
			runnerSeq: event.runnerSeq ?? null,
		})
		.onConflict((conflict) => conflict.columns(["jobId", "runnerSeq"]).doNothing())
		.returning("id")
		.executeTakeFirst();
	return inserted !== undefined;
}

/**
 * Moves a job to `to` by compare-and-set, if the transition table allows it from the job's current status. Only a
 * `returning` move leaves the provisional verdict `runner_lost`. Deletes the grid password once nothing more can be
 * captured for the job.
 *
 * @param options.verdict on the recording of a job that ends.
 * @returns the updated row, or undefined if the job could not make that move.
 */
export async function moveJob(
	ctx: Context,
	jobId: number,
	to: JobStatus,
	set: UpdateObject<Tables, "job"> = {},
	options: { from?: readonly JobStatus[]; returning?: boolean; verdict?: string | null } = {},
): Promise<JobRow | undefined> {
	const from = statusesBefore(to).filter((status) => options.from === undefined || options.from.includes(status));
	const returning = options.returning === true && RETURNS.includes(to);
	const moved = await ctx.db
		.updateTable("job")
		.set({ ...set, ...(mayCapture(to, set.stopReason) ? {} : { gridPasswordSealed: null }), status: to })
		.where("id", "=", jobId)
		.where((where) =>
			where.or([
				...(from.length > 0 ? [where("status", "in", from)] : []),
				...(returning
					? [
							where.and([
								where("status", "=", "failed"),
								where("stopReason", "=", "runner_lost"),
								where("recordingDeletedAt", "is", null),
							]),
						]
					: []),
			]),
		)
		.returningAll()
		.executeTakeFirst();
	if (moved !== undefined && isEnded(to)) {
		ctx.measures?.jobEnded(moved.stopReason ?? to, options.verdict ?? null);
		await noteEvents(ctx, "job.ended", moved.organizationId, [jobId]);
	}
	if (moved !== undefined && (isEnded(to) || returning)) {
		await ctx.followers.jobChanged(ctx, moved, { hasEnded: isEnded(to) });
	}
	return moved;
}

/**
 * Locks the job's row until the transaction ends, so that decisions which depend on the job and on other rows are made
 * one at a time. SQLite has a single writer, so nothing needs a lock there.
 *
 * @param ctx its database must be a transaction.
 */
export async function lockJob(ctx: Pick<Context, "db">, jobId: number): Promise<void> {
	if (dialectOf(ctx.db) === "sqlite") return;
	await ctx.db
		.updateTable("job")
		.set((job) => ({ status: job.ref("status") }))
		.where("id", "=", jobId)
		.execute();
}

/** The same for a job of the caller's organization. @returns its row. @throws not_found */
export async function lockOwnJob(ctx: Context, jobId: number): Promise<JobRow> {
	await lockJob(ctx, jobId);
	const job = await ctx.db
		.selectFrom("job")
		.selectAll()
		.where("id", "=", jobId)
		.where("organizationId", "=", ctx.actor.organizationId)
		.executeTakeFirst();
	if (job === undefined) throw notFound("job");
	return job;
}

/** The same for a runner and its queue. */
export async function lockRunner(ctx: Pick<Context, "db">, runnerId: number): Promise<void> {
	await ctx.db
		.updateTable("runner")
		.set((runner) => ({ name: runner.ref("name") }))
		.where("id", "=", runnerId)
		.execute();
}

/** Publishes a committed change of a job. */
export const publishJob = (ctx: Context, job: Pick<JobRow, "id" | "organizationId" | "runnerId">): void =>
	ctx.events.publish({ type: "job", organizationId: job.organizationId, jobId: job.id, runnerId: job.runnerId });
