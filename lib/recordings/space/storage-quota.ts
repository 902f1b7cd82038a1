/**
 * The storage quota of an organization, and the maximum file size. The database maintains the sum of stored bytes.
 * Uploads of a known length reserve it until they are complete; all others are counted as their bytes arrive.
 */
import { type RawBuilder, sql } from "kysely";
import { type Context, type Database, inTransaction, type Quotas, quotasOf } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { freeTrash } from "../deletion.ts";
import type { RecordingContext } from "../recording-context.ts";
import { formatBytes } from "./disk-space.ts";
import type { Usage } from "./storage-usage.ts";

/** Below this remainder, the quota counts as reached, because the next piece of a recording may not fit. */
const MAX_MARGIN_BYTES = 2 ** 20;
const MARGIN_SHARE = 1 / 16;
/** Interval of reading changes of other processes from the database. It is also read before bytes are refused. */
const READ_EVERY_MS = 1_000;
const ROW_WRITTEN_MS = 5_000;

type QuotaContext = Pick<RecordingContext, "db" | "quotas" | "storageUsage">;

/** Bytes that an organization's recordings use, including its uploads' reservations. */
export async function usedBytes(ctx: QuotaContext, organizationId: number): Promise<number> {
	const known = ctx.storageUsage.of(organizationId);
	await readUse(ctx, organizationId, known);
	return known.bytes;
}

/** @returns whether this usage leaves too little for the next piece of a recording. */
export function isUsedUp(ctx: Pick<RecordingContext, "quotas" | "actor">, used: number): boolean {
	const { organizationBytes } = quotasOf(ctx);
	return (
		organizationBytes > 0 && organizationBytes - used < Math.min(MAX_MARGIN_BYTES, organizationBytes * MARGIN_SHARE)
	);
}

/** Organizations that have reached their quota. */
export async function usedUpOrganizations(ctx: QuotaContext): Promise<Set<number>> {
	const { organizationBytes, byOrganization = new Map<number, Partial<Quotas>>() } = ctx.quotas;
	// A timer calls this every second, and most dashboards have no quota.
	if (![organizationBytes, ...[...byOrganization.values()].map((own) => own.organizationBytes)].some(Boolean))
		return new Set();
	const used = new Map<number, number>();
	for (const { organizationId, bytes } of [
		...(await ctx.db.selectFrom("organizationUse").selectAll().execute()),
		...(await reservedBytes(ctx.db).execute()),
	]) {
		used.set(organizationId, (used.get(organizationId) ?? 0) + Number(bytes));
	}
	const isFull = (organizationId: number, bytes: number) =>
		isUsedUp({ quotas: ctx.quotas, actor: { kind: "system", organizationId } }, bytes);
	return new Set([...used].filter(([id, bytes]) => isFull(id, bytes)).map(([id]) => id));
}

/** Call before something is stored that is not part of an upload, such as lines of a track. @throws quota_exceeded */
export async function assertQuotaLeft(ctx: RecordingContext): Promise<void> {
	const quota = quotasOf(ctx).organizationBytes;
	if (quota === 0) return;
	const { organizationId } = ctx.actor;
	const known = ctx.storageUsage.of(organizationId);
	if (performance.now() - known.readAt > READ_EVERY_MS || known.bytes >= quota)
		await readUse(ctx, organizationId, known);
	if (known.bytes < quota) return;
	ctx.measures?.quotaRefused();
	throw quotaReached(quota);
}

/** Call before a piece of an upload is written. @throws quota_exceeded */
type CountQuota = (piece: { /** The upload's length including it. */ end: number; bytes: number }) => Promise<void>;

/**
 * @param options.reserved whether the upload may have a reservation; then it is counted already.
 * @returns what counts the pieces of the actor's upload.
 */
export async function quotaCounter(
	ctx: RecordingContext,
	uploadId: string,
	{ reserved = true }: { reserved?: boolean } = {},
): Promise<CountQuota> {
	if (quotasOf(ctx).organizationBytes === 0) return async () => undefined;
	if (reserved && (await hasReservation(ctx, uploadId))) return async () => undefined;
	return (piece) => countBytes(ctx, uploadId, piece);
}

async function hasReservation({ db }: Pick<Context, "db">, uploadId: string): Promise<boolean> {
	const held = db.selectFrom("heldRoom").select("uploadId").where("uploadId", "=", uploadId);
	return (await held.executeTakeFirst()) !== undefined;
}

async function countBytes(ctx: RecordingContext, uploadId: string, piece: Parameters<CountQuota>[0]): Promise<void> {
	const quota = quotasOf(ctx).organizationBytes;
	const { organizationId } = ctx.actor;
	const known = ctx.storageUsage.of(organizationId);
	known.ends.set(uploadId, { end: piece.end, at: performance.now() });
	known.bytes += piece.bytes;
	const age = performance.now() - known.readAt;
	if (age > READ_EVERY_MS || known.bytes > quota) await readUse(ctx, organizationId, known);
	if (known.bytes <= quota) return;
	if (await freeTrash(ctx, known.bytes - quota)) {
		await readUse(ctx, organizationId, known);
		if (known.bytes <= quota) return;
	}
	known.ends.set(uploadId, { end: piece.end - piece.bytes, at: performance.now() });
	known.bytes -= piece.bytes;
	ctx.measures?.quotaRefused();
	throw quotaReached(quota);
}

/**
 * Reserves the quota for a new upload's complete file, for which the trash makes space if need be. Concurrent calls are
 * serialized.
 * @throws quota_exceeded
 */
export async function reserveQuota(ctx: RecordingContext, uploadId: string, bytes: number): Promise<void> {
	const quota = quotasOf(ctx).organizationBytes;
	if (quota === 0) return;
	let left = await tryToReserve(ctx, uploadId, bytes, quota);
	if (left !== null && (await freeTrash(ctx, bytes - left))) left = await tryToReserve(ctx, uploadId, bytes, quota);
	if (left === null) return;
	ctx.measures?.quotaRefused();
	throw fileExceedsQuota(bytes, Math.max(0, left), quota);
}

/** @returns null if the bytes are reserved; otherwise how many are left. */
function tryToReserve(ctx: RecordingContext, uploadId: string, bytes: number, quota: number): Promise<number | null> {
	const { organizationId } = ctx.actor;
	const known = ctx.storageUsage.of(organizationId);
	return inTransaction(ctx, async (ctx) => {
		await ctx.db
			.insertInto("organizationUse")
			.values({ organizationId, bytes: 0 })
			.onConflict((conflict) =>
				conflict.column("organizationId").doUpdateSet((use) => ({ bytes: use.ref("organizationUse.bytes") })),
			)
			.execute();
		const left = quota - (await countUse(ctx.db, organizationId, known));
		if (bytes > left) return left;
		await ctx.db
			.insertInto("heldRoom")
			.values({ uploadId, organizationId, bytes, createdAt: ctx.clock.now() })
			.execute();
		return null;
	});
}

/** Releases an upload's reservation, when it ended or was removed. */
export async function releaseQuota(ctx: RecordingContext, uploadId: string): Promise<void> {
	ctx.storageUsage.of(ctx.actor.organizationId).ends.delete(uploadId);
	await ctx.db.deleteFrom("heldRoom").where("uploadId", "=", uploadId).execute();
}

/** Releases reservations of complete recordings, and of uploads without a byte begun before `before`. Run by a timer. */
export async function sweepQuotaReservations({ db }: Pick<Context, "db">, before: number): Promise<void> {
	const isRecorded = (where: RawBuilder<boolean>) =>
		sql<boolean>`exists (select 1 from recording where recording."uploadId" = "heldRoom"."uploadId" and ${where})`;
	await db.deleteFrom("heldRoom").where(isRecorded(sql`recording.state <> 'live'`)).execute();
	await db
		.deleteFrom("heldRoom")
		.where("createdAt", "<", before)
		.where(({ not }) => not(isRecorded(sql`1 = 1`)))
		.execute();
}

async function readUse(ctx: QuotaContext, organizationId: number, known: Usage): Promise<void> {
	known.bytes = await countUse(ctx.db, organizationId, known);
	known.readAt = performance.now();
}

/** Stored and reserved bytes, plus what has arrived since the rows of uploads in progress were written. */
async function countUse(db: Database, organizationId: number, { ends }: Usage): Promise<number> {
	// In one statement: a row that grew between two would count twice and refuse what fits.
	const rows = await db
		.selectFrom("organizationUse")
		.leftJoin("recording", (join) =>
			join
				.onRef("recording.organizationId", "=", "organizationUse.organizationId")
				.on("recording.uploadId", "in", ends.size === 0 ? [""] : [...ends.keys()]),
		)
		.select(["organizationUse.bytes as use", "recording.uploadId", "recording.bytes", "recording.state"])
		.where("organizationUse.organizationId", "=", organizationId)
		.execute();
	const held = await reservedBytes(db).where("heldRoom.organizationId", "=", organizationId).executeTakeFirst();
	const written = new Map<string, number>();
	for (const { uploadId, bytes, state } of rows) {
		if (uploadId === null) continue;
		if (state !== "live") ends.delete(uploadId);
		written.set(uploadId, bytes ?? 0);
	}
	let used = (rows[0]?.use ?? 0) + Number(held?.bytes ?? 0);
	for (const [uploadId, { end, at }] of ends) {
		// The row is written right after the first bytes: if it is missing for long, the recording was deleted.
		if (!written.has(uploadId) && performance.now() - at > ROW_WRITTEN_MS) ends.delete(uploadId);
		else used += Math.max(0, end - (written.get(uploadId) ?? 0));
	}
	return used;
}

/** Bytes still missing from uploads of a known length, by organization. */
const reservedBytes = (db: Database) =>
	db
		.selectFrom("heldRoom")
		.leftJoin("recording", "recording.uploadId", "heldRoom.uploadId")
		.select(({ fn, ref, val }) => [
			"heldRoom.organizationId",
			fn.sum<number | string>(sql`${ref("heldRoom.bytes")} - ${fn.coalesce("recording.bytes", val(0))}`).as("bytes"),
		])
		.where((where) => where.or([where("recording.id", "is", null), where("recording.state", "=", "live")]))
		.groupBy("heldRoom.organizationId");

export const isQuotaExceeded = (error: unknown): boolean => (error as { code?: unknown }).code === "quota_exceeded";

const REMEDY =
	"Delete recordings, or ask the operator of this dashboard to raise the limit (TAPEDECK_LIMIT_ORGANIZATION_GB).";

const quotaReached = (quota: number): TapedeckError =>
	new TapedeckError(
		"quota_exceeded",
		`Storage quota reached: your organization's recordings use all of its ${formatBytes(quota)}. ${REMEDY}`,
	);

const fileExceedsQuota = (bytes: number, left: number, quota: number): TapedeckError =>
	new TapedeckError(
		"quota_exceeded",
		`The file is ${formatBytes(bytes)}, and your organization has ${formatBytes(left)} left of its storage quota of ${formatBytes(quota)}. ${REMEDY}`,
	);

/** The maximum size of a file uploaded by users and keys; 0 for no limit. A runner's recording has no limit. */
export const maxUploadBytes = (ctx: Pick<Context, "actor" | "quotas">): number =>
	ctx.actor.kind === "runner" ? 0 : quotasOf(ctx).uploadBytes;

/** @throws payload_too_large */
export function assertFileSize(ctx: Pick<Context, "actor" | "quotas">, bytes: number): void {
	const most = maxUploadBytes(ctx);
	if (most > 0 && bytes > most) throw new TapedeckError("payload_too_large", tooLargeMessage(most));
}

/** The message for uploads by tus, also for more bytes than an upload announced. */
export const fileTooLargeMessage = (ctx: Pick<Context, "actor" | "quotas">) => {
	const most = maxUploadBytes(ctx);
	const announced = "Send no more bytes than Upload-Length declares.";
	return most === 0 ? announced : `${tooLargeMessage(most)} ${announced}`;
};

const tooLargeMessage = (most: number): string =>
	`Files can be at most ${formatBytes(most)}. Send a shorter or smaller video, or ask the operator of this dashboard to raise the limit (TAPEDECK_LIMIT_UPLOAD_MB).`;
