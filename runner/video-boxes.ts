/**
 * Walks the boxes of a fragmented MP4 file while it grows. Only whole boxes count: so an upload never holds
 * half a fragment, and a recording can go on in another part after a crash.
 */
import { type FileHandle, open } from "node:fs/promises";

/** A view of the video that is being recorded: what is there so far, and whether that is all. */
export interface VideoSource {
	/** Looks at the file again. */
	refresh(): Promise<void>;
	/** Bytes that may be read now. */
	readonly available: number;
	/** Whether `available` is final. */
	readonly sealed: boolean;
	read(from: number, into: Buffer): Promise<number>;
}

const CONTAINERS = ["moov", "trak", "mdia", "moof", "traf"];

/** Finds boxes by name inside a run of whole boxes, whatever container they are in. */
function* boxesNamed(bytes: Buffer, name: string): Generator<Buffer> {
	for (let at = 0; at + 8 <= bytes.length; ) {
		const size = bytes.readUInt32BE(at);
		if (size < 8 || at + size > bytes.length) return;
		const type = bytes.toString("latin1", at + 4, at + 8);
		const body = bytes.subarray(at + 8, at + size);
		if (type === name) yield body;
		else if (CONTAINERS.includes(type)) yield* boxesNamed(body, name);
		at += size;
	}
}

/** Units a second of the first track, from a `moov` box. */
export function timescaleOf(moov: Buffer): number | null {
	for (const mdhd of boxesNamed(moov, "mdhd")) return mdhd.readUInt32BE(mdhd.readUInt8(0) === 1 ? 20 : 12);
	return null;
}

/** Where the fragment ends on the timeline, in units of the timescale, from a `moof` box. */
export function fragmentEnd(moof: Buffer): number | null {
	let defaultDuration = 0;
	for (const tfhd of boxesNamed(moof, "tfhd")) {
		const flags = tfhd.readUInt32BE(0) & 0xffffff;
		let at = 8;
		if (flags & 0x01) at += 8;
		if (flags & 0x02) at += 4;
		if (flags & 0x08) defaultDuration = tfhd.readUInt32BE(at);
	}
	for (const tfdt of boxesNamed(moof, "tfdt")) {
		const start = tfdt.readUInt8(0) === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4);
		let length = 0;
		for (const trun of boxesNamed(moof, "trun")) length += runLength(trun, defaultDuration);
		return start + length;
	}
	return null;
}

function runLength(trun: Buffer, defaultDuration: number): number {
	const flags = trun.readUInt32BE(0) & 0xffffff;
	const count = trun.readUInt32BE(4);
	if ((flags & 0x100) === 0) return count * defaultDuration;
	const stride = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
	let at = 8 + (flags & 0x01 ? 4 : 0) + (flags & 0x04 ? 4 : 0);
	let length = 0;
	for (let index = 0; index < count; index++, at += stride) length += trun.readUInt32BE(at);
	return length;
}

const MAX_INDEX_BOX = 4 << 20;

/** One growing file. */
export class VideoFile implements VideoSource {
	readonly path: string;
	available = 0;
	sealed = false;
	/** Seconds of video in whole fragments. */
	durationSeconds = 0;
	#handle: FileHandle | null = null;
	#looking: Promise<void> | null = null;
	#timescale: number | null = null;
	/** End of the fragment whose `mdat` is not whole yet. */
	#pendingEnd: number | null = null;

	constructor(path: string) {
		this.path = path;
	}

	get hasFrames(): boolean {
		return this.durationSeconds > 0;
	}

	/** Looks at the file again; several who ask at once share one look. */
	refresh(): Promise<void> {
		this.#looking ??= this.#walk().finally(() => {
			this.#looking = null;
		});
		return this.#looking;
	}

	async #walk(): Promise<void> {
		if (this.sealed) return;
		this.#handle ??= await open(this.path, "r").catch(() => null);
		if (this.#handle === null) return;
		const { size } = await this.#handle.stat();
		const header = Buffer.alloc(16);
		while (this.available + 8 <= size) {
			const { bytesRead } = await this.#handle.read(header, 0, 16, this.available);
			if (bytesRead < 8) return;
			let boxSize = header.readUInt32BE(0);
			if (boxSize === 1 && bytesRead === 16) boxSize = Number(header.readBigUInt64BE(8));
			if (this.sealed || boxSize < 8 || this.available + boxSize > size) return;
			await this.#look(header.toString("latin1", 4, 8), this.available, boxSize);
			this.available += boxSize;
		}
	}

	/** Says that nothing more will be written; the last look decides what is whole. */
	async seal(): Promise<void> {
		// A look that is under way may have begun before the last byte was written.
		await this.#looking;
		await this.refresh();
		this.sealed = true;
	}

	async read(from: number, into: Buffer): Promise<number> {
		this.#handle ??= await open(this.path, "r");
		const length = Math.max(0, Math.min(into.length, this.available - from));
		if (length === 0) return 0;
		const { bytesRead } = await this.#handle.read(into, 0, length, from);
		return bytesRead;
	}

	async close(): Promise<void> {
		const handle = this.#handle;
		this.#handle = null;
		await handle?.close();
	}

	async #look(type: string, at: number, size: number): Promise<void> {
		if (type === "mdat" && this.#pendingEnd !== null) {
			this.durationSeconds = this.#pendingEnd;
			this.#pendingEnd = null;
		}
		if ((type !== "moov" && type !== "moof") || size > MAX_INDEX_BOX) return;
		const box = Buffer.alloc(size);
		await this.#handle?.read(box, 0, size, at);
		if (type === "moov") this.#timescale = timescaleOf(box);
		else if (this.#timescale !== null) this.#pendingEnd = (fragmentEnd(box) ?? 0) / this.#timescale;
	}
}
