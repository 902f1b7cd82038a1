/** Reports a job's progress and outcome to the dashboard and to the log. */
import { isFailedReason } from "@tapedeck/contract/job-status.ts";
import type { Verdict } from "@tapedeck/contract/recording.ts";
import { bootMs } from "../base/clock.ts";
import type { RunnerLog } from "../base/log.ts";
import type { HistoryEntry, JobSpool, NewReport, StopDecision } from "../spool/spool.ts";
import type { Reporter } from "./reporter.ts";

/** The longest message that a report may carry. */
const MAX_CHARACTERS = 2_000;

/** Messages quote other programs, such as a grid. The dashboard refuses control characters, which would leave the job open. */
const cleaned = (message: string): string =>
	message
		.replaceAll(/\p{Cc}/gu, " ")
		.slice(0, MAX_CHARACTERS)
		.toWellFormed();

/** The recording's timeline, as far as reports need it. */
interface ReportedTimeline {
	/** Size of the video; null before its first part. */
	readonly size: { width: number; height: number } | null;
	/** The moment of a timeline position, in ms since boot. */
	momentOf(seconds: number): number;
}

export interface Ended {
	/** When the last frame ended, in ms since boot. */
	endedAt: number;
	/** The time from the first frame to the end of the last one. */
	seconds: number;
	/** The verdict on the frames; null when unknown. */
	verdict: Verdict | null;
}

export class JobReports {
	readonly #log: RunnerLog;
	readonly #reporter: Reporter;
	readonly #spool: JobSpool;

	constructor({ log, reporter }: { log: RunnerLog; reporter: Reporter }, spool: JobSpool) {
		this.#log = log;
		this.#reporter = reporter;
		this.#spool = spool;
	}

	/** The first frame is captured. Reported once per job, across restarts. */
	async recording(timeline: ReportedTimeline): Promise<void> {
		const { size } = timeline;
		const [part] = this.#spool.manifest.parts;
		if (this.#spool.manifest.recordingReported || size === null || part?.firstFrameAt == null) return;
		const { width, height } = size;
		this.#log.info(`${this.#spool.label} is recording ${part.xName}, ${width}x${height}.`);
		this.#spool.manifest.recordingReported = true;
		const { displayId, virtualDisplay, video } = this.#spool.manifest;
		const made = virtualDisplay ? { displayId } : {};
		await this.#report({ type: "recording", width, height, video, ...made }, timeline.momentOf(0));
	}

	/** Adds an entry to the job's history. @param at the time of the event by performance.now(); now if omitted. */
	add(entry: HistoryEntry, at = performance.now()): void {
		this.#log.info(`${this.#spool.label}: ${entry.message}`);
		const moment = bootMs() - (performance.now() - at);
		void this.#report(entry, moment);
	}

	/** Adds an entry that only people read. */
	note(event: string, message: string, data?: Record<string, unknown>): void {
		this.add({ type: "note", event, message, data });
	}

	/** Capture has ended with at least one frame. */
	async stopped(stop: StopDecision, { endedAt, seconds, verdict }: Ended): Promise<void> {
		const { reason: stopReason, message, data } = stop;
		const detail = message === undefined ? "" : `. ${message}`;
		this.#log.info(`${this.#spool.label} ended after ${seconds.toFixed(1)} s: ${stopReason}${detail}`);
		// At a constant frame rate, the video can end up to a frame ahead of the clock; an event must not lie in the future.
		const moment = Math.min(endedAt, bootMs());
		await this.#report(
			{ type: "stopped", stopReason, message, data, ...(verdict === null ? {} : { verdict }) },
			moment,
		);
	}

	/** The job was cancelled before anything was captured. */
	async cancelled(): Promise<void> {
		this.#log.info(`${this.#spool.label} was cancelled before its first frame.`);
		await this.#report({ type: "cancelled" });
	}

	/** The job ended before its first frame. */
	async failed(stop: StopDecision): Promise<void> {
		const code = isFailedReason(stop.reason) ? stop.reason : "ffmpeg_failed";
		const message = stop.message ?? "The recording ended before its first frame.";
		this.#log.error(`${this.#spool.label} failed: ${message}`);
		await this.#report({ type: "failed", code, message });
	}

	async #report(report: NewReport, moment?: number): Promise<void> {
		const message = "message" in report && report.message !== undefined ? { message: cleaned(report.message) } : {};
		await this.#spool.report({ ...report, ...message }, moment);
		this.#reporter.kick();
	}
}
