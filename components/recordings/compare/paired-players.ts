/**
 * Two players on one time line, which is that of the left video: at each of its seconds, the right one is `offset`
 * seconds ahead. A separate clock drives both, so that a video that is loading makes the other one wait.
 */
import type { Recording } from "@tapedeck/contract/recording.ts";
import { FRAME_RATES } from "@tapedeck/contract/video-kinds.ts";
import { frameRateOf } from "../player/frame-stepper.ts";
import { SPEEDS } from "../player/player-preferences.ts";
import { PlayerStore } from "../player/player-store.ts";

export interface PairState {
	playing: boolean;
	/** The position on the time line, in seconds; before the left video begins, it is negative. */
	seconds: number;
	/** The start of the first video and the end of the last one. */
	start: number;
	end: number;
	/** The seconds by which the right video is ahead. */
	offset: number;
	speed: number;
}

/** Videos further apart than this at normal speed are put together again. */
const MAX_DRIFT_SECONDS = 0.12;
/** This close to its end, a video shows its last frame. */
const END_SECONDS = 0.03;

interface Side {
	player: PlayerStore;
	/** The video's position at a second of the common time line. */
	secondsAt(at: number): number;
}

export class PairedPlayers {
	readonly left: PlayerStore;
	readonly right: PlayerStore;
	readonly #sides: readonly Side[];
	readonly #listeners = new Set<() => void>();
	/** The duration of a frame in the video with the higher frame rate. */
	readonly #frameSeconds: number;
	#state: PairState;
	#frame = 0;
	#tickedAt = 0;

	/**
	 * @param startSeconds on the time line.
	 * @param offset how many seconds the right video is ahead.
	 */
	constructor(left: Recording, right: Recording, startSeconds: number, offset: number) {
		this.left = new PlayerStore(left, Math.min(startSeconds, left.durationSeconds));
		this.right = new PlayerStore(right, Math.max(0, Math.min(startSeconds + offset, right.durationSeconds)));
		this.#sides = [
			{ player: this.left, secondsAt: (at) => at },
			{ player: this.right, secondsAt: (at) => at + this.#state.offset },
		];
		this.#frameSeconds = 1 / Math.max(...[left, right].map((video) => frameRateOf(video) ?? FRAME_RATES.default));
		const start = Math.min(0, -offset);
		const end = Math.max(left.durationSeconds, right.durationSeconds - offset);
		this.#state = { playing: false, seconds: Math.min(startSeconds, end), start, end, offset, speed: 1 };
	}

	readonly getState = (): PairState => this.#state;

	readonly subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	/** Follows both videos, once they are on the page, until the returned function is called. */
	open(): () => void {
		// Two sounds at once are noise.
		if (this.right.video !== null) this.right.video.muted = true;
		const ended = this.#sides.map(({ player }) => player.subscribe(this.#measure));
		this.#measure();
		return () => {
			for (const end of ended) end();
			this.pause();
		};
	}

	readonly toggle = (): void => (this.#state.playing ? this.pause() : this.#play());

	pause(): void {
		cancelAnimationFrame(this.#frame);
		if (!this.#state.playing) return;
		this.#set({ playing: false });
		for (const { player } of this.#sides) player.video?.pause();
		this.seek(this.#state.seconds);
	}

	readonly seek = (seconds: number): void => {
		const at = Math.min(Math.max(this.#state.start, seconds), this.#state.end);
		this.#set({ seconds: at });
		for (const { player, secondsAt } of this.#sides) player.seek(secondsAt(at));
	};

	skip(seconds: number): void {
		this.seek(this.#state.seconds + seconds);
	}

	/** Steps one frame forward (1) or back (-1), by the frames of the video with the higher frame rate. */
	step(direction: 1 | -1): void {
		this.pause();
		this.skip(direction * this.#frameSeconds);
	}

	/** Sets the number of seconds by which the right video is ahead. The left one keeps its position. */
	readonly align = (offset: number): void => {
		this.#set({ offset: Math.round(offset * 1_000) / 1_000 });
		this.#measure();
		this.seek(this.#state.seconds);
	};

	/** The speed is kept for the next video. */
	setSpeed(speed: number): void {
		for (const { player } of this.#sides) player.setSpeed(speed);
	}

	/** The next speed of the list, faster (1) or slower (-1). */
	changeSpeed(direction: 1 | -1): void {
		const next = SPEEDS[SPEEDS.indexOf(this.#state.speed as (typeof SPEEDS)[number]) + direction];
		if (next !== undefined) this.setSpeed(next);
	}

	#play(): void {
		if (this.#state.seconds >= this.#state.end - END_SECONDS) this.seek(this.#state.start);
		this.#set({ playing: true });
		this.#tickedAt = performance.now();
		this.#tick();
	}

	readonly #tick = (): void => {
		const now = performance.now();
		const passed = (now - this.#tickedAt) / 1_000;
		this.#tickedAt = now;
		const { speed, end } = this.#state;
		const shown = this.#sides.filter((side) => this.#isShown(side));
		const isReady = shown.every(({ player }) => isReadyToPlay(player.video));
		if (isReady) this.#set({ seconds: Math.min(end, this.#state.seconds + passed * speed) });
		if (this.#state.seconds >= end) {
			this.pause();
			return;
		}
		for (const side of this.#sides) this.#keepUp(side, isReady && shown.includes(side));
		this.#frame = requestAnimationFrame(this.#tick);
	};

	/** Whether the time line is within this video now. */
	#isShown({ player, secondsAt }: Side): boolean {
		const seconds = secondsAt(this.#state.seconds);
		const { problem, durationSeconds } = player.getState();
		return problem === null && seconds >= 0 && seconds < durationSeconds - END_SECONDS;
	}

	#keepUp({ player, secondsAt }: Side, plays: boolean): void {
		const { video } = player;
		if (video === null) return;
		if (!plays) return void (video.paused ? undefined : video.pause());
		const drift = Math.abs(video.currentTime - secondsAt(this.#state.seconds));
		if (drift > MAX_DRIFT_SECONDS * Math.max(1, this.#state.speed)) player.seek(secondsAt(this.#state.seconds));
		// A refused play (no gesture) shows in that the clock does not move.
		if (video.paused) void video.play().catch(() => undefined);
	}

	/** Runs once the videos have loaded, because only then are both lengths known. */
	readonly #measure = (): void => {
		const { offset } = this.#state;
		const [left, right] = [this.left.getState(), this.right.getState()];
		this.#set({
			start: Math.min(0, -offset),
			end: Math.max(left.durationSeconds, right.durationSeconds - offset),
			speed: left.speed,
		});
	};

	#set(change: Partial<PairState>): void {
		const next = { ...this.#state, ...change };
		if ((Object.keys(change) as (keyof PairState)[]).every((key) => this.#state[key] === next[key])) return;
		this.#state = next;
		for (const listener of this.#listeners) listener();
	}
}

const isReadyToPlay = (video: HTMLVideoElement | null): boolean =>
	video !== null && !video.seeking && video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA;
