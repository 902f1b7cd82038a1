/**
 * What a recording shows, told from the small grey pictures that ffmpeg leaves beside the video, one a second:
 * a green job with a black video is worse than a failure.
 */
import { type FileHandle, open } from "node:fs/promises";
import type { Verdict } from "#lib/contract/recording.ts";
import { SAMPLE_HEIGHT, SAMPLE_WIDTH } from "./ffmpeg.ts";

const CELLS = SAMPLE_WIDTH * SAMPLE_HEIGHT;
/** Rounding of the scaler. */
const SAME = 1;
/** The pointer stands on every display, and is this large at most. */
const POINTER_PIXELS = 24;
/** A page may well stand still for a moment; a test that does nothing for longer is worth a look. */
const FROZEN_SAMPLES = 5;

export interface Size {
	width: number;
	height: number;
}

/** Sees one sample after the other. */
export class PictureJudge {
	readonly #pointer: Size;
	#first: { sample: Buffer; colour: number } | null = null;
	#samples = 0;
	#oneColour = true;
	#still = true;

	/** @param display its size in pixels. */
	constructor(display: Size) {
		const cells = (pixels: number, of: number) => Math.ceil((POINTER_PIXELS * of) / pixels) + 1;
		this.#pointer = { width: cells(display.width, SAMPLE_WIDTH), height: cells(display.height, SAMPLE_HEIGHT) };
	}

	/** @param sample grey values, row by row. */
	see(sample: Buffer): void {
		this.#first ??= { sample: Buffer.from(sample), colour: colourOf(sample) };
		this.#samples += 1;
		this.#oneColour &&= isOneColour(sample, this.#first.colour, this.#pointer);
		this.#still &&= isSame(sample, this.#first.sample);
	}

	/** Nothing that comes can change the verdict any more. */
	get isClear(): boolean {
		return !this.#oneColour && !this.#still;
	}

	/** Null when there is no sample. */
	get verdict(): Verdict | null {
		if (this.#samples === 0) return null;
		if (this.#oneColour) return "black";
		return this.#still && this.#samples >= FROZEN_SAMPLES ? "frozen" : "ok";
	}
}

/** Read at once; a whole number of samples. */
const CHUNK_BYTES = 64 * CELLS;

/**
 * Looks at the samples while they are written, at each one once: at the end of a recording, however long it was, only
 * those of the last moments are left to see.
 */
export class PictureWatch {
	readonly #judge: PictureJudge;
	/** How many files are seen to their end, and how far the next one is. */
	#done = 0;
	#offset = 0;
	#looking: Promise<void> = Promise.resolve();

	/** @param display its size in pixels. */
	constructor(display: Size) {
		this.#judge = new PictureJudge(display);
	}

	/** @param files of samples, in order; the last one may still grow, and one that is not there has none. */
	look(files: readonly string[]): Promise<void> {
		this.#looking = this.#looking.then(() => this.#look(files));
		return this.#looking;
	}

	/** What the samples say that were looked at; null when there is none. */
	get verdict(): Verdict | null {
		return this.#judge.verdict;
	}

	async #look(files: readonly string[]): Promise<void> {
		for (;;) {
			const file = files[this.#done];
			if (file === undefined || this.#judge.isClear) return;
			await this.#readOn(file);
			if (this.#done + 1 >= files.length) return;
			this.#done += 1;
			this.#offset = 0;
		}
	}

	async #readOn(file: string): Promise<void> {
		let handle: FileHandle | null = null;
		try {
			handle = await open(file, "r");
			// A part that had no frame is begun anew in the same file.
			if ((await handle.stat()).size < this.#offset) this.#offset = 0;
			const chunk = Buffer.alloc(CHUNK_BYTES);
			for (;;) {
				const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, this.#offset);
				const whole = bytesRead - (bytesRead % CELLS);
				for (let at = 0; at < whole && !this.#judge.isClear; at += CELLS) {
					this.#judge.see(chunk.subarray(at, at + CELLS));
				}
				this.#offset += whole;
				if (whole < CHUNK_BYTES || this.#judge.isClear) return;
			}
		} catch {
			// No samples, or no more of them: what was seen counts.
		} finally {
			await handle?.close();
		}
	}
}

/** The value in the middle, which most cells have, give or take the pointer's. */
function colourOf(sample: Buffer): number {
	const cells = new Uint16Array(256);
	for (const value of sample) cells[value] = (cells[value] as number) + 1;
	let [value, seen] = [0, cells[0] as number];
	while (seen <= CELLS >> 1) seen += cells[++value] as number;
	return value;
}

function isOneColour(sample: Buffer, colour: number, pointer: Size): boolean {
	let [left, right, top, bottom] = [SAMPLE_WIDTH, -1, SAMPLE_HEIGHT, -1];
	for (let cell = 0; cell < CELLS; cell++) {
		if (Math.abs((sample[cell] as number) - colour) <= SAME) continue;
		const [x, y] = [cell % SAMPLE_WIDTH, Math.floor(cell / SAMPLE_WIDTH)];
		[left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
	}
	return right - left < pointer.width && bottom - top < pointer.height;
}

function isSame(sample: Buffer, other: Buffer): boolean {
	for (let cell = 0; cell < CELLS; cell++) {
		if (Math.abs((sample[cell] as number) - (other[cell] as number)) > SAME) return false;
	}
	return true;
}
