/**
 * The room on the disk that the videos lie on. A reserve of it is kept free of videos, so that the database on the
 * same disk stays writable: jobs are created, cancelled and listed while uploads wait.
 */
import { statfs } from "node:fs/promises";
import type { Storage } from "../contract/storage.ts";
import type { Context } from "../core/context.ts";
import { TapedeckError } from "../core/errors.ts";

/** A reserve that was meant for a big disk must not take a small one as a whole. */
const MAX_RESERVE_SHARE = 0.1;
/** Once full, a disk counts as full until it has this much of the reserve more, and at least this: no to and fro. */
const MARGIN_SHARE = 1 / 16;
const MIN_MARGIN_BYTES = 2 ** 20;
/** The disk is asked again after this many bytes or this long, whichever is first. */
const ASK_EVERY_BYTES = 2 ** 20;
const ASK_EVERY_MS = 200;

type DiskContext = Pick<Context, "videosDir" | "diskReserveBytes">;

export class DiskRoom {
	readonly #dir: string;
	readonly #reserveBytes: number;
	#storage: Storage = { state: "ok", freeBytes: 0, totalBytes: 0, reserveBytes: 0 };
	#askedAt = Number.NEGATIVE_INFINITY;
	#takenSince = 0;

	constructor(dir: string, reserveBytes: number) {
		this.#dir = dir;
		this.#reserveBytes = reserveBytes;
	}

	/** Asks the disk. */
	async look(): Promise<Storage> {
		this.#takenSince = 0;
		const { bsize, blocks, bfree, bavail } = await statfs(this.#dir);
		// Only now: whoever comes while the disk is asked for the first time must not take the answer as known.
		this.#askedAt = performance.now();
		const freeBytes = bavail * bsize;
		const totalBytes = (blocks - bfree + bavail) * bsize;
		const reserveBytes = Math.min(this.#reserveBytes, Math.floor(totalBytes * MAX_RESERVE_SHARE));
		const wasFull = this.#storage.state === "full";
		const margin = Math.max(reserveBytes * MARGIN_SHARE, MIN_MARGIN_BYTES);
		const isFull = freeBytes <= reserveBytes || (wasFull && freeBytes < reserveBytes + margin);
		this.#storage = { state: isFull ? "full" : "ok", freeBytes, totalBytes, reserveBytes };
		return this.#storage;
	}

	/**
	 * To be called before `bytes` of video are written.
	 * @throws insufficient_storage when they would go into the reserve.
	 */
	async take(bytes: number): Promise<void> {
		this.#takenSince += bytes;
		if (this.#takenSince >= ASK_EVERY_BYTES || performance.now() - this.#askedAt >= ASK_EVERY_MS) await this.look();
		// Who refuses says so: otherwise uploads would wait in the last free bytes of a disk that counts as having room.
		if (this.#left() < bytes) this.#storage = { ...this.#storage, state: "full" };
		if (this.#storage.state === "full") throw diskFull();
	}

	/** @throws insufficient_storage when a file of `bytes` cannot be taken as a whole. */
	async assertFits(bytes: number): Promise<void> {
		await this.look();
		if (this.#storage.state === "full") throw diskFull();
		if (this.#left() >= bytes) return;
		throw new TapedeckError(
			"insufficient_storage",
			`The file has ${megabytes(bytes)}, and there is room for ${megabytes(this.#left())} on the dashboard's disk. ${REMEDY}`,
		);
	}

	#left(): number {
		return Math.max(0, this.#storage.freeBytes - this.#storage.reserveBytes);
	}
}

const REMEDY = "Delete recordings, or shorten their retention under Settings.";
const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;

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

/** `GET /v1/storage`. */
export const getStorage = (ctx: DiskContext): Promise<Storage> => roomOf(ctx).look();

/**
 * Makes the look at the disk that a timer does: whoever shows the state is told when it changes.
 * @returns a function whose context's actor is not looked at.
 */
export function storageWatch(): (ctx: Context) => Promise<void> {
	let told: Storage["state"] = "ok";
	return async (ctx) => {
		const storage = await getStorage(ctx);
		if (storage.state === told) return;
		const organizations = await ctx.db.selectFrom("organization").select("id").execute();
		told = storage.state;
		if (told === "full") ctx.log.warn(storage, "the disk is full: uploads wait until there is room");
		else ctx.log.info(storage, "the disk has room again: uploads go on");
		for (const { id } of organizations) ctx.facts.publish({ type: "storage", organizationId: id });
	};
}
