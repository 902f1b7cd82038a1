/**
 * Retention by age and size: moves recordings to the trash, never pinned or live ones, and deletes what has been there
 * long enough. Jobs are kept. Limits on bytes take the oldest first, and recordings of failed tests last.
 */
import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { DeletionReason } from "@tapedeck/contract/recording-kinds.ts";
import {
	DEFAULT_RETENTION,
	type Retention,
	type RetentionPolicy,
	type RetentionPreview,
} from "@tapedeck/contract/retention.ts";
import { type RawBuilder, sql } from "kysely";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { timestamp } from "#lib/core/times.ts";
import { showsFailure } from "#lib/lifecycle/recording-store.ts";
import { deleteRecordings, isNotSpared, purgeRecordings } from "../deletion.ts";
import type { RecordingContext } from "../recording-context.ts";
import { type ClockReading, clockJumpOf, watchClock } from "./clock-watch.ts";
import { countOverdue, DELETABLE, findOverdue } from "./overdue.ts";
import { bytesOverLimits, type DiskUse, dueRecordings, type RetainedRecording } from "./retention-rules.ts";
import { usedUpOrganizations } from "./storage-quota.ts";

const SHOWN_NEXT = 10;
/** Candidates per query. */
const CANDIDATES = 200;
/** Recordings per transaction, a few milliseconds of the event loop, and the pause for everyone else after it. */
const STEP = 20;
const PAUSE_MS = 20;

/** The policy of the actor's organization, its usage, and what is deleted next. */
export async function getRetention(caller: RecordingContext): Promise<Retention> {
	const clockJump = await clockJumpOf(caller);
	const ctx = asOf(caller, clockJump);
	const { organizationId } = ctx.actor;
	const policy = policyOf(ctx, await policies(ctx), organizationId);
	const { bytes, count } = await stored(ctx, organizationId);
	const trash = await inTrash(ctx, organizationId);
	const orders = await candidates(ctx, [organizationId], CANDIDATES);
	const now = ctx.clock.now();
	const space = await diskSpace(ctx);
	const over = bytesOverLimits(policy, {
		storedBytes: bytes,
		trashBytes: trash.bytes,
		disk: await ownDisk(ctx, space),
	});
	const due = dueRecordings(orders, { policy, over, now });
	const isOverdue = due.some(({ deleteAt }) => deleteAt <= now);
	return {
		...DEFAULT_RETENTION,
		...policy,
		storedBytes: bytes,
		storedRecordings: count,
		trashBytes: trash.bytes,
		trashRecordings: trash.count,
		diskPercent: Math.round(percent(space) * 10) / 10,
		clockJump,
		overdueRecordings: isOverdue ? await countOverdue(ctx, policy, over.size, count) : 0,
		next: due.slice(0, SHOWN_NEXT).map(({ recording, deleteAt, reason }) => ({
			recordingId: recording.id,
			name: recording.name,
			bytes: recording.bytes,
			deleteAt: timestamp(deleteAt),
			reason,
		})),
	};
}

/** `POST /v1/retention/preview`: what this policy would delete at once in the actor's organization. */
export async function previewRetention(caller: RecordingContext, policy: RetentionPolicy): Promise<RetentionPreview> {
	const ctx = asOf(caller, await clockJumpOf(caller));
	const { organizationId } = ctx.actor;
	const { bytes } = await stored(ctx, organizationId);
	const trash = await inTrash(ctx, organizationId);
	const disk = await ownDisk(ctx, await diskSpace(ctx));
	const over = bytesOverLimits(policy, { storedBytes: bytes, trashBytes: trash.bytes, disk });
	const { newest, ...overdue } = await findOverdue(ctx, policy, Math.max(over.size, over.disk));
	return {
		recordings: overdue.count,
		bytes: overdue.bytes,
		failed: overdue.failed,
		newest:
			newest === null
				? null
				: { recordingId: newest.id, name: newest.name, createdAt: timestamp(Number(newest.createdAt)) },
	};
}

/** After a jump of the clock, ages are those of the last time that was believed. */
const asOf = (ctx: RecordingContext, jump: Retention["clockJump"]): RecordingContext =>
	jump === null ? ctx : { ...ctx, clock: { now: () => Date.parse(jump.lastSeenAt) } };

/** Each of several dashboards applies the limit to its own disk, which the others cannot see: null then. */
async function ownDisk(ctx: RecordingContext, space: Omit<DiskUse, "videoBytes">): Promise<DiskUse | null> {
	const isOnlyDisk = ctx.videoStore.fillsDisk && !ctx.leases.shared;
	return isOnlyDisk ? { ...space, videoBytes: await videoBytesOn(ctx, space) } : null;
}

export async function setRetention(ctx: RecordingContext, policy: RetentionPolicy): Promise<Retention> {
	await inTransaction(ctx, async (ctx) => {
		await ctx.db
			.insertInto("retention")
			.values({ organizationId: ctx.actor.organizationId, ...policy })
			.onConflict((conflict) => conflict.column("organizationId").doUpdateSet(policy))
			.execute();
		await audit(ctx, { action: "retention.changed", detail: policy });
	});
	return getRetention(ctx);
}

/**
 * Applies the organizations' limits on age and bytes in small steps. Run by a timer. What a stop or a crash leaves is still beyond its
 * policy, so the next sweep continues with it.
 * @param ctx any actor.
 * @param stopping ends the sweep between two steps.
 * @returns how many recordings were deleted.
 */
export async function sweepRetention(ctx: RecordingContext, stopping?: AbortSignal): Promise<number> {
	let deleted = 0;
	// Once for all: the clock may jump while the sweep is at it.
	const clock = await watchClock(ctx);
	for (const organizationId of await storingOrganizations(ctx)) {
		deleted += await sweepOrganization(ctx, organizationId, clock, stopping);
	}
	return deleted;
}

/** Applies an organization's limits on age and on its own bytes; the former not while its clock is in doubt. */
async function sweepOrganization(
	anyone: RecordingContext,
	organizationId: number,
	clock: ClockReading,
	stopping: AbortSignal | undefined,
): Promise<number> {
	const ctx = { ...anyone, actor: { kind: "system", organizationId } } as const;
	const now = clock.doubtedBy.has(organizationId) ? null : clock.now;
	const share = await shareOf(ctx);
	let deleted = now === null ? 0 : await sweepPassed(ctx, now, share, stopping);
	for (;;) {
		// Read again each time: a sweep may take minutes, and someone may have seen that the policy deletes too much.
		const policy = policyOf(ctx, await policies(ctx), organizationId);
		const { bytes } = await stored(ctx, organizationId);
		const { bytes: trashBytes } = await inTrash(ctx, organizationId);
		const orders = await candidates({ ...ctx, clock: { now: () => clock.now } }, [organizationId], CANDIDATES);
		const over = bytesOverLimits(policy, { storedBytes: bytes, trashBytes, disk: null });
		const limits = now === null ? { ...policy, maxAgeDays: null } : policy;
		const at = now ?? 0;
		const due = dueRecordings(orders, { policy: limits, over, now: at }).filter(({ deleteAt }) => deleteAt <= at);
		let removed = 0;
		for (const [reason, some = []] of Map.groupBy(due, (one) => one.reason)) {
			const recordings = some.map(({ recording }) => recording);
			removed += (await discard(ctx, recordings, reason, share, stopping)).length;
		}
		deleted += removed;
		if (stopping?.aborted === true || removed === 0 || due.length < CANDIDATES) return deleted;
	}
}

/** Deletes recordings of tests that passed, whose grace time is over. */
async function sweepPassed(
	ctx: RecordingContext,
	now: number,
	share: Share,
	stopping: AbortSignal | undefined,
): Promise<number> {
	let deleted = 0;
	for (;;) {
		const due = await ctx.db
			.selectFrom("recording")
			.select("id")
			.where("organizationId", "=", ctx.actor.organizationId)
			.where("deleteAt", "is not", null)
			.where("deleteAt", "<=", now)
			.where(DELETABLE)
			.orderBy("deleteAt")
			.orderBy("id")
			.limit(CANDIDATES)
			.execute();
		const removed = due.length === 0 ? 0 : (await discard(ctx, due, "passed", share, stopping)).length;
		deleted += removed;
		if (stopping?.aborted === true || removed === 0 || due.length < CANDIDATES) return deleted;
	}
}

/**
 * Applies the limit on the use of this dashboard's disk. Run by a timer. The organizations share the disk, so this
 * deletes recordings on it of all whose policy finds it too full. The usage is read once: what is deleted frees its space
 * later, and that must not cause further deletions.
 * @param ctx any actor.
 * @param stopping ends the sweep between two steps.
 * @returns how many recordings were deleted.
 */
export async function sweepDisk(ctx: RecordingContext, stopping?: AbortSignal): Promise<number> {
	if (!ctx.videoStore.fillsDisk) return 0;
	const space = await diskSpace(ctx);
	const organizations = await storingOrganizations(ctx);
	let known = await policies(ctx);
	const trashBytes = await trashHere(ctx);
	const isOver = (organizationId: number, use: DiskUse) => {
		const policy = policyOf(ctx, known, organizationId);
		return bytesOverLimits(policy, { storedBytes: 0, trashBytes, disk: use }).disk > 0;
	};
	// Summing up what is on the disk may take long, and other files only raise the limit.
	if (!organizations.some((id) => isOver(id, { ...space, videoBytes: space.usedBytes }))) return 0;
	let disk: DiskUse = { ...space, videoBytes: await videoBytesOn(ctx, space) };
	let deleted = 0;
	const shares = new Map<number, Share>();
	for (; ; known = await policies(ctx)) {
		const over = organizations.filter((id) => isOver(id, disk));
		if (over.length === 0 || stopping?.aborted === true) return deleted;
		const due: Candidate[] = [];
		let left = disk;
		for (const recording of (await candidates(ctx, over, STEP, ctx.leases.filesAreHere)).expendableFirst) {
			if (!isOver(recording.organizationId, left)) continue;
			due.push(recording);
			left = without(left, recording);
		}
		let removed = 0;
		for (const [organizationId, recordings = []] of Map.groupBy(due, (one) => one.organizationId)) {
			const system = { ...ctx, actor: { kind: "system", organizationId } } as const;
			const share = shares.get(organizationId) ?? (await shareOf(system));
			shares.set(organizationId, share);
			for (const recording of await discard(system, recordings, "disk", share, stopping)) {
				disk = without(disk, recording);
				removed += 1;
			}
		}
		deleted += removed;
		if (removed === 0) return deleted;
	}
}

/** Above this share in use, the disk is nearly full. */
const NEARLY_FULL_PERCENT = 95;

/**
 * Deletes the files of what has been in the trash long enough; and earlier for organizations that have used up their
 * storage quota, whose uploads wait: first, their policy is applied. Run by a timer.
 * @param ctx any actor.
 * @param stopping ends the sweep between two steps.
 * @returns how many recordings lost their files.
 */
export async function sweepTrash(ctx: RecordingContext, stopping?: AbortSignal): Promise<number> {
	const clock = await watchClock(ctx);
	const { now, doubtedBy } = clock;
	const believe = doubtedBy.size === 0 ? sql`` : sql` and "organizationId" not in (${sql.join([...doubtedBy])})`;
	let purged = await purgeWhile(ctx, sql`"purgeAt" <= ${now}${believe}`, async () => true, stopping);
	for (const organizationId of await usedUpOrganizations(ctx)) {
		await sweepOrganization(ctx, organizationId, clock, stopping);
		const isUsedUp = async () => (await usedUpOrganizations(ctx)).has(organizationId);
		purged += await purgeWhile(ctx, sql`"organizationId" = ${organizationId}`, isUsedUp, stopping);
	}
	return purged;
}

/** The same while this dashboard's disk is nearly full, for what is on it. */
export async function emptyTrashOfFullDisk(ctx: RecordingContext, stopping?: AbortSignal): Promise<number> {
	if (!ctx.videoStore.fillsDisk) return 0;
	return purgeWhile(ctx, ctx.leases.filesAreHere, () => isNearlyFull(ctx), stopping);
}

/** Deletes files from the trash, the first deleted first. */
async function purgeWhile(
	ctx: RecordingContext,
	condition: RawBuilder<boolean>,
	isWanted: () => Promise<boolean>,
	stopping: AbortSignal | undefined,
): Promise<number> {
	let purged = 0;
	while (stopping?.aborted !== true && (await isWanted())) {
		const rows = await ctx.db
			.selectFrom("recording")
			.select("id")
			.where("purgeAt", "is not", null)
			.where(condition)
			.orderBy("purgeAt")
			.orderBy("id")
			.limit(STEP)
			.execute();
		const recordingIds = await purgeRecordings(
			ctx,
			rows.map(({ id }) => id),
		);
		if (recordingIds.length === 0) break;
		ctx.log.info({ recordingIds }, "the files of deleted recordings were removed");
		purged += recordingIds.length;
		await sleep(PAUSE_MS);
	}
	return purged;
}

/** Uploads are refused in the reserve, and a limit of retention may be above what is usually nearly full. */
async function isNearlyFull(ctx: RecordingContext): Promise<boolean> {
	const { state, freeBytes, reserveBytes } = await ctx.diskSpace.poll();
	return state === "full" || freeBytes < 2 * reserveBytes || percent(await diskSpace(ctx)) > NEARLY_FULL_PERCENT;
}

const without = (disk: DiskUse, { bytes }: Pick<Candidate, "bytes">): DiskUse => ({
	...disk,
	usedBytes: Math.max(0, disk.usedBytes - bytes),
	videoBytes: Math.max(0, disk.videoBytes - bytes),
});

/** If a sweep deletes a larger share of an organization's recordings, the log and the audit log say so. */
const NOTABLE_SHARE = 0.1;
const LEAST_NOTABLE = 5;

/** The recordings of an organization that a sweep has deleted. */
interface Share {
	/** At its beginning. */
	recordings: number;
	notable: number;
	deleted: number;
	isNoted: boolean;
}

async function shareOf(ctx: RecordingContext): Promise<Share> {
	const { count: recordings } = await stored(ctx, ctx.actor.organizationId);
	const notable = Math.max(LEAST_NOTABLE, Math.ceil(recordings * NOTABLE_SHARE));
	return { recordings, notable, deleted: 0, isNoted: false };
}

/** Before the sweep deletes more. */
async function noteShare(ctx: RecordingContext, share: Share, more: number, reason: DeletionReason): Promise<void> {
	if (share.isNoted || share.deleted + more <= share.notable) return;
	share.isNoted = true;
	const detail = { reason, deleted: `more than ${share.notable}`, of: share.recordings };
	await audit(ctx, { action: "retention.many_deleted", detail });
	ctx.log.warn(
		{ organizationId: ctx.actor.organizationId, ...detail },
		"retention is deleting a large share of an organization's recordings",
	);
}

/** Deletes these recordings of the actor's organization step by step. @returns those that were deleted. */
async function discard<R extends { id: number }>(
	ctx: RecordingContext,
	recordings: readonly R[],
	reason: Exclude<DeletionReason, "request">,
	share: Share,
	stopping: AbortSignal | undefined,
): Promise<R[]> {
	const removed: R[] = [];
	for (let from = 0; from < recordings.length; from += STEP) {
		if (stopping?.aborted === true) break;
		const step = recordings.slice(from, from + STEP);
		await noteShare(ctx, share, step.length, reason);
		const recordingIds = await deleteRecordings(
			ctx,
			step.map(({ id }) => id),
			reason,
		);
		if (recordingIds.length > 0) ctx.log.info({ recordingIds, reason }, "recordings deleted by retention");
		share.deleted += recordingIds.length;
		removed.push(...step.filter(({ id }) => recordingIds.includes(id)));
		await sleep(PAUSE_MS);
	}
	return removed;
}

/** The ids of the organizations that have recordings. */
async function storingOrganizations(ctx: Context): Promise<number[]> {
	const rows = await ctx.db
		.selectFrom("organizationUse")
		.select("organizationId")
		.where("recordings", ">", 0)
		.execute();
	return rows.map(({ organizationId }) => organizationId);
}

/** The organization's policy, or the default. */
const policyOf = (
	{ defaultRetention = DEFAULT_RETENTION }: Pick<Context, "defaultRetention">,
	known: ReadonlyMap<number, RetentionPolicy>,
	organizationId: number,
): RetentionPolicy => known.get(organizationId) ?? defaultRetention;

async function policies(ctx: Context): Promise<Map<number, RetentionPolicy>> {
	const rows = await ctx.db.selectFrom("retention").selectAll().execute();
	return new Map(rows.map(({ organizationId, ...policy }) => [organizationId, policy]));
}

/** An organization's stored bytes and recordings, from the sums that triggers maintain. */
async function stored(ctx: Context, organizationId: number): Promise<{ bytes: number; count: number }> {
	const row = await ctx.db
		.selectFrom("organizationUse")
		.select(["bytes", "recordings"])
		.where("organizationId", "=", organizationId)
		.executeTakeFirst();
	return { bytes: row?.bytes ?? 0, count: row?.recordings ?? 0 };
}

/** The size of an organization's trash. */
async function inTrash(ctx: RecordingContext, organizationId: number): Promise<{ bytes: number; count: number }> {
	const row = await ctx.reads
		.selectFrom("recording")
		.select(({ fn }) => [fn.sum<number | null>("bytes").as("bytes"), fn.countAll<number>().as("count")])
		.where("purgeAt", "is not", null)
		.where("organizationId", "=", organizationId)
		.executeTakeFirstOrThrow();
	return { bytes: Number(row.bytes ?? 0), count: Number(row.count) };
}

/** The bytes of all organizations' trash on this dashboard's disk. */
async function trashHere(ctx: RecordingContext): Promise<number> {
	const row = await ctx.reads
		.selectFrom("recording")
		.select(({ fn }) => fn.sum<number | null>("bytes").as("bytes"))
		.where("purgeAt", "is not", null)
		.where(ctx.leases.filesAreHere)
		.executeTakeFirstOrThrow();
	return Number(row.bytes ?? 0);
}

type Candidate = RetainedRecording & { organizationId: number; failed: number };

/** The first recordings of these organizations that may be deleted, and fulfil the condition if there is one. */
async function candidates(
	ctx: Context,
	organizationIds: number[],
	limit: number,
	condition?: RawBuilder<boolean>,
): Promise<Record<"oldestFirst" | "expendableFirst", Candidate[]>> {
	const inOrder = async (isBy: "age" | "use", compare: (a: Candidate, b: Candidate) => number) => {
		const each = organizationIds.map((organizationId) =>
			ctx.db
				.selectFrom("recording")
				.select(["id", "organizationId", "name", "bytes", "createdAt", showsFailure.as("failed")])
				.where("organizationId", "=", organizationId)
				.where(DELETABLE)
				.where(isNotSpared(ctx.clock.now()))
				.$if(condition !== undefined, (rows) => rows.where(condition as RawBuilder<boolean>))
				.$if(isBy === "use", (rows) => rows.orderBy(showsFailure))
				.orderBy("createdAt")
				.orderBy("id")
				.limit(limit)
				.execute(),
		);
		return (await Promise.all(each)).flat().sort(compare).slice(0, limit);
	};
	const byAge = (a: Candidate, b: Candidate) => a.createdAt - b.createdAt || a.id - b.id;
	return {
		oldestFirst: await inOrder("age", byAge),
		expendableFirst: await inOrder("use", (a, b) => a.failed - b.failed || byAge(a, b)),
	};
}

const percent = ({ usedBytes, totalBytes }: Omit<DiskUse, "videoBytes">): number => (usedBytes / totalBytes) * 100;

/** The usage of the videos' disk as df reports it. */
async function diskSpace(ctx: RecordingContext): Promise<Omit<DiskUse, "videoBytes">> {
	const { bsize, blocks, bfree, bavail } = await statfs(ctx.videoFiles.dir);
	const usedBytes = (blocks - bfree) * bsize;
	return { usedBytes, totalBytes: usedBytes + bavail * bsize };
}

/** The recordings' share of what is used. With one process from the sums that triggers maintain. */
async function videoBytesOn(ctx: RecordingContext, { usedBytes }: Pick<DiskUse, "usedBytes">): Promise<number> {
	const sum = sql<number | null>`sum(bytes)`.as("bytes");
	const query = ctx.leases.shared
		? ctx.reads.selectFrom("recording").select(sum).where(ctx.leases.filesAreHere)
		: ctx.reads.selectFrom("organizationUse").select(sum);
	const { bytes } = await query.executeTakeFirstOrThrow();
	return Math.min(usedBytes, Number(bytes ?? 0));
}
