/**
 * Feeds a <video> with a recording in progress, by Media Source Extensions. It follows the newest frame, or stays behind
 * it after a pause or a seek. The server sends the initialization segment, then fragments from the last keyframe before
 * the requested second; a new connection does so again, and its fragments carry their own times.
 */
import { codecsOfInit, liveBytes } from "./live-bytes.ts";

export interface LiveFeedState {
	status: "waiting" | "playing" | "reconnecting" | "unsupported";
	/** Near the newest frame and staying there. */
	following: boolean;
}

export interface LiveFeedOptions {
	video: HTMLVideoElement;
	/** Path of the live bytes; `?from=` is added. */
	path: string;
	/** The second to begin at; the newest frame when left out. */
	startSeconds?: number;
	/** Length of the recording so far, in seconds, as far as the page knows. */
	edgeSeconds(): number;
	onState(state: LiveFeedState): void;
}

/** Further behind the newest frame than this: jump. */
const JUMP_SECONDS = 1.6;
/** Further behind than this: play a little faster until caught up. */
const HURRY_SECONDS = 0.8;
const HURRY_RATE = 1.15;
/** The distance of a jump's target from the newest frame: as near as possible without waiting for the next fragment. */
const NEAR_SECONDS = 0.35;
/** Playback that comes this near to the newest frame follows it again. */
const CAUGHT_UP_SECONDS = 1;
/** The length of the buffer behind the current position. */
const KEEP_SECONDS = 30;
/** The length of the buffer ahead of the current position. */
const AHEAD_SECONDS = 30;
const RETRY_MS = 700;

type SourceKind = typeof MediaSource;

/** iPhones have a managed variant only. */
function mediaSourceKind(): SourceKind | undefined {
	const scope = globalThis as unknown as { MediaSource?: SourceKind; ManagedMediaSource?: SourceKind };
	return scope.MediaSource ?? scope.ManagedMediaSource;
}

export class LiveFeed {
	readonly #options: LiveFeedOptions;
	readonly #video: HTMLVideoElement;
	readonly #ended = new AbortController();
	#connection = new AbortController();
	#buffer: FrameBuffer | undefined;
	#state: LiveFeedState;
	/** The position at which the next connection starts. */
	#from: number | "now";
	/** A seek has left the buffered range. The buffer's times are meaningless until it is cleared. */
	#moving = false;

	/** Starts at once; `close` ends it. */
	constructor(options: LiveFeedOptions) {
		this.#options = options;
		this.#video = options.video;
		this.#from = options.startSeconds ?? "now";
		this.#state = { status: "waiting", following: this.#from === "now" };
		const Kind = mediaSourceKind();
		if (Kind === undefined) {
			this.#update({ status: "unsupported" });
			return;
		}
		const source = new Kind();
		const url = URL.createObjectURL(source);
		this.#video.disableRemotePlayback = true;
		this.#video.src = url;
		if (typeof this.#from === "number") this.#video.currentTime = this.#from;
		source.addEventListener("sourceopen", () => void this.#run(source, Kind), { once: true });
		const { signal } = this.#ended;
		signal.addEventListener("abort", () => URL.revokeObjectURL(url));
		this.#video.addEventListener("waiting", () => this.#skipGap(), { signal });
		// A pause may come from outside the page, such as a picture-in-picture window or a headset. The browser itself may
		// pause a hidden page, which then follows again once it is visible.
		this.#video.addEventListener("pause", () => document.hidden || this.hold(), { signal });
	}

	/** Goes to a second of the recording so far and stops following. */
	seek(seconds: number): void {
		this.#update({ following: false });
		const buffered = this.#isBuffered(seconds);
		this.#video.currentTime = seconds;
		if (!buffered) this.#connectFrom(seconds);
	}

	/** Stops following; the recording continues. */
	hold(): void {
		this.#update({ following: false });
	}

	/** Goes to the newest frame and follows from there. */
	goLive(): void {
		this.#update({ following: true });
		void this.#video.play().catch(() => undefined);
		if (this.#options.edgeSeconds() - this.#bufferedEnd() > JUMP_SECONDS) this.#connectFrom("now");
		else this.#followEdge();
	}

	close(): void {
		this.#ended.abort();
	}

	#update(change: Partial<LiveFeedState>): void {
		const next = { ...this.#state, ...change };
		if (next.status === this.#state.status && next.following === this.#state.following) return;
		this.#state = next;
		this.#options.onState(next);
	}

	#connectFrom(from: number | "now"): void {
		this.#from = from;
		this.#moving = true;
		this.#connection.abort();
	}

	async #run(source: MediaSource, Kind: SourceKind): Promise<void> {
		const over = () => this.#ended.signal.aborted || source.readyState !== "open";
		while (!over()) {
			this.#connection = new AbortController();
			const moved = this.#connection.signal;
			let broken = false;
			try {
				if (!(await this.#follow(source, Kind, moved))) return;
			} catch {
				// Broken, refused, left by a seek, or undecodable: all are retried below.
				broken = true;
			}
			if (over()) return;
			if (moved.aborted) {
				await this.#buffer?.clear();
				this.#moving = false;
				continue;
			}
			// The server ends the stream when the recording has ended; the page learns that a moment later.
			if (broken && this.#buffer !== undefined) this.#update({ status: "reconnecting" });
			this.#from = this.#state.following ? "now" : Math.max(this.#video.currentTime, this.#bufferedEnd());
			await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
			if (!over()) this.#buffer?.reset();
		}
	}

	/** Reads one connection. @returns false when this browser cannot play such a video. */
	async #follow(source: MediaSource, Kind: SourceKind, moved: AbortSignal): Promise<boolean> {
		const signal = AbortSignal.any([this.#ended.signal, moved]);
		const from = typeof this.#from === "number" ? this.#from.toFixed(3) : this.#from;
		for await (const chunk of liveBytes(`${this.#options.path}?from=${from}`, signal)) {
			if (this.#buffer === undefined) {
				const type = chunk.type ?? `video/mp4; codecs="${codecsOfInit(chunk.bytes)}"`;
				if (!Kind.isTypeSupported(type)) {
					this.#update({ status: "unsupported" });
					return false;
				}
				this.#buffer = new FrameBuffer(source.addSourceBuffer(type));
			}
			await this.#buffer.append(chunk.bytes);
			this.#afterAppend();
			await this.#buffer.trim(this.#video.currentTime - KEEP_SECONDS);
			await this.#waitWhileAhead(signal);
		}
		return true;
	}

	/** Puts the position where it belongs among the new frames. */
	#afterAppend(): void {
		if (this.#video.buffered.length === 0) return;
		if (this.#state.following) this.#followEdge();
		else if (!this.#isBuffered(this.#video.currentTime)) this.#skipGap();
		else if (this.#options.edgeSeconds() - this.#video.currentTime < CAUGHT_UP_SECONDS && !this.#video.paused) {
			this.#update({ following: true });
		}
		this.#update({ status: "playing" });
	}

	/** Keeps near the newest frame. */
	#followEdge(): void {
		const video = this.#video;
		const { buffered } = video;
		if (buffered.length === 0 || this.#moving) return;
		const begins = buffered.start(buffered.length - 1);
		const edge = this.#bufferedEnd();
		const behind = edge - video.currentTime;
		if (behind > JUMP_SECONDS || video.currentTime < begins) video.currentTime = Math.max(begins, edge - NEAR_SECONDS);
		video.playbackRate = behind > HURRY_SECONDS && behind <= JUMP_SECONDS ? HURRY_RATE : 1;
		if (video.paused) void video.play().catch(() => undefined);
	}

	/** At a gap in the recording, jumps to the next recorded frame. */
	#skipGap(): void {
		const { buffered, currentTime } = this.#video;
		if (this.#moving) return;
		for (let index = 0; index < buffered.length; index += 1) {
			const start = buffered.start(index);
			if (start <= currentTime) continue;
			this.#video.currentTime = start;
			return;
		}
	}

	#isBuffered(seconds: number): boolean {
		const { buffered } = this.#video;
		for (let index = 0; index < buffered.length; index += 1) {
			if (seconds >= buffered.start(index) && seconds < buffered.end(index)) return true;
		}
		return false;
	}

	#bufferedEnd(): number {
		const { buffered } = this.#video;
		return buffered.length === 0 ? 0 : buffered.end(buffered.length - 1);
	}

	/** Waits while enough is buffered: bytes that are not read here, the server does not send. */
	async #waitWhileAhead(signal: AbortSignal): Promise<void> {
		const full = () => !this.#state.following && this.#bufferedEnd() - this.#video.currentTime > AHEAD_SECONDS;
		while (full() && !signal.aborted) {
			await new Promise<void>((resolve) => {
				const once = new AbortController();
				const go = () => {
					once.abort();
					resolve();
				};
				for (const event of ["timeupdate", "seeking"]) {
					this.#video.addEventListener(event, go, { signal: once.signal });
				}
				signal.addEventListener("abort", go, { signal: once.signal });
			});
		}
	}
}

/** Removing costs the browser something: it is done in spans of this length. */
const TRIM_SECONDS = 30;

/** A SourceBuffer that does one thing at a time. */
class FrameBuffer {
	readonly #buffer: SourceBuffer;

	constructor(buffer: SourceBuffer) {
		this.#buffer = buffer;
	}

	/** @throws when the bytes cannot be decoded. */
	append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
		return this.#do(() => this.#buffer.appendBuffer(bytes));
	}

	/** Drops what lies before `seconds`. */
	async trim(seconds: number): Promise<void> {
		const { buffered } = this.#buffer;
		if (buffered.length === 0 || buffered.start(0) > seconds - TRIM_SECONDS) return;
		await this.#do(() => this.#buffer.remove(0, seconds));
	}

	/** Forgets a half-received segment: the next bytes begin with an initialization segment. */
	reset(): void {
		this.#buffer.abort();
	}

	/** Drops everything. */
	async clear(): Promise<void> {
		this.#buffer.abort();
		await this.#do(() => this.#buffer.remove(0, Number.POSITIVE_INFINITY));
	}

	#do(act: () => void): Promise<void> {
		return new Promise((resolve, reject) => {
			const done = new AbortController();
			const settle = (error?: unknown) => {
				done.abort();
				if (error === undefined) resolve();
				else reject(error);
			};
			const { signal } = done;
			this.#buffer.addEventListener("updateend", () => settle(), { signal });
			this.#buffer.addEventListener("error", () => settle(new Error("the bytes cannot be decoded")), { signal });
			try {
				act();
			} catch (error) {
				settle(error);
			}
		});
	}
}
