/** The life of one job on the runner: from the order to the moment when nothing of it is left to do. */

import { readFile } from "node:fs/promises";
import type { StopReason } from "#lib/contract/job.ts";
import type { StopRule } from "#lib/contract/stop-condition.ts";
import { beginCapture, resumeCapture } from "./begin-capture.ts";
import { deliver } from "./deliver.ts";
import { verdictOf } from "./end-verdict.ts";
import { type Capture, type CaptureFiles, captureFiles, FRAMES_PER_SECOND } from "./ffmpeg.ts";
import { firstFrameAt } from "./ffmpeg-reason.ts";
import { JobTeller } from "./job-teller.ts";
import type { Services } from "./services.ts";
import type { JobSpool, Part } from "./spool.ts";
import { conditionOf } from "./stop-conditions/condition-of.ts";
import type { StopCondition, StopDecision } from "./stop-conditions/stop-condition.ts";
import { VideoFile } from "./video-boxes.ts";

/** How long ffmpeg may take to finish its file before it is ended by force. */
const STOP_GRACE_MS = 5_000;
const SHUTDOWN_GRACE_MS = 3_000;

export interface JobOptions {
	/** The grid's password; for a job that was taken up again it may come later, or never. */
	gridPassword?: string;
	/** A session was seen already: it is what began the recording. */
	sessionSeen?: boolean;
}

export class JobRun {
	readonly spool: JobSpool;
	/** Resolves with the reason as soon as it is clear that the recording ends. */
	readonly ending: Promise<StopReason>;
	/** Resolves when the job needs nothing more in this life of the runner. Never rejects. */
	readonly finished: Promise<void>;
	readonly #services: Services;
	readonly #tell: JobTeller;
	readonly #condition: StopCondition;
	readonly #ending = Promise.withResolvers<StopReason>();
	readonly #password = Promise.withResolvers<string | undefined>();
	/** Aborted when the recording has to end. */
	readonly #stop = new AbortController();
	/** Aborted when capture is over. */
	readonly #over = new AbortController();
	/** Aborted when nothing of the job is wanted any more. */
	readonly #disowned = new AbortController();
	#passwordWanted: boolean;
	/** How ffmpeg ended; null when that happened while no runner was there. */
	#how: string | null = null;
	#delivering: Promise<void> | null = null;
	readonly #video: VideoFile;

	/** Starts, or takes up again, the job whose spool this is. */
	constructor(services: Services, spool: JobSpool, options: JobOptions = {}) {
		const { manifest } = spool;
		this.spool = spool;
		this.#services = services;
		this.#tell = new JobTeller(services, spool);
		this.#video = new VideoFile(this.#files.video);
		this.ending = this.#ending.promise;
		this.#passwordWanted = manifest.passwordNeeded && options.gridPassword === undefined;
		if (!this.#passwordWanted) this.#password.resolve(options.gridPassword);
		const rule = { stopCondition: manifest.stopCondition, stopConditionConfig: manifest.stopConditionConfig };
		this.#condition = conditionOf(rule as StopRule, {
			password: () => this.#password.promise,
			sessionSeen: options.sessionSeen,
		});
		if (manifest.stop !== null) this.#stopNow(manifest.stop.reason);
		this.finished = this.#run().catch((error) => services.broke(spool, error));
	}

	/** What there is of the video as far as it was looked at; final when `sealed`. */
	get video(): { readonly durationSeconds: number; readonly available: number; readonly sealed: boolean } {
		return this.#video;
	}

	/** Nothing of it is wanted any more; it only has to vanish. */
	get isDisowned(): boolean {
		return this.#disowned.signal.aborted;
	}

	/** Whether the dashboard is asked for the grid's password. */
	get passwordWanted(): boolean {
		return this.#passwordWanted && !this.#over.signal.aborted;
	}

	/** The dashboard's answer to that; undefined when it has none. */
	givePassword(password: string | undefined): void {
		this.#passwordWanted = false;
		this.#password.resolve(password);
	}

	/** The dashboard asks for the end. */
	cancel(): void {
		if (this.spool.manifest.cancelSeen) return;
		this.#services.log.info(`${this.spool.label} is cancelled.`);
		this.#decide({ reason: "cancelled" });
		void this.spool.update((manifest) => {
			manifest.cancelSeen = true;
		});
	}

	/** The runner goes. */
	shutDown(): void {
		this.#decide({ reason: "runner_shutdown" });
	}

	/** The job is not this runner's any more: ends everything and keeps nothing. */
	disown(): void {
		this.#disowned.abort();
		this.#decide({ reason: "cancelled" });
	}

	/** First reason to end wins. */
	#decide(decision: StopDecision): void {
		if (this.spool.manifest.stop !== null || this.spool.manifest.settled) return;
		// The signal to ffmpeg goes out now; the disk hears of it in the meantime.
		this.#stopNow(decision.reason);
		void this.spool.update((manifest) => {
			manifest.stop = decision;
		});
	}

	#stopNow(reason: StopReason): void {
		this.#stop.abort();
		this.#ending.resolve(reason);
	}

	async #run(): Promise<void> {
		const { spool } = this;
		if (!spool.manifest.settled) {
			const capture = spool.manifest.parts.length > 0 ? await this.#resume() : await this.#begin();
			if (capture !== null) await this.#record(capture);
			await this.#settle();
		}
		this.#over.abort();
		this.#ending.resolve(spool.manifest.stop?.reason ?? "runner_shutdown");
		await this.#delivery();
	}

	async #begin(): Promise<Capture | null> {
		const begun = await beginCapture(this.#services, this.spool, this.#frames(), this.#stop.signal);
		if (begun === null) return null;
		if ("fault" in begun) {
			this.#decide({ reason: begun.fault.reason, message: begun.fault.message });
			return null;
		}
		return begun.capture;
	}

	/** Frames that are still to be captured; null for no end. */
	#frames(): number | null {
		const seconds = this.#condition.captureSeconds;
		return seconds === null ? null : seconds * FRAMES_PER_SECOND;
	}

	async #resume(): Promise<Capture | null> {
		const part = this.#part();
		const capture = await resumeCapture(this.spool, part);
		const { log } = this.#services;
		if (capture !== null) log.info(`${this.spool.label}: its ffmpeg still runs and is taken up again.`);
		else log.info(`${this.spool.label}: its ffmpeg has ended meanwhile; finishing what it left.`);
		return capture;
	}

	#part(): Part {
		const part = this.spool.manifest.parts.at(-1);
		if (part === undefined) throw new Error("A capture without a part in the manifest.");
		return part;
	}

	/** From the first frame to the last. */
	async #record(capture: Capture): Promise<void> {
		const part = this.#part();
		await this.#tell.recording(part);
		this.#startDelivery();
		const startedAt = performance.now() - (Date.now() - (part.firstFrameAt ?? Date.now()));
		const watching = this.#condition.watch({
			startedAt,
			over: this.#over.signal,
			stop: (decision) => this.#decide(decision),
			note: (event, message, data) => this.#tell.note(event, message, data),
		});
		const stopped = new Promise<void>((resolve) => {
			if (this.#stop.signal.aborted) resolve();
			this.#stop.signal.addEventListener("abort", () => resolve(), { once: true });
		});
		await Promise.race([capture.ended, stopped]);
		if (this.#disowned.signal.aborted) capture.kill();
		const grace = this.#services.leaving.aborted ? SHUTDOWN_GRACE_MS : STOP_GRACE_MS;
		const end = capture.isEnded ? await capture.ended : await capture.stop(grace);
		this.#over.abort();
		await watching;
		this.#how = end.signal ?? (end.code === null ? null : `status ${end.code}`);
	}

	/** Whether a `duration` has been captured to its last frame. */
	#isWhole(): boolean {
		const frames = this.#frames();
		return frames !== null && Math.round(this.#video.durationSeconds * FRAMES_PER_SECOND) >= frames;
	}

	get #files(): CaptureFiles {
		return captureFiles(this.spool.folder, this.spool.manifest.parts.at(-1)?.part ?? 1);
	}

	#stderr(): Promise<string> {
		return readFile(this.#files.stderr, "utf8").catch(() => "");
	}

	/** Capture is over: what is whole in the spool is final, and the outcome is told. */
	async #settle(): Promise<void> {
		const { spool } = this;
		const part = spool.manifest.parts.at(-1);
		await this.#video.seal();
		if (part !== undefined && this.#video.hasFrames) {
			// It may have been stopped, or the runner killed, before the first frame was noticed.
			part.firstFrameAt ??= firstFrameAt(await this.#stderr()) ?? Date.now() - this.#video.durationSeconds * 1_000;
			await this.#tell.recording(part);
		}
		const started = part?.firstFrameAt != null;
		if (spool.manifest.stop === null) {
			const stderr = await this.#stderr();
			const { displayId } = spool.manifest;
			this.#decide(verdictOf({ displayId, stderr, started, whole: this.#isWhole(), how: this.#how }));
		}
		if (this.#disowned.signal.aborted) return;
		await this.#tellOutcome(spool.manifest.stop ?? { reason: "ffmpeg_failed" }, part?.firstFrameAt ?? null);
		await spool.update((manifest) => {
			manifest.settled = true;
		});
	}

	async #tellOutcome(stop: StopDecision, firstFrameAt: number | null): Promise<void> {
		const seconds = this.#video.durationSeconds;
		if (seconds > 0 && firstFrameAt !== null) {
			await this.#tell.stopped(stop, firstFrameAt + seconds * 1_000, seconds);
		} else if (stop.reason === "cancelled") await this.#tell.cancelled();
		else if (stop.reason === "runner_shutdown" && !this.spool.manifest.recordingTold) {
			// Nothing is told: the job stays `starting`, and the runner gets it again when it comes back.
			this.#services.log.info(`${this.spool.label} had not begun; the runner takes it again when it is started again.`);
			this.#disowned.abort();
		} else await this.#tell.failed(stop);
	}

	#startDelivery(): void {
		this.#delivering ??= deliver(this.#services, this.spool, this.#video, {
			over: this.#over.signal,
			disowned: this.#disowned.signal,
			cancelled: () => this.cancel(),
		});
		// It is awaited when capture is over; until then a failure must not end the process.
		this.#delivering.catch(() => undefined);
	}

	async #delivery(): Promise<void> {
		if (!this.#video.sealed) await this.#video.seal();
		this.#startDelivery();
		await this.#delivering;
		await this.#video.close();
	}
}
