/**
 * The parts of a recording and their positions on its timeline, which is the time since the first frame. Time is
 * measured by the boot clock, so that setting the wall clock does not shift anything.
 */
import type { PrivateStretch } from "@tapedeck/contract/privacy.ts";
import { bootMs, clockSetBy, isOfThisBoot, wallClock } from "../base/clock.ts";
import { captureFiles } from "../spool/capture-files.ts";
import type { JobSpool, Part } from "../spool/spool.ts";
import { RecordedVideo } from "./recorded-video.ts";
import { type Size, videoSize } from "./video-format.ts";

export class Timeline {
	readonly video: RecordedVideo;
	readonly #spool: JobSpool;
	/** Length of the whole recording; null when unlimited. */
	readonly #frames: number | null;
	readonly #framesPerSecond: number;
	/** When the first frame was captured, in ms since boot. */
	#startedAt: number | null = null;
	/** Later parts that were appended to the video. */
	readonly #appended = new WeakSet<Part>();
	/** The part that this process watches all the time, so that it notices when the clock is set. */
	#watched: Part | null = null;

	constructor(spool: JobSpool, frames: number | null) {
		this.#spool = spool;
		this.#frames = frames;
		this.#framesPerSecond = spool.manifest.video.framesPerSecond;
		this.video = new RecordedVideo(captureFiles(spool.folder, 1).video, {
			framesPerSecond: this.#framesPerSecond,
			limitSeconds: frames === null ? null : this.#secondsOf(frames),
			isTrusted: () => this.parts[0] === undefined || this.#isTrusted(this.parts[0]),
		});
	}

	get parts(): readonly Part[] {
		return this.#spool.manifest.parts;
	}

	/** The part that was started last. */
	get last(): Part {
		const part = this.parts.at(-1);
		if (part === undefined) throw new Error("A capture without a part in the manifest.");
		return part;
	}

	/** Size of the video at its beginning: later parts have their own; null while there is none. */
	get size(): Size | null {
		const [first] = this.parts;
		return first === undefined ? null : videoSize(first, this.#spool.manifest.video);
	}

	/** The start of a part on the timeline, in seconds. */
	startOf(part: Part): number {
		return this.#secondsOf(part.startFrames);
	}

	/** Stretches in which the video is black by request: each lasts until the next part that shows the display. */
	get privateStretches(): PrivateStretch[] {
		const stretches: PrivateStretch[] = [];
		for (const part of this.parts.filter(({ firstFrameAt }) => firstFrameAt !== null)) {
			const last = stretches.at(-1);
			const lasts = last !== undefined && last.to === null;
			const at = Number(this.startOf(part).toFixed(3));
			if (part.isPrivate && !lasts) stretches.push({ from: at, to: null });
			else if (!part.isPrivate && lasts) last.to = at;
		}
		return stretches;
	}

	#secondsOf(frames: number): number {
		return frames / this.#framesPerSecond;
	}

	/** Position of an instant (by the current wall clock) on the timeline, in seconds; 0 before the first frame. */
	secondsAt(instant: number): number {
		return this.#positionOf(bootMs() - (Date.now() - instant));
	}

	/** Position of a moment on the timeline, in seconds. @param moment in ms since boot. */
	#positionOf(moment: number): number {
		if (this.#startedAt === null) {
			const [first] = this.parts;
			if (first?.firstFrameAt == null) return 0;
			this.#startedAt = momentOf(first);
		}
		return (moment - this.#startedAt) / 1_000;
	}

	/** By how much the clock that stamps a part's frames was set since the part started, in ms; 0 when it was not. */
	clockSetBy({ clock }: Part): number {
		return isOfThisBoot(clock) ? clockSetBy(clock) : 0;
	}

	/** The moment of a timeline position, in ms since boot. */
	momentOf(seconds: number): number {
		const now = bootMs();
		return now - (this.#positionOf(now) - seconds) * 1_000;
	}

	get framesSoFar(): number {
		return Math.round(this.video.durationSeconds * this.#framesPerSecond);
	}

	/** Whether a recording of a fixed length has all its frames. */
	get isWhole(): boolean {
		return this.#frames !== null && this.framesSoFar >= this.#frames;
	}

	/** Frames left to capture if capture continued now; null when unlimited. */
	get framesLeft(): number | null {
		if (this.#frames === null) return null;
		const due = Math.floor(this.secondsAt(Date.now()) * this.#framesPerSecond);
		return Math.max(0, this.#frames - Math.max(this.framesSoFar, due));
	}

	/** The last part is being captured and watched from now on. */
	watch(): void {
		this.#watched = this.last;
	}

	#isTrusted(part: Part): boolean {
		return part !== this.#watched || this.clockSetBy(part) === 0;
	}

	/** Sets a part's position when its first frame was captured. @param at when, in ms since 1970. */
	async place(part: Part, at: number): Promise<void> {
		const later = part !== this.parts[0];
		if (later) await this.video.sealPart();
		// Parts of the file that a failed attempt left may have been read already.
		else if (!this.video.hasFrames) await this.video.startOver();
		await this.#spool.update(() => {
			part.firstFrameAt = at;
			const due = Math.round(this.#positionOf(momentOf(part)) * this.#framesPerSecond);
			part.startFrames = later ? Math.max(due, this.framesSoFar) : 0;
		});
		if (later) this.#append(part);
		this.watch();
	}

	/**
	 * Ends the part before the last where that begins, although it was captured for longer. Nothing of it may have been
	 * read yet. @param at first frame of the last part, in ms since 1970.
	 */
	async endPreviousAt(at: number): Promise<void> {
		const previous = this.parts.at(-2);
		if (previous === undefined) return;
		const moment = momentOf({ firstFrameAt: at, clock: this.last.clock });
		await this.#spool.update(() => {
			const frame = Math.round(this.#positionOf(moment) * this.#framesPerSecond);
			previous.endFrames = Math.max(0, frame - previous.startFrames);
		});
	}

	/** Appends the parts that a previous process captured, unless they are in the video already. */
	async restore(): Promise<void> {
		const [first, ...later] = this.parts;
		if (first !== undefined && first.endFrames !== null && !later.some((part) => this.#appended.has(part))) {
			this.video.endPartAt(this.#secondsOf(first.endFrames));
		}
		for (const part of later) {
			if (this.#appended.has(part)) continue;
			await this.video.sealPart();
			if (part.firstFrameAt !== null) this.#append(part);
		}
	}

	/**
	 * Ends the last part here because the clock was set: later frames would get a wrong position, and a different one after
	 * a restart of the runner.
	 */
	endPart(): Promise<void> {
		return this.#endPartAt(this.framesSoFar);
	}

	/** The same for a part that was not watched: it ends now, because none of its frames can lie in the future. */
	endPartNow(): Promise<void> {
		return this.#endPartAt(Math.floor(this.secondsAt(Date.now()) * this.#framesPerSecond));
	}

	async #endPartAt(frame: number): Promise<void> {
		const { last } = this;
		if (last.endFrames !== null) return;
		const frames = Math.max(0, frame - last.startFrames);
		this.video.endPartAt(this.#secondsOf(frames));
		await this.#spool.update(() => {
			last.endFrames = frames;
		});
	}

	/** Discards a last part without a complete fragment. */
	async forgetEmptyPart(): Promise<void> {
		const empty = this.last;
		const counts = !this.video.isLastEmpty && empty.firstFrameAt !== null;
		if (this.video.hasFrames && counts) return;
		if (!this.video.hasFrames) {
			await this.video.startOver();
			this.#startedAt = null;
		} else if (empty.firstFrameAt !== null) await this.video.dropPart();
		await this.#spool.update((manifest) => {
			manifest.parts = manifest.parts.filter((part) => part !== empty);
		});
	}

	#append(part: Part): void {
		this.#appended.add(part);
		const left = this.#frames === null ? null : this.#frames - part.startFrames;
		const ends = [left, part.endFrames].filter((frames) => frames !== null);
		this.video.appendPart(captureFiles(this.#spool.folder, part.part).video, {
			startSeconds: this.startOf(part),
			limitSeconds: ends.length === 0 ? null : this.#secondsOf(Math.min(...ends)),
			isTrusted: () => this.#isTrusted(part),
		});
	}
}

/** When the first frame of a part was captured, in ms since boot. */
export function momentOf({ firstFrameAt, clock }: Pick<Part, "firstFrameAt" | "clock">): number {
	const at = firstFrameAt ?? Date.now();
	// A clock from another boot says nothing about this one, so use the current one.
	return at - (isOfThisBoot(clock) ? clock : wallClock()).wallAtBootMs;
}
