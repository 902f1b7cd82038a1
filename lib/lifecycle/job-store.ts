/** The SQL of jobs: reads with their recording, and the one guarded write that every transition goes through. */
import type { Selectable, UpdateObject } from "kysely";
import type { JobStatus } from "../contract/job.ts";
import type { Context, Database } from "../core/context.ts";
import type { JobTable, Tables } from "../db/schema.ts";
import { mayCapture, RETURNS, statusesBefore } from "./transitions.ts";

export { inTransaction } from "../core/in-transaction.ts";

export type JobRow = Selectable<JobTable>;

/** A job's row with what its answers tell of the recording. */
export const selectJobs = (db: Database) =>
	db
		.selectFrom("job")
		.leftJoin("recording", "recording.jobId", "job.id")
		.selectAll("job")
		.select([
			"recording.id as recordingId",
			"recording.state as recordingState",
			"recording.durationSeconds as recordingDurationSeconds",
			"recording.bytes as recordingBytes",
			"recording.downloadBytes as recordingDownloadBytes",
			"recording.width as recordingWidth",
			"recording.height as recordingHeight",
			"recording.verdict as recordingVerdict",
		]);
export type JobViewRow = NonNullable<Awaited<ReturnType<ReturnType<typeof selectJobs>["executeTakeFirst"]>>>;

/** What a job without a recording has in the place of one. */
export const NO_RECORDING = {
	recordingId: null,
	recordingState: null,
	recordingDurationSeconds: null,
	recordingBytes: null,
	recordingDownloadBytes: null,
	recordingWidth: null,
	recordingHeight: null,
	recordingVerdict: null,
} satisfies Partial<JobViewRow>;

/** One entry for a job's history. `runnerSeq` marks a runner's report, which counts once. */
export type NewJobEvent = {
	type: string;
	message: string;
	at?: number;
	data?: Record<string, unknown>;
	runnerSeq?: number;
};

/** @returns whether the entry is new; false when this report of the runner was there already. */
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
 * Moves a job, by compare-and-set: nothing happens unless the transition table lets it go from where it
 * stands at this very moment to `to`. The provisional verdict `runner_lost` is left only by `returning`.
 * Once nothing can be captured for it any more, the grid's password is forgotten.
 *
 * @returns the row as it stands now, or undefined when the job was elsewhere.
 */
export async function moveJob(
	ctx: Context,
	jobId: number,
	to: JobStatus,
	set: UpdateObject<Tables, "job"> = {},
	options: { from?: readonly JobStatus[]; returning?: boolean } = {},
): Promise<JobRow | undefined> {
	const from = statusesBefore(to).filter((status) => options.from === undefined || options.from.includes(status));
	const returning = options.returning === true && RETURNS.includes(to);
	return ctx.db
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
}

/**
 * Waits for everyone else's transaction that changes the job, and makes theirs wait for this one: what is decided by
 * looking at the job together with other rows is decided by one at a time. (SQLite has one writer anyway.)
 *
 * @param ctx one whose database is a transaction.
 */
export async function lockJob(ctx: Pick<Context, "db">, jobId: number): Promise<void> {
	await ctx.db
		.updateTable("job")
		.set((job) => ({ status: job.ref("status") }))
		.where("id", "=", jobId)
		.execute();
}

/** The same for a runner and what waits for it. */
export async function lockRunner(ctx: Pick<Context, "db">, runnerId: number): Promise<void> {
	await ctx.db
		.updateTable("runner")
		.set((runner) => ({ name: runner.ref("name") }))
		.where("id", "=", runnerId)
		.execute();
}

/** Tells the committed change of a job to everyone who listens. */
export const publishJob = (ctx: Context, job: Pick<JobRow, "id" | "organizationId" | "runnerId">): void =>
	ctx.facts.publish({ type: "job", organizationId: job.organizationId, jobId: job.id, runnerId: job.runnerId });
