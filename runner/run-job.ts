/** The life of one job on the runner: from the order to the moment when nothing of it is left to do. */

import type { StopReason } from "#lib/contract/job.ts";
import type { Verdict } from "#lib/contract/recording.ts";
import type { StopRule } from "#lib/contract/stop-condition.ts";
import { deliver } from "./deliver.ts";
import { verdictOf, verdictOfError } from "./end-verdict.ts";
import { FRAMES_PER_SECOND } from "./capture/ffmpeg.ts";
import { endedBySignal } from "./ffmpeg-reason.ts";
import { JobTeller } from "./job-teller.ts";
import { FatalError, wordsOf } from "./log.ts";
import { outsideOf } from "./outside-of.ts";
import { Recorder } from "./recorder.ts";
import type { Services } from "./services.ts";
import type { JobSpool } from "./spool.ts";
import { conditionOf } from "./stop-conditions/condition-of.ts";
import type { StopCondition, StopDecision } from "./stop-conditions/stop-condition.ts";
import { aborted, Backoff, pause } from "./base/wait.ts";

/** How long ffmpeg may take to finish its file before it is ended by force. */
const STOP_GRACE_MS = 5_000;
const SHUTDOWN_GRACE_MS = 3_000;
/** How long the end of a job is not reported because what it captured cannot be read. */
const UNREADABLE_MS = 10_000;

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
	/** What the picture says, once capture is over; null also when that happened in an earlier life of the runner. */
	verdict: Verdict | null = null;
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
	/** Aborted when it is kept for another dashboard. */
	readonly #setAside = new AbortController();
	/** Capture broke off while no runner was there: what is asked for since then is not why the video ends. */
	#brokeOff = false;
	#passwordWanted: boolean;
	#delivering: Promise<void> | null = null;
	readonly #recorder: Recorder;

	/** Starts, or takes up again, the job whose spool this is. */
	constructor(services: Services, spool: JobSpool, options: JobOptions = {}) {
		const { manifest } = spool;
		this.spool = spool;
		this.#services = services;
		this.#tell = new JobTeller(services, spool);
		this.ending = this.#ending.promise;
		this.#passwordWanted = manifest.passwordNeeded && options.gridPassword === undefined;
		if (!this.#passwordWanted) this.#password.resolve(options.gridPassword);
		const rule = { stopCondition: manifest.stopCondition, stopConditionConfig: manifest.stopConditionConfig };
		this.#condition = conditionOf(rule as StopRule, {
			password: () => this.#password.promise,
			sessionSeen: options.sessionSeen,
			allowed: services.config.allowedGrids,
		});
		this.#recorder = new Recorder(services, spool, this.#tell, {
			frames: this.#condition.captureSeconds === null ? null : this.#condition.captureSeconds * FRAMES_PER_SECOND,
			stop: this.#stop.signal,
			graceMs: () => (services.leaving.aborted ? SHUTDOWN_GRACE_MS : STOP_GRACE_MS),
			decide: (decision) => this.#decide(decision),
		});
		if (manifest.stop !== null) this.#stopNow(manifest.stop.reason);
		const outside = outsideOf(services, manifest);
		if (outside !== null) this.#decide(outside);
		this.finished = this.#run().catch((error) => {
			services.broke(spool, error);
			// It stays listed: the dashboard must not wait for a job of which nobody knows.
			if (!(error instanceof FatalError)) return aborted(services.closed);
		});
	}

	/** What there is of the video as far as it was looked at; final when `sealed`. */
	get video(): { readonly durationSeconds: number; readonly available: number; readonly sealed: boolean } {
		return this.#recorder.timeline.video;
	}

	/** Nothing of it is wanted any more; it only has to vanish. */
	get isDisowned(): boolean {
		return this.#disowned.signal.aborted;
	}

	/** It belongs to another dashboard than the runner is signed in to, and is kept for that one. */
	get isSetAside(): boolean {
		return this.#setAside.signal.aborted;
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

	/** The runner goes. @param decision why, when it is not just stopped. */
	shutDown(decision: StopDecision = { reason: "runner_shutdown" }): void {
		this.#decide(decision);
	}

	/** Somebody deleted its recording in the dashboard, or here: ends everything and keeps nothing. */
	disown(): void {
		this.#disowned.abort();
		this.#decide({ reason: "cancelled" });
		this.#recorder.kill();
	}

	/**
	 * It belongs to another dashboard: nobody could cancel it any more, so it ends as it does when the runner is stopped.
	 * Everything is kept.
	 */
	setAside(): void {
		this.#setAside.abort();
		this.shutDown();
	}

	/** First reason to end wins. */
	#decide(decision: StopDecision): void {
		if (this.spool.manifest.stop !== null || this.spool.manifest.settled) return;
		this.#end(decision);
	}

	#end(decision: StopDecision): void {
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
			await this.#capture();
			await this.#settle();
		}
		this.#over.abort();
		this.#ending.resolve(spool.manifest.stop?.reason ?? "runner_shutdown");
		await this.#delivery();
	}

	/** From the order to the end of capture. An error of the runner ends the recording, not the job. */
	async #capture(): Promise<void> {
		const { spool } = this;
		try {
			if (await (spool.manifest.parts.length > 0 ? this.#resume() : this.#recorder.begin())) await this.#record();
		} catch (error) {
			this.#breakOff(error);
			await this.#recorder.stop();
			this.#over.abort();
		}
	}

	/** Something failed in the runner itself, without which the recording is of no use. */
	#breakOff(error: unknown): void {
		if (this.spool.manifest.stop === null) {
			this.#services.log.error(`${this.spool.label} ends, because the runner cannot go on: ${wordsOf(error)}.`);
		}
		this.#decide(verdictOfError(error));
	}

	async #resume(): Promise<boolean> {
		const decidedEarlier = this.spool.manifest.stop !== null;
		const runs = await this.#recorder.resume();
		// One that was asked to end says so: the runner was killed before it could write down why.
		this.#brokeOff = !runs && !decidedEarlier && !endedBySignal(await this.#recorder.lastWords());
		const { log } = this.#services;
		if (runs) log.info(`${this.spool.label}: its ffmpeg still runs and is taken up again.`);
		else log.info(`${this.spool.label}: its ffmpeg has ended meanwhile; finishing what it left.`);
		return runs;
	}

	/** Instant of the first frame, ms since 1970; null while there is none. */
	get #firstFrameAt(): number | null {
		return this.spool.manifest.parts[0]?.firstFrameAt ?? null;
	}

	/** From the first frame to the last. */
	async #record(): Promise<void> {
		await this.#tell.recording();
		this.#startDelivery();
		const { timeline } = this.#recorder;
		const watch = this.#condition.watch({
			get startedAt() {
				return performance.now() - timeline.secondsAt(Date.now()) * 1_000;
			},
			over: this.#over.signal,
			stop: (decision) => this.#decide(decision),
			note: (event, message, data) => this.#tell.note(event, message, data),
		});
		// Without its condition nothing would ever end it.
		const watching = watch.catch((error) => this.#breakOff(error));
		await this.#recorder.run();
		this.#over.abort();
		await watching;
	}

	/** Capture is over: what is whole in the spool is final, and the outcome is told. */
	async #settle(): Promise<void> {
		const { spool } = this;
		const started = await this.#finish(UNREADABLE_MS);
		if (started) await this.#tell.recording();
		if (spool.manifest.stop === null || (this.#brokeOff && started)) {
			const stderr = await this.#recorder.lastWords();
			const { displayId } = spool.manifest;
			this.#end(verdictOf({ displayId, stderr, started, whole: this.#recorder.timeline.isWhole }));
		}
		if (this.#disowned.signal.aborted) return;
		await this.#tellOutcome(spool.manifest.stop ?? { reason: "ffmpeg_failed" }, this.#firstFrameAt);
		await spool.update((manifest) => {
			manifest.settled = true;
		});
	}

	/**
	 * Makes what was captured final, again and again while it cannot be read.
	 * @param patienceMs after which what was seen of it counts for now.
	 * @returns whether there is anything.
	 */
	async #finish(patienceMs: number): Promise<boolean> {
		const { closed, log } = this.#services;
		const deadline = performance.now() + patienceMs;
		const backoff = new Backoff();
		for (;;) {
			try {
				return await this.#recorder.finish();
			} catch (error) {
				if (this.#disowned.signal.aborted) return false;
				if (closed.aborted) throw error;
				if (performance.now() > deadline) {
					log.error(`${this.spool.label}: what was captured cannot be read (${wordsOf(error)}); it is tried again.`);
					return this.#recorder.timeline.video.hasFrames || this.spool.manifest.recordingTold;
				}
			}
			await pause(backoff.nextMs(), AbortSignal.any([closed, this.#disowned.signal]));
		}
	}

	async #tellOutcome(stop: StopDecision, firstFrameAt: number | null): Promise<void> {
		const seconds = this.#recorder.timeline.video.durationSeconds;
		// One that cannot be read yet has been captured even so.
		const { video } = this.#recorder.timeline;
		if ((seconds > 0 || (!video.sealed && this.spool.manifest.recordingTold)) && firstFrameAt !== null) {
			const verdict = await this.#recorder.judgePicture();
			this.verdict = verdict;
			const lastFrameAt = this.#recorder.timeline.instantOf(seconds);
			const { stalls } = this.#recorder.timeline.video;
			await this.#tell.stopped(stop, { lastFrameAt, seconds, verdict, stalls });
		} else if (stop.reason === "cancelled") await this.#tell.cancelled();
		else if (stop.reason === "runner_shutdown" && !this.spool.manifest.recordingTold) {
			// Nothing is told: the job stays `starting`, and the runner gets it again when it comes back.
			this.#services.log.info(`${this.spool.label} had not begun; the runner takes it again when it is started again.`);
			this.#disowned.abort();
		} else await this.#tell.failed(stop);
	}

	#startDelivery(): void {
		this.#delivering ??= deliver(this.#services, this.spool, this.#recorder.timeline, {
			over: this.#over.signal,
			disowned: this.#disowned.signal,
			setAside: this.#setAside.signal,
			cancelled: () => this.cancel(),
			broken: (error) => this.#breakOff(error),
		});
		// It is awaited when capture is over; until then a failure must not end the process.
		this.#delivering.catch(() => undefined);
	}

	async #delivery(): Promise<void> {
		const { video } = this.#recorder.timeline;
		if (!video.sealed) await this.#finish(Number.POSITIVE_INFINITY);
		this.#startDelivery();
		await this.#delivering;
		await video.close();
	}
}
