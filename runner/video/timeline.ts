/**
 * The parts of a recording and where they lie on its timeline, which is the time since the first frame. A wall clock
 * that is set in the middle moves nothing: time is measured by one that only goes on.
 */
import { bootMs, clockSetBy, isOfThisBoot, wallClock } from "../base/clock.ts";
import { captureFiles, FRAMES_PER_SECOND } from "../capture/ffmpeg.ts";
import { RecordedVideo } from "./recorded-video.ts";
import type { JobSpool, Part } from "../spool.ts";

export class Timeline {
	readonly video: RecordedVideo;
	readonly #spool: JobSpool;
	/** Of the whole recording; null for no end. */
	readonly #frames: number | null;
	/** When the first frame was captured, in ms since boot. */
	#origin: number | null = null;
	/** Later parts that the video has. */
	readonly #joined = new WeakSet<Part>();
	/** The part of which this life of the runner sees every moment: it notices when the clock is set. */
	#watched: Part | null = null;

	constructor(spool: JobSpool, frames: number | null) {
		this.#spool = spool;
		this.#frames = frames;
		this.video = new RecordedVideo(captureFiles(spool.folder, 1).video, {
			limitSeconds: frames === null ? null : frames / FRAMES_PER_SECOND,
			isTrusted: () => this.parts[0] === undefined || this.#isTrusted(this.parts[0]),
		});
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

	/** Where an instant (by the wall clock as it is now) lies on the timeline, in seconds; 0 while there is no first frame. */
	secondsAt(instant: number): number {
		return this.#placeOf(bootMs() - (Date.now() - instant));
	}

	/** Where on the timeline a moment lies, in seconds. @param moment in ms since boot. */
	#placeOf(moment: number): number {
		if (this.#origin === null) {
			const [first] = this.parts;
			if (first?.firstFrameAt == null) return 0;
			this.#origin = momentOf(first);
		}
		return (moment - this.#origin) / 1_000;
	}

	/** By how much the clock that stamps the frames of a part was set since it began, in ms; 0 when it was not. */
	clockSetBy({ clock }: Part): number {
		return clock === null || !isOfThisBoot(clock) ? 0 : clockSetBy(clock);
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

	/** The last part is captured, and looked at from now on. */
	watch(): void {
		this.#watched = this.last;
	}

	#isTrusted(part: Part): boolean {
		return part !== this.#watched || this.clockSetBy(part) === 0;
	}

	/** The first frame of a part is there: from now on its place is known. @param at its instant, ms since 1970. */
	async place(part: Part, at: number): Promise<void> {
		const later = part !== this.parts[0];
		if (later) await this.video.sealPart();
		// What an attempt before this one left in the file may have been looked at.
		else if (!this.video.hasFrames) await this.video.startAnew();
		await this.#spool.update(() => {
			part.firstFrameAt = at;
			const due = Math.round(this.#placeOf(momentOf(part)) * FRAMES_PER_SECOND);
			part.startFrames = later ? Math.max(due, this.framesSoFar) : 0;
		});
		if (later) this.#join(part);
		this.watch();
	}

	/** Sees again what an earlier life of the runner captured, as far as that is not seen yet. */
	async restore(): Promise<void> {
		const [first, ...later] = this.parts;
		if (first !== undefined && first.endFrames !== null && !later.some((part) => this.#joined.has(part))) {
			this.video.endPartAt(first.endFrames / FRAMES_PER_SECOND);
		}
		for (const part of later) {
			if (this.#joined.has(part)) continue;
			await this.video.sealPart();
			if (part.firstFrameAt !== null) this.#join(part);
		}
	}

	/**
	 * The clock was set while the last part was captured: what is not seen of it yet does not count. Its place would be
	 * wrong, and it would be another one for the next life of the runner.
	 */
	endPart(): Promise<void> {
		return this.#endPartAt(this.framesSoFar);
	}

	/** The same, of a part that was not looked at: nothing in it can be later than now. */
	endPartNow(): Promise<void> {
		return this.#endPartAt(Math.floor(this.secondsAt(Date.now()) * FRAMES_PER_SECOND));
	}

	async #endPartAt(frame: number): Promise<void> {
		const { last } = this;
		if (last.endFrames !== null) return;
		const frames = Math.max(0, frame - last.startFrames);
		this.video.endPartAt(frames / FRAMES_PER_SECOND);
		await this.#spool.update(() => {
			last.endFrames = frames;
		});
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
		this.#joined.add(part);
		const left = this.#frames === null ? null : this.#frames - part.startFrames;
		const ends = [left, part.endFrames].filter((frames) => frames !== null);
		this.video.goOn(captureFiles(this.#spool.folder, part.part).video, {
			startSeconds: part.startFrames / FRAMES_PER_SECOND,
			limitSeconds: ends.length === 0 ? null : Math.min(...ends) / FRAMES_PER_SECOND,
			isTrusted: () => this.#isTrusted(part),
		});
	}
}

/** When the first frame of a part was captured, in ms since boot. */
function momentOf({ firstFrameAt, clock }: Part): number {
	const at = firstFrameAt ?? Date.now();
	// Without a clock to go by, the present one has to do.
	return at - (clock !== null && isOfThisBoot(clock) ? clock : wallClock()).wallAtBootMs;
}
