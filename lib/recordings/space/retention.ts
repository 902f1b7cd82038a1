/** Retention by age and size: deletes the oldest recordings, never pinned or live ones. Jobs are kept. */
import { statfs } from "node:fs/promises";
import { sql } from "kysely";
import { audit } from "#lib/audit/write-audit.ts";
import { DEFAULT_RETENTION, type Retention, type RetentionPolicy } from "#lib/contract/organization.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { timestamp } from "#lib/core/times.ts";
import { discardRecording } from "../delete-recording.ts";
import type { RecordingContext } from "../recording-context.ts";
import { countOverdue } from "./overdue.ts";
import { DAY_MS, type DiskUse, type DueRecording, dueRecordings, wantedDiskPercent } from "./retention-rules.ts";

const SHOWN_NEXT = 10;

/** The policy of the actor's organization, its usage, and what is deleted next. */
export async function getRetention(ctx: RecordingContext): Promise<Retention> {
	const { organizationId } = ctx.actor;
	const policy = (await policies(ctx)).get(organizationId) ?? DEFAULT_RETENTION;
	const disk = await diskUse(ctx);
	const { bytes, count } = await stored(ctx, organizationId);
	const oldest = await candidates(ctx, [organizationId], 200);
	const now = ctx.clock.now();
	const due = dueRecordings(oldest, { policy, disk, storedBytes: bytes, now });
	const isOverdue = due.some(({ deleteAt }) => deleteAt <= now);
	return {
		...policy,
		storedBytes: bytes,
		storedRecordings: count,
		diskPercent: Math.round(percent(disk) * 10) / 10,
		overdueRecordings: isOverdue ? await countOverdue(ctx, beyond(policy, bytes, now)) : 0,
		next: due.slice(0, SHOWN_NEXT).map(({ recording, deleteAt, reason }) => ({
			recordingId: recording.id,
			name: recording.name,
			bytes: recording.bytes,
			deleteAt: timestamp(deleteAt),
			reason,
		})),
	};
}

/** What of a policy is exceeded now. */
const beyond = ({ maxAgeDays, maxBytes }: RetentionPolicy, storedBytes: number, now: number) => ({
	createdBy: maxAgeDays === null ? null : now - maxAgeDays * DAY_MS,
	bytes: maxBytes === null ? 0 : storedBytes - maxBytes,
});

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
 * Applies the organizations' policies, one recording after the other. Run by a timer. What a stop or a crash leaves is
 * still beyond its policy, so the next sweep goes on with it.
 * @param ctx any actor.
 * @param stopping ends the sweep between two recordings.
 * @returns how many recordings were deleted.
 */
export async function sweepRetention(ctx: RecordingContext, stopping?: AbortSignal): Promise<number> {
	const rows = await ctx.db
		.selectFrom("organizationUse")
		.select("organizationId")
		.where("recordings", ">", 0)
		.execute();
	const known = await policies(ctx);
	let deleted = 0;
	for (const { organizationId } of rows) {
		const policy = known.get(organizationId) ?? DEFAULT_RETENTION;
		deleted += await sweepOrganization({ ...ctx, actor: { kind: "system", organizationId } }, policy, stopping);
	}
	const organizations = rows.map((row) => row.organizationId);
	return deleted + (await sweepDisk(ctx, organizations, known, stopping));
}

/** Applies the limits on age and on the organization's own bytes. */
async function sweepOrganization(
	ctx: RecordingContext,
	policy: RetentionPolicy,
	stopping: AbortSignal | undefined,
): Promise<number> {
	const { organizationId } = ctx.actor;
	let deleted = 0;
	for (;;) {
		const { bytes } = await stored(ctx, organizationId);
		const oldest = await candidates(ctx, [organizationId], 200);
		const now = ctx.clock.now();
		const due = dueRecordings(oldest, { policy, disk: null, storedBytes: bytes, now }).filter(
			({ deleteAt }) => deleteAt <= now,
		);
		const removed = await discard(ctx, due, stopping);
		deleted += removed;
		if (stopping?.aborted === true || removed === 0 || due.length < oldest.length) return deleted;
	}
}

/**
 * Applies the disk limit. The organizations share the disk, so this deletes the oldest recordings of all whose policy
 * finds it too full. The usage is read once: a deleted file may free its space late, for example while it is being
 * read, and that must not cause further deletions.
 */
async function sweepDisk(
	ctx: RecordingContext,
	organizations: number[],
	known: Map<number, RetentionPolicy>,
	stopping: AbortSignal | undefined,
): Promise<number> {
	let disk = await diskUse(ctx);
	let deleted = 0;
	for (;;) {
		const full = organizations.filter((id) => {
			const wanted = wantedDiskPercent(known.get(id) ?? DEFAULT_RETENTION, disk);
			return wanted !== null && percent(disk) > wanted;
		});
		if (full.length === 0 || stopping?.aborted === true) return deleted;
		const [oldest] = await candidates(ctx, full, 1);
		if (oldest === undefined) return deleted;
		const system = { ...ctx, actor: { kind: "system", organizationId: oldest.organizationId } } as const;
		if (!(await discardRecording(system, oldest.id))) return deleted;
		ctx.log.info({ recordingId: oldest.id, diskPercent: percent(disk) }, "recording deleted: disk full");
		deleted += 1;
		disk = {
			...disk,
			usedBytes: Math.max(0, disk.usedBytes - oldest.bytes),
			videoBytes: Math.max(0, disk.videoBytes - oldest.bytes),
		};
	}
}

async function discard(
	ctx: RecordingContext,
	due: readonly DueRecording[],
	stopping: AbortSignal | undefined,
): Promise<number> {
	let removed = 0;
	for (const { recording, reason } of due) {
		if (stopping?.aborted === true) break;
		if (!(await discardRecording(ctx, recording.id))) continue;
		ctx.log.info({ recordingId: recording.id, reason }, "recording deleted by retention");
		removed += 1;
	}
	return removed;
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

/** The oldest recordings of these organizations that may be deleted. */
async function candidates(ctx: Context, organizationIds: number[], limit: number) {
	const each = organizationIds.map((organizationId) =>
		ctx.db
			.selectFrom("recording")
			.select(["id", "organizationId", "name", "bytes", "createdAt"])
			.where("organizationId", "=", organizationId)
			// Literally, as in the index of what may be deleted.
			.where(sql<boolean>`state <> 'live' and pinned = 0`)
			.orderBy("createdAt")
			.orderBy("id")
			.limit(limit)
			.execute(),
	);
	const oldestFirst = (await Promise.all(each)).flat().sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
	return oldestFirst.slice(0, limit);
}

const percent = (disk: DiskUse): number => (disk.usedBytes / disk.totalBytes) * 100;

/** The usage of the videos' disk as df reports it, and the recordings' share of it. */
async function diskUse(ctx: RecordingContext): Promise<DiskUse> {
	const { bsize, blocks, bfree, bavail } = await statfs(ctx.videoFiles.dir);
	const row = await ctx.db
		.selectFrom("organizationUse")
		.select(({ fn }) => fn.sum<number | null>("bytes").as("bytes"))
		.executeTakeFirstOrThrow();
	const usedBytes = (blocks - bfree) * bsize;
	return { usedBytes, totalBytes: usedBytes + bavail * bsize, videoBytes: Math.min(usedBytes, Number(row.bytes ?? 0)) };
}
