/**
 * One file written by ffmpeg, read while it grows. Only complete fragments count, so that an upload never ends within
 * one, and a recording can continue in another part after a crash.
 */
import { type FileHandle, open } from "node:fs/promises";
import { boxHeader, MAX_HEADER_BYTES, Mp4Error } from "@tapedeck/media/mp4-boxes.ts";
import { type Mp4Track, parseMovie } from "@tapedeck/media/mp4-movie.ts";
import {
	changeHeaderTimescale,
	type FragmentShift,
	type FragmentTimes,
	fineTimescale,
	fragmentTimes,
	shiftFragment,
} from "./move-fragment.ts";

/** The position of a later part on the recording's timeline. */
export interface Placement {
	/** Seconds from the recording's first frame to this part's first. */
	startSeconds: number;
	/** Number of fragments in all earlier parts. */
	fragmentsBefore: number;
}

export interface PartOptions {
	/** At most. Equal frames are left out. */
	framesPerSecond: number;
	/** Null for the first part of a recording, which is not shifted. */
	placement: Placement | null;
	/** Frames after this many seconds of the part are dropped; null for no limit. */
	limitSeconds: number | null;
	/** Whether the file's current content was stamped by the clock that the part started with. */
	isTrusted?: () => boolean;
}

/** A stretch without a new frame, in which the previous one stays visible. In seconds. */
export interface Stall {
	from: number;
	to: number;
	/** Whether ffmpeg was started anew meanwhile, such as because the display was resized. */
	isRestart?: true;
}

/** Shorter gaps are only late frames. At a frame a second, one that is late can be missing. */
export const shortestStall = (framesPerSecond: number): number => Math.max(1, 1.5 / framesPerSecond);
/** Later stalls are not recorded. */
const MAX_STALLS = 200;

const MAX_INDEX_BOX = 4 << 20;
type BoxHeader = NonNullable<ReturnType<typeof boxHeader>>;
/** Read-ahead while parsing: covers a fragment's boxes and, while the picture is still, those of the next ones. */
const READ_AHEAD_BYTES = 2_048;

export class VideoPart {
	readonly path: string;
	/** Readable bytes: of the first part up to its last complete fragment, of a later part its complete fragments only. */
	available = 0;
	/** Seconds of video in complete fragments. */
	durationSeconds = 0;
	/**
	 * When its last frame ended, had the next one come in time. The video may go on for longer, until a frame that was lost
	 * with ffmpeg: that one says how long the last is shown.
	 */
	lastFrameEnd = 0;
	/** Number of complete fragments. */
	fragments = 0;
	/** Number of frames in complete fragments. */
	frames = 0;
	/** Stalls in complete fragments, in seconds from the beginning of the part. */
	readonly stalls: Stall[] = [];
	readonly #framesPerSecond: number;
	readonly #placement: Placement | null;
	readonly #isTrusted: () => boolean;
	#limitSeconds: number | null;
	#handle: FileHandle | null = null;
	#refreshing: Promise<void> | null = null;
	#sealed = false;
	/** Offset of the next unparsed box. */
	#next = 0;
	/** File offset of the first readable byte. */
	#from = 0;
	/** The part's only track; null until its `moov` was read. */
	#track: Mp4Track | null = null;
	/** The bytes read last. */
	#window: { at: number; bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) };
	/** The fragment whose `mdat` is not complete yet. */
	#pending: { at: number; size: number; times: FragmentTimes } | null = null;
	/** Alternating offsets and sizes of the `moov` and `moof` boxes to rewrite. */
	readonly #rewritten: number[] = [];

	constructor(path: string, { framesPerSecond, placement, limitSeconds, isTrusted = () => true }: PartOptions) {
		this.path = path;
		this.#framesPerSecond = framesPerSecond;
		this.#placement = placement;
		this.#limitSeconds = limitSeconds;
		this.#isTrusted = isTrusted;
	}

	/** Drops all frames after `seconds`. They must not have been counted yet. */
	endAt(seconds: number): void {
		this.#limitSeconds = Math.min(this.#limitSeconds ?? Number.POSITIVE_INFINITY, seconds);
	}

	/** Parses what was written since the last time; concurrent calls share one pass. */
	refresh(): Promise<void> {
		this.#refreshing ??= this.#parseNew().finally(() => {
			this.#refreshing = null;
		});
		return this.#refreshing;
	}

	/** Finalizes the part after a last pass: nothing more is written to it. */
	async seal(): Promise<void> {
		// A pass in progress may have started before the last byte was written.
		await this.#refreshing;
		await this.refresh();
		this.#sealed = true;
		await this.close();
	}

	/** @returns the number of bytes read, which may be fewer than fit into the buffer; 0 at the end. */
	async read(from: number, into: Buffer): Promise<number> {
		const length = Math.max(0, Math.min(into.length, this.available - from));
		if (length === 0) return 0;
		const at = this.#from + from;
		// Opened per read: a recording can have many parts, and most are read only once.
		const handle = await open(this.path, "r");
		try {
			const { bytesRead } = await handle.read(into, 0, length, at);
			if (this.#rewritten.length > 0) await this.#move(handle, into.subarray(0, bytesRead), at);
			return bytesRead;
		} finally {
			await handle.close();
		}
	}

	/** Closes the file after a pass in progress. */
	async close(): Promise<void> {
		await this.#refreshing?.catch(() => undefined);
		const handle = this.#handle;
		this.#handle = null;
		await handle?.close();
	}

	async #parseNew(): Promise<void> {
		if (this.#sealed) return;
		this.#handle ??= await open(this.path, "r").catch(() => null);
		if (this.#handle === null) return;
		const { size } = await this.#handle.stat();
		try {
			while (this.#next + 8 <= size && !this.#isFull && (await this.#parseNext(size)));
		} catch (error) {
			// Nothing is read beyond an invalid box, such as the zeros that a crash left at the end of the file.
			if (!(error instanceof Mp4Error)) throw error;
		}
	}

	/** Parses the next box. @returns false when it is not complete, or could not be read completely. */
	async #parseNext(size: number): Promise<boolean> {
		const header = boxHeader(await this.#bytes(this.#next, Math.min(MAX_HEADER_BYTES, size - this.#next), size), 0);
		if (header === null || header.size === 0) return false;
		if (this.#sealed || this.#next + header.size > size || !(await this.#parseBox(header, size))) return false;
		this.#next += header.size;
		// A later part has no readable bytes until its `moov` was read, behind which its fragments begin.
		const begun = this.#placement === null || this.#track !== null;
		if (begun && this.#pending === null) this.available = this.#next - this.#from;
		return true;
	}

	get #isFull(): boolean {
		const limit = this.#limitSeconds;
		return limit !== null && this.#pending === null && this.durationSeconds >= limit;
	}

	/**
	 * Bytes of the file, which had `size` of them; cached, since written bytes never change. Empty when the clock was set
	 * in the meantime, because the frames may have been stamped after that.
	 */
	async #bytes(at: number, length: number, size: number): Promise<Buffer> {
		const from = at - this.#window.at;
		if (from >= 0 && from + length <= this.#window.bytes.length)
			return this.#window.bytes.subarray(from, from + length);
		const bytes = Buffer.alloc(Math.min(Math.max(length, READ_AHEAD_BYTES), size - at));
		const read = await this.#handle?.read(bytes, 0, bytes.length, at);
		// Check after reading: only then is it certain that these bytes were stamped by the unchanged clock.
		const trusted = this.#isTrusted();
		this.#window = { at, bytes: bytes.subarray(0, trusted ? (read?.bytesRead ?? 0) : 0) };
		return this.#window.bytes.subarray(0, length);
	}

	/** @returns false when the box could not be read completely. */
	async #parseBox({ type, headerBytes, size }: BoxHeader, fileSize: number): Promise<boolean> {
		const at = this.#next;
		if (type === "mdat" && this.#pending !== null) {
			this.#count(this.#pending);
			this.#pending = null;
		}
		if ((type !== "moov" && type !== "moof") || size > MAX_INDEX_BOX) return true;
		const box = await this.#bytes(at, size, fileSize);
		if (box.length < size) return false;
		if (type === "moov") {
			const [track] = parseMovie(box, { type, start: 0, body: headerBytes, end: size }).tracks;
			this.#track = track ?? null;
			if (this.#placement !== null) this.#from = at + size;
			else if (this.#isCoarse) this.#rewritten.push(at, size);
		} else if (this.#track !== null) {
			this.#pending = { at, size, times: fragmentTimes(box, this.#track) };
		}
		return true;
	}

	/** Counts a complete fragment. */
	#count({ at, size, times }: { at: number; size: number; times: FragmentTimes }): void {
		const { timescale } = this.#track as Mp4Track;
		const limit = this.#limitSeconds ?? Number.POSITIVE_INFINITY;
		const frameSeconds = 1 / this.#framesPerSecond;
		const stallSeconds = shortestStall(this.#framesPerSecond);
		let units = times.start;
		for (const duration of times.durations) {
			const from = units / timescale + frameSeconds;
			units += duration;
			const to = Math.min(units / timescale, limit);
			if (from - frameSeconds < limit) this.lastFrameEnd = Math.min(from, limit);
			if (to - from >= stallSeconds && this.stalls.length < MAX_STALLS) this.stalls.push({ from, to });
		}
		const end = times.end / timescale;
		this.durationSeconds = Math.min(limit, end);
		this.fragments += 1;
		this.frames += times.durations.length;
		if (this.#isCoarse || this.#placement !== null || end > limit) this.#rewritten.push(at, size);
	}

	/** Whether the video has another timescale than the file. */
	get #isCoarse(): boolean {
		return this.#track !== null && fineTimescale(this.#track.timescale) !== this.#track.timescale;
	}

	/** Rewrites the boxes that overlap the bytes read at `at`. */
	async #move(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
		const end = at + bytes.length;
		for (let index = this.#firstRewrittenFrom(at); index < this.#rewritten.length; index += 2) {
			const start = this.#rewritten[index] as number;
			if (start >= end) return;
			const box = Buffer.alloc(this.#rewritten[index + 1] as number);
			await handle.read(box, 0, box.length, start);
			const track = this.#track as Mp4Track;
			if (boxHeader(box, 0)?.type === "moov") changeHeaderTimescale(box, fineTimescale(track.timescale));
			else shiftFragment(box, track, this.#shift(track));
			const from = Math.max(start, at);
			box.copy(bytes, from - at, from - start, Math.min(start + box.length, end) - start);
		}
	}

	#shift(track: Mp4Track): FragmentShift {
		const timescale = fineTimescale(track.timescale);
		const { startSeconds, fragmentsBefore } = this.#placement ?? { startSeconds: 0, fragmentsBefore: 0 };
		const units = (seconds: number) => BigInt(Math.round(seconds * timescale));
		const limit = this.#limitSeconds === null ? null : units(this.#limitSeconds);
		return { units: units(startSeconds), timescale, sequence: fragmentsBefore, limit };
	}

	/** Index in `#rewritten` of the first box that ends after `at`. */
	#firstRewrittenFrom(at: number): number {
		let [low, high] = [0, this.#rewritten.length / 2];
		while (low < high) {
			const middle = (low + high) >>> 1;
			const ends = (this.#rewritten[middle * 2] as number) + (this.#rewritten[middle * 2 + 1] as number);
			if (ends > at) high = middle;
			else low = middle + 1;
		}
		return low * 2;
	}
}
