/** Retention by age and size: deletes the oldest recordings, never pinned or live ones. Jobs are kept. */
import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { audit } from "#lib/audit/write-audit.ts";
import { DEFAULT_RETENTION, type Retention, type RetentionPolicy } from "#lib/contract/organization.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { timestamp } from "#lib/core/times.ts";
import { discardRecordings } from "../delete-recording.ts";
import type { RecordingContext } from "../recording-context.ts";
import { countOverdue } from "./overdue.ts";
import {
	type DiskUse,
	type DueRecording,
	dueRecordings,
	type RetainedRecording,
	wantedDiskPercent,
} from "./retention-rules.ts";

const SHOWN_NEXT = 10;
/** Candidates per query. */
const CANDIDATES = 200;
/** Recordings per transaction, a few milliseconds of the event loop, and the pause for everyone else after it. */
const STEP = 20;
const PAUSE_MS = 20;

/** The policy of the actor's organization, its usage, and what is deleted next. */
export async function getRetention(ctx: RecordingContext): Promise<Retention> {
	const { organizationId } = ctx.actor;
	const policy = (await policies(ctx)).get(organizationId) ?? DEFAULT_RETENTION;
	const { bytes, count } = await stored(ctx, organizationId);
	const oldest = await candidates(ctx, [organizationId], CANDIDATES);
	const now = ctx.clock.now();
	const space = await diskSpace(ctx);
	// Of several dashboards each applies the limit to its own disk, which the others do not see.
	const isOnlyDisk = ctx.videoStore.fillsDisk && !ctx.leases.shared;
	const disk = isOnlyDisk ? { ...space, videoBytes: await videoBytesOn(ctx, space) } : null;
	const due = dueRecordings(oldest, { policy, disk, storedBytes: bytes, now });
	const isOverdue = due.some(({ deleteAt }) => deleteAt <= now);
	return {
		...policy,
		storedBytes: bytes,
		storedRecordings: count,
		diskPercent: Math.round(percent(space) * 10) / 10,
		overdueRecordings: isOverdue ? await countOverdue(ctx, policy, { bytes, count }) : 0,
		next: due.slice(0, SHOWN_NEXT).map(({ recording, deleteAt, reason }) => ({
			recordingId: recording.id,
			name: recording.name,
			bytes: recording.bytes,
			deleteAt: timestamp(deleteAt),
			reason,
		})),
	};
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
 * policy, so the next sweep goes on with it.
 * @param ctx any actor.
 * @param stopping ends the sweep between two steps.
 * @returns how many recordings were deleted.
 */
export async function sweepRetention(ctx: RecordingContext, stopping?: AbortSignal): Promise<number> {
	let deleted = 0;
	for (const organizationId of await storingOrganizations(ctx)) {
		deleted += await sweepOrganization({ ...ctx, actor: { kind: "system", organizationId } }, stopping);
	}
	return deleted;
}

/** Applies the limits on age and on the organization's own bytes. */
async function sweepOrganization(ctx: RecordingContext, stopping: AbortSignal | undefined): Promise<number> {
	const { organizationId } = ctx.actor;
	let deleted = await sweepPassed(ctx, stopping);
	for (;;) {
		// Read again each time: a sweep may take minutes, and someone may have seen that the policy deletes too much.
		const policy = (await policies(ctx)).get(organizationId) ?? DEFAULT_RETENTION;
		const { bytes } = await stored(ctx, organizationId);
		const oldest = await candidates(ctx, [organizationId], CANDIDATES);
		const now = ctx.clock.now();
		const due = dueRecordings(oldest, { policy, disk: null, storedBytes: bytes, now }).filter(
			({ deleteAt }) => deleteAt <= now,
		);
		let removed = 0;
		for (const [reason, some = []] of Map.groupBy(due, (one) => one.reason)) {
			const recordings = some.map(({ recording }) => recording);
			removed += (await discard(ctx, recordings, reason, stopping)).length;
		}
		deleted += removed;
		if (stopping?.aborted === true || removed === 0 || due.length < oldest.length) return deleted;
	}
}

/** Deletes recordings of tests that passed, whose grace time is over. */
async function sweepPassed(ctx: RecordingContext, stopping: AbortSignal | undefined): Promise<number> {
	let deleted = 0;
	for (;;) {
		const due = await ctx.db
			.selectFrom("recording")
			.select("id")
			.where("organizationId", "=", ctx.actor.organizationId)
			.where("deleteAt", "is not", null)
			.where("deleteAt", "<=", ctx.clock.now())
			.where(sql<boolean>`state <> 'live' and pinned = 0`)
			.orderBy("deleteAt")
			.orderBy("id")
			.limit(CANDIDATES)
			.execute();
		const removed = due.length === 0 ? 0 : (await discard(ctx, due, "passed", stopping)).length;
		deleted += removed;
		if (stopping?.aborted === true || removed === 0 || due.length < CANDIDATES) return deleted;
	}
}

/**
 * Applies the limit on the use of this dashboard's disk. Run by a timer. The organizations share the disk, so this
 * deletes the oldest recordings on it of all whose policy finds it too full. The usage is read once: a deleted file may
 * free its space late, for example while it is being read, and that must not cause further deletions.
 * @param ctx any actor.
 * @param stopping ends the sweep between two steps.
 * @returns how many recordings were deleted.
 */
export async function sweepDisk(ctx: RecordingContext, stopping?: AbortSignal): Promise<number> {
	if (!ctx.videoStore.fillsDisk) return 0;
	const space = await diskSpace(ctx);
	const organizations = await storingOrganizations(ctx);
	let known = await policies(ctx);
	const isOver = (organizationId: number, use: DiskUse) => {
		const wanted = wantedDiskPercent(known.get(organizationId) ?? DEFAULT_RETENTION, use);
		return wanted !== null && percent(use) > wanted;
	};
	// Summing up what is on the disk may take long, and other files only raise the limit.
	if (!organizations.some((id) => isOver(id, { ...space, videoBytes: space.usedBytes }))) return 0;
	let disk: DiskUse = { ...space, videoBytes: await videoBytesOn(ctx, space) };
	let deleted = 0;
	for (; ; known = await policies(ctx)) {
		const over = organizations.filter((id) => isOver(id, disk));
		if (over.length === 0 || stopping?.aborted === true) return deleted;
		const due: Candidate[] = [];
		let left = disk;
		for (const recording of await candidates(ctx, over, STEP, ctx.leases.filesAreHere)) {
			if (!isOver(recording.organizationId, left)) continue;
			due.push(recording);
			left = without(left, recording);
		}
		let removed = 0;
		for (const [organizationId, recordings = []] of Map.groupBy(due, (one) => one.organizationId)) {
			const system = { ...ctx, actor: { kind: "system", organizationId } } as const;
			for (const recording of await discard(system, recordings, "disk", stopping)) {
				disk = without(disk, recording);
				removed += 1;
			}
		}
		deleted += removed;
		if (removed === 0) return deleted;
	}
}

const without = (disk: DiskUse, { bytes }: Pick<Candidate, "bytes">): DiskUse => ({
	...disk,
	usedBytes: Math.max(0, disk.usedBytes - bytes),
	videoBytes: Math.max(0, disk.videoBytes - bytes),
});

/** Deletes these recordings of the actor's organization step by step. @returns those that were deleted. */
async function discard<R extends { id: number }>(
	ctx: RecordingContext,
	recordings: readonly R[],
	reason: DueRecording["reason"] | "passed",
	stopping: AbortSignal | undefined,
): Promise<R[]> {
	const removed: R[] = [];
	for (let from = 0; from < recordings.length; from += STEP) {
		if (stopping?.aborted === true) break;
		const step = recordings.slice(from, from + STEP);
		const recordingIds = await discardRecordings(
			ctx,
			step.map(({ id }) => id),
			{ keepPinned: true, ...(reason === "passed" ? { dueBy: ctx.clock.now() } : {}) },
		);
		if (recordingIds.length > 0) ctx.log.info({ recordingIds, reason }, "recordings deleted by retention");
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

async function policies(ctx: Context): Promise<Map<number, RetentionPolicy>> {
	const rows = await ctx.db.selectFrom("retention").selectAll().execute();
	return new Map(rows.map(({ organizationId, ...policy }) => [organizationId, policy]));
}

/** What an organization stores, from the sums that triggers maintain. */
async function stored(ctx: Context, organizationId: number): Promise<{ bytes: number; count: number }> {
	const row = await ctx.db
		.selectFrom("organizationUse")
		.select(["bytes", "recordings"])
		.where("organizationId", "=", organizationId)
		.executeTakeFirst();
	return { bytes: row?.bytes ?? 0, count: row?.recordings ?? 0 };
}

type Candidate = RetainedRecording & { organizationId: number };

/** The oldest recordings of these organizations that may be deleted, and fulfil the condition if there is one. */
async function candidates(
	ctx: Context,
	organizationIds: number[],
	limit: number,
	condition?: RawBuilder<boolean>,
): Promise<Candidate[]> {
	const each = organizationIds.map((organizationId) =>
		ctx.db
			.selectFrom("recording")
			.select(["id", "organizationId", "name", "bytes", "createdAt"])
			.where("organizationId", "=", organizationId)
			// Literally, as in the index of what may be deleted.
			.where(sql<boolean>`state <> 'live' and pinned = 0`)
			.$if(condition !== undefined, (rows) => rows.where(condition as RawBuilder<boolean>))
			.orderBy("createdAt")
			.orderBy("id")
			.limit(limit)
			.execute(),
	);
	const oldestFirst = (await Promise.all(each)).flat().sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
	return oldestFirst.slice(0, limit);
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
