/**
 * One file that an ffmpeg writes, seen while it grows. Only whole fragments count: so an upload never holds half
 * of one, and a recording can go on in another part after a crash.
 */
import { type FileHandle, open } from "node:fs/promises";
import { FRAMES_PER_SECOND } from "../capture/ffmpeg.ts";
import {
	decoderConfigOf,
	type FragmentShift,
	type FragmentTimes,
	fragmentTimes,
	shiftFragment,
	timescaleOf,
} from "./move-fragment.ts";

/** Where on the recording's timeline a later part lies. */
export interface Placement {
	/** Seconds from the recording's first frame to this part's first. */
	startSeconds: number;
	/** Fragments of all earlier parts. */
	fragmentsBefore: number;
}

export interface PartOptions {
	/** Null for the first part of a recording, which stays where it is. */
	placement: Placement | null;
	/** Seconds of this part after which its frames are left out; null for none. */
	limitSeconds: number | null;
	/** Whether what the file holds now was stamped by the clock with which the part began. */
	isTrusted?: () => boolean;
}

/** A stretch without a new frame: the one before it stays. In seconds. */
export interface Stall {
	from: number;
	to: number;
}

/** A frame that stays for less is only late. */
export const STALL_SECONDS = 1;
const FRAME_SECONDS = 1 / FRAMES_PER_SECOND;
/** More of them are not told one by one. */
const MAX_STALLS = 200;

const MAX_INDEX_BOX = 4 << 20;
/** Read at once while looking: a fragment's own boxes, and of a quiet picture the next fragments' too. */
const LOOK_BYTES = 2_048;

export class VideoPart {
	readonly path: string;
	/** Bytes that count: of the first part everything up to its last whole fragment, of a later one its fragments alone. */
	available = 0;
	/** Seconds of video in whole fragments. */
	durationSeconds = 0;
	/** Whole fragments. */
	fragments = 0;
	/** Stalls in whole fragments, from the beginning of the part. */
	readonly stalls: Stall[] = [];
	/** `avcC` of the part. */
	decoderConfig: Buffer | null = null;
	readonly #placement: Placement | null;
	readonly #isTrusted: () => boolean;
	#limitSeconds: number | null;
	#handle: FileHandle | null = null;
	#looking: Promise<void> | null = null;
	#sealed = false;
	/** Where the next box begins that was not looked at. */
	#next = 0;
	/** Where the first byte that counts lies. */
	#from = 0;
	#timescale: number | null = null;
	/** What was read last. */
	#window: { at: number; bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) };
	/** The fragment whose `mdat` is not whole yet. */
	#pending: { at: number; size: number; times: FragmentTimes } | null = null;
	/** Where the fragments that are changed begin and how long their `moof` boxes are, in turns. */
	readonly #moofs: number[] = [];

	constructor(path: string, { placement, limitSeconds, isTrusted = () => true }: PartOptions) {
		this.path = path;
		this.#placement = placement;
		this.#limitSeconds = limitSeconds;
		this.#isTrusted = isTrusted;
	}

	/** What comes later than that is left out from now on. It must not have been counted yet. */
	endAt(seconds: number): void {
		this.#limitSeconds = Math.min(this.#limitSeconds ?? Number.POSITIVE_INFINITY, seconds);
	}

	/** Looks at the file again; several who ask at once share one look. */
	refresh(): Promise<void> {
		this.#looking ??= this.#walk().finally(() => {
			this.#looking = null;
		});
		return this.#looking;
	}

	/** Says that nothing more will be written; the last look decides what is whole. */
	async seal(): Promise<void> {
		// A look that is under way may have begun before the last byte was written.
		await this.#looking;
		await this.refresh();
		this.#sealed = true;
		await this.close();
	}

	/** @returns how many bytes were read; fewer than fit when there are no more, or the rest is another call's. */
	async read(from: number, into: Buffer): Promise<number> {
		const length = Math.max(0, Math.min(into.length, this.available - from));
		if (length === 0) return 0;
		const at = this.#from + from;
		// Opened for each read: a recording can have many parts, and most of them are read once.
		const handle = await open(this.path, "r");
		try {
			const { bytesRead } = await handle.read(into, 0, length, at);
			if (this.#moofs.length > 0) await this.#move(handle, into.subarray(0, bytesRead), at);
			return bytesRead;
		} finally {
			await handle.close();
		}
	}

	/** Lets go of the file, after a look that is under way. */
	async close(): Promise<void> {
		await this.#looking?.catch(() => undefined);
		const handle = this.#handle;
		this.#handle = null;
		await handle?.close();
	}

	async #walk(): Promise<void> {
		if (this.#sealed) return;
		this.#handle ??= await open(this.path, "r").catch(() => null);
		if (this.#handle === null) return;
		const { size } = await this.#handle.stat();
		while (this.#next + 8 <= size && !this.#isFull) {
			const header = await this.#bytes(this.#next, Math.min(16, size - this.#next), size);
			if (header.length < 8) return;
			let boxSize = header.readUInt32BE(0);
			if (boxSize === 1 && header.length === 16) boxSize = Number(header.readBigUInt64BE(8));
			if (this.#sealed || boxSize < 8 || this.#next + boxSize > size) return;
			if (!(await this.#look(header.toString("latin1", 4, 8), this.#next, boxSize, size))) return;
			this.#next += boxSize;
			// Of a later part nothing counts before it is known where its fragments begin.
			const begun = this.#placement === null || this.#timescale !== null;
			if (begun && this.#pending === null) this.available = this.#next - this.#from;
		}
	}

	get #isFull(): boolean {
		const limit = this.#limitSeconds;
		return limit !== null && this.#pending === null && this.durationSeconds >= limit;
	}

	/**
	 * Bytes of the file, which had `size` of them: what was read before is not read again, it never changes. None when
	 * the clock that stamps frames was set meanwhile: whether they are older than that, nobody knows.
	 */
	async #bytes(at: number, length: number, size: number): Promise<Buffer> {
		const from = at - this.#window.at;
		if (from >= 0 && from + length <= this.#window.bytes.length)
			return this.#window.bytes.subarray(from, from + length);
		const bytes = Buffer.alloc(Math.min(Math.max(length, LOOK_BYTES), size - at));
		const read = await this.#handle?.read(bytes, 0, bytes.length, at);
		// Only now: what was there before the clock was seen unchanged was stamped by it.
		const trusted = this.#isTrusted();
		this.#window = { at, bytes: bytes.subarray(0, trusted ? (read?.bytesRead ?? 0) : 0) };
		return this.#window.bytes.subarray(0, length);
	}

	/** @returns whether the box was seen whole. */
	async #look(type: string, at: number, size: number, fileSize: number): Promise<boolean> {
		if (type === "mdat" && this.#pending !== null) {
			this.#count(this.#pending);
			this.#pending = null;
		}
		if ((type !== "moov" && type !== "moof") || size > MAX_INDEX_BOX) return true;
		const box = await this.#bytes(at, size, fileSize);
		if (box.length < size) return false;
		if (type === "moov") {
			this.#timescale = timescaleOf(box);
			this.decoderConfig = decoderConfigOf(box);
			if (this.#placement !== null) this.#from = at + size;
		} else if (this.#timescale !== null) {
			this.#pending = { at, size, times: fragmentTimes(box) ?? { start: 0, durations: [], end: 0 } };
		}
		return true;
	}

	/** A fragment is whole. */
	#count({ at, size, times }: { at: number; size: number; times: FragmentTimes }): void {
		const timescale = this.#timescale as number;
		const limit = this.#limitSeconds ?? Number.POSITIVE_INFINITY;
		let units = times.start;
		for (const duration of times.durations) {
			const from = units / timescale + FRAME_SECONDS;
			units += duration;
			const to = Math.min(units / timescale, limit);
			if (to - from >= STALL_SECONDS && this.stalls.length < MAX_STALLS) this.stalls.push({ from, to });
		}
		const end = times.end / timescale;
		this.durationSeconds = Math.min(limit, end);
		this.fragments += 1;
		if (this.#placement !== null || end > limit) this.#moofs.push(at, size);
	}

	/** Moves every fragment that the bytes read from `at` on touch. */
	async #move(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
		const end = at + bytes.length;
		for (let index = this.#firstMoofFrom(at); index < this.#moofs.length; index += 2) {
			const start = this.#moofs[index] as number;
			if (start >= end) return;
			const moof = Buffer.alloc(this.#moofs[index + 1] as number);
			await handle.read(moof, 0, moof.length, start);
			shiftFragment(moof, this.#shift());
			const from = Math.max(start, at);
			moof.copy(bytes, from - at, from - start, Math.min(start + moof.length, end) - start);
		}
	}

	#shift(): FragmentShift {
		const { startSeconds, fragmentsBefore } = this.#placement ?? { startSeconds: 0, fragmentsBefore: 0 };
		const units = (seconds: number) => BigInt(Math.round(seconds * (this.#timescale ?? 0)));
		const limit = this.#limitSeconds === null ? null : units(this.#limitSeconds);
		return { units: units(startSeconds), sequence: fragmentsBefore, limit };
	}

	/** Index in `#moofs` of the first one that ends behind `at`. */
	#firstMoofFrom(at: number): number {
		let [low, high] = [0, this.#moofs.length / 2];
		while (low < high) {
			const middle = (low + high) >>> 1;
			const ends = (this.#moofs[middle * 2] as number) + (this.#moofs[middle * 2 + 1] as number);
			if (ends > at) high = middle;
			else low = middle + 1;
		}
		return low * 2;
	}
}
