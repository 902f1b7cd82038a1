/**
 * Deleting a recording takes three steps: into the trash, where it can be restored, then its files, and its row never,
 * so that its deletion stays known: to its job, to Failures and builds, and to people who open an old link.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type {
	DeletedRecording,
	ListDeletedQuery,
	RestoreDeleted,
	Restored,
} from "@tapedeck/contract/deleted-recording.ts";
import { LEASED_STATUSES } from "@tapedeck/contract/job-status.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import type { DeletionReason } from "@tapedeck/contract/recording-kinds.ts";
import { DEFAULT_RETENTION } from "@tapedeck/contract/retention.ts";
import { type ExpressionBuilder, type NotNull, sql } from "kysely";
import { auditAll } from "#lib/audit/write-audit.ts";
import { type Context, creatorOf, inTransaction } from "#lib/core/context.ts";
import { readSortedCursor, sortedPageFrom } from "#lib/core/cursor.ts";
import { notFound, TapedeckError } from "#lib/core/errors.ts";
import { roundedSeconds, timestamp } from "#lib/core/times.ts";
import type { Tables } from "#lib/db/schema.ts";
import { addJobEvent, publishJob } from "#lib/lifecycle/job-store.ts";
import { readLabels } from "#lib/lifecycle/labels.ts";
import { deletionOf, findRecording, publishRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";
import type { RecordingContext } from "./recording-context.ts";
import { recordingView } from "./recording-view.ts";
import { discardObjects } from "./store/object-ledger.ts";
import { deleteTracks } from "./tracks/track-store.ts";

const HOUR_MS = 3_600_000;
/** Retention spares restored recordings for this time, so that a person can change the policy or pin them. */
const RESTORED_KEPT_MS = 7 * 24 * HOUR_MS;
/** Limits of one call that restores many: in total, and per transaction. Other callers get their turn in between. */
const MOST_RESTORED = 200;
const RESTORE_STEP = 20;
const RESTORE_PAUSE_MS = 20;
/** At once, for one call that waits. */
const MOST_FREED = 1_000;

/**
 * `DELETE /v1/recordings/{id}`: moves it to the trash. Without a trash, deletes it with its files.
 * @throws not_found; conflict while it is still being uploaded.
 */
export async function deleteRecording(ctx: RecordingContext, recordingId: number): Promise<void> {
	await findRecording(ctx, recordingId);
	if ((await deleteRecordings(ctx, [recordingId], "request")).length > 0) return;
	// Another call may have deleted it since.
	await findRecording(ctx, recordingId);
	throw new TapedeckError("conflict", "This recording is still in progress. Cancel its job or its upload first.");
}

/**
 * Deletes recordings of the actor's organization in one transaction, except those that are still being uploaded or whose
 * runner has resumed the job. For a few at a time: meanwhile nothing else is written. Retention spares those that were
 * pinned meanwhile. A recording whose test passed had its time before, so its files go at once.
 * @returns the ids of those that were deleted.
 */
export async function deleteRecordings(
	ctx: RecordingContext,
	recordingIds: readonly number[],
	reason: DeletionReason,
): Promise<number[]> {
	const now = ctx.clock.now();
	const purgeAt = now + (reason === "passed" ? 0 : await trashMs(ctx));
	const { deleted, jobs } = await inTransaction(ctx, async (ctx) => {
		const isDeletable = deletableOf(ctx, recordingIds, reason);
		const itsJobs = ctx.db
			.selectFrom("recording")
			.select("jobId")
			.where("jobId", "is not", null)
			.where(isDeletable)
			.$narrowType<{ jobId: NotNull }>();
		// Written even if nothing changes: a job cannot be resumed before the transaction ends.
		const jobs = await ctx.db
			.updateTable("job")
			.set({ recordingDeletedAt: now })
			.where("id", "in", itsJobs)
			.where("status", "not in", LEASED_STATUSES)
			.returning(["id", "organizationId", "runnerId"])
			.execute();
		const over = jobs.map(({ id }) => id);
		const deleted = await ctx.db
			.updateTable("recording")
			.set({ deletedAt: now, purgeAt, deletedBy: creatorOf(ctx)?.name ?? null, deletedFor: reason })
			.where(isDeletable)
			.where((where) =>
				where.or([where("jobId", "is", null), ...(over.length > 0 ? [where("jobId", "in", over)] : [])]),
			)
			.returning(["id", "organizationId", "jobId", "name"])
			.execute();
		await noteDeletions(ctx, deleted, purgeAt);
		await auditAll(
			ctx,
			deleted.map(({ id, name }) => ({
				action: "recording.deleted",
				target: { kind: "recording", id, name },
				...(reason === "request" ? {} : { detail: { reason } }),
			})),
		);
		return { deleted, jobs };
	});
	const ids = deleted.map(({ id }) => id);
	if (purgeAt <= now) await purgeRecordings(ctx, ids);
	for (const row of deleted) await publishRecording(ctx, row, { deleted: true });
	for (const job of jobs) publishJob(ctx, job);
	return ids;
}

const deletableOf =
	(ctx: Context, recordingIds: readonly number[], reason: DeletionReason) =>
	(where: ExpressionBuilder<Tables, "recording">) =>
		where.and([
			where("id", "in", recordingIds),
			where("organizationId", "=", ctx.actor.organizationId),
			where("state", "!=", "live"),
			where("deletedAt", "is", null),
			...(reason === "request" ? [] : [where("pinned", "=", 0), isNotSpared(ctx.clock.now())]),
			// A user may have kept it.
			...(reason === "passed" ? [where("deleteAt", "<=", ctx.clock.now())] : []),
		]);

/** Adds to the history of each job that its recording was deleted. */
async function noteDeletions(
	ctx: Context,
	deleted: readonly Pick<RecordingRow, "id" | "jobId">[],
	purgeAt: number,
): Promise<void> {
	const now = ctx.clock.now();
	const by = creatorOf(ctx)?.name ?? "retention";
	const until = purgeAt > now ? ` It can be restored until ${timestamp(purgeAt)}.` : "";
	const events = deleted.flatMap(({ id, jobId }) =>
		jobId === null
			? []
			: {
					jobId,
					type: "recording_deleted",
					at: now,
					message: `The recording was deleted by ${by}.${until}`,
					data: JSON.stringify({ recordingId: id }),
					runnerSeq: null,
				},
	);
	if (events.length > 0) await ctx.db.insertInto("jobEvent").values(events).execute();
}

async function trashMs(ctx: Context): Promise<number> {
	const row = await ctx.db
		.selectFrom("retention")
		.select("trashHours")
		.where("organizationId", "=", ctx.actor.organizationId)
		.executeTakeFirst();
	return (row?.trashHours ?? DEFAULT_RETENTION.trashHours) * HOUR_MS;
}

/**
 * Deletes the files of recordings that are in the trash. They cannot be restored any more.
 * @param ctx any actor: what is in the trash was deleted by a user who may.
 * @returns the ids of those whose files went.
 */
export async function purgeRecordings(ctx: RecordingContext, recordingIds: readonly number[]): Promise<number[]> {
	if (recordingIds.length === 0) return [];
	const purged = await inTransaction(ctx, async (ctx) => {
		const trashed = ctx.db.updateTable("recording").where("id", "in", recordingIds).where("purgeAt", "is not", null);
		// Locked first, for what it refers to; the next statement no longer knows that.
		const rows = await trashed
			.set((row) => ({ purgeAt: row.ref("purgeAt") }))
			.returning(["id", "jobId", "uploadId", "objectKey"])
			.execute();
		const uploadIds = rows.map(({ uploadId }) => uploadId);
		if (rows.length === 0) return rows;
		await ctx.db
			.updateTable("recording")
			.set({ purgeAt: null, bytes: 0, downloadBytes: null, objectKey: null, objectHeaderBytes: null })
			.where(
				"id",
				"in",
				rows.map(({ id }) => id),
			)
			.execute();
		await deleteTracks(
			ctx,
			rows.map(({ jobId }) => jobId),
		);
		await discardObjects(
			ctx,
			uploadIds,
			rows.map(({ objectKey }) => objectKey),
		);
		await ctx.leases.markDeleted(ctx, uploadIds);
		return rows;
	});
	// If the process crashes here, the sweep deletes the files.
	for (const { uploadId } of purged) await ctx.videoFiles.remove(uploadId);
	return purged.map(({ id }) => id);
}

/**
 * Makes space for new files of the actor's organization: deletes files from its trash, the first deleted first, if that
 * is enough.
 * @returns whether it was.
 */
export async function freeTrash(ctx: RecordingContext, bytes: number): Promise<boolean> {
	const trash = await ctx.db
		.selectFrom("recording")
		.select(["id", "bytes"])
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("purgeAt", "is not", null)
		.orderBy("purgeAt")
		.orderBy("id")
		.limit(MOST_FREED)
		.execute();
	let left = bytes;
	const enough: number[] = [];
	for (const recording of trash) {
		if (left <= 0) break;
		enough.push(recording.id);
		left -= recording.bytes;
	}
	if (left > 0) return false;
	const recordingIds = await purgeRecordings(ctx, enough);
	if (recordingIds.length > 0)
		ctx.log.info({ recordingIds }, "the files of deleted recordings were removed: an upload needs their space");
	return true;
}

/** Condition on a row of `recording`: it has no files any more. */
export const isPurged = sql<boolean>`(recording."deletedAt" is not null and recording."purgeAt" is null)`;

/**
 * Deletes the row of an upload of which nothing can be played, with its files, unless its runner has resumed the job. It
 * may upload it again.
 * @param ctx any actor.
 */
export async function forgetRecording(ctx: RecordingContext, recordingId: number): Promise<void> {
	const row = await inTransaction(ctx, async (ctx) => {
		const row = await ctx.db
			.deleteFrom("recording")
			.where("id", "=", recordingId)
			.where("state", "!=", "live")
			.where(({ not, exists, selectFrom }) =>
				not(
					exists(
						selectFrom("job")
							.select("id")
							.whereRef("job.id", "=", "recording.jobId")
							.where("status", "in", LEASED_STATUSES),
					),
				),
			)
			.returning(["id", "organizationId", "jobId", "uploadId", "objectKey"])
			.executeTakeFirst();
		if (row === undefined) return undefined;
		await discardObjects(ctx, [row.uploadId], [row.objectKey]);
		await ctx.leases.markDeleted(ctx, [row.uploadId]);
		return row;
	});
	if (row === undefined) return;
	await ctx.videoFiles.remove(row.uploadId);
	await publishRecording(ctx, row, { deleted: true, withJob: true });
}

/** Condition on a row of `recording`: it was not restored so recently that retention spares it. */
export const isNotSpared = (now: number) => sql<boolean>`("keptUntil" is null or "keptUntil" <= ${now})`;

/**
 * `POST /v1/deleted-recordings/{id}/restore`. Retention spares it for a week, or it would delete it again at once.
 * Restoring what is not deleted changes nothing.
 * @throws not_found; conflict if its video is gone.
 */
export async function restoreRecording(ctx: RecordingContext, recordingId: number): Promise<Recording> {
	const [row] = await restoreRecordings(ctx, [recordingId], ctx.clock.now() + RESTORED_KEPT_MS);
	if (row !== undefined) return recordingView(ctx, row);
	const deleted = await findDeleted(ctx, recordingId);
	if (deleted === undefined) return recordingView(ctx, await findRecording(ctx, recordingId));
	throw new TapedeckError("conflict", "This recording can no longer be restored: its video has been removed.");
}

/**
 * `POST /v1/deleted-recordings/restore`: restores what matches, the last deleted first, in steps.
 * @param signal ends it between two steps.
 */
export async function restoreDeleted(
	ctx: RecordingContext,
	asked: RestoreDeleted,
	signal: AbortSignal,
): Promise<Restored> {
	const keptUntil = ctx.clock.now() + RESTORED_KEPT_MS;
	const rows = await deletedRecordings(ctx, { ...asked, restorable: "1" })
		.select("id")
		.orderBy("deletedAt", "desc")
		.orderBy("id", "desc")
		.limit(MOST_RESTORED + 1)
		.execute();
	const ids = rows.slice(0, MOST_RESTORED).map(({ id }) => id);
	let restored = 0;
	for (let from = 0; from < ids.length && !signal.aborted; from += RESTORE_STEP) {
		if (from > 0) await sleep(RESTORE_PAUSE_MS);
		restored += (await restoreRecordings(ctx, ids.slice(from, from + RESTORE_STEP), keptUntil)).length;
	}
	return { restored, keptUntil: timestamp(keptUntil), hasMore: rows.length > MOST_RESTORED };
}

/** Restores those of the actor's organization that are in the trash, in one transaction. @returns their rows. */
async function restoreRecordings(
	ctx: RecordingContext,
	recordingIds: readonly number[],
	keptUntil: number,
): Promise<RecordingRow[]> {
	const rows = await inTransaction(ctx, async (ctx) => {
		const rows = await ctx.db
			.updateTable("recording")
			.set({ deletedAt: null, purgeAt: null, deletedBy: null, deletedFor: null, deleteAt: null, keptUntil })
			.where("id", "in", recordingIds)
			.where("organizationId", "=", ctx.actor.organizationId)
			.where("purgeAt", "is not", null)
			.returningAll()
			.execute();
		for (const { jobId } of rows) if (jobId !== null) await restoreJob(ctx, jobId);
		await auditAll(
			ctx,
			rows.map(({ id, name }) => ({ action: "recording.restored", target: { kind: "recording", id, name } })),
		);
		return rows;
	});
	for (const row of rows) await publishRecording(ctx, row, { withJob: true });
	return rows;
}

async function restoreJob(ctx: Context, jobId: number): Promise<void> {
	await ctx.db.updateTable("job").set({ recordingDeletedAt: null }).where("id", "=", jobId).execute();
	const by = creatorOf(ctx)?.name;
	const message = `The recording was restored${by === undefined ? "" : ` by ${by}`}.`;
	await addJobEvent(ctx, jobId, { type: "recording_restored", message });
}

/** `GET /v1/deleted-recordings/{id}`. @throws not_found if it doesn't exist or is not deleted. */
export async function readDeleted(ctx: Context, recordingId: number): Promise<DeletedRecording> {
	const row = await findDeleted(ctx, recordingId);
	if (row === undefined) throw notFound("deleted recording");
	return deletedView(row);
}

/**
 * `DELETE /v1/deleted-recordings/{id}`: removes its video now. Idempotent.
 * @throws not_found as above.
 */
export async function purgeRecording(ctx: RecordingContext, recordingId: number): Promise<void> {
	const row = await findDeleted(ctx, recordingId);
	if (row === undefined) throw notFound("deleted recording");
	if ((await purgeRecordings(ctx, [recordingId])).length === 0) return;
	await auditAll(ctx, [{ action: "recording.purged", target: { kind: "recording", id: row.id, name: row.name } }]);
	await publishRecording(ctx, row, { deleted: true, withJob: true });
}

const SORTING = "deletedAt desc";

/**
 * `GET /v1/deleted-recordings`: the last deleted first.
 * @throws validation_failed at `cursor`
 */
export async function listDeleted(
	ctx: Context,
	{ limit, cursor, ...asked }: ListDeletedQuery,
): Promise<Page<DeletedRecording>> {
	const after = cursor === undefined ? null : readSortedCursor(cursor, SORTING);
	const rows = await deletedRecordings(ctx, asked)
		.selectAll()
		.$if(after !== null, (query) => query.where(sql<boolean>`("deletedAt", id) < (${after?.value}, ${after?.id})`))
		.orderBy("deletedAt", "desc")
		.orderBy("id", "desc")
		.limit(limit + 1)
		.execute();
	return sortedPageFrom(rows, {
		limit,
		sorting: SORTING,
		rankOf: ({ deletedAt }) => deletedAt ?? 0,
		view: deletedView,
	});
}

/** The actor's deleted recordings that match. */
const deletedRecordings = (
	ctx: Context,
	{ restorable, build, deletedAfter, deletedBefore, reason }: Omit<ListDeletedQuery, "limit" | "cursor">,
) =>
	ctx.db
		.selectFrom("recording")
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("deletedAt", "is not", null)
		.$if(restorable === "1", (query) => query.where("purgeAt", "is not", null))
		.$if(deletedAfter !== undefined, (query) => query.where("deletedAt", ">", deletedAfter ?? 0))
		.$if(deletedBefore !== undefined, (query) => query.where("deletedAt", "<", deletedBefore ?? 0))
		.$if(reason !== undefined, (query) => query.where("deletedFor", "in", reason ?? []))
		.$if(build !== undefined, (query) =>
			query.where("id", "in", (label) =>
				label
					.selectFrom("recordingLabel")
					.select("recordingId")
					.where("organizationId", "=", ctx.actor.organizationId)
					.where("key", "=", "build")
					.where("value", "=", build ?? ""),
			),
		);

function findDeleted(ctx: Context, recordingId: number): Promise<RecordingRow | undefined> {
	return ctx.db
		.selectFrom("recording")
		.selectAll()
		.where("id", "=", recordingId)
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("deletedAt", "is not", null)
		.executeTakeFirst();
}

const deletedView = (row: RecordingRow): DeletedRecording => ({
	id: row.id,
	organizationId: row.organizationId,
	jobId: row.jobId,
	runnerId: row.runnerId,
	name: row.name,
	state: row.state,
	durationSeconds: roundedSeconds(row.durationSeconds),
	bytes: row.bytes,
	createdAt: timestamp(row.createdAt),
	labels: readLabels(row),
	outcome: row.outcome,
	verdict: row.verdict,
	...deletionOf(row),
});
