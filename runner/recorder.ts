/**
 * Captures one display into one video, whatever happens to the encoders: one that dies, hangs, or whose display
 * changes its size is followed by another, which goes on in a new part of the same video.
 */
import { readFile } from "node:fs/promises";
import type { Verdict } from "#lib/contract/recording.ts";
import { beginCapture, firstFrame } from "./begin-capture.ts";
import { type CaptureTurn, nextTurn } from "./capture-turn.ts";
import { Capture, type CaptureEnd, captureFiles, evenSize, FRAMES_PER_SECOND } from "./capture/ffmpeg.ts";
import { type CaptureFault, faultOf, firstFrameAt, unknownFault } from "./ffmpeg-reason.ts";
import { fullDisk } from "./full-disk.ts";
import type { JobTeller } from "./job-teller.ts";
import { PictureWatch } from "./capture/verdict.ts";
import type { Services } from "./services.ts";
import type { JobSpool } from "./spool.ts";
import { secondsOf, stallMessage } from "./stall-words.ts";
import type { StopDecision } from "./stop-conditions/stop-condition.ts";
import { Timeline } from "./video/timeline.ts";
import { pause } from "./base/wait.ts";

/** How long a display may take to be there for the first frame, and for going on. */
const DISPLAY_WAIT_MS = 10_000;
const DISPLAY_BACK_MS = 1_000;
/** How long an encoder is tried to be started again, and how often in a row one may end soon after its start. */
const GO_ON_MS = 3_000;
const MAX_SHORT_PARTS = 5;
const SHORT_PART_SECONDS = 2;
/** How many seconds of samples may wait to be looked at: an upload looks at the video more often, while there is one. */
const LOOK_SECONDS = 10;

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

export class Recorder {
	readonly timeline: Timeline;
	readonly #services: Services;
	readonly #spool: JobSpool;
	readonly #tell: JobTeller;
	readonly #turns: RecorderTurns;
	#capture: Capture | null = null;
	#shortParts = 0;
	#looks = 0;
	#picture: PictureWatch | null = null;
	/** By how much the clock was set that ended the last part, in ms. */
	#clockSetBy = 0;

	constructor(services: Services, spool: JobSpool, tell: JobTeller, turns: RecorderTurns) {
		this.#services = services;
		this.#spool = spool;
		this.#tell = tell;
		this.#turns = turns;
		this.timeline = new Timeline(spool, turns.frames);
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
		await this.timeline.place(this.timeline.last, begun.firstFrameAt);
		return true;
	}

	/** Takes up what an earlier life of the runner began. @returns whether its ffmpeg still runs. */
	async resume(): Promise<boolean> {
		const { last, video } = this.timeline;
		// First of all: it has to be ended also when what it wrote cannot be read.
		this.#capture = await Capture.adopt(this.#filesOf(last.part));
		await this.timeline.restore();
		const gapFrom = video.durationSeconds;
		// While nobody looked, the clock was set: its frames can at least not be of the future.
		if (this.#capture !== null && this.timeline.clockSetBy(last) !== 0) await this.timeline.endPartNow();
		else if (this.#capture !== null) this.timeline.watch();
		if (this.#capture !== null && last.firstFrameAt === null) {
			// The runner died before it knew of the first frame; there may never be one.
			const at = await firstFrame(this.#capture, this.#turns.stop);
			if (typeof at === "number") await this.timeline.place(last, at);
		}
		if (this.#capture !== null && last.firstFrameAt !== null) this.#tellGap(gapFrom);
		return this.#capture !== null;
	}

	/** Ends everything at once; what was captured stays. */
	kill(): void {
		this.#capture?.kill();
	}

	/** Ends the capture that is there, if any, as a stop does. */
	async stop(): Promise<void> {
		await this.#capture?.stop(this.#turns.graceMs());
		this.#capture = null;
	}

	/** Captures until it has to stop or cannot go on. Begun or resumed before. */
	async run(): Promise<void> {
		while (this.#capture !== null) {
			const capture: Capture = this.#capture;
			const { displays } = this.#services;
			const { displayId } = this.#spool.manifest;
			const { last } = this.timeline;
			const turn = await nextTurn({
				...{ capture, displays, displayId, size: last, stop: this.#turns.stop },
				isClockSet: () => this.timeline.clockSetBy(last) !== 0,
				// A file that cannot be read now is read again at the next look, and the upload says so.
				looked: () => this.#looked(),
			});
			const useless = turn === "stalled" || turn === "clock_set";
			if (useless) capture.kill();
			const end = capture.isEnded || useless ? await capture.ended : await capture.stop(this.#turns.graceMs());
			this.#capture = null;
			this.#clockSetBy = this.timeline.clockSetBy(last);
			if (this.#clockSetBy !== 0) await this.timeline.endPart();
			await this.timeline.video.sealPart();
			if (this.#turns.stop.aborted) return;
			if (this.timeline.isWhole) return this.#turns.decide({ reason: "duration_elapsed" });
			const words = turn === "ended" ? await this.lastWords() : "";
			const fault = faultOf(words, displayId, true) ?? (await fullDisk(this.#spool.folder));
			if (fault?.reason === "storage_full") return this.#turns.decide(fault);
			await this.#goOn(turn, fault, end);
		}
	}

	/**
	 * Capture is over: what is whole is final. Can be called again when the disk refused.
	 * @returns whether anything was captured.
	 */
	async finish(): Promise<boolean> {
		await this.timeline.restore();
		const part = this.timeline.parts.at(-1);
		const gapFrom = this.timeline.video.durationSeconds;
		if (part !== undefined && part.firstFrameAt === null) {
			// It was stopped, or the runner killed, before the first frame was noticed.
			const at = firstFrameAt(await this.lastWords());
			if (at !== null) await this.timeline.place(part, at);
		}
		await this.timeline.video.seal();
		if (this.timeline.video.durationSeconds > gapFrom) this.#tellGap(gapFrom);
		this.#tellStalls();
		const [first] = this.timeline.parts;
		if (first !== undefined && this.timeline.video.hasFrames) {
			first.firstFrameAt ??= Date.now() - this.timeline.video.durationSeconds * 1_000;
		}
		return this.timeline.video.hasFrames;
	}

	/** What the picture of all parts shows; null when that is not known. */
	async judgePicture(): Promise<Verdict | null> {
		await this.#watchPicture();
		return this.#picture?.verdict ?? null;
	}

	async #watchPicture(): Promise<void> {
		const { parts } = this.timeline;
		if (parts[0] === undefined) return;
		this.#picture ??= new PictureWatch(parts[0]);
		await this.#picture.look(parts.map(({ part }) => this.#filesOf(part).samples));
	}

	/** What ffmpeg said last; empty before the first one. */
	lastWords(): Promise<string> {
		const { stderr } = this.#filesOf(this.timeline.parts.at(-1)?.part ?? 1);
		return readFile(stderr, "utf8").catch(() => "");
	}

	#filesOf(part: number) {
		return captureFiles(this.#spool.folder, part);
	}

	/** The next part. When there can be none, why is decided. */
	async #goOn(turn: CaptureTurn, fault: CaptureFault | null, end: CaptureEnd): Promise<void> {
		const gapFrom = this.timeline.video.durationSeconds;
		const captured = gapFrom - this.timeline.last.startFrames / FRAMES_PER_SECOND;
		const innocent = turn === "resized" || turn === "clock_set";
		this.#shortParts = !innocent && captured < SHORT_PART_SECONDS ? this.#shortParts + 1 : 0;
		const how = end.signal ?? (end.code === null ? "it was ended from outside" : `status ${end.code}`);
		const why = fault ?? unknownFault(await this.lastWords(), how);
		if (this.#shortParts >= MAX_SHORT_PARTS) return this.#turns.decide(why);
		const failed = await this.#beginNext(why);
		if (failed !== null) return this.#turns.decide(failed);
		if (this.#capture === null) return;
		const causes = {
			stalled: "ffmpeg hung and was ended",
			clock_set: `this machine's clock was set ${clockWords(this.#clockSetBy)}`,
		};
		const cause = turn in causes ? causes[turn as keyof typeof causes] : `ffmpeg ended unexpectedly (${how})`;
		this.#tellGap(gapFrom, { turn, cause });
	}

	/** Called once a second. */
	#looked(): void {
		this.#tellStalls();
		this.#looks += 1;
		if (this.#looks % LOOK_SECONDS !== 0) return;
		// A disk that fails is for those to report who need what is on it.
		void Promise.allSettled([this.timeline.video.refresh(), this.#watchPicture()]);
	}

	/** Reports the stalls that are not reported yet. */
	#tellStalls(): void {
		const { manifest } = this.#spool;
		for (const { from, to } of this.timeline.video.stalls.slice(manifest.stallsTold)) {
			// In the same write as the note.
			manifest.stallsTold += 1;
			const data = { from: rounded(from), to: rounded(to), seconds: rounded(to - from) };
			this.#tell.note("capture_stalled", stallMessage(data), data);
		}
	}

	/**
	 * Tells that the recording went on in its last part, when that is not told yet.
	 * @param gapFrom where on the timeline the part before it ended, in seconds.
	 */
	#tellGap(gapFrom: number, known?: { turn: CaptureTurn; cause: string }): void {
		const [before, last] = [this.timeline.parts.at(-2), this.timeline.last];
		if (known === undefined && last.told) return;
		// In the same write as the note.
		last.told = true;
		const { width, height } = last;
		const gapSeconds = Math.max(0, last.startFrames / FRAMES_PER_SECOND - gapFrom);
		const data = { gapSeconds: rounded(gapSeconds), atSeconds: rounded(gapFrom), part: last.part };
		const went = `recording went on after a gap of ${gapSeconds.toFixed(1)} s`;
		const isOtherSize = before !== undefined && (before.width !== width || before.height !== height);
		if (known === undefined ? isOtherSize : known.turn === "resized") {
			const message = `The display is ${width}×${height} now, fitted into the first picture's size; ${went}.`;
			this.#tell.note("display_resized", message, { width, height, ...data });
		} else this.#tell.note("capture_resumed", `${known?.cause ?? "ffmpeg ended unexpectedly"}; ${went}.`, data);
	}

	/** @returns why nothing can be captured any more; null when something is, or the recording has to stop. */
	async #beginNext(why: CaptureFault): Promise<StopDecision | null> {
		const [spool, { stop }] = [this.#spool, this.#turns];
		const { displayId } = spool.manifest;
		await this.timeline.forgetEmptyPart();
		const [first] = this.timeline.parts;
		const fit = first === undefined ? null : { width: evenSize(first.width), height: evenSize(first.height) };
		const deadline = performance.now() + GO_ON_MS;
		for (;;) {
			const frames = this.timeline.framesLeft;
			if (frames === 0) return { reason: "duration_elapsed" };
			const begun = await beginCapture(this.#services, spool, {
				...{ part: this.timeline.parts.length + 1, frames, fit, displayWaitMs: DISPLAY_BACK_MS, stop },
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

	async #joined(capture: Capture, at: number): Promise<StopDecision | null> {
		this.#capture = capture;
		await this.timeline.place(this.timeline.last, at);
		// In case that an earlier life of the runner saw no frame.
		await this.#tell.recording();
		const { video } = this.timeline;
		const deadline = performance.now() + GO_ON_MS;
		while (video.fits === null && !capture.isEnded && performance.now() < deadline) {
			await video.refresh();
			await pause(20);
		}
		if (video.fits !== false) return null;
		capture.kill();
		this.#capture = null;
		await this.timeline.forgetEmptyPart();
		return {
			reason: "ffmpeg_failed",
			message:
				"ffmpeg encodes otherwise than when the recording began, so that it cannot go on in the same video; was it replaced meanwhile? What was captured before is kept.",
		};
	}
}

const clockWords = (ms: number): string => `${ms < 0 ? "back" : "forward"} by ${secondsOf(Math.abs(ms) / 1_000)}`;

const rounded = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

const lost = (why: CaptureFault, displayId: string): StopDecision => ({
	reason: "display_lost",
	message:
		why.reason === "display_lost"
			? why.message
			: `Display ${displayId} cannot be captured any more; keep the X server running until the job has ended.`,
});
