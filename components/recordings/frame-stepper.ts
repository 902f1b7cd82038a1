/**
 * Goes from picture to picture. A recording may leave pictures out where nothing moved, and an uploaded one has a pace
 * of its own, so that the next picture is not simply a fixed time away: it is looked for, and what is shown in the end
 * is the very next one.
 */

/** Runners record 15 pictures a second. */
const USUAL_FRAME_SECONDS = 1 / 15;
/** Seeking into a picture, not to its first microsecond, so that rounding does not show the one before. */
const INSIDE_SECONDS = 0.001;
/** A picture that is not there by then does not come: the network is gone. */
const SHOWN_MS = 2_000;
const MOST_WAITING = 12;

export class FrameStepper {
	readonly #video: HTMLVideoElement;
	/** The time between two pictures: the least that was seen. */
	#frameSeconds = USUAL_FRAME_SECONDS;
	#isPaceKnown: boolean;
	/** When the picture that is shown begins. */
	#shown: number | null = null;
	#request = 0;
	#waiting: (1 | -1)[] = [];
	#busy = false;
	#stopped = new AbortController();
	#onShown: (() => void) | null = null;

	/** @param isPaceKnown the video was made by a runner. */
	constructor(video: HTMLVideoElement, isPaceKnown: boolean) {
		this.#video = video;
		this.#isPaceKnown = isPaceKnown;
		if ("requestVideoFrameCallback" in video) this.#request = video.requestVideoFrameCallback(this.#see);
	}

	close(): void {
		this.stop();
		if ("cancelVideoFrameCallback" in this.#video) this.#video.cancelVideoFrameCallback(this.#request);
	}

	/** One picture on or back. `repeated`: a key is held down; then steps do not pile up. */
	step(direction: 1 | -1, repeated = false): void {
		this.#video.pause();
		if (this.#waiting.length >= (repeated ? 1 : MOST_WAITING)) return;
		this.#waiting.push(direction);
		if (!this.#busy) void this.#work();
	}

	readonly #see = (_now: number, frame: VideoFrameCallbackMetadata): void => {
		const apart = this.#shown === null ? 0 : frame.mediaTime - this.#shown;
		// At high speeds pictures are left out, so the smallest distance is the true one.
		if (apart > 0.004 && apart < this.#frameSeconds) this.#frameSeconds = apart;
		this.#shown = frame.mediaTime;
		this.#onShown?.();
		this.#request = this.#video.requestVideoFrameCallback(this.#see);
	};

	/** Forgets the steps that wait, and the one under way: somebody goes elsewhere. */
	stop(): void {
		this.#waiting = [];
		this.#stopped.abort();
	}

	async #work(): Promise<void> {
		this.#busy = true;
		this.#stopped = new AbortController();
		try {
			for (let direction = this.#waiting.shift(); direction !== undefined; direction = this.#waiting.shift()) {
				if (this.#shown === null) this.#video.currentTime += direction * this.#frameSeconds;
				else await this.#find(this.#shown, direction);
				// At the beginning of the picture that is shown, so that a link to this moment leads to it.
				const place = (this.#shown ?? this.#video.currentTime) + INSIDE_SECONDS;
				if (this.#shown !== null && Math.abs(this.#video.currentTime - place) > INSIDE_SECONDS) await this.#look(place);
			}
		} catch (error) {
			if (!this.#stopped.signal.aborted) throw error;
		} finally {
			this.#busy = false;
		}
	}

	/**
	 * Shows the picture next to the one that begins at `from`. Farther and farther until another picture is there, then
	 * closer and closer until there is no room for one in between.
	 */
	async #find(from: number, direction: 1 | -1): Promise<void> {
		const passed = (seen: number) => direction * (seen - from) > 0;
		// Where the pace is not known, from a hair's breadth on.
		const least = this.#isPaceKnown ? this.#frameSeconds : 2 * INSIDE_SECONDS;
		let reach = least;
		let near = from;
		let far = this.#within(from + direction * reach + INSIDE_SECONDS);
		let seen = await this.#look(far);
		while (!passed(seen)) {
			near = far;
			reach *= 2;
			far = this.#within(from + direction * reach + INSIDE_SECONDS);
			// The first picture, or the last.
			if (far === near) return void (await this.#look(from + INSIDE_SECONDS));
			seen = await this.#look(far);
		}
		for (;;) {
			const sides = [
				{ at: near, picture: from },
				{ at: far, picture: seen },
			] as const;
			const [left, right] = direction === 1 ? sides : [sides[1], sides[0]];
			const first = Math.max(left.at, left.picture + least);
			const last = Math.min(right.at - INSIDE_SECONDS, right.picture - least);
			if (last - first <= INSIDE_SECONDS) break;
			const middle = (first + last) / 2 + INSIDE_SECONDS;
			const between = await this.#look(middle);
			if (passed(between)) [far, seen] = [middle, between];
			else near = middle;
		}
		this.#isPaceKnown = true;
		if (this.#shown !== seen) await this.#look(seen + INSIDE_SECONDS);
	}

	#within(seconds: number): number {
		const { buffered, duration } = this.#video;
		const end = Number.isFinite(duration) ? duration : buffered.length === 0 ? 0 : buffered.end(buffered.length - 1);
		return Math.min(Math.max(0, seconds), Math.max(0, end - INSIDE_SECONDS));
	}

	/** Shows the picture of a moment. @returns when that picture begins. */
	async #look(seconds: number): Promise<number> {
		const { signal } = this.#stopped;
		signal.throwIfAborted();
		const shown = new Promise<void>((resolve) => {
			const timer = setTimeout(resolve, SHOWN_MS);
			this.#onShown = () => {
				clearTimeout(timer);
				resolve();
			};
			signal.addEventListener("abort", this.#onShown, { once: true });
		});
		this.#video.currentTime = seconds;
		await shown;
		this.#onShown = null;
		signal.throwIfAborted();
		return this.#shown ?? seconds;
	}
}
