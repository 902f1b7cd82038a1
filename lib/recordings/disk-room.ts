/**
 * The room on the disk that the videos lie on. A reserve of it is kept free of videos, so that the database on the
 * same disk stays writable: jobs are created, cancelled and listed while uploads wait.
 */
import { statfs } from "node:fs/promises";
import type { Storage, WaitsFor } from "../contract/storage.ts";
import type { Context } from "../core/context.ts";
import { TapedeckError } from "../core/errors.ts";
import { isUsedUp, usedBytes, usedUpOrganizations } from "./organization-room.ts";
import { shownBytes } from "./shown-bytes.ts";

/** A reserve that was meant for a big disk must not take a small one as a whole. */
const MAX_RESERVE_SHARE = 0.1;
/** Once full, a disk counts as full until it has this much of the reserve more, and at least this: no to and fro. */
const MARGIN_SHARE = 1 / 16;
const MIN_MARGIN_BYTES = 2 ** 20;
/** The disk is asked again after this many bytes or this long, whichever is first. */
const ASK_EVERY_BYTES = 2 ** 20;
const ASK_EVERY_MS = 200;

type DiskContext = Pick<Context, "videosDir" | "diskReserveBytes">;
export type Disk = { state: Storage["state"] } & Pick<Storage, "freeBytes" | "totalBytes" | "reserveBytes">;

export class DiskRoom {
	readonly #dir: string;
	readonly #reserveBytes: number;
	#disk: Disk = { state: "ok", freeBytes: 0, totalBytes: 0, reserveBytes: 0 };
	#askedAt = Number.NEGATIVE_INFINITY;
	#takenSince = 0;

	constructor(dir: string, reserveBytes: number) {
		this.#dir = dir;
		this.#reserveBytes = reserveBytes;
	}

	/** Asks the disk. */
	async look(): Promise<Disk> {
		this.#takenSince = 0;
		const { bsize, blocks, bfree, bavail } = await statfs(this.#dir);
		// Only now: whoever comes while the disk is asked for the first time must not take the answer as known.
		this.#askedAt = performance.now();
		const freeBytes = bavail * bsize;
		const totalBytes = (blocks - bfree + bavail) * bsize;
		const reserveBytes = Math.min(this.#reserveBytes, Math.floor(totalBytes * MAX_RESERVE_SHARE));
		const wasFull = this.#disk.state === "full";
		const margin = Math.max(reserveBytes * MARGIN_SHARE, MIN_MARGIN_BYTES);
		const isFull = freeBytes <= reserveBytes || (wasFull && freeBytes < reserveBytes + margin);
		this.#disk = { state: isFull ? "full" : "ok", freeBytes, totalBytes, reserveBytes };
		return this.#disk;
	}

	/**
	 * To be called before `bytes` of video are written.
	 * @throws insufficient_storage when they would go into the reserve.
	 */
	async take(bytes: number): Promise<void> {
		this.#takenSince += bytes;
		if (this.#takenSince >= ASK_EVERY_BYTES || performance.now() - this.#askedAt >= ASK_EVERY_MS) await this.look();
		// Who refuses says so: otherwise uploads would wait in the last free bytes of a disk that counts as having room.
		if (this.#left() < bytes) this.#disk = { ...this.#disk, state: "full" };
		if (this.#disk.state === "full") throw diskFull();
	}

	/** @throws insufficient_storage when a file of `bytes` cannot be taken as a whole. */
	async assertFits(bytes: number): Promise<void> {
		await this.look();
		if (this.#disk.state === "full") throw diskFull();
		if (this.#left() >= bytes) return;
		throw new TapedeckError(
			"insufficient_storage",
			`The file has ${shownBytes(bytes)}, and there is room for ${shownBytes(this.#left())} on the dashboard's disk. ${REMEDY}`,
		);
	}

	#left(): number {
		return Math.max(0, this.#disk.freeBytes - this.#disk.reserveBytes);
	}
}

const REMEDY = "Delete recordings, or shorten their retention under Settings.";

export const diskFull = (cause?: unknown): TapedeckError =>
	new TapedeckError("insufficient_storage", `There is no room left on the dashboard's disk. ${REMEDY}`, { cause });

export const isDiskFull = (error: unknown): boolean => {
	const { code } = error as { code?: unknown };
	return code === "insufficient_storage" || code === "ENOSPC" || code === "EDQUOT";
};

const slot = globalThis as typeof globalThis & { tapedeckDisks?: Map<string, DiskRoom> };

/** The room of a folder's disk: the same one for both doors of the process. */
export function roomOf(ctx: DiskContext): DiskRoom {
	slot.tapedeckDisks ??= new Map();
	const key = `${ctx.diskReserveBytes} ${ctx.videosDir}`;
	let room = slot.tapedeckDisks.get(key);
	if (room === undefined) {
		room = new DiskRoom(ctx.videosDir, ctx.diskReserveBytes);
		slot.tapedeckDisks.set(key, room);
	}
	return room;
}

/** `GET /v1/storage`: the disk, and what the actor's organization takes of it. */
export async function getStorage(ctx: Context): Promise<Storage> {
	const { state, ...disk } = await roomOf(ctx).look();
	const used = await usedBytes(ctx, ctx.actor.organizationId);
	const waitsFor = state === "full" ? "disk" : isUsedUp(ctx, used) ? "quota" : null;
	return {
		state: waitsFor === null ? "ok" : "full",
		waitsFor,
		...disk,
		usedBytes: used,
		quotaBytes: ctx.quotas.organizationBytes || null,
		maxUploadBytes: ctx.quotas.uploadBytes || null,
	};
}

/**
 * Makes the look at the disk that a timer does: whoever shows the state is told when it changes. What was told is what
 * the next look is compared with, not what made it worth telling: bytes may have come or gone between the two.
 * @returns a function whose context's actor is not looked at.
 */
export function storageWatch(): (ctx: Context) => Promise<void> {
	let disk: Disk["state"] = "ok";
	const told = new Map<number, WaitsFor>();
	const tell = async (ctx: Context, organizationId: number) => {
		const storage = await getStorage({ ...ctx, actor: { kind: "system", organizationId } });
		if (storage.waitsFor === "quota" && told.get(organizationId) !== "quota") {
			ctx.log.warn({ organizationId }, "an organization has used up its quota");
		}
		if (storage.waitsFor === null) told.delete(organizationId);
		else told.set(organizationId, storage.waitsFor);
		ctx.facts.publish({ type: "storage", organizationId, storage });
	};
	return async (ctx) => {
		const now = await roomOf(ctx).look();
		if (now.state !== disk) {
			if (now.state === "full") ctx.log.warn(now, "the disk is full: uploads wait until there is room");
			else ctx.log.info(now, "the disk has room again: uploads go on");
			for (const { id } of await ctx.db.selectFrom("organization").select("id").execute()) await tell(ctx, id);
			disk = now.state;
			return;
		}
		const usedUp = await usedUpOrganizations(ctx);
		for (const id of new Set([...told.keys(), ...usedUp])) {
			const waitsFor = disk === "full" ? "disk" : usedUp.has(id) ? "quota" : undefined;
			if (told.get(id) !== waitsFor) await tell(ctx, id);
		}
	};
}
