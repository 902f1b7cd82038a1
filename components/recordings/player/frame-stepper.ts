/**
 * Steps from frame to frame. A recording may leave frames out where nothing moved, and an uploaded video has its own
 * frame rate, so the next frame is not a fixed time away: the stepper searches for it and ends on exactly that frame.
 */

import type { Recording } from "@tapedeck/contract/recording.ts";
import { FRAME_RATES } from "@tapedeck/contract/video-kinds.ts";

/** Seeks land this far inside a frame, so that rounding does not show the one before. */
const INSIDE_SECONDS = 0.001;
/** A browser does nothing on a seek to where it is; so far away, it shows the same frame again. */
const NEARBY_SECONDS = 0.0001;
/** A frame that has not appeared after this time will not appear: the connection is lost. */
const SHOWN_MS = 2_000;
const MAX_PENDING = 12;
/** HTMLMediaElement.HAVE_NOTHING */
const HAVE_NOTHING = 0;

/** The maximum frame rate of a video in frames a second; null for a video that no runner recorded. */
export const frameRateOf = ({ video, jobId }: Pick<Recording, "video" | "jobId">): number | null =>
	video?.framesPerSecond ?? (jobId === null ? null : FRAME_RATES.default);

export class FrameStepper {
	readonly #video: HTMLVideoElement;
	/** The time between two frames: the smallest that was seen. */
	#frameSeconds: number;
	#isRateKnown: boolean;
	/** The time at which the current frame begins. */
	#current: number | null = null;
	/**
	 * The start of the last step's seek, on the page's clock. Frames that were on the screen before say nothing about it.
	 */
	#soughtAt = 0;
	/**
	 * Something else has sought, or the video loads. Frames reported since then may be from before it, so the frame on the
	 * screen is not known.
	 */
	#isMoved = true;
	#request = 0;
	#pending: (1 | -1)[] = [];
	#busy = false;
	#stopped = new AbortController();
	#onFrame: (() => void) | null = null;

	/** @param framesPerSecond at most; null if unknown. */
	constructor(video: HTMLVideoElement, framesPerSecond: number | null) {
		this.#video = video;
		this.#isRateKnown = framesPerSecond !== null;
		this.#frameSeconds = 1 / (framesPerSecond ?? FRAME_RATES.default);
		if ("requestVideoFrameCallback" in video) this.#request = video.requestVideoFrameCallback(this.#noteFrame);
		video.addEventListener("seeking", this.#noteSeek);
		video.addEventListener("emptied", this.#noteSeek);
	}

	close(): void {
		this.stop();
		this.#video.removeEventListener("seeking", this.#noteSeek);
		this.#video.removeEventListener("emptied", this.#noteSeek);
		if ("cancelVideoFrameCallback" in this.#video) this.#video.cancelVideoFrameCallback(this.#request);
	}

	/** Steps one frame forward or back. `repeated`: a key is held down; then steps do not pile up. */
	step(direction: 1 | -1, repeated = false): void {
		this.#video.pause();
		if (this.#pending.length >= (repeated ? 1 : MAX_PENDING)) return;
		this.#pending.push(direction);
		if (!this.#busy) void this.#run();
	}

	/** Drops pending steps and the one under way, because of a seek. */
	stop(): void {
		this.#pending = [];
		this.#stopped.abort();
	}

	readonly #noteSeek = (): void => {
		if (!this.#busy) this.#isMoved = true;
	};

	readonly #noteFrame = (_now: number, frame: VideoFrameCallbackMetadata): void => {
		this.#request = this.#video.requestVideoFrameCallback(this.#noteFrame);
		if (frame.presentationTime < this.#soughtAt) return;
		const distance = this.#current === null ? 0 : frame.mediaTime - this.#current;
		// At high speeds frames are skipped, so the smallest distance is the true one.
		if (distance > 0.004 && distance < this.#frameSeconds) this.#frameSeconds = distance;
		this.#current = frame.mediaTime;
		this.#onFrame?.();
	};

	async #run(): Promise<void> {
		this.#busy = true;
		this.#stopped = new AbortController();
		try {
			for (let direction = this.#pending.shift(); direction !== undefined; direction = this.#pending.shift()) {
				if (this.#isMoved) this.#current = null;
				this.#isMoved = false;
				if (this.#current === null && "requestVideoFrameCallback" in this.#video) await this.#showAgain();
				if (this.#current === null) this.#video.currentTime += direction * this.#frameSeconds;
				else await this.#stepFrom(this.#current, direction);
				// At the beginning of the frame, so that a link to this moment leads to it.
				const target = (this.#current ?? this.#video.currentTime) + INSIDE_SECONDS;
				const isOff = Math.abs(this.#video.currentTime - target) > INSIDE_SECONDS;
				if (this.#current !== null && isOff) await this.#show(target);
			}
		} catch (error) {
			if (!this.#stopped.signal.aborted) throw error;
		} finally {
			this.#busy = false;
		}
	}

	/**
	 * Shows the frame next to the one that begins at `from`: goes further and further until another frame appears, then
	 * runs a binary search until no frame fits in between.
	 */
	async #stepFrom(from: number, direction: 1 | -1): Promise<void> {
		const isBeyond = (frame: number) => direction * (frame - from) > 0;
		const least = this.#isRateKnown ? this.#frameSeconds : 2 * INSIDE_SECONDS;
		let reach = least;
		let near = from;
		let far = this.#clamp(from + direction * reach + INSIDE_SECONDS);
		let frame = await this.#show(far);
		while (!isBeyond(frame)) {
			near = far;
			reach *= 2;
			far = this.#clamp(from + direction * reach + INSIDE_SECONDS);
			// This is the first frame, or the last.
			if (far === near) return void (await this.#show(from + INSIDE_SECONDS));
			frame = await this.#show(far);
		}
		for (;;) {
			const sides = [
				{ at: near, frame: from },
				{ at: far, frame },
			] as const;
			const [left, right] = direction === 1 ? sides : [sides[1], sides[0]];
			const first = Math.max(left.at, left.frame + least);
			const last = Math.min(right.at - INSIDE_SECONDS, right.frame - least);
			if (last - first <= INSIDE_SECONDS) break;
			const middle = (first + last) / 2 + INSIDE_SECONDS;
			const between = await this.#show(middle);
			if (isBeyond(between)) [far, frame] = [middle, between];
			else near = middle;
		}
		// A wider distance may be a gap in which frames were left out: it does not tell the rate.
		const distance = Math.abs(frame - from);
		if (distance < 1.5 * this.#frameSeconds) {
			this.#frameSeconds = Math.min(this.#frameSeconds, distance);
			this.#isRateKnown = true;
		}
		if (this.#current !== frame) await this.#show(frame + INSIDE_SECONDS);
	}

	#clamp(seconds: number): number {
		const { buffered, duration } = this.#video;
		const end = Number.isFinite(duration) ? duration : buffered.length === 0 ? 0 : buffered.end(buffered.length - 1);
		return Math.min(Math.max(0, seconds), Math.max(0, end - INSIDE_SECONDS));
	}

	/** Shows the frame at a moment. @returns when that frame begins. */
	async #show(seconds: number): Promise<number> {
		this.#stopped.signal.throwIfAborted();
		// Noted before the seek, because a busy browser presents its frame before the next line runs.
		this.#soughtAt = performance.now();
		this.#video.currentTime = seconds;
		await this.#nextFrame();
		return this.#current ?? seconds;
	}

	/** Shows the current frame again, so that it is reported. */
	async #showAgain(): Promise<void> {
		// While a video loads, its first frame may appear although it is to start elsewhere.
		if (this.#video.readyState === HAVE_NOTHING)
			await this.#next((resolve) => this.#video.addEventListener("loadeddata", resolve, { once: true }), null);
		// Until a seek has ended, the frame from before it may still appear.
		if (this.#video.seeking)
			await this.#next((resolve) => this.#video.addEventListener("seeked", resolve, { once: true }));
		// Forward, because links lead to where frames begin; at the very end there is only back.
		const { currentTime } = this.#video;
		const ahead = this.#clamp(currentTime + NEARBY_SECONDS);
		await this.#show(ahead > currentTime ? ahead : currentTime - NEARBY_SECONDS);
	}

	/** Waits for the frame of the last seek. It rejects when the steps are stopped. */
	async #nextFrame(): Promise<void> {
		await this.#next((resolve) => {
			this.#onFrame = resolve;
		});
		this.#onFrame = null;
	}

	/** Waits until `listen` reports, but no longer than `limitMs` unless null. It rejects when the steps are stopped. */
	async #next(listen: (resolve: () => void) => void, limitMs: number | null = SHOWN_MS): Promise<void> {
		const { signal } = this.#stopped;
		await new Promise<void>((resolve) => {
			const timer = limitMs === null ? undefined : setTimeout(resolve, limitMs);
			const end = () => {
				clearTimeout(timer);
				resolve();
			};
			listen(end);
			signal.addEventListener("abort", end, { once: true });
		});
		signal.throwIfAborted();
	}
}
