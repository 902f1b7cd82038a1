/**
 * The parts of a recording and where they lie on its timeline, which is wall clock from the first frame. As long as
 * one runner lives, a clock that is set in the middle moves nothing: time is measured, not looked up.
 */
import { captureFiles, FRAMES_PER_SECOND } from "./ffmpeg.ts";
import { RecordedVideo } from "./recorded-video.ts";
import type { JobSpool, Part } from "./spool.ts";

export class Timeline {
	readonly video: RecordedVideo;
	readonly #spool: JobSpool;
	/** Of the whole recording; null for no end. */
	readonly #frames: number | null;
	/** performance.now() of the first frame. */
	#origin: number | null = null;

	constructor(spool: JobSpool, frames: number | null) {
		this.#spool = spool;
		this.#frames = frames;
		this.video = new RecordedVideo(captureFiles(spool.folder, 1).video);
	}

	get parts(): readonly Part[] {
		return this.#spool.manifest.parts;
	}

	/** The part that was begun last. */
	get last(): Part {
		const part = this.parts.at(-1);
		if (part === undefined) throw new Error("A capture without a part in the manifest.");
		return part;
	}

	/** Where an instant lies on the timeline, in seconds; 0 while there is no first frame. */
	secondsAt(instant: number): number {
		if (this.#origin === null) {
			const first = this.parts[0]?.firstFrameAt;
			if (first == null) return 0;
			this.#origin = performance.now() - (Date.now() - first);
		}
		return (performance.now() - this.#origin - (Date.now() - instant)) / 1_000;
	}

	/** The instant of a place on the timeline, in ms since 1970 by the clock as it is now. */
	instantOf(seconds: number): number {
		return Date.now() - (this.secondsAt(Date.now()) - seconds) * 1_000;
	}

	get framesSoFar(): number {
		return Math.round(this.video.durationSeconds * FRAMES_PER_SECOND);
	}

	/** Whether a recording of a fixed length has all its frames. */
	get isWhole(): boolean {
		return this.#frames !== null && this.framesSoFar >= this.#frames;
	}

	/** Frames that can still be captured, were the next one captured now; null for no end. */
	get framesLeft(): number | null {
		if (this.#frames === null) return null;
		const due = Math.floor(this.secondsAt(Date.now()) * FRAMES_PER_SECOND);
		return Math.max(0, this.#frames - Math.max(this.framesSoFar, due));
	}

	/** The first frame of a part is there: from now on its place is known. @param at its instant, ms since 1970. */
	async place(part: Part, at: number): Promise<void> {
		const later = part !== this.parts[0];
		if (later) await this.video.sealPart();
		// What an attempt before this one left in the file may have been looked at.
		else if (!this.video.hasFrames) await this.video.startAnew();
		await this.#spool.update(() => {
			part.firstFrameAt = at;
			const due = Math.round(this.secondsAt(at) * FRAMES_PER_SECOND);
			part.startFrames = later ? Math.max(due, this.framesSoFar) : 0;
		});
		if (later) this.#join(part);
	}

	/** Sees again what an earlier life of the runner captured. */
	async restore(): Promise<void> {
		for (const part of this.parts.slice(1)) {
			await this.video.sealPart();
			if (part.firstFrameAt !== null) this.#join(part);
		}
	}

	/** A part without a whole fragment, or one that does not fit, leaves no trace: the next one takes its place. */
	async forgetEmptyPart(): Promise<void> {
		const empty = this.last;
		const counts = !this.video.isLastEmpty && this.video.fits !== false && empty.firstFrameAt !== null;
		if (this.video.hasFrames && counts) return;
		if (!this.video.hasFrames) {
			await this.video.startAnew();
			this.#origin = null;
		} else if (empty.firstFrameAt !== null) await this.video.dropPart();
		await this.#spool.update((manifest) => {
			manifest.parts = manifest.parts.filter((part) => part !== empty);
		});
	}

	#join(part: Part): void {
		this.video.goOn(captureFiles(this.#spool.folder, part.part).video, {
			startSeconds: part.startFrames / FRAMES_PER_SECOND,
			limitSeconds: this.#frames === null ? null : (this.#frames - part.startFrames) / FRAMES_PER_SECOND,
		});
	}
}
