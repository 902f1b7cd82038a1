/**
 * The room that the recordings of one organization may take. The database keeps the sum of what is stored; uploads of
 * a length that is told beforehand hold theirs until they are whole, all others are counted while they come.
 */
import { sql } from "kysely";
import type { Context, Database, Quotas } from "../core/context.ts";
import { TapedeckError } from "../core/errors.ts";
import { inTransaction } from "../core/in-transaction.ts";
import { shownBytes } from "./shown-bytes.ts";

/** With less than that left it is full: the next piece of a recording may not fit. */
const MAX_MARGIN_BYTES = 2 ** 20;
const MARGIN_SHARE = 1 / 16;
/** The database is asked again after this long, for what others stored and deleted; and before bytes are refused. */
const ASK_EVERY_MS = 1_000;
const ROW_COMES_MS = 5_000;

type RoomContext = { db: Database; quotas: Quotas };
/** What this process knows: what everything takes, and where the uploads end that come piece by piece. */
type Known = { askedAt: number; bytes: number; ends: Map<string, { end: number; at: number }> };

const slot = globalThis as typeof globalThis & { tapedeckRooms?: WeakMap<Database, Map<number, Known>> };

function knownOf({ db }: RoomContext, organizationId: number): Known {
	slot.tapedeckRooms ??= new WeakMap();
	const rooms = slot.tapedeckRooms.get(db) ?? new Map<number, Known>();
	slot.tapedeckRooms.set(db, rooms);
	const known = rooms.get(organizationId) ?? { askedAt: Number.NEGATIVE_INFINITY, bytes: 0, ends: new Map() };
	rooms.set(organizationId, known);
	return known;
}

/** What an organization's recordings take, with what uploads under way hold. @returns bytes */
export async function usedBytes(ctx: RoomContext, organizationId: number): Promise<number> {
	const known = knownOf(ctx, organizationId);
	await ask(ctx, organizationId, known);
	return known.bytes;
}

/** @returns whether so many bytes leave no room for the next piece of a recording. */
export const isUsedUp = ({ quotas: { organizationBytes } }: Pick<RoomContext, "quotas">, used: number): boolean =>
	organizationBytes > 0 && organizationBytes - used < Math.min(MAX_MARGIN_BYTES, organizationBytes * MARGIN_SHARE);

/** Which organizations have no room left. */
export async function usedUpOrganizations(ctx: RoomContext): Promise<Set<number>> {
	if (ctx.quotas.organizationBytes === 0) return new Set();
	const used = new Map<number, number>();
	for (const { organizationId, bytes } of [
		...(await ctx.db.selectFrom("organizationUse").selectAll().execute()),
		...(await heldRooms(ctx.db).execute()),
	]) {
		used.set(organizationId, (used.get(organizationId) ?? 0) + Number(bytes));
	}
	return new Set([...used].filter(([, bytes]) => isUsedUp(ctx, bytes)).map(([organizationId]) => organizationId));
}

/** To be called before a piece of an upload is written. @throws quota_exceeded */
export type TakeRoom = (piece: { /** Where the upload ends with it. */ end: number; bytes: number }) => Promise<void>;

/** @returns what counts the pieces of an upload of the actor's; those of one that holds its room are counted already. */
export async function roomTaker(ctx: Context, uploadId: string): Promise<TakeRoom> {
	if (ctx.quotas.organizationBytes === 0 || (await holdsRoom(ctx, uploadId))) return async () => undefined;
	return (piece) => takeRoom(ctx, uploadId, piece);
}

async function holdsRoom({ db }: RoomContext, uploadId: string): Promise<boolean> {
	const held = db.selectFrom("heldRoom").select("uploadId").where("uploadId", "=", uploadId);
	return (await held.executeTakeFirst()) !== undefined;
}

async function takeRoom(ctx: Context, uploadId: string, piece: Parameters<TakeRoom>[0]): Promise<void> {
	const quota = ctx.quotas.organizationBytes;
	const { organizationId } = ctx.actor;
	const known = knownOf(ctx, organizationId);
	known.ends.set(uploadId, { end: piece.end, at: performance.now() });
	known.bytes += piece.bytes;
	const age = performance.now() - known.askedAt;
	if (age > ASK_EVERY_MS || known.bytes > quota) await ask(ctx, organizationId, known);
	if (known.bytes <= quota) return;
	known.ends.set(uploadId, { end: piece.end - piece.bytes, at: performance.now() });
	known.bytes -= piece.bytes;
	throw noRoomLeft(quota);
}

/**
 * Holds the room of a whole file for an upload that begins; uploads that begin at once are counted one after the other.
 * @throws quota_exceeded
 */
export async function holdRoom(ctx: Context, uploadId: string, bytes: number): Promise<void> {
	const quota = ctx.quotas.organizationBytes;
	if (quota === 0) return;
	const { organizationId } = ctx.actor;
	const known = knownOf(ctx, organizationId);
	await inTransaction(ctx, async (ctx) => {
		await ctx.db
			.insertInto("organizationUse")
			.values({ organizationId, bytes: 0 })
			.onConflict((conflict) =>
				conflict.column("organizationId").doUpdateSet((use) => ({ bytes: use.ref("organizationUse.bytes") })),
			)
			.execute();
		const left = quota - (await countUse(ctx.db, organizationId, known));
		if (bytes > left) throw noRoomFor(bytes, Math.max(0, left), quota);
		await ctx.db
			.insertInto("heldRoom")
			.values({ uploadId, organizationId, bytes, createdAt: ctx.clock.now() })
			.execute();
	});
}

/** An upload is over or was given up: what it held is free. */
export async function releaseRoom(ctx: Context, uploadId: string): Promise<void> {
	knownOf(ctx, ctx.actor.organizationId).ends.delete(uploadId);
	await ctx.db.deleteFrom("heldRoom").where("uploadId", "=", uploadId).execute();
}

/** Frees what whole recordings held, and uploads that never had a byte. For a timer. @param before when those began */
export async function sweepHeldRoom({ db }: Pick<Context, "db">, before: number): Promise<void> {
	const recorded = db.selectFrom("recording").select("uploadId");
	await db
		.deleteFrom("heldRoom")
		.where("uploadId", "in", recorded.where("state", "!=", "live"))
		.execute();
	await db.deleteFrom("heldRoom").where("createdAt", "<", before).where("uploadId", "not in", recorded).execute();
}

async function ask(ctx: RoomContext, organizationId: number, known: Known): Promise<void> {
	known.bytes = await countUse(ctx.db, organizationId, known);
	known.askedAt = performance.now();
}

/** What is stored and held, and what has come since the rows of uploads under way were written. */
async function countUse(db: Database, organizationId: number, { ends }: Known): Promise<number> {
	// In one statement: a row that grew between two would count twice, and refuse what fits.
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
	const held = await heldRooms(db).where("heldRoom.organizationId", "=", organizationId).executeTakeFirst();
	const written = new Map<string, number>();
	for (const { uploadId, bytes, state } of rows) {
		if (uploadId === null) continue;
		if (state !== "live") ends.delete(uploadId);
		written.set(uploadId, bytes ?? 0);
	}
	let used = (rows[0]?.use ?? 0) + Number(held?.bytes ?? 0);
	for (const [uploadId, { end, at }] of ends) {
		// The row follows the first bytes at once: one that does not come was deleted.
		if (!written.has(uploadId) && performance.now() - at > ROW_COMES_MS) ends.delete(uploadId);
		else used += Math.max(0, end - (written.get(uploadId) ?? 0));
	}
	return used;
}

/** What uploads of a known length are still to bring, by organization. */
const heldRooms = (db: Database) =>
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

const REMEDY = "Delete recordings, or ask who runs this dashboard for more (TAPEDECK_LIMIT_ORGANIZATION_GB).";

const noRoomLeft = (quota: number): TapedeckError =>
	new TapedeckError(
		"quota_exceeded",
		`Your organization's recordings take all of the ${shownBytes(quota)} that they may. ${REMEDY}`,
	);

const noRoomFor = (bytes: number, left: number, quota: number): TapedeckError =>
	new TapedeckError(
		"quota_exceeded",
		`The file has ${shownBytes(bytes)}, and your organization has room for ${shownBytes(left)} of the ${shownBytes(quota)} that its recordings may take. ${REMEDY}`,
	);
