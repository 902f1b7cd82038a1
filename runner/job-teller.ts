/** Tells the dashboard, and the log, how a job goes: what was captured, and how it ended. */
import { isFailedReason } from "#lib/contract/job.ts";
import type { Verdict } from "#lib/contract/recording.ts";
import { evenSize } from "./capture/ffmpeg.ts";
import type { Services } from "./services.ts";
import type { JobSpool } from "./spool.ts";
import { stallData } from "./stall-words.ts";
import type { StopDecision } from "./stop-conditions/stop-condition.ts";
import type { Stall } from "./video/video-part.ts";

/** The longest sentence that a report may carry. */
const MAX_CHARACTERS = 2_000;

/** Sentences quote what strangers say, such as a grid and its address: one that is refused would leave its job open. */
const told = (message: string): string =>
	message
		.replaceAll(/\p{Cc}/gu, " ")
		.slice(0, MAX_CHARACTERS)
		.toWellFormed();

export interface Captured {
	/** Instant of the end of the last frame, ms since 1970. */
	lastFrameAt: number;
	/** From the first frame to the end of the last one. */
	seconds: number;
	/** What the picture shows; null when that is not known. */
	verdict: Verdict | null;
	/** Where no frame was captured. */
	stalls: readonly Stall[];
}

export class JobTeller {
	readonly #services: Pick<Services, "log" | "reporter">;
	readonly #spool: JobSpool;

	constructor(services: Pick<Services, "log" | "reporter">, spool: JobSpool) {
		this.#services = services;
		this.#spool = spool;
	}

	/** The first frame is there. Told once, whatever life of the runner it is. */
	async recording(): Promise<void> {
		const [part] = this.#spool.manifest.parts;
		if (this.#spool.manifest.recordingTold || part?.firstFrameAt == null) return;
		const [width, height] = [evenSize(part.width), evenSize(part.height)];
		this.#services.log.info(`${this.#spool.label} records ${part.xName}, ${width}x${height}.`);
		this.#spool.manifest.recordingTold = true;
		await this.#report({ type: "recording", at: new Date(part.firstFrameAt).toISOString(), width, height });
	}

	/** A line in the job's history. */
	note(event: string, message: string, data?: Record<string, unknown>): void {
		this.#services.log.info(`${this.#spool.label}: ${message}`);
		void this.#report({ type: "note", at: new Date().toISOString(), event, message, data });
	}

	/** Capture has ended and left something. */
	async stopped(stop: StopDecision, captured: Captured): Promise<void> {
		const { lastFrameAt, seconds, verdict, stalls } = captured;
		const words = stop.message === undefined ? "" : `. ${stop.message}`;
		this.#services.log.info(`${this.#spool.label} has ended after ${seconds.toFixed(1)} s: ${stop.reason}${words}`);
		// A constant frame rate can end up to a frame ahead of the clock; the future is not told.
		const at = new Date(Math.min(lastFrameAt, Date.now())).toISOString();
		const { reason: stopReason, message } = stop;
		const data = stalls.length === 0 ? stop.data : { ...stop.data, ...stallData(stalls) };
		await this.#report({ type: "stopped", at, stopReason, message, data, ...(verdict === null ? {} : { verdict }) });
	}

	/** It was cancelled before anything was captured. */
	async cancelled(): Promise<void> {
		this.#services.log.info(`${this.#spool.label} was cancelled before anything was captured.`);
		await this.#report({ type: "cancelled", at: new Date().toISOString() });
	}

	/** It ended without a frame. */
	async failed(stop: StopDecision): Promise<void> {
		const code = isFailedReason(stop.reason) ? stop.reason : "ffmpeg_failed";
		const message = stop.message ?? "ffmpeg ended without having captured a frame; see the runner's log.";
		this.#services.log.error(`${this.#spool.label} has failed: ${message}`);
		await this.#report({ type: "failed", at: new Date().toISOString(), code, message });
	}

	async #report(report: Parameters<JobSpool["report"]>[0]): Promise<void> {
		const words = "message" in report && report.message !== undefined ? { message: told(report.message) } : {};
		await this.#spool.report({ ...report, ...words });
		this.#services.reporter.kick();
	}
}
