/** One job on the runner, from the order until everything is delivered. */

import { isFailedReason, type StopReason } from "@tapedeck/contract/job-status.ts";
import { MAX_MESSAGE_BYTES, sanitizeMessage } from "@tapedeck/contract/plain-text.ts";
import type { WantedPrivacy } from "@tapedeck/contract/privacy.ts";
import type { Outcome, Verdict } from "@tapedeck/contract/recording-kinds.ts";
import type { CommandMarker, CommandTest, TestMarker } from "@tapedeck/contract/runner-protocol.ts";
import { normalizeGridUrl } from "@tapedeck/contract/stop-condition.ts";
import { errorMessage, FatalError, type Fault } from "./base/fault.ts";
import { aborted, Backoff, pause } from "./base/wait.ts";
import { endedBySignal, endReasonOf, endReasonOfError } from "./capture/capture-fault.ts";
import { stallSummary } from "./capture/describe-stall.ts";
import type { DisplayPictures } from "./capture/display-pictures.ts";
import { recordLoad } from "./capture/machine-load.ts";
import { Recorder, type RecorderTools } from "./capture/recorder.ts";
import { recordWindows } from "./capture/window-titles.ts";
import type { RunnerConfig } from "./config/config.ts";
import { JobReports } from "./dashboard/job-reports.ts";
import type { VirtualDisplay } from "./displays/virtual-display.ts";
import { gridNotAllowed } from "./grid/allowed-grids.ts";
import type { SessionCame } from "./grid/session-log.ts";
import { videoBytesIn } from "./spool/capture-files.ts";
import { type JobSpool, type Manifest, type StopDecision, stopFor } from "./spool/spool.ts";
import { conditionOf } from "./stop-conditions/condition-of.ts";
import { withCap } from "./stop-conditions/duration-cap.ts";
import type { StopCondition } from "./stop-conditions/stop-condition.ts";
import { type DeliveryTools, deliver } from "./upload/deliver.ts";

/** Maximum time for ffmpeg to finish its file before it is killed. */
const STOP_GRACE_MS = 5_000;
const SHUTDOWN_GRACE_MS = 3_000;

/** Shared by all jobs of an agent. */
export interface JobTools extends RecorderTools, DeliveryTools {
	config: RecorderTools["config"] & Pick<RunnerConfig, "allowedGrids" | "browserLog" | "mask">;
	/** The pictures that viewers get of displays. */
	pictures: Pick<DisplayPictures, "drop">;
	/** Aborted when the runner was asked to stop: recordings stop and are delivered. */
	shutdown: AbortSignal;
	/** Called when a job failed with an error of the runner itself, or with a FatalError. */
	onError(spool: JobSpool, error: unknown): void;
}

export interface JobOptions {
	/** The grid's password; for a resumed job it may come later, or never. */
	gridPassword?: string;
	/** A session was seen already: it triggered the recording. */
	sessionSeen?: boolean;
	/**
	 * Auto-record by session: the job is kept from the dashboard until this resolves to the session that it is of, and
	 * `discard` drops it if there is none.
	 */
	session?: Promise<SessionCame>;
	/** The display that was made for the job, and ends with its capture. */
	display?: VirtualDisplay;
}

/** The result of a recorded command. */
interface CommandResult {
	message: string;
	outcome: Outcome;
	output?: string;
	markers?: readonly ResultMarker[];
}
type ResultMarker = Omit<TestMarker, "message"> & { message?: string };

/** The messages of a result's markers together, in bytes: a report has to fit into one request. */
const MAX_RESULT_BYTES = 512 * 1024;

/** @returns the markers with messages that fit into one report, each cut to its share. */
function withinReport(markers: readonly ResultMarker[]): TestMarker[] {
	const count = markers.filter(({ message }) => message !== undefined).length;
	const share = Math.min(MAX_MESSAGE_BYTES, Math.floor(MAX_RESULT_BYTES / Math.max(1, count)));
	return markers.map(({ message, ...marker }) => ({
		...marker,
		message: message === undefined ? null : sanitizeMessage(message, share),
	}));
}

export class JobRun {
	readonly spool: JobSpool;
	/** Resolves with the reason as soon as it is decided that the recording stops. */
	readonly stopReason: Promise<StopReason>;
	/** Resolves when this process has nothing left to do for the job. Never rejects. */
	readonly finished: Promise<void>;
	/** Verdict on the frames, once capture is over; null also if a previous process finished the capture. */
	verdict: Verdict | null = null;
	readonly #tools: JobTools;
	readonly #reports: JobReports;
	readonly #condition: StopCondition;
	readonly #stopReason = Promise.withResolvers<StopReason>();
	readonly #password = Promise.withResolvers<string | undefined>();
	/** Aborted when the recording has to stop. */
	readonly #stopSignal = new AbortController();
	/** Aborted when capture is over. */
	readonly #captured = new AbortController();
	/** Aborted when the job was deleted and nothing of it must be kept. */
	readonly #discarded = new AbortController();
	/** Aborted when it is kept for another dashboard. */
	readonly #setAside = new AbortController();
	/** Capture stopped while no runner was running: a later stop request is not why the video ends. */
	#stoppedAlone = false;
	#passwordWanted: boolean;
	#delivering: Promise<void> | null = null;
	readonly #recorder: Recorder;

	/** Starts or resumes the job of this spool. */
	constructor(tools: JobTools, spool: JobSpool, options: JobOptions = {}) {
		const { manifest } = spool;
		this.spool = spool;
		this.#tools = tools;
		this.#reports = new JobReports(tools, spool);
		this.stopReason = this.#stopReason.promise;
		this.#passwordWanted = manifest.passwordNeeded && options.gridPassword === undefined;
		if (!this.#passwordWanted) this.#password.resolve(options.gridPassword);
		const { allowedGrids, browserLog, mask } = tools.config;
		const condition = conditionOf(manifest, {
			password: () => this.#password.promise,
			sessionSeen: options.sessionSeen,
			session: options.session,
			allowed: allowedGrids,
			ownGrid: browserLog?.grid ?? null,
			browsers: browserLog === null ? null : { folder: spool.folder, mask },
		});
		this.#condition = withCap(condition, () => manifest.maxDurationSeconds);
		const { limit } = this.#condition;
		const { framesPerSecond } = manifest.video;
		this.#recorder = new Recorder(tools, spool, this.#reports, {
			limit:
				limit === null
					? null
					: {
							frames: (manifest.past?.frames ?? 0) + limit.seconds * framesPerSecond,
							reached: limit.reached,
						},
			stop: this.#stopSignal.signal,
			graceMs: () => (tools.shutdown.aborted ? SHUTDOWN_GRACE_MS : STOP_GRACE_MS),
			decide: (decision) => this.#stop(decision),
		});
		if (manifest.privacy.on) tools.pictures.drop(manifest.displayId);
		if (manifest.stop !== null) this.#stopNow(manifest.stop.reason);
		if (manifest.held === "dropped") this.discard();
		const isLost = manifest.virtualDisplay && options.display === undefined;
		const notAllowed = isLost ? stopFor(endedWithRunner(manifest)) : whyNotAllowed(manifest, tools);
		if (notAllowed !== null) this.#stop(notAllowed);
		this.finished = this.#run().catch((error) => {
			tools.onError(spool, error);
			// The job stays listed until the runner exits, so that the dashboard does not give it up as lost.
			if (!(error instanceof FatalError)) return aborted(tools.closed);
		});
		const { display } = options;
		if (display !== undefined) void Promise.race([this.captured, this.finished]).then(() => display.stop());
	}

	/** Resolves when capture is over; what it captured may still have to be delivered. */
	get captured(): Promise<void> {
		return aborted(this.#captured.signal);
	}

	/** Bytes of the video on the disk, and how many of them the dashboard has not confirmed. */
	async videoBytes(): Promise<{ bytes: number; waiting: number }> {
		const { available, sealed } = this.video;
		const bytes = sealed ? available : Math.max(available, await videoBytesIn(this.spool.folder));
		const isUploaded = this.spool.manifest.upload?.complete ?? false;
		// Held recordings are not uploaded, so nobody waits for them.
		const isDue = !isUploaded && this.spool.manifest.held === null;
		return { bytes, waiting: !isDue ? 0 : Math.max(0, bytes - this.spool.confirmedBytes) };
	}

	/** The video as of its last refresh; final when `sealed`. */
	get video(): { readonly durationSeconds: number; readonly available: number; readonly sealed: boolean } {
		return this.#recorder.timeline.video;
	}

	/** The job was deleted: it only has to be cleaned up. */
	get isDiscarded(): boolean {
		return this.#discarded.signal.aborted;
	}

	/** It is kept for a dashboard other than the one that the runner is signed in to. */
	get isSetAside(): boolean {
		return this.#setAside.signal.aborted;
	}

	/** Whether the job waits for its grid password from the dashboard. */
	get passwordWanted(): boolean {
		return this.#passwordWanted && !this.#captured.signal.aborted;
	}

	/** Supplies the grid password; undefined when the dashboard has none. */
	givePassword(password: string | undefined): void {
		this.#passwordWanted = false;
		this.#password.resolve(password);
	}

	/** The dashboard cancelled the job. */
	cancel(): void {
		if (this.spool.manifest.cancelSeen) return;
		this.#tools.log.info(`${this.spool.label} is cancelled.`);
		this.#stop({ reason: "cancelled" });
		void this.spool.update((manifest) => {
			manifest.cancelSeen = true;
		});
	}

	/**
	 * Changes whether the recording is private. A version that has arrived before changes nothing.
	 * Resolves when the change survives a crash; it is effective when `privacy` says so.
	 */
	async setPrivacy(wanted: WantedPrivacy): Promise<void> {
		if (wanted.version <= this.spool.manifest.privacy.version) return;
		await this.spool.update((manifest) => {
			manifest.privacy = wanted;
		});
		if (wanted.on) this.#tools.pictures.drop(this.spool.manifest.displayId);
	}

	/** The last requested privacy, and whether the video already shows it. */
	get privacy(): WantedPrivacy & { isEffective: boolean } {
		const { privacy, privacyReported } = this.spool.manifest;
		return { ...privacy, isEffective: privacy.version === privacyReported.version };
	}

	/** Whether its display must not be shown. */
	get hidesDisplay(): boolean {
		const { privacy, parts, settled } = this.spool.manifest;
		return !settled && (privacy.on || parts.at(-1)?.isPrivate === true);
	}

	/**
	 * The result of the command that was recorded. Of a recording that is kept for failures alone, it decides whether there
	 * is one. Resolves when it is saved.
	 */
	async addResult({ message, outcome, output, markers }: CommandResult): Promise<void> {
		const { spool } = this;
		if (spool.manifest.held !== null && outcome === "passed") {
			this.#tools.log.info(`${spool.label} is deleted: only failures are kept, and its command has succeeded.`);
			// Saved first: a runner that is killed now must not take the recording for one whose command was killed.
			await spool.update((manifest) => {
				manifest.held = "dropped";
			});
			return this.discard();
		}
		spool.release();
		this.#reports.add({
			type: "command_ended",
			message,
			outcome,
			...(output === undefined ? {} : { output }),
			...(markers === undefined ? {} : { markers: withinReport(markers) }),
		});
		await this.#releaseOwner();
	}

	/** Outcomes of tests of the recorded command. */
	addTests(tests: readonly CommandTest[]): void {
		const message = tests.length === 1 ? "1 test result." : `${tests.length} test results.`;
		this.#reports.add({ type: "command_tests", message, tests: [...tests] });
	}

	/** A marker of the command that is recorded. @param at in milliseconds since 1970. */
	addMarker(marker: CommandMarker, at: number): void {
		const message = `Marked "${marker.label}".`;
		this.#reports.add({ type: "command_marker", message, marker }, performance.now() + at - Date.now());
	}

	/** The command that the recording belongs to was killed: the recording stops. */
	endWithoutOwner(): void {
		const { owner } = this.spool.manifest;
		if (owner === null) return;
		this.#tools.log.warn(`${this.spool.label}: tapedeck ${owner} was killed.`);
		if (owner === "run")
			void this.addResult({ outcome: "error", message: "tapedeck run was killed before its command ended." });
		else void this.#releaseOwner();
		this.cancel();
	}

	async #releaseOwner(): Promise<void> {
		this.spool.conclude();
		await this.spool.update((manifest) => {
			manifest.owner = null;
		});
	}

	/** The runner shuts down. @param decision why, if not because it was stopped. */
	shutDown(decision: StopDecision = { reason: "runner_shutdown" }): void {
		// There is no time to wait for the result of a command.
		this.spool.conclude();
		this.#stop(decision);
	}

	/** The recording was deleted, in the dashboard or on this machine: stops everything and keeps nothing. */
	discard(): void {
		this.#discarded.abort();
		this.#stop({ reason: "cancelled" });
		this.#recorder.kill();
	}

	/**
	 * The job belongs to another dashboard, which can no longer cancel it. So it stops as on shutdown, and everything is
	 * kept.
	 */
	setAside(): void {
		this.#setAside.abort();
		this.shutDown();
	}

	/** The first reason to stop wins. */
	#stop(decision: StopDecision): void {
		if (this.spool.manifest.stop !== null || this.spool.manifest.settled) return;
		this.#setStop(decision);
	}

	#setStop(decision: StopDecision): void {
		// Signals ffmpeg at once, without waiting for the disk.
		this.#stopNow(decision.reason);
		void this.spool.update((manifest) => {
			manifest.stop = decision;
		});
	}

	#stopNow(reason: StopReason): void {
		this.#stopSignal.abort();
		this.#stopReason.resolve(reason);
	}

	async #run(): Promise<void> {
		const { spool } = this;
		if (!spool.manifest.settled) {
			await this.#capture();
			await this.#settle();
		}
		this.#captured.abort();
		this.#stopReason.resolve(spool.manifest.stop?.reason ?? "runner_shutdown");
		await this.#delivery();
	}

	/** From the order to the end of capture. An error of the runner stops the recording, not the job. */
	async #capture(): Promise<void> {
		const { spool } = this;
		try {
			const { parts, past } = spool.manifest;
			const hasBegun = parts.length > (past?.parts ?? 0);
			if (await (hasBegun ? this.#resume() : this.#recorder.begin())) await this.#record();
		} catch (error) {
			this.#stopByError(error);
			await this.#recorder.stop();
			this.#captured.abort();
		}
	}

	/** Something in the runner itself failed without which the recording cannot continue. */
	#stopByError(error: unknown): void {
		if (this.spool.manifest.stop === null) {
			this.#tools.log.error(`${this.spool.label} ends because of an error in the runner: ${errorMessage(error)}.`);
		}
		this.#stop(endReasonOfError(error));
	}

	async #resume(): Promise<boolean> {
		const decidedEarlier = this.spool.manifest.stop !== null;
		const runs = await this.#recorder.resume();
		// An ffmpeg that ended by a signal was asked to: the runner was killed before it could save the reason.
		this.#stoppedAlone = !runs && !decidedEarlier && !endedBySignal(await this.#recorder.lastStderrLines());
		const { log } = this.#tools;
		if (runs) log.info(`${this.spool.label}: its ffmpeg is still running; resuming the recording.`);
		else log.info(`${this.spool.label}: its ffmpeg has ended; finishing what it recorded.`);
		return runs;
	}

	/** When the first frame was captured, ms since 1970; null while there is none. */
	get firstFrameAt(): number | null {
		return this.spool.manifest.parts[0]?.firstFrameAt ?? null;
	}

	/** From the first frame to the last. */
	async #record(): Promise<void> {
		await this.#reports.recording(this.#recorder.timeline);
		this.#startDelivery();
		const { timeline } = this.#recorder;
		const { past, video } = this.spool.manifest;
		// Time captured before the job does not count.
		const pastSeconds = (past?.frames ?? 0) / video.framesPerSecond;
		const watch = this.#condition.watch({
			get startedAt() {
				return performance.now() - (timeline.secondsAt(Date.now()) - pastSeconds) * 1_000;
			},
			over: this.#captured.signal,
			stop: (decision) => this.#stop(decision),
			note: (event, message, data) => this.#reports.note(event, message, data),
			session: (report, at) => this.#reports.add(report, at),
			follow: (sessionId) => void this.spool.follow(sessionId),
		});
		// Without its stop condition, the recording would never stop.
		const watching = watch.catch((error) => this.#stopByError(error));
		const load = recordLoad(this.spool.folder, this.#captured.signal);
		const windows = this.#recordWindows();
		await this.#recorder.run();
		this.#captured.abort();
		await Promise.all([watching, load, windows]);
	}

	#recordWindows(): Promise<void> {
		const { spool, firstFrameAt } = this;
		const { displays, config } = this.#tools;
		const { displayId } = spool.manifest;
		// Over a network, each question would take its time.
		const requests = () => (displays.isLocal(displayId) ? displays.requests(displayId) : null);
		const display = { requests, isHidden: () => this.hidesDisplay };
		return recordWindows(spool.folder, { display, mask: config.mask, firstFrameAt }, this.#captured.signal);
	}

	/** Capture is over: finalizes the video in the spool and reports the outcome. */
	async #settle(): Promise<void> {
		const { spool } = this;
		const started = await this.#finalizeVideo(this.#tools.deliveryRules.unreadableMs);
		if (started) await this.#reports.recording(this.#recorder.timeline);
		const { stop, recordingReported } = spool.manifest;
		// It was reported as recording, so that it cannot end as cancelled before its first frame.
		const isLost = !started && recordingReported && stop !== null && !isFailedReason(stop.reason);
		if (stop === null || (this.#stoppedAlone && started) || isLost) {
			const stderr = await this.#recorder.lastStderrLines();
			const { displayId } = spool.manifest;
			this.#setStop(endReasonOf({ displayId, stderr, started, whole: this.#recorder.whole }));
		}
		if (this.#discarded.signal.aborted) return;
		await this.#reportOutcome(spool.manifest.stop ?? { reason: "ffmpeg_failed" }, this.firstFrameAt);
		// There is no recording that the result of a command could be the outcome of.
		if (!started) await this.#releaseOwner();
		await spool.update((manifest) => {
			manifest.settled = true;
		});
	}

	/**
	 * Finalizes the video, retrying while it cannot be read.
	 * @param timeoutMs stop retrying after this time, and go by what was read so far.
	 * @returns whether anything was captured.
	 */
	async #finalizeVideo(timeoutMs: number): Promise<boolean> {
		const { closed, log } = this.#tools;
		const deadline = performance.now() + timeoutMs;
		const backoff = new Backoff();
		for (;;) {
			try {
				return await this.#recorder.finish();
			} catch (error) {
				if (this.#discarded.signal.aborted) return false;
				if (closed.aborted) throw error;
				if (performance.now() > deadline) {
					log.error(`${this.spool.label}: the recording cannot be read (${errorMessage(error)}). Retrying.`);
					return this.#recorder.timeline.video.hasFrames || this.spool.manifest.recordingReported;
				}
			}
			await pause(backoff.nextMs(), AbortSignal.any([closed, this.#discarded.signal]));
		}
	}

	async #reportOutcome(stop: StopDecision, firstFrameAt: number | null): Promise<void> {
		const seconds = this.#recorder.timeline.video.durationSeconds;
		// A video that cannot be read yet was captured all the same.
		const { video } = this.#recorder.timeline;
		if ((seconds > 0 || (!video.sealed && this.spool.manifest.recordingReported)) && firstFrameAt !== null) {
			const verdict = await this.#recorder.pictureVerdict();
			this.verdict = verdict;
			const endedAt = this.#recorder.timeline.momentOf(seconds);
			const data = { ...stop.data, ...stallSummary(video.stalls) };
			const withStalls = Object.keys(data).length === 0 ? stop : { ...stop, data };
			await this.#reports.stopped(withStalls, { endedAt, seconds, verdict });
		} else if (stop.reason === "cancelled") await this.#reports.cancelled();
		else if (stop.reason === "runner_shutdown" && !this.spool.manifest.recordingReported) {
			// Nothing is reported: the job stays `starting`, and the restarted runner gets it again.
			this.#tools.log.info(`${this.spool.label} had not started; it is taken again when the runner restarts.`);
			this.#discarded.abort();
		} else await this.#reports.failed(stop);
	}

	#startDelivery(): void {
		this.#delivering ??= deliver(this.#tools, this.spool, this.#recorder.timeline, {
			over: this.#captured.signal,
			discarded: this.#discarded.signal,
			setAside: this.#setAside.signal,
			onCancelled: () => this.cancel(),
			broken: (error) => this.#stopByError(error),
		});
		// Awaited once capture is over; until then, a failure must not end the process.
		this.#delivering.catch(() => undefined);
	}

	async #delivery(): Promise<void> {
		const { video } = this.#recorder.timeline;
		if (!video.sealed) await this.#finalizeVideo(Number.POSITIVE_INFINITY);
		this.#startDelivery();
		await this.#delivering;
		await video.close();
	}
}

/** The fault of a job whose virtual display ended with the runner of a previous process. */
const endedWithRunner = ({ displayId, parts }: Manifest): Fault<StopReason> => ({
	code: parts.length > 0 ? "display_lost" : "display_unavailable",
	what: `The virtual display ${displayId} ended with the runner that made it`,
	remedy: "create the job again",
});

/**
 * Whether the runner's operator allows a job. Checked when the runner takes the job, and again when it resumes the job
 * after a restart, because the lists may have changed.
 * @returns why the job has to stop at once; null when it is allowed.
 */
function whyNotAllowed(
	job: Manifest,
	{ displays, config }: Pick<JobTools, "displays" | "config">,
): StopDecision | null {
	const display = displays.notAllowed(job.displayId);
	if (display !== null) return stopFor(display);
	if (!("gridUrl" in job.stopConditionConfig)) return null;
	const { gridUrl } = job.stopConditionConfig;
	return config.allowedGrids.has(normalizeGridUrl(gridUrl)) ? null : stopFor(gridNotAllowed(gridUrl));
}
