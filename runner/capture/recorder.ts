/**
 * Captures one display into one video. When ffmpeg dies or hangs, when the display is resized or the clock set, or when
 * a private span begins or ends, a new ffmpeg continues in another part of the same video.
 */
import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { MAX_PRIVATE_STRETCHES, type WantedPrivacy } from "@tapedeck/contract/privacy.ts";
import type { Verdict } from "@tapedeck/contract/recording.ts";
import { pause } from "../base/wait.ts";
import type { JobReports } from "../dashboard/job-reports.ts";
import { captureFiles } from "../spool/capture-files.ts";
import { type JobSpool, type Part, type StopDecision, stopFor } from "../spool/spool.ts";
import { Timeline } from "../video/timeline.ts";
import { beginCapture, type CaptureTools, firstFrame } from "./begin-capture.ts";
import type { Buffers } from "./buffers.ts";
import { type CaptureEvent, nextCaptureEvent } from "./capture-event.ts";
import { type CaptureFault, faultOf, firstFrameAt, fullDisk, slowFault, unknownFault } from "./capture-fault.ts";
import { rounded, secondsOf, stallMessage } from "./describe-stall.ts";
import { Capture, type CaptureEnd } from "./ffmpeg.ts";
import { FollowedWindow } from "./followed-window.ts";
import { areaOf, isSameRegion } from "./recorded-area.ts";
import { windowWords } from "./take-screenshot.ts";
import { SampleReader } from "./verdict.ts";

/** Maximum time to wait for the display at the start, and when continuing. */
const DISPLAY_WAIT_MS = 10_000;
const DISPLAY_RETURN_MS = 1_000;
/** Time during which restarts are attempted, and the maximum number of consecutive parts shorter than SHORT_PART_SECONDS. */
const RESTART_MS = 3_000;
const MAX_SHORT_PARTS = 5;
const SHORT_PART_SECONDS = 2;
/** Interval of refreshing the video and its samples; an upload refreshes the video more often. */
const REFRESH_SECONDS = 10;

/** Tools of recorders, in addition to those of captures. */
export interface RecorderTools extends CaptureTools {
	/** Buffers, which give a recording the frames from before its start. */
	buffers: Pick<Buffers, "handOver">;
}

export interface RecorderHooks {
	/** Frames of the whole recording, and why it has ended when they are captured; null for no limit. */
	limit: { frames: number; reached: StopDecision } | null;
	/** Aborted when the recording has to end. */
	stop: AbortSignal;
	/** Maximum time for ffmpeg to finish its file, in ms. */
	graceMs(): number;
	/** Called when the recording ends by itself. */
	decide(decision: StopDecision): void;
}

export class Recorder {
	readonly timeline: Timeline;
	readonly #tools: RecorderTools;
	readonly #spool: JobSpool;
	readonly #reports: JobReports;
	readonly #hooks: RecorderHooks;
	#capture: Capture | null = null;
	#shortParts = 0;
	#polls = 0;
	#samples: SampleReader | null = null;
	/** Null for a recording that follows none. */
	readonly #window: FollowedWindow | null;
	#closedReported = false;
	/** The change of the clock that ended the last part, in ms. */
	#clockSetBy = 0;

	constructor(tools: RecorderTools, spool: JobSpool, reports: JobReports, hooks: RecorderHooks) {
		this.#tools = tools;
		this.#spool = spool;
		this.#reports = reports;
		this.#hooks = hooks;
		this.timeline = new Timeline(spool, hooks.limit?.frames ?? null);
		const { window } = spool.manifest.video;
		this.#window = window === undefined ? null : new FollowedWindow(window, this.timeline.parts.at(-1));
	}

	/**
	 * Starts capturing, after the parts of a buffer if there are any.
	 * @returns false when there is no first frame; a fault was then passed to `decide`.
	 */
	async begin(): Promise<boolean> {
		const { stop, limit } = this.#hooks;
		if (this.#window !== null) {
			await this.#tools.displays.waitFor(this.#spool.manifest.displayId, DISPLAY_WAIT_MS, stop);
			await this.#lookForWindow();
		}
		const { framesLeft: frames, parts } = this.timeline;
		if (limit !== null && frames === 0) {
			this.#hooks.decide(limit.reached);
			return false;
		}
		const begun = await beginCapture(this.#tools, this.#spool, {
			part: parts.length + 1,
			frames,
			displayWaitMs: DISPLAY_WAIT_MS,
			stop,
			window: this.#window?.place ?? null,
		});
		if (begun === null) return false;
		if ("fault" in begun) {
			this.#hooks.decide(stopFor(begun.fault));
			return false;
		}
		this.#capture = begun.capture;
		if (this.#window?.place === null) {
			const which = `No window ${windowWords(this.#spool.manifest.video.window)} is open`;
			this.#reports.note("window_missing", `${which} yet. The whole display is recorded until there is one.`);
		}
		if (this.timeline.parts.length > 1) await this.#followBuffer(begun.firstFrameAt);
		await this.timeline.place(this.timeline.last, begun.firstFrameAt);
		return true;
	}

	/** The buffer has recorded until now, so nothing is missing before the first frame of the capture that has begun. */
	async #followBuffer(firstFrameAt: number): Promise<void> {
		const { last } = this.timeline;
		await this.timeline.endPreviousAt(firstFrameAt);
		await this.#tools.buffers.handOver(this.#spool, firstFrameAt - last.clock.wallAtBootMs);
		last.reported = true;
		await this.timeline.restore();
	}

	/** Resumes a recording of a previous process. @returns whether its ffmpeg is still running. */
	async resume(): Promise<boolean> {
		const { last, video } = this.timeline;
		// Must come first: ffmpeg has to be ended even when its file cannot be read.
		this.#capture = await Capture.adopt(this.#filesOf(last.part));
		await this.timeline.restore();
		const gapFrom = video.durationSeconds;
		// The clock was set while no runner was watching: ends the part now, so that it cannot extend into the future.
		if (this.#capture !== null && this.timeline.clockSetBy(last) !== 0) await this.timeline.endPartNow();
		else if (this.#capture !== null) this.timeline.watch();
		if (this.#capture !== null && last.firstFrameAt === null) {
			// The runner died before it saw the first frame; there may never be one.
			const at = await firstFrame(this.#capture, this.#hooks.stop);
			if (typeof at === "number") await this.timeline.place(last, at);
		}
		if (this.#capture !== null && last.firstFrameAt !== null) this.#reportGap(gapFrom);
		return this.#capture !== null;
	}

	/** Why it has ended, when all its frames are captured; otherwise null. */
	get whole(): StopDecision | null {
		return this.timeline.isWhole ? (this.#hooks.limit?.reached ?? null) : null;
	}

	/** Kills ffmpeg; the captured video stays. */
	kill(): void {
		this.#capture?.kill();
	}

	/** Ends a running capture gracefully. */
	async stop(): Promise<void> {
		await this.#capture?.stop(this.#hooks.graceMs());
		this.#capture = null;
	}

	/** Captures until stopped or until capture cannot continue. Call `begin` or `resume` first. */
	async run(): Promise<void> {
		while (this.#capture !== null) {
			const capture: Capture = this.#capture;
			const { displays } = this.#tools;
			const { displayId } = this.#spool.manifest;
			const { last } = this.timeline;
			const event = await nextCaptureEvent({
				capture,
				displays,
				displayId,
				area: last,
				stop: this.#hooks.stop,
				areaOf: (display) => areaOf(display, this.#spool.manifest.video, this.#window?.place ?? null),
				look: () => this.#lookForWindow(),
				isClockSet: () => this.timeline.clockSetBy(last) !== 0,
				isPrivacyDue: () => this.#isPrivacyDue(),
				// An unreadable file is read again at the next poll; the upload reports the error.
				polled: () => this.#polled(),
			});
			const mustKill = event === "stalled" || event === "clock_set";
			if (mustKill) capture.kill();
			const end = capture.isEnded || mustKill ? await capture.ended : await capture.stop(this.#hooks.graceMs());
			this.#capture = null;
			this.#clockSetBy = this.timeline.clockSetBy(last);
			if (this.#clockSetBy !== 0) await this.timeline.endPart();
			await this.timeline.video.sealPart();
			if (this.#hooks.stop.aborted) return;
			const { whole } = this;
			if (whole !== null) return this.#hooks.decide(whole);
			const stderr = event === "ended" ? await this.lastStderrLines() : "";
			const fault = faultOf(stderr, displayId, true) ?? (await fullDisk(this.#spool.folder));
			if (fault?.code === "storage_full") return this.#hooks.decide(stopFor(fault));
			const slow = event === "stalled" ? this.#slowFault(capture) : null;
			await this.#resumeAfter(event, fault ?? slow, end);
		}
	}

	/**
	 * Finalizes the video after capture. Can be called again after a disk error.
	 * @returns whether anything was captured.
	 */
	async finish(): Promise<boolean> {
		await this.timeline.restore();
		const part = this.timeline.parts.at(-1);
		const gapFrom = this.timeline.video.durationSeconds;
		if (part !== undefined && part.firstFrameAt === null) {
			// Capture was stopped, or the runner killed, before the first frame was seen.
			const at = firstFrameAt(await this.lastStderrLines());
			if (at !== null) await this.timeline.place(part, at);
		}
		await this.timeline.video.seal();
		if (this.timeline.video.durationSeconds > gapFrom) this.#reportGap(gapFrom);
		this.#reportStalls();
		if (this.timeline.video.hasFrames) this.#reportPrivacy(this.#spool.manifest.privacyReported);
		const [first] = this.timeline.parts;
		if (first !== undefined && this.timeline.video.hasFrames) {
			first.firstFrameAt ??= Date.now() - this.timeline.video.durationSeconds * 1_000;
		}
		return this.timeline.video.hasFrames;
	}

	/** The verdict over all parts that show the display; null when unknown. */
	async pictureVerdict(): Promise<Verdict | null> {
		await this.#readSamples();
		return this.#samples?.verdict ?? null;
	}

	async #readSamples(): Promise<void> {
		const { parts } = this.timeline;
		if (parts[0] === undefined) return;
		this.#samples ??= new SampleReader(parts[0]);
		// A private span is black by request and says nothing about the display.
		const shown = parts.filter(({ isPrivate }) => !isPrivate);
		await this.#samples.read(shown.map(({ part }) => this.#filesOf(part).samples));
	}

	/** The last ffmpeg's standard error; empty before the first one. */
	lastStderrLines(): Promise<string> {
		const { stderr } = this.#filesOf(this.timeline.parts.at(-1)?.part ?? 1);
		return readFile(stderr, "utf8").catch(() => "");
	}

	#filesOf(part: number) {
		return captureFiles(this.#spool.folder, part);
	}

	/** The fault of a capture that was killed because its file no longer grew. */
	#slowFault({ since }: Capture): CaptureFault {
		const { width, height } = this.timeline.last;
		const seconds = (performance.now() - since) / 1_000;
		// The first frame was captured, although there may be no complete fragment yet.
		const captured = { frames: Math.max(1, this.timeline.video.lastFrames), seconds, width, height };
		return slowFault(this.#spool.manifest.displayId, captured);
	}

	/** Continues with the next part, or decides why that is impossible. */
	async #resumeAfter(event: CaptureEvent, fault: CaptureFault | null, end: CaptureEnd): Promise<void> {
		const gapFrom = this.timeline.video.durationSeconds;
		const captured = gapFrom - this.timeline.startOf(this.timeline.last);
		const isExpected = event === "area_changed" || event === "clock_set" || event === "privacy";
		this.#shortParts = !isExpected && captured < SHORT_PART_SECONDS ? this.#shortParts + 1 : 0;
		const how = end.signal ?? (end.code === null ? "ended by another process" : `status ${end.code}`);
		const why = fault ?? unknownFault(await this.lastStderrLines(), how);
		if (this.#shortParts >= MAX_SHORT_PARTS) return this.#hooks.decide(stopFor(why));
		const failed = await this.#beginNext(why);
		if (failed !== null) return this.#hooks.decide(failed);
		if (this.#capture === null || event === "privacy") return;
		const causes = {
			stalled: "ffmpeg hung and was killed",
			clock_set: `this machine's clock was set ${clockWords(this.#clockSetBy)}`,
		};
		const cause = event in causes ? causes[event as keyof typeof causes] : `ffmpeg ended unexpectedly (${how})`;
		this.#reportGap(gapFrom, { event, cause });
	}

	/** Called once a second. */
	#polled(): void {
		this.#reportStalls();
		this.#polls += 1;
		if (this.#polls % REFRESH_SECONDS !== 0) return;
		// Disk errors are reported by delivery.
		void Promise.allSettled([this.timeline.video.refresh(), this.#readSamples()]);
	}

	/** Whether the capture must be replaced by one that records black, or by one that records the display. */
	#isPrivacyDue(): boolean {
		const { privacy } = this.#spool.manifest;
		const { isPrivate, firstFrameAt } = this.timeline.last;
		if (isPrivate !== privacy.on) return true;
		// From here on, the requester may rely on the privacy.
		if (firstFrameAt !== null) this.#reportPrivacy(privacy);
		return false;
	}

	/** Reports the effective privacy, and the private parts of the video so far, unless both were reported. */
	#reportPrivacy({ version, on }: WantedPrivacy): void {
		const { manifest } = this.#spool;
		const stretches = this.timeline.privateStretches.slice(-MAX_PRIVATE_STRETCHES);
		const reported = { version, on, stretches };
		if (isDeepStrictEqual(reported, manifest.privacyReported)) return;
		// Saved in the same write as the report.
		manifest.privacyReported = reported;
		const message = on ? "Recording black: the display is private." : "Recording the display: it is not private.";
		this.#reports.add({ type: "privacy", message, ...reported });
	}

	/** Reports stalls that were not reported yet. */
	#reportStalls(): void {
		const { manifest } = this.#spool;
		for (const stall of this.timeline.video.stalls.slice(manifest.stallsTold)) {
			const { from, to } = stall;
			// Saved in the same write as the report.
			manifest.stallsTold += 1;
			const seconds = rounded(to - from);
			const message = stallMessage(stall);
			this.#reports.add({ type: "capture_stalled", message, from: rounded(from), to: rounded(to), seconds });
		}
	}

	/**
	 * Notes that the recording continued in its last part, once.
	 * @param gapFrom end of the previous part on the timeline, in seconds.
	 */
	#reportGap(gapFrom: number, known?: { event: CaptureEvent; cause: string }): void {
		const [before, last] = [this.timeline.parts.at(-2), this.timeline.last];
		if (known === undefined && last.reported) return;
		// Saved in the same write as the note.
		last.reported = true;
		const { x, y, width, height } = last;
		const gapSeconds = Math.max(0, this.timeline.startOf(last) - gapFrom);
		const data = { gapSeconds: rounded(gapSeconds), atSeconds: rounded(gapFrom), part: last.part };
		const continued = `recording continued after a gap of ${gapSeconds.toFixed(1)} s`;
		const isOtherArea = before !== undefined && !isSameRegion(before, last);
		if (known === undefined ? isOtherArea : known.event === "area_changed") {
			const [event, what] = this.#newArea(last);
			this.#reports.note(event, `${what}; ${continued}.`, { x, y, width, height, ...data });
		} else {
			this.#reports.note("capture_resumed", `${known?.cause ?? "ffmpeg ended unexpectedly"}; ${continued}.`, data);
		}
	}

	/** Why a recording shows another area in its last part: the event of its history, and the beginning of its message. */
	#newArea({ x, y, width, height }: Part): [event: string, what: string] {
		const area = `${width}×${height} pixels at ${x}, ${y}`;
		if (this.#window?.place != null) return ["window_moved", `The recording follows its window and shows ${area}`];
		if (this.#spool.manifest.video.region !== undefined)
			return ["display_resized", `The display was resized, so ${area} are recorded of it`];
		return ["display_resized", `The display was resized to ${width}×${height}`];
	}

	/** Finds the window that the recording follows, if it follows one. */
	async #lookForWindow(): Promise<void> {
		const requests = this.#tools.displays.requests(this.#spool.manifest.displayId);
		if (this.#window === null || requests === null) return;
		const wasShown = this.#window.isShown;
		await this.#window.look(requests);
		if (this.#window.isShown || !wasShown || this.#closedReported) return;
		// Once: a test can open and close many.
		this.#closedReported = true;
		const which = `The window ${windowWords(this.#spool.manifest.video.window)} was closed`;
		this.#reports.note(
			"window_closed",
			`${which}. The recording shows where it was, and follows it when it is open again.`,
		);
	}

	/** @returns why capture cannot continue; null when it does, or when the recording has to stop. */
	async #beginNext(why: CaptureFault): Promise<StopDecision | null> {
		const [spool, { stop, limit }] = [this.#spool, this.#hooks];
		const { displayId } = spool.manifest;
		await this.timeline.forgetEmptyPart();
		const deadline = performance.now() + RESTART_MS;
		for (;;) {
			const frames = this.timeline.framesLeft;
			if (limit !== null && frames === 0) return limit.reached;
			const begun = await beginCapture(this.#tools, spool, {
				part: this.timeline.parts.length + 1,
				frames,
				displayWaitMs: DISPLAY_RETURN_MS,
				stop,
				window: this.#window?.place ?? null,
			});
			if (begun === null) return null;
			if ("capture" in begun) {
				this.#capture = begun.capture;
				await this.timeline.place(this.timeline.last, begun.firstFrameAt);
				// Reports again, in case the previous process saw no frame.
				await this.#reports.recording(this.timeline);
				return null;
			}
			const { fault } = begun;
			if (fault.code === "storage_full") return stopFor(fault);
			const gone = this.#tools.displays.get(displayId) === undefined;
			if (gone || performance.now() > deadline) {
				return stopFor(gone || fault.code === "display_unavailable" ? lost(why, displayId) : fault);
			}
			await pause(100, stop);
		}
	}
}

/** The requested window in words, after "window". */

const clockWords = (ms: number): string => `${ms < 0 ? "back" : "forward"} by ${secondsOf(Math.abs(ms) / 1_000)}`;

const lost = (why: CaptureFault, displayId: string): CaptureFault =>
	why.code === "display_lost"
		? why
		: {
				code: "display_lost",
				what: `Display ${displayId} can no longer be captured`,
				remedy: "keep its X server running until the job has ended",
			};
