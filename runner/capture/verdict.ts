/**
 * Detects black and frozen recordings from the small gray samples that ffmpeg writes with the video, one per second: a
 * successful job with a black video is worse than a failure.
 */
import { type FileHandle, open } from "node:fs/promises";
import type { Verdict } from "@tapedeck/contract/recording.ts";
import { SAMPLE_HEIGHT, SAMPLE_WIDTH } from "./ffmpeg.ts";

const CELLS = SAMPLE_WIDTH * SAMPLE_HEIGHT;
/** Tolerance for the scaler's rounding. */
const SAME = 1;
/** Maximum size of the mouse pointer, which is visible on every display. */
const POINTER_PIXELS = 24;
/** A page may be still for a moment; only longer recordings without a change count as frozen. */
const FROZEN_SAMPLES = 5;

export interface Size {
	width: number;
	height: number;
}

/** Classifies a recording by its samples, one after the other. */
export class PictureVerdict {
	readonly #pointer: Size;
	#first: { sample: Buffer; color: number } | null = null;
	#samples = 0;
	#oneColor = true;
	#still = true;

	/** @param display size in pixels. */
	constructor(display: Size) {
		const cells = (pixels: number, of: number) => Math.ceil((POINTER_PIXELS * of) / pixels) + 1;
		this.#pointer = { width: cells(display.width, SAMPLE_WIDTH), height: cells(display.height, SAMPLE_HEIGHT) };
	}

	/** @param sample gray values, row by row. */
	add(sample: Buffer): void {
		this.#first ??= { sample: Buffer.from(sample), color: colorOf(sample) };
		this.#samples += 1;
		this.#oneColor &&= isOneColor(sample, this.#first.color, this.#pointer);
		this.#still &&= isSame(sample, this.#first.sample);
	}

	/** No further sample can change the verdict. */
	get isClear(): boolean {
		return !this.#oneColor && !this.#still;
	}

	/** Null without samples. */
	get verdict(): Verdict | null {
		if (this.#samples === 0) return null;
		if (this.#oneColor) return "black";
		return this.#still && this.#samples >= FROZEN_SAMPLES ? "frozen" : "ok";
	}
}

/** Bytes per read; a whole number of samples. */
const CHUNK_BYTES = 64 * CELLS;

/**
 * Reads each sample once, while they are written: at the end of a recording, however long, only the latest ones are left
 * to read.
 */
export class SampleReader {
	readonly #picture: PictureVerdict;
	/** Number of files read completely, and the offset in the next one. */
	#done = 0;
	#offset = 0;
	#reading: Promise<void> = Promise.resolve();

	/** @param display its size in pixels. */
	constructor(display: Size) {
		this.#picture = new PictureVerdict(display);
	}

	/** @param files of samples, in order; the last one may still grow, and missing ones count as empty. */
	read(files: readonly string[]): Promise<void> {
		this.#reading = this.#reading.then(() => this.#readAll(files));
		return this.#reading;
	}

	/** The verdict of the samples read so far; null without samples. */
	get verdict(): Verdict | null {
		return this.#picture.verdict;
	}

	async #readAll(files: readonly string[]): Promise<void> {
		for (;;) {
			const file = files[this.#done];
			if (file === undefined || this.#picture.isClear) return;
			await this.#readFrom(file);
			if (this.#done + 1 >= files.length) return;
			this.#done += 1;
			this.#offset = 0;
		}
	}

	async #readFrom(file: string): Promise<void> {
		let handle: FileHandle | null = null;
		try {
			handle = await open(file, "r");
			// A part without a frame is recorded again into the same file.
			if ((await handle.stat()).size < this.#offset) this.#offset = 0;
			const chunk = Buffer.alloc(CHUNK_BYTES);
			for (;;) {
				const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, this.#offset);
				const whole = bytesRead - (bytesRead % CELLS);
				for (let at = 0; at < whole && !this.#picture.isClear; at += CELLS) {
					this.#picture.add(chunk.subarray(at, at + CELLS));
				}
				this.#offset += whole;
				if (whole < CHUNK_BYTES || this.#picture.isClear) return;
			}
		} catch {
			// Missing or unreadable: the samples read so far count.
		} finally {
			await handle?.close();
		}
	}
}

/** The median, which is the value of most cells if the picture has one color, whatever the pointer covers. */
function colorOf(sample: Buffer): number {
	const cells = new Uint16Array(256);
	for (const value of sample) cells[value] = (cells[value] as number) + 1;
	let [value, seen] = [0, cells[0] as number];
	while (seen <= CELLS >> 1) seen += cells[++value] as number;
	return value;
}

function isOneColor(sample: Buffer, color: number, pointer: Size): boolean {
	let [left, right, top, bottom] = [SAMPLE_WIDTH, -1, SAMPLE_HEIGHT, -1];
	for (let cell = 0; cell < CELLS; cell++) {
		if (Math.abs((sample[cell] as number) - color) <= SAME) continue;
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
