/**
 * The state of one player and everything that changes it. The <video>, its source and the page report here. Components
 * read their data by selectors (`usePlayerState`), so that a frame redraws the clock and not the whole player.
 */
import type { Played } from "#lib/client/recordings.ts";
import { FrameStepper, frameRateOf } from "./frame-stepper.ts";
import type { LiveFeedState } from "./live-feed.ts";
import { SPEEDS, savedSpeed, saveSpeed } from "./player-preferences.ts";
import { type VideoProblem, VideoSource } from "./video-source.ts";

/** A range that repeats; without an end until one is set. */
export interface Loop {
	start: number;
	end: number | null;
}

export interface PlayerState {
	playing: boolean;
	/** The position, in seconds. */
	seconds: number;
	/** The recording's length; for a live one, its length so far. */
	durationSeconds: number;
	/** Waits for a frame of another moment, or for bytes. */
	waiting: boolean;
	hasSound: boolean;
	muted: boolean;
	/** The chosen speed; 1 while following a live recording. */
	speed: number;
	loop: Loop | null;
	fullScreen: boolean;
	/** Null for a stored video. */
	live: LiveFeedState | null;
	problem: VideoProblem | null;
}

const EVENTS = [
	...["play", "playing", "pause", "ended", "timeupdate", "seeking", "seeked", "waiting", "canplay", "loadeddata"],
	...["durationchange", "volumechange", "emptied", "error"],
];
/** Frames of a fast video change the position no more often than this. */
const MIN_REFRESH_MS = 60;
/** Shorter ranges are no loop. */
const MIN_LOOP_SECONDS = 0.05;

type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?(): void };

export class PlayerStore {
	readonly #source: VideoSource;
	readonly #listeners = new Set<() => void>();
	#recording: Played;
	#video: HTMLVideoElement | null = null;
	#stepper: FrameStepper | null = null;
	#speed = 1;
	/** The rate last given to the video; null while the live feed sets it. */
	#rate: number | null = null;
	#loopWatch: AbortController | null = null;
	#state: PlayerState;

	constructor(recording: Played, startSeconds: number) {
		this.#recording = recording;
		this.#source = new VideoSource(recording, startSeconds, () => this.#refresh());
		this.#state = {
			playing: false,
			seconds: 0,
			durationSeconds: recording.durationSeconds,
			waiting: false,
			hasSound: false,
			muted: false,
			speed: 1,
			loop: null,
			fullScreen: false,
			live: this.#source.live,
			problem: null,
		};
	}

	readonly getState = (): PlayerState => this.#state;

	readonly subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	/** Drives this <video> until the returned function is called. `still` lies over it: see VideoSource. */
	attach(video: HTMLVideoElement, still: HTMLCanvasElement): () => void {
		const over = new AbortController();
		const { signal } = over;
		this.#video = video;
		this.#speed = savedSpeed();
		this.#rate = null;
		this.#stepper = new FrameStepper(video, frameRateOf(this.#recording));
		this.#source.attach(video, still);
		for (const event of EVENTS) video.addEventListener(event, () => this.#refresh(), { signal });
		this.#watchFrames(video, signal);
		this.#watchFullScreen(signal);
		this.#refresh();
		return () => {
			over.abort();
			this.clearLoop();
			this.#source.detach();
			this.#stepper?.close();
			this.#stepper = null;
			this.#video = null;
		};
	}

	/** Takes a newer state of the recording. */
	update(recording: Played): void {
		this.#recording = recording;
		this.#source.update(recording);
		this.#refresh();
	}

	/** The <video>; null while there is none on the page. */
	get video(): HTMLVideoElement | null {
		return this.#video;
	}

	/** The position at this very moment, in seconds. */
	readonly currentSeconds = (): number => this.#video?.currentTime ?? 0;

	readonly toggle = (): void => {
		const video = this.#video;
		if (video === null) return;
		// A refused play (no gesture, or a source that has been removed) is reported by the element's own events.
		if (video.paused) return void video.play().catch(() => undefined);
		this.#source.feed?.hold();
		video.pause();
	};

	readonly seek = (seconds: number): void => {
		const { loop } = this.#state;
		// A seek out of the loop leaves it.
		if (loop !== null && loop.end !== null && (seconds < loop.start || seconds > loop.end)) this.clearLoop();
		this.#goTo(seconds);
	};

	/** Seeks by a number of seconds. */
	skip(seconds: number): void {
		if (this.#video !== null) this.seek(this.#video.currentTime + seconds);
	}

	/** Steps one frame forward (1) or back (-1) and pauses playback. `repeated`: the key is held down. */
	step(direction: 1 | -1, repeated?: boolean): void {
		this.#source.feed?.hold();
		this.#stepper?.step(direction, repeated);
	}

	/** The newest frame of a live recording, the end of a stored one. */
	readonly goToEnd = (): void => {
		if (this.#source.feed !== null) this.#source.feed.goLive();
		else this.seek(this.#endSeconds());
	};

	/** The speed is kept for the next video. */
	setSpeed(speed: number): void {
		this.#speed = speed;
		saveSpeed(speed);
		this.#refresh();
	}

	/** The next speed of the list, faster (1) or slower (-1). */
	changeSpeed(direction: 1 | -1): void {
		const next = SPEEDS[SPEEDS.indexOf(this.#state.speed as (typeof SPEEDS)[number]) + direction];
		if (next !== undefined) this.setSpeed(next);
	}

	readonly toggleMuted = (): void => {
		if (this.#video !== null) this.#video.muted = !this.#video.muted;
	};

	readonly pictureInPicture = (): void => {
		if (this.#video === null) return;
		if (document.pictureInPictureElement !== null) void document.exitPictureInPicture();
		else void this.#video.requestPictureInPicture?.().catch(() => undefined);
	};

	/**
	 * The player with its controls as large as the screen. The whole page goes full screen and the player lies over it:
	 * menus, dialogs and toasts are elsewhere in the page and would be hidden behind a full-screen element.
	 */
	readonly toggleFullScreen = (): void => {
		const page = document.documentElement;
		if (document.fullscreenElement !== null) void document.exitFullscreen();
		else if (page.requestFullscreen !== undefined) {
			page.requestFullscreen().then(
				() => this.#set({ fullScreen: true }),
				() => undefined,
			);
		} else (this.#video as PhoneVideo | null)?.webkitEnterFullscreen?.();
	};

	/** Starts the loop at the position. */
	readonly loopFrom = (): void => this.#setLoop(this.currentSeconds(), this.#state.loop?.end ?? null);

	/** Ends the loop at the position. */
	readonly loopTo = (): void => this.#setLoop(this.#state.loop?.start ?? 0, this.currentSeconds());

	/** Loops between two moments, in either order. */
	loopBetween(one: number, other: number): void {
		this.#setLoop(Math.min(one, other), Math.max(one, other));
	}

	readonly clearLoop = (): void => {
		this.#loopWatch?.abort();
		this.#set({ loop: null });
	};

	/** Loads the video again after a problem, and resumes at the same position. */
	readonly retry = (): void => this.#source.retry();

	#goTo(seconds: number): void {
		this.#stepper?.stop();
		this.#source.seek(Math.min(Math.max(0, seconds), this.#endSeconds()));
	}

	#endSeconds(): number {
		const own = this.#video?.duration ?? Number.NaN;
		return Number.isFinite(own) ? own : this.#source.edgeSeconds();
	}

	#setLoop(start: number, end: number | null): void {
		// An end before the start is dropped.
		const isRange = end !== null && end - start >= MIN_LOOP_SECONDS;
		const loop = isRange ? { start, end } : { start: end === null ? start : Math.min(start, end), end: null };
		this.#loopWatch?.abort();
		this.#set({ loop });
		if (loop.end !== null && this.#video !== null) this.#watchLoop(this.#video, loop.start, loop.end);
	}

	#watchLoop(video: HTMLVideoElement, start: number, end: number): void {
		this.#loopWatch = new AbortController();
		const { signal } = this.#loopWatch;
		const check = () => {
			if (signal.aborted) return;
			if (!video.seeking && !video.paused && video.currentTime >= end) this.#goTo(start);
			requestAnimationFrame(check);
		};
		requestAnimationFrame(check);
		// At the very end of the video playback stops by itself.
		const restart = () => {
			this.#goTo(start);
			void video.play().catch(() => undefined);
		};
		video.addEventListener("ended", restart, { signal });
	}

	#watchFrames(video: HTMLVideoElement, signal: AbortSignal): void {
		if (!("requestVideoFrameCallback" in video)) return;
		let refreshedAt = 0;
		const onFrame = () => {
			if (performance.now() - refreshedAt > MIN_REFRESH_MS) {
				refreshedAt = performance.now();
				this.#refresh();
			}
			request = video.requestVideoFrameCallback(onFrame);
		};
		let request = video.requestVideoFrameCallback(onFrame);
		signal.addEventListener("abort", () => video.cancelVideoFrameCallback(request));
	}

	#watchFullScreen(signal: AbortSignal): void {
		const check = () => document.fullscreenElement === null && this.#set({ fullScreen: false });
		document.addEventListener("fullscreenchange", check, { signal });
		signal.addEventListener("abort", () => {
			if (document.fullscreenElement === document.documentElement) void document.exitFullscreen();
		});
	}

	#refresh(): void {
		const video = this.#video;
		const { live, problem } = this.#source;
		const following = live?.following === true;
		const speed = following ? 1 : this.#speed;
		if (video === null) {
			this.#set({ live, problem, durationSeconds: this.#recording.durationSeconds });
			return;
		}
		this.#applyRate(video, following ? null : speed);
		const playing = !video.paused && !video.ended;
		const ownSeconds = Number.isFinite(video.duration) ? video.duration : 0;
		this.#set({
			playing,
			seconds: video.currentTime,
			durationSeconds: live === null ? ownSeconds || this.#recording.durationSeconds : this.#source.edgeSeconds(),
			waiting:
				video.error === null && (video.seeking || (playing && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA)),
			hasSound: hasSound(video),
			muted: video.muted,
			speed,
			live,
			problem,
		});
	}

	/** @param rate null while the live feed sets it. */
	#applyRate(video: HTMLVideoElement, rate: number | null): void {
		if (rate === this.#rate) return;
		this.#rate = rate;
		if (rate === null) return;
		video.defaultPlaybackRate = rate;
		video.playbackRate = rate;
	}

	#set(change: Partial<PlayerState>): void {
		const next = { ...this.#state, ...change };
		if ((Object.keys(change) as (keyof PlayerState)[]).every((key) => this.#state[key] === next[key])) return;
		this.#state = next;
		for (const listener of this.#listeners) listener();
	}
}

/** Each browser has a different property for this. */
function hasSound(video: HTMLVideoElement): boolean {
	const own = video as HTMLVideoElement & {
		mozHasAudio?: boolean;
		webkitAudioDecodedByteCount?: number;
		audioTracks?: { length: number };
	};
	return own.mozHasAudio === true || (own.webkitAudioDecodedByteCount ?? 0) > 0 || (own.audioTracks?.length ?? 0) > 0;
}
