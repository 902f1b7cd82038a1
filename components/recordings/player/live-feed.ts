/**
 * Feeds a <video> with a recording that is still growing, by Media Source Extensions. It follows the newest picture, or
 * stays behind it: after a pause, or at a second that a person went to. The server sends the initialization segment,
 * then fragments from the last keyframe before the second that was asked for; after a break it does so again, and the
 * fragments go on at the times where they belong.
 */
import { BufferSink } from "../../../lib/client/buffer-sink.ts";
import { liveBytes } from "../../../lib/client/live-bytes.ts";
import { codecsOfInit } from "../../../lib/client/mp4-codecs.ts";

export interface LiveFeedState {
	picture: "waiting" | "playing" | "reconnecting" | "unsupported";
	/** Near the newest picture and staying there. */
	following: boolean;
}

export interface LiveFeedOptions {
	video: HTMLVideoElement;
	/** Path of the live bytes; `?from=` is added. */
	path: string;
	/** The second to begin at; the newest picture when left out. */
	startSeconds?: number;
	/** How long the recording is by now, as far as the page knows. */
	edgeSeconds(): number;
	onState(state: LiveFeedState): void;
}

/** Farther behind the newest picture than this: jump. */
const JUMP_SECONDS = 1.6;
/** Farther behind than this: play a little faster until caught up. */
const HURRY_SECONDS = 0.8;
/** Where a jump lands: as near as goes without waiting for the next fragment. */
const NEAR_SECONDS = 0.35;
/** So near to the newest picture there is nothing to stay behind for. */
const CAUGHT_UP_SECONDS = 1;
const KEEP_SECONDS = 30;
/** When behind, so much is fetched ahead of what is looked at, and no more. */
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
	#sink: BufferSink | undefined;
	#state: LiveFeedState;
	/** Where the next connection begins. */
	#from: number | "now";
	/** What is held is of the place that was left. */
	#moving = false;

	/** Starts at once; `close` ends it. */
	constructor(options: LiveFeedOptions) {
		this.#options = options;
		this.#video = options.video;
		this.#from = options.startSeconds ?? "now";
		this.#state = { picture: "waiting", following: this.#from === "now" };
		const Kind = mediaSourceKind();
		if (Kind === undefined) {
			this.#tell({ picture: "unsupported" });
			return;
		}
		const source = new Kind();
		const address = URL.createObjectURL(source);
		this.#video.disableRemotePlayback = true;
		this.#video.src = address;
		if (typeof this.#from === "number") this.#video.currentTime = this.#from;
		source.addEventListener("sourceopen", () => void this.#run(source, Kind), { once: true });
		const { signal } = this.#ended;
		signal.addEventListener("abort", () => URL.revokeObjectURL(address));
		this.#video.addEventListener("waiting", () => this.#skipGap(), { signal });
		// Also by other means than the page's: the window of a picture in picture, a headset. A hidden page may be paused
		// by the browser, and is to follow again when it is seen.
		this.#video.addEventListener("pause", () => document.hidden || this.hold(), { signal });
	}

	/** Goes to a second of what was recorded so far and follows no longer. */
	seek(seconds: number): void {
		this.#tell({ following: false });
		const held = this.#isBuffered(seconds);
		this.#video.currentTime = seconds;
		if (!held) this.#connectFrom(seconds);
	}

	/** Stays where it is, while the recording goes on. */
	hold(): void {
		this.#tell({ following: false });
	}

	/** Goes to the newest picture and follows it from now on. */
	goLive(): void {
		this.#tell({ following: true });
		void this.#video.play().catch(() => undefined);
		if (this.#options.edgeSeconds() - this.#bufferedEnd() > JUMP_SECONDS) this.#connectFrom("now");
		else this.#followEdge();
	}

	close(): void {
		this.#ended.abort();
	}

	#tell(change: Partial<LiveFeedState>): void {
		const next = { ...this.#state, ...change };
		if (next.picture === this.#state.picture && next.following === this.#state.following) return;
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
			try {
				if (!(await this.#follow(source, Kind, moved))) return;
			} catch {
				// Broken off, refused, left for another place, or not decodable: all are tried again below.
			}
			if (over()) return;
			if (moved.aborted) {
				await this.#sink?.clear();
				this.#moving = false;
				continue;
			}
			if (this.#sink !== undefined) this.#tell({ picture: "reconnecting" });
			this.#from = this.#state.following ? "now" : Math.max(this.#video.currentTime, this.#bufferedEnd());
			await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
			if (!over()) this.#sink?.reset();
		}
	}

	/** One connection. @returns false when this browser cannot show such a video. */
	async #follow(source: MediaSource, Kind: SourceKind, moved: AbortSignal): Promise<boolean> {
		const signal = AbortSignal.any([this.#ended.signal, moved]);
		const from = typeof this.#from === "number" ? this.#from.toFixed(3) : this.#from;
		const path = `${this.#options.path}?from=${from}`;
		for await (const { bytes, type: told } of liveBytes(path, signal)) {
			if (this.#sink === undefined) {
				const type = told ?? `video/mp4; codecs="${codecsOfInit(bytes)}"`;
				if (!Kind.isTypeSupported(type)) {
					this.#tell({ picture: "unsupported" });
					return false;
				}
				this.#sink = new BufferSink(source.addSourceBuffer(type));
			}
			await this.#sink.append(bytes);
			this.#settle();
			await this.#sink.trim(this.#video.currentTime - KEEP_SECONDS);
			await this.#roomAhead(signal);
		}
		return true;
	}

	/** After new bytes: where the picture is to be. */
	#settle(): void {
		if (this.#video.buffered.length === 0) return;
		if (this.#state.following) this.#followEdge();
		else if (!this.#isBuffered(this.#video.currentTime)) this.#skipGap();
		else if (this.#options.edgeSeconds() - this.#video.currentTime < CAUGHT_UP_SECONDS && !this.#video.paused) {
			this.#tell({ following: true });
		}
		this.#tell({ picture: "playing" });
	}

	/** Keeps near the newest picture. */
	#followEdge(): void {
		const video = this.#video;
		const { buffered } = video;
		if (buffered.length === 0 || this.#moving) return;
		const begins = buffered.start(buffered.length - 1);
		const edge = this.#bufferedEnd();
		const behind = edge - video.currentTime;
		if (behind > JUMP_SECONDS || video.currentTime < begins) video.currentTime = Math.max(begins, edge - NEAR_SECONDS);
		video.playbackRate = behind > HURRY_SECONDS && behind <= JUMP_SECONDS ? 1.15 : 1;
		if (video.paused) void video.play().catch(() => undefined);
	}

	/** Where nothing was recorded, the next that was is shown. */
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

	/** Waits while enough is there: what is not read, the server does not send. */
	async #roomAhead(signal: AbortSignal): Promise<void> {
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
