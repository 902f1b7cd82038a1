/**
 * The video of a recording, concatenated from its parts while it grows: the first part as ffmpeg wrote it, then the
 * fragments of every later part, shifted to their position on the timeline. Readers see a single append-only file, with
 * the same bytes after a restart.
 */
import { FRAME_RATES } from "@tapedeck/contract/video-kinds.ts";
import { type PartOptions, type Placement, type Stall, shortestStall, VideoPart } from "./video-part.ts";

/** A video that may still grow. */
export interface VideoSource {
	/** Updates `available` from the file. */
	refresh(): Promise<void>;
	/** Bytes that can be read now. */
	readonly available: number;
	/** Whether `available` is final. */
	readonly sealed: boolean;
	read(from: number, into: Buffer): Promise<number>;
}

export type FirstPart = Pick<PartOptions, "isTrusted"> & Partial<Pick<PartOptions, "limitSeconds" | "framesPerSecond">>;
export type LaterPart = Omit<PartOptions, "placement" | "framesPerSecond"> & Omit<Placement, "fragmentsBefore">;

interface PlacedPart {
	part: VideoPart;
	/** Offset of its first byte in the whole video. */
	from: number;
	startSeconds: number;
}

export class RecordedVideo implements VideoSource {
	readonly #parts: PlacedPart[] = [];
	readonly #first: FirstPart;
	readonly #framesPerSecond: number;
	#sealed = false;

	/** @param path of the first part's file. The recording has its frame rate. */
	constructor(path: string, first: FirstPart = {}) {
		this.#first = first;
		this.#framesPerSecond = first.framesPerSecond ?? FRAME_RATES.default;
		this.#startWith(path);
	}

	#startWith(path: string): void {
		const framesPerSecond = this.#framesPerSecond;
		const part = new VideoPart(path, { placement: null, limitSeconds: null, ...this.#first, framesPerSecond });
		this.#parts.splice(0, this.#parts.length, { part, from: 0, startSeconds: 0 });
	}

	get sealed(): boolean {
		return this.#sealed;
	}

	get available(): number {
		const { part, from } = this.#last;
		return from + part.available;
	}

	/** Seconds from the first frame to the end of the last one, gaps included. */
	get durationSeconds(): number {
		const placed = this.#parts.findLast(({ part }) => part.durationSeconds > 0);
		return placed === undefined ? 0 : placed.startSeconds + placed.part.durationSeconds;
	}

	get hasFrames(): boolean {
		return this.durationSeconds > 0;
	}

	/** Whether the last part has no complete fragment. */
	get isLastEmpty(): boolean {
		return this.#last.part.fragments === 0;
	}

	/** Number of frames in the last part. Equal frames are left out. */
	get lastFrames(): number {
		return this.#last.part.frames;
	}

	refresh(): Promise<void> {
		return this.#last.part.refresh();
	}

	/** Finalizes the last part: nothing more is written to it. */
	sealPart(): Promise<void> {
		return this.#last.part.seal();
	}

	/** Starts over because ffmpeg rewrites the first part's file. Only while there is no frame. */
	async startOver(): Promise<void> {
		const { part } = this.#last;
		await part.close();
		this.#startWith(part.path);
	}

	/** Continues with another file; the last part has to be sealed. */
	appendPart(path: string, { startSeconds, ...options }: LaterPart): void {
		const fragmentsBefore = this.#parts.reduce((sum, { part }) => sum + part.fragments, 0);
		const placement = { startSeconds, fragmentsBefore };
		const part = new VideoPart(path, { ...options, framesPerSecond: this.#framesPerSecond, placement });
		this.#parts.push({ part, from: this.available, startSeconds });
	}

	/** Ends the last part at `seconds` from its beginning; nothing later may have been counted yet. */
	endPartAt(seconds: number): void {
		this.#last.part.endAt(seconds);
	}

	/** Stretches of a second or longer (see `shortestStall`) without a captured frame, within parts and between them, in order. */
	get stalls(): Stall[] {
		const stalls: Stall[] = [];
		const stallSeconds = shortestStall(this.#framesPerSecond);
		let end = 0;
		for (const { part, startSeconds } of this.#parts) {
			if (part.durationSeconds === 0) continue;
			if (startSeconds - end >= stallSeconds) stalls.push({ from: end, to: startSeconds, isRestart: true });
			for (const { from, to } of part.stalls) stalls.push({ from: startSeconds + from, to: startSeconds + to });
			end = startSeconds + part.lastFrameEnd;
		}
		return stalls;
	}

	/** Drops the last part, which has no frame. The one before it is final. */
	async dropPart(): Promise<void> {
		if (this.#parts.length > 1) await this.#parts.pop()?.part.close();
	}

	/** Finalizes the video: nothing more is written at all. */
	async seal(): Promise<void> {
		await this.#last.part.seal();
		this.#sealed = true;
	}

	/** @returns the number of bytes read, up to the end of a part at most; 0 at the end of the video. */
	async read(from: number, into: Buffer): Promise<number> {
		const placed = this.#parts.findLast((candidate) => candidate.from <= from);
		if (placed === undefined) return 0;
		return placed.part.read(from - placed.from, into);
	}

	async close(): Promise<void> {
		for (const { part } of this.#parts) await part.close();
	}

	get #last(): PlacedPart {
		return this.#parts.at(-1) as PlacedPart;
	}
}
