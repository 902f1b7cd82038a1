/**
 * Captures one display into one video, whatever happens to the encoders: one that dies, hangs, or whose display
 * changes its size is followed by another, which goes on in a new part of the same video.
 */
import { readFile, stat } from "node:fs/promises";
import type { Verdict } from "#lib/contract/recording.ts";
import { beginCapture } from "./begin-capture.ts";
import { Capture, type CaptureEnd, captureFiles, evenSize, FRAMES_PER_SECOND } from "./ffmpeg.ts";
import { type CaptureFault, faultOf, firstFrameAt, unknownFault } from "./ffmpeg-reason.ts";
import type { JobTeller } from "./job-teller.ts";
import { judgePicture } from "./picture-verdict.ts";
import { RecordedVideo } from "./recorded-video.ts";
import type { Services } from "./services.ts";
import type { JobSpool, Part } from "./spool.ts";
import type { StopDecision } from "./stop-conditions/stop-condition.ts";
import { pause } from "./wait.ts";

/** How long a display may take to be there for the first frame, and for going on. */
const DISPLAY_WAIT_MS = 10_000;
const DISPLAY_BACK_MS = 1_000;
/** How long an encoder is tried to be started again, and how often in a row one may end soon after its start. */
const GO_ON_MS = 3_000;
const MAX_SHORT_PARTS = 5;
const SHORT_PART_SECONDS = 2;
/** A capture whose file does not grow for that many looks, a second apart, hangs. */
const STALLED_LOOKS = 5;
const LOOK_MS = 1_000;

export interface RecorderTurns {
	/** Frames of the whole recording; null for no end. */
	frames: number | null;
	/** Aborted when the recording has to end. */
	stop: AbortSignal;
	/** How long ffmpeg may take to finish its file. */
	graceMs(): number;
	/** The recording ends by itself, for this reason. */
	decide(decision: StopDecision): void;
}

type Turn = "ended" | "stopped" | "resized" | "stalled";

export class Recorder {
	readonly video: RecordedVideo;
	readonly #services: Services;
	readonly #spool: JobSpool;
	readonly #tell: JobTeller;
	readonly #turns: RecorderTurns;
	#capture: Capture | null = null;
	#shortParts = 0;

	constructor(services: Services, spool: JobSpool, tell: JobTeller, turns: RecorderTurns) {
		this.#services = services;
		this.#spool = spool;
		this.#tell = tell;
		this.#turns = turns;
		this.video = new RecordedVideo(this.#filesOf(1).video);
	}

	/** From the order to the first frame. @returns whether something is captured; if not, what there is to know is decided. */
	async begin(): Promise<boolean> {
		const begun = await beginCapture(this.#services, this.#spool, {
			...{ part: 1, frames: this.#turns.frames, fit: null, displayWaitMs: DISPLAY_WAIT_MS },
			stop: this.#turns.stop,
		});
		if (begun === null) return false;
		if ("fault" in begun) {
			this.#turns.decide({ reason: begun.fault.reason, message: begun.fault.message });
			return false;
		}
		this.#capture = begun.capture;
		await this.#place(this.#lastPart, begun.firstFrameAt);
		return true;
	}

	/** Sees again what an earlier life of the runner captured. */
	async restore(): Promise<void> {
		for (const part of this.#parts.slice(1)) {
			if (part.firstFrameAt === null) continue;
			await this.video.sealPart();
			this.#join(part);
		}
	}

	/** Takes up what an earlier life of the runner began. @returns whether its ffmpeg still runs. */
	async resume(): Promise<boolean> {
		await this.restore();
		const last = this.#lastPart;
		this.#capture = await Capture.adopt(this.#filesOf(last.part));
		// The runner may have died before it knew of the first frame.
		if (this.#capture !== null && last.firstFrameAt === null) {
			await this.#place(last, await this.#capture.firstFrame());
		}
		return this.#capture !== null;
	}

	/** Ends everything at once; what was captured stays. */
	kill(): void {
		this.#capture?.kill();
	}

	/** Captures until it has to stop or cannot go on. Begun or resumed before. */
	async run(): Promise<void> {
		while (this.#capture !== null) {
			const capture: Capture = this.#capture;
			const turn = await this.#nextTurn(capture);
			if (turn === "stalled") capture.kill();
			const end =
				capture.isEnded || turn === "stalled" ? await capture.ended : await capture.stop(this.#turns.graceMs());
			this.#capture = null;
			await this.video.sealPart();
			if (this.#turns.stop.aborted) return;
			if (this.isWhole) return this.#turns.decide({ reason: "duration_elapsed" });
			const words = turn === "ended" ? await this.lastWords() : "";
			const fault = faultOf(words, this.#spool.manifest.displayId, true);
			if (fault?.reason === "storage_full") return this.#turns.decide(fault);
			await this.#goOn(turn, fault, end);
		}
	}

	/** Capture is over: what is whole is final. @returns whether anything was captured. */
	async finish(): Promise<boolean> {
		const part = this.#parts.at(-1);
		if (part !== undefined && part.firstFrameAt === null) {
			// It was stopped, or the runner killed, before the first frame was noticed.
			await this.#place(part, firstFrameAt(await this.#stderr(part.part)));
		}
		await this.video.seal();
		const [first] = this.#parts;
		if (first !== undefined && this.video.hasFrames) {
			first.firstFrameAt ??= Date.now() - this.video.durationSeconds * 1_000;
		}
		return this.video.hasFrames;
	}

	/** What the picture of all parts shows; null when that is not known. */
	judgePicture(): Promise<Verdict | null> {
		return judgePicture(this.#parts.map(({ part }) => this.#filesOf(part).samples));
	}

	/** What ffmpeg said last; empty before the first one. */
	lastWords(): Promise<string> {
		return this.#stderr(this.#parts.at(-1)?.part ?? 1);
	}

	/** Whether a recording of a fixed length has all its frames. */
	get isWhole(): boolean {
		const { frames } = this.#turns;
		return frames !== null && this.#framesSoFar >= frames;
	}

	get #framesSoFar(): number {
		return Math.round(this.video.durationSeconds * FRAMES_PER_SECOND);
	}

	get #parts(): Part[] {
		return this.#spool.manifest.parts;
	}

	get #lastPart(): Part {
		const part = this.#parts.at(-1);
		if (part === undefined) throw new Error("A capture without a part in the manifest.");
		return part;
	}

	#filesOf(part: number) {
		return captureFiles(this.#spool.folder, part);
	}

	#stderr(part: number): Promise<string> {
		return readFile(this.#filesOf(part).stderr, "utf8").catch(() => "");
	}

	/** The first frame of a part is there: from now on its place on the timeline is known. */
	async #place(part: Part, at: number | null): Promise<void> {
		if (at === null) return;
		const first = this.#parts[0]?.firstFrameAt ?? at;
		const later = part !== this.#parts[0];
		if (later) await this.video.sealPart();
		await this.#spool.update(() => {
			part.firstFrameAt = at;
			const clock = Math.round(((at - first) / 1_000) * FRAMES_PER_SECOND);
			part.startFrames = later ? Math.max(clock, this.#framesSoFar) : 0;
		});
		if (later) this.#join(part);
	}

	#join(part: Part): void {
		const { frames } = this.#turns;
		this.video.goOn(this.#filesOf(part.part).video, {
			startSeconds: part.startFrames / FRAMES_PER_SECOND,
			limitSeconds: frames === null ? null : (frames - part.startFrames) / FRAMES_PER_SECOND,
		});
	}

	/** Waits for the next thing that happens to a capture. */
	async #nextTurn(capture: Capture): Promise<Turn> {
		const over = new AbortController();
		const { displays } = this.#services;
		const { promise: turned, resolve } = Promise.withResolvers<Turn>();
		const look = () => {
			if (this.#isResized()) resolve("resized");
		};
		const stop = () => resolve("stopped");
		displays.on("changed", look);
		this.#turns.stop.addEventListener("abort", stop, { once: true });
		if (this.#turns.stop.aborted) stop();
		look();
		void capture.ended.then(() => resolve("ended"));
		void this.#stalled(over.signal).then((stalled) => {
			if (stalled) resolve("stalled");
		});
		const turn = await turned;
		over.abort();
		displays.off("changed", look);
		this.#turns.stop.removeEventListener("abort", stop);
		return turn;
	}

	#isResized(): boolean {
		const { width, height } = this.#lastPart;
		const display = this.#services.displays.get(this.#spool.manifest.displayId);
		return display !== undefined && (display.width !== width || display.height !== height);
	}

	/** Resolves with true when the file stops growing. Looks are counted, not time: the runner itself may be paused. */
	async #stalled(over: AbortSignal): Promise<boolean> {
		const { video } = this.#filesOf(this.#lastPart.part);
		let [size, looks] = [-1, 0];
		while (looks < STALLED_LOOKS) {
			await pause(LOOK_MS, over);
			if (over.aborted) return false;
			const now = await stat(video).then(
				(found) => found.size,
				() => -1,
			);
			looks = now === size ? looks + 1 : 0;
			size = now;
		}
		return true;
	}

	/** The next part. When there can be none, why is decided. */
	async #goOn(turn: Turn, fault: CaptureFault | null, end: CaptureEnd): Promise<void> {
		const gapFrom = this.video.durationSeconds;
		const captured = gapFrom - this.#lastPart.startFrames / FRAMES_PER_SECOND;
		this.#shortParts = turn !== "resized" && captured < SHORT_PART_SECONDS ? this.#shortParts + 1 : 0;
		const how = end.signal ?? (end.code === null ? "it was ended from outside" : `status ${end.code}`);
		const why = fault ?? unknownFault(await this.lastWords(), how);
		if (this.#shortParts >= MAX_SHORT_PARTS) return this.#turns.decide(why);
		const failed = await this.#beginNext(why);
		if (failed !== null) return this.#turns.decide(failed);
		if (this.#capture === null) return;
		const part = this.#lastPart;
		const gapSeconds = Math.max(0, part.startFrames / FRAMES_PER_SECOND - gapFrom);
		const data = { gapSeconds: rounded(gapSeconds), atSeconds: rounded(gapFrom), part: part.part };
		const went = `recording went on after a gap of ${gapSeconds.toFixed(1)} s`;
		if (turn === "resized") {
			const [width, height] = [part.width, part.height];
			const message = `The display is ${width}×${height} now, fitted into the first picture's size; ${went}.`;
			this.#tell.note("display_resized", message, { width, height, ...data });
		} else {
			const cause = turn === "stalled" ? "ffmpeg hung and was ended" : `ffmpeg ended unexpectedly (${how})`;
			this.#tell.note("capture_resumed", `${cause}; ${went}.`, data);
		}
	}

	/** @returns why nothing can be captured any more; null when something is, or the recording has to stop. */
	async #beginNext(why: CaptureFault): Promise<StopDecision | null> {
		const { spool, stop, frames } = { spool: this.#spool, ...this.#turns };
		const { displayId } = spool.manifest;
		await this.#forgetEmptyPart();
		const [first] = this.#parts;
		const fit = first === undefined ? null : { width: evenSize(first.width), height: evenSize(first.height) };
		const deadline = performance.now() + GO_ON_MS;
		for (;;) {
			const left = frames === null ? null : frames - this.#framesDue(first);
			if (left !== null && left <= 0) return { reason: "duration_elapsed" };
			const begun = await beginCapture(this.#services, spool, {
				...{ part: this.#parts.length + 1, frames: left, fit, displayWaitMs: DISPLAY_BACK_MS, stop },
			});
			if (begun === null) return null;
			if ("capture" in begun) return this.#joined(begun.capture, begun.firstFrameAt);
			const { fault } = begun;
			if (fault.reason === "storage_full") return fault;
			const gone = this.#services.displays.get(displayId) === undefined;
			if (gone || performance.now() > deadline) {
				return gone || fault.reason === "display_unavailable" ? lost(why, displayId) : fault;
			}
			await pause(100, stop);
		}
	}

	/** Frames of the timeline that have gone by: those that can be captured now begin behind them. */
	#framesDue(first: Part | undefined): number {
		if (first?.firstFrameAt == null) return 0;
		return Math.max(this.#framesSoFar, Math.floor(((Date.now() - first.firstFrameAt) / 1_000) * FRAMES_PER_SECOND));
	}

	async #joined(capture: Capture, at: number): Promise<StopDecision | null> {
		this.#capture = capture;
		await this.#place(this.#lastPart, at);
		while (this.#parts.length > 1 && this.video.fits === null && !capture.isEnded) {
			await this.video.refresh();
			await pause(20);
		}
		if (this.video.fits !== false) return null;
		capture.kill();
		this.#capture = null;
		await this.#forgetEmptyPart();
		return {
			reason: "ffmpeg_failed",
			message:
				"ffmpeg encodes otherwise than when the recording began, so that it cannot go on in the same video; was it replaced meanwhile? What was captured before is kept.",
		};
	}

	/** A part without a whole fragment leaves no trace: the next one takes its place. */
	async #forgetEmptyPart(): Promise<void> {
		if (this.video.hasFrames && !this.video.isLastEmpty) return;
		const empty = this.#lastPart;
		if (!this.video.hasFrames) await this.video.startAnew();
		else if (empty.firstFrameAt !== null) await this.video.dropPart();
		await this.#spool.update((manifest) => {
			manifest.parts = manifest.parts.filter((part) => part !== empty);
		});
	}
}

const rounded = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

const lost = (why: CaptureFault, displayId: string): StopDecision => ({
	reason: "display_lost",
	message:
		why.reason === "display_lost"
			? why.message
			: `Display ${displayId} cannot be captured any more; keep the X server running until the job has ended.`,
});
