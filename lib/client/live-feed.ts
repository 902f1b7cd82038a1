/**
 * Feeds a <video> with a recording that is still growing, by Media Source Extensions. The server sends the
 * initialization segment, then fragments from the last keyframe on; after a break it does so again, and the
 * new fragments go on at the times where they belong.
 */
import { codecsOfInit } from "./mp4-codecs.ts";

export type LiveFeedState = "waiting" | "playing" | "reconnecting" | "unsupported";

/** Farther behind the newest picture than this: jump. */
const JUMP_SECONDS = 1.6;
/** Farther behind than this: play a little faster until caught up. */
const HURRY_SECONDS = 0.8;
/** Where a jump lands: as near as goes without waiting for the next fragment. */
const NEAR_SECONDS = 0.35;
const KEEP_SECONDS = 30;
const RETRY_MS = 700;
/** Without a byte for this long the stream counts as broken; a runner sends several times a second. */
const SILENCE_MS = 8_000;

type SourceKind = typeof MediaSource;

/** iPhones have a managed variant only. */
function mediaSourceKind(): SourceKind | undefined {
	const scope = globalThis as unknown as { MediaSource?: SourceKind; ManagedMediaSource?: SourceKind };
	return scope.MediaSource ?? scope.ManagedMediaSource;
}

/** Starts to show `path` in `video`; the returned function ends it. */
export function startLiveFeed(
	video: HTMLVideoElement,
	path: string,
	onState: (state: LiveFeedState) => void,
): () => void {
	const Kind = mediaSourceKind();
	if (Kind === undefined) {
		onState("unsupported");
		return () => {};
	}
	const ended = new AbortController();
	const source = new Kind();
	const address = URL.createObjectURL(source);
	video.disableRemotePlayback = true;
	video.src = address;
	source.addEventListener("sourceopen", () => void feed(video, source, Kind, path, onState, ended.signal), {
		once: true,
	});
	return () => {
		ended.abort();
		video.removeAttribute("src");
		video.load();
		URL.revokeObjectURL(address);
	};
}

async function feed(
	video: HTMLVideoElement,
	source: MediaSource,
	Kind: SourceKind,
	path: string,
	onState: (state: LiveFeedState) => void,
	signal: AbortSignal,
): Promise<void> {
	let sink: BufferSink | undefined;
	for (;;) {
		try {
			for await (const { bytes, toldType } of chunksOf(path, signal)) {
				if (sink === undefined) {
					const type = toldType ?? `video/mp4; codecs="${codecsOfInit(bytes)}"`;
					if (!Kind.isTypeSupported(type)) {
						onState("unsupported");
						return;
					}
					sink = new BufferSink(source.addSourceBuffer(type));
				}
				await sink.append(bytes);
				if (followEdge(video)) onState("playing");
				await sink.trim(video.currentTime - KEEP_SECONDS);
			}
		} catch {
			// Broken off, refused, or not decodable: all are tried again below.
		}
		if (signal.aborted || source.readyState !== "open") return;
		if (sink !== undefined) onState("reconnecting");
		await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
		if (signal.aborted || source.readyState !== "open") return;
		// What was half received is dropped: the next connection begins with an initialization segment.
		await sink?.reset();
	}
}

/** The bytes of one connection. The first piece holds the whole initialization segment. */
async function* chunksOf(
	path: string,
	outer: AbortSignal,
): AsyncGenerator<{ bytes: Uint8Array<ArrayBuffer>; toldType: string | null }> {
	const silent = new AbortController();
	const signal = AbortSignal.any([outer, silent.signal]);
	let timer = setTimeout(() => silent.abort(), SILENCE_MS);
	try {
		const response = await fetch(path, { signal, credentials: "same-origin" });
		if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
		const type = response.headers.get("content-type");
		const toldType = type?.includes("codecs=") ? type : null;
		for await (const bytes of readAll(response.body)) {
			clearTimeout(timer);
			timer = setTimeout(() => silent.abort(), SILENCE_MS);
			yield { bytes, toldType };
		}
	} finally {
		clearTimeout(timer);
		silent.abort();
	}
}

async function* readAll(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
	const reader = body.getReader();
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return;
		yield value;
	}
}

/** Keeps near the newest picture. @returns whether there is a picture to show. */
function followEdge(video: HTMLVideoElement): boolean {
	const { buffered } = video;
	if (buffered.length === 0) return false;
	const last = buffered.length - 1;
	const edge = buffered.end(last);
	const behind = edge - video.currentTime;
	if (behind > JUMP_SECONDS || video.currentTime < buffered.start(last)) {
		video.currentTime = Math.max(buffered.start(last), edge - NEAR_SECONDS);
	}
	video.playbackRate = behind > HURRY_SECONDS && behind <= JUMP_SECONDS ? 1.15 : 1;
	if (video.paused) void video.play().catch(() => undefined);
	return true;
}

/** A SourceBuffer takes one thing at a time. */
class BufferSink {
	readonly #buffer: SourceBuffer;

	constructor(buffer: SourceBuffer) {
		this.#buffer = buffer;
	}

	async append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
		await this.#do(() => this.#buffer.appendBuffer(bytes));
	}

	/** Drops what lies before `seconds`, in pieces that are worth it. */
	async trim(seconds: number): Promise<void> {
		const { buffered } = this.#buffer;
		if (buffered.length === 0 || buffered.start(0) > seconds - KEEP_SECONDS) return;
		await this.#do(() => this.#buffer.remove(0, seconds));
	}

	async reset(): Promise<void> {
		this.#buffer.abort();
	}

	#do(act: () => void): Promise<void> {
		return new Promise((resolve, reject) => {
			const settle = (event: Event) => {
				this.#buffer.removeEventListener("updateend", settle);
				this.#buffer.removeEventListener("error", settle);
				if (event.type === "error") reject(new Error("the picture could not be decoded"));
				else resolve();
			};
			this.#buffer.addEventListener("updateend", settle);
			this.#buffer.addEventListener("error", settle);
			try {
				act();
			} catch (error) {
				this.#buffer.removeEventListener("updateend", settle);
				this.#buffer.removeEventListener("error", settle);
				reject(error);
			}
		});
	}
}
