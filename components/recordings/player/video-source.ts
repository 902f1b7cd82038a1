/**
 * Gives a <video> its source: the live bytes while a recording is in progress, the stored video afterwards. A user who
 * was behind the newest frame when the recording ended stays at the same moment, playing or paused as before.
 */
import type { Recording } from "@tapedeck/contract/recording.ts";
import { mediaPath, type Played } from "#lib/client/recordings.ts";
import { LiveFeed, type LiveFeedState } from "./live-feed.ts";

/** Why a stored video does not play: no file, no answer, or a video that this browser cannot decode. */
export type VideoProblem = "missing" | "unreachable" | "undecodable";

/** The length of a live recording is reported once a second; without reports for longer it may stand still. */
const REPORT_SECONDS = 3;
const INITIAL_LIVE: LiveFeedState = { status: "waiting", following: true };

/** Whether there is a live view: a runner records it. An uploaded file plays once it is complete. */
export const hasLiveView = ({ state, jobId }: Recording): boolean => state === "live" && jobId !== null;

export class VideoSource {
	readonly #onChange: () => void;
	#recording: Played;
	#element: HTMLVideoElement | null = null;
	/** Lies over the video and holds its last frame until the next source shows its first. */
	#still: HTMLCanvasElement | null = null;
	/** The kind and path of the loaded source. */
	#loaded = "";
	#unload: (() => void) | null = null;
	#feed: LiveFeed | null = null;
	#live: LiveFeedState | null;
	#problem: VideoProblem | null = null;
	#brokeAt = 0;
	/** The start position of the next source. */
	#next: { seconds: number; play: boolean };
	/** The last reported length, and when it was reported. */
	#reported: { seconds: number; at: number };

	/** @param onChange called when `live` or `problem` changes. */
	constructor(recording: Played, startSeconds: number, onChange: () => void) {
		this.#recording = recording;
		this.#onChange = onChange;
		this.#live = hasLiveView(recording) ? INITIAL_LIVE : null;
		this.#next = { seconds: startSeconds, play: false };
		this.#reported = { seconds: recording.durationSeconds, at: 0 };
	}

	/** Null for a stored video. */
	get live(): LiveFeedState | null {
		return this.#live;
	}

	/** Null for a stored video. */
	get feed(): LiveFeed | null {
		return this.#feed;
	}

	get problem(): VideoProblem | null {
		return this.#problem;
	}

	/** The recording's current length in seconds: between two reports it grows with the clock. */
	edgeSeconds = (): number => {
		const { seconds, at } = this.#reported;
		if (!hasLiveView(this.#recording)) return seconds;
		return seconds + Math.min(REPORT_SECONDS, (performance.now() - at) / 1000);
	};

	attach(element: HTMLVideoElement, still: HTMLCanvasElement): void {
		this.#element = element;
		this.#still = still;
		this.#reported.at = performance.now();
		this.#load();
	}

	detach(): void {
		this.#unload?.();
		this.#unload = null;
		this.#loaded = "";
		this.#element = null;
		this.#still = null;
	}

	/** Takes a newer state of the recording, and changes the source when it has ended. */
	update(recording: Played): void {
		if (recording.durationSeconds !== this.#reported.seconds) {
			this.#reported = { seconds: recording.durationSeconds, at: performance.now() };
		}
		this.#recording = recording;
		if (this.#element !== null) this.#load();
	}

	/** Goes to a second of the video. */
	seek(seconds: number): void {
		const element = this.#element;
		if (element === null) return;
		if (this.#feed !== null) {
			this.#feed.seek(seconds);
			return;
		}
		// While only the poster is loaded, there is no data at the position.
		if (element.readyState === HTMLMediaElement.HAVE_NOTHING) element.preload = "auto";
		element.currentTime = seconds;
	}

	/** Loads the stored video again after a problem, and resumes at the same position. */
	retry(): void {
		const element = this.#element;
		if (element === null) return;
		this.#setProblem(null);
		element.src = `${mediaPath(this.#recording)}/video`;
		element.currentTime = this.#brokeAt;
		void element.play().catch(() => undefined);
	}

	#load(): void {
		const element = this.#element;
		if (element === null) return;
		const isLive = hasLiveView(this.#recording);
		const kind = isLive ? "live" : this.#recording.state === "live" ? "uploading" : "stored";
		const path = mediaPath(this.#recording);
		if (this.#loaded === `${kind} ${path}`) return;
		this.#unload?.();
		this.#loaded = `${kind} ${path}`;
		this.#live = isLive ? INITIAL_LIVE : null;
		if (kind === "live") this.#unload = this.#playLive(element, `${path}/live`);
		else this.#unload = kind === "stored" ? this.#playStored(element, `${path}/video`) : null;
		this.#onChange();
	}

	#playLive(element: HTMLVideoElement, path: string): () => void {
		const { seconds } = this.#next;
		const behind = seconds > 0 && seconds < this.edgeSeconds() - 1;
		let state = { ...INITIAL_LIVE, following: !behind };
		this.#live = state;
		const feed = new LiveFeed({
			video: element,
			path,
			startSeconds: behind ? seconds : undefined,
			edgeSeconds: this.edgeSeconds,
			onState: (next) => {
				state = next;
				this.#live = next;
				this.#onChange();
			},
		});
		this.#feed = feed;
		return () => {
			this.#next = state.following
				? { seconds: 0, play: false }
				: { seconds: element.currentTime, play: !element.paused };
			if (!state.following && this.#still !== null) holdFrame(element, this.#still);
			this.#feed = null;
			feed.close();
		};
	}

	#playStored(element: HTMLVideoElement, path: string): () => void {
		const over = new AbortController();
		const { signal } = over;
		const inspect = async () => {
			if (element.error === null) return;
			this.#brokeAt = element.currentTime;
			const problem = await problemOf(path, signal);
			if (!signal.aborted) this.#setProblem(problem);
		};
		element.addEventListener("error", () => void inspect(), { signal });
		element.addEventListener("loadedmetadata", () => this.#setProblem(null), { signal });
		addEventListener("online", () => this.#problem === "unreachable" && this.retry(), { signal });

		element.src = path;
		if (this.#next.seconds > 0) element.currentTime = this.#next.seconds;
		if (this.#next.play) void element.play().catch(() => undefined);
		return () => {
			over.abort();
			this.#problem = null;
		};
	}

	#setProblem(problem: VideoProblem | null): void {
		if (this.#problem === problem) return;
		this.#problem = problem;
		this.#onChange();
	}
}

function holdFrame(video: HTMLVideoElement, still: HTMLCanvasElement): void {
	if (video.videoWidth === 0) return;
	still.width = video.videoWidth;
	still.height = video.videoHeight;
	still.getContext("2d")?.drawImage(video, 0, 0);
	still.hidden = false;
	const over = new AbortController();
	const release = () => {
		still.hidden = true;
		over.abort();
	};
	for (const event of ["seeked", "playing", "error"]) video.addEventListener(event, release, { signal: over.signal });
}

async function problemOf(path: string, signal: AbortSignal): Promise<VideoProblem | null> {
	try {
		const { status } = await fetch(path, { method: "HEAD", signal, credentials: "same-origin" });
		if (status === 404) return "missing";
		return status < 400 ? "undecodable" : "unreachable";
	} catch {
		return signal.aborted ? null : "unreachable";
	}
}
