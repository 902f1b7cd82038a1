/**
 * Free space on the disk of the videos. Videos never use the reserve, so that the database on the same disk stays
 * writable: jobs can be created, cancelled and listed while uploads wait.
 */
import { statfs } from "node:fs/promises";
import type { Storage } from "@tapedeck/contract/storage.ts";
import { TapedeckError } from "#lib/core/errors.ts";

/** Caps the reserve on small disks. */
const MAX_RESERVE_SHARE = 0.1;
/** Hysteresis: once full, a disk counts as full until it has this share of the reserve more, with a minimum. */
const MARGIN_SHARE = 1 / 16;
const MIN_MARGIN_BYTES = 2 ** 20;
/** A disk with bytes left and no inodes takes no file either. The database needs some for its journal. */
const RESERVE_FILES = 100;
/** The free space is read again after this many bytes or this long, whichever comes first. */
const ASK_EVERY_BYTES = 2 ** 20;
const ASK_EVERY_MS = 200;

export type Disk = { state: Storage["state"] } & Pick<Storage, "freeBytes" | "totalBytes" | "reserveBytes">;

export class DiskSpace {
	readonly #dir: string;
	readonly #reserveBytes: number;
	#disk: Disk = { state: "ok", freeBytes: 0, totalBytes: 0, reserveBytes: 0 };
	#askedAt = Number.NEGATIVE_INFINITY;
	#claimedSince = 0;
	#asking: Promise<Disk> | null = null;

	constructor(dir: string, reserveBytes: number) {
		this.#dir = dir;
		this.#reserveBytes = reserveBytes;
	}

	/** Reads the free space. */
	async poll(): Promise<Disk> {
		this.#claimedSince = 0;
		const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(this.#dir);
		// Set after the read: a concurrent first call must not use a value that isn't there yet.
		this.#askedAt = performance.now();
		const freeBytes = bavail * bsize;
		const totalBytes = (blocks - bfree + bavail) * bsize;
		const reserveBytes = Math.min(this.#reserveBytes, Math.floor(totalBytes * MAX_RESERVE_SHARE));
		const wasFull = this.#disk.state === "full";
		const margin = Math.max(reserveBytes * MARGIN_SHARE, MIN_MARGIN_BYTES);
		const hasSpace = freeBytes > reserveBytes + (wasFull ? margin : 0);
		// Some file systems have no fixed number of files, and say 0.
		const hasFiles = files === 0 || ffree > (wasFull ? 2 : 1) * Math.min(RESERVE_FILES, files * MAX_RESERVE_SHARE);
		const isFull = !hasSpace || !hasFiles;
		this.#disk = { state: isFull ? "full" : "ok", freeBytes, totalBytes, reserveBytes };
		return this.#disk;
	}

	/**
	 * Call before `bytes` of video are written.
	 * @throws insufficient_storage if they would go into the reserve.
	 */
	async claim(bytes: number): Promise<void> {
		this.#claimedSince += bytes;
		if (this.#claimedSince >= ASK_EVERY_BYTES || performance.now() - this.#askedAt >= ASK_EVERY_MS) {
			// Pieces that arrive meanwhile wait for the same answer.
			this.#asking ??= this.poll().finally(() => {
				this.#asking = null;
			});
			await this.#asking;
		}
		// Mark the disk full: otherwise uploads would wait for a disk that reports having space.
		if (this.#left() < bytes) this.#disk = { ...this.#disk, state: "full" };
		if (this.#disk.state === "full") throw diskFull();
	}

	/** @throws insufficient_storage if a file of `bytes` doesn't fit completely. */
	async assertFits(bytes: number): Promise<void> {
		await this.poll();
		if (this.#disk.state === "full") throw diskFull();
		if (this.#left() >= bytes) return;
		throw new TapedeckError(
			"insufficient_storage",
			`The file is ${formatBytes(bytes)}, and the dashboard's disk has ${formatBytes(this.#left())} free for videos. ${REMEDY}`,
		);
	}

	#left(): number {
		return Math.max(0, this.#disk.freeBytes - this.#disk.reserveBytes);
	}
}

const REMEDY = "Delete recordings, or shorten their retention under Settings.";

export const diskFull = (cause?: unknown): TapedeckError =>
	new TapedeckError("insufficient_storage", `The dashboard's disk is full. ${REMEDY}`, { cause });

export const isDiskFull = (error: unknown): boolean => {
	const { code } = error as { code?: unknown };
	return code === "insufficient_storage" || code === "ENOSPC" || code === "EDQUOT";
};

/** A size for messages, in MB or GB of 10^6 or 10^9 bytes, rounded up. */
export const formatBytes = (bytes: number): string =>
	bytes < 10e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${Math.ceil(bytes / 1e8) / 10} GB`;
