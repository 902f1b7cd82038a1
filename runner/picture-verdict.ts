/**
 * What a recording shows, told from the small grey pictures that ffmpeg leaves beside the video, one a second:
 * a green job with a black video is worse than a failure.
 */
import { createReadStream } from "node:fs";
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
	#first: Buffer | null = null;
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
		this.#first ??= Buffer.from(sample);
		this.#samples += 1;
		this.#oneColour &&= isOneColour(sample, colourOf(this.#first), this.#pointer);
		this.#still &&= isSame(sample, this.#first);
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

/**
 * @param display its size in pixels.
 * @param files of samples, in order; one that is not there has none.
 */
export async function judgePicture(display: Size, files: readonly string[]): Promise<Verdict | null> {
	const judge = new PictureJudge(display);
	for (const file of files) {
		for await (const sample of samplesOf(file)) {
			judge.see(sample);
			if (judge.isClear) return judge.verdict;
		}
	}
	return judge.verdict;
}

async function* samplesOf(file: string): AsyncGenerator<Buffer> {
	let rest: Buffer = Buffer.alloc(0);
	try {
		for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
			let at = 0;
			const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
			for (; at + CELLS <= bytes.length; at += CELLS) yield bytes.subarray(at, at + CELLS);
			rest = bytes.subarray(at);
		}
	} catch {
		// No samples, or no more of them: what was seen counts.
	}
}

/** The value that most cells have, give or take the pointer's. */
const colourOf = (sample: Buffer): number => Buffer.from(sample).sort()[CELLS >> 1] as number;

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
