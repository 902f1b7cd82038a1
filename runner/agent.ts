/** The runner as a whole: starts, records the jobs that come, and shuts down on request. */

import { basename } from "node:path";
import { NEW_DISPLAY } from "@tapedeck/contract/recording-kinds.ts";
import { overrideVideo, type VideoOptions } from "@tapedeck/contract/video-options.ts";
import { type AgentParts, openParts } from "./agent-parts.ts";
import { type AutoRecordTools, autoRecord } from "./auto-record.ts";
import { autoRecordSessions } from "./auto-record-sessions.ts";
import { autoUpgrade } from "./auto-upgrade.ts";
import { errorMessage, FatalError } from "./base/fault.ts";
import type { RunnerLog } from "./base/log.ts";
import { aborted, pause } from "./base/wait.ts";
import { salvage } from "./capture/salvage.ts";
import type { RunnerConfig } from "./config/config.ts";
import { type CoverageTools, reportCoverage } from "./coverage.ts";
import { displayIdOf } from "./displays/display-name.ts";
import { NoDisplayError, type VirtualDisplay } from "./displays/virtual-display.ts";
import type { VirtualDisplays } from "./displays/virtual-displays.ts";
import { JobRuns, REMOVED } from "./job-runs.ts";
import { type JobOptions, JobRun } from "./run-job.ts";
import { type JobOrder, type JobSpool, stopFor } from "./spool/spool.ts";
import { DELIVERY_RULES, type DeliveryRules } from "./upload/deliver.ts";
import { watchFolder } from "./watch-folder/watch-folder.ts";

/** Part of the 8 s that a container stop allows; closing files and signing out can take the other 1.5 s. */
const LEAVE_MS = 6_200;

/** Maximum time that a recording which begins on the runner waits for the dashboard's first answer. */
const FIRST_ANSWER_MS = 1_000;

const IDLE_POLL_MS = 200;

export class Agent {
	readonly #config: RunnerConfig;
	readonly #log: RunnerLog;
	readonly #deliversOnly: boolean;
	readonly #isTemporary: boolean;
	readonly #deliveryRules: DeliveryRules;
	readonly #shutdown = new AbortController();
	readonly #closed = new AbortController();
	/** Aborted when the runner was removed in the dashboard. */
	readonly #removed = new AbortController();
	/** Aborted when no new recording may start. */
	readonly #noNewJobs = AbortSignal.any([this.#shutdown.signal, this.#removed.signal]);
	readonly #runs = new JobRuns();
	readonly #started = Promise.withResolvers<AgentParts>();
	readonly #fatal = Promise.withResolvers<never>();
	/** Open resources, to be closed in the reverse order. */
	readonly #opened = new AsyncDisposableStack();
	#parts: AgentParts | null = null;
	/** Jobs that are being added to the runs. */
	#beginning = 0;
	/** Whether jobs are left to the next start. */
	#isLeft = false;
	#restart: "no" | "wanted" | "now" = "no";

	/**
	 * @param options.deliversOnly record nothing: see `deliver`.
	 * @param options.isTemporary only for commands that record: offers their displays alone, and leaves when none is left.
	 * @param options.deliveryRules shorter times than usual; for tests.
	 */
	constructor(
		config: RunnerConfig,
		log: RunnerLog,
		{ deliversOnly = false, isTemporary = false, deliveryRules = DELIVERY_RULES } = {},
	) {
		this.#deliveryRules = deliveryRules;
		this.#isTemporary = isTemporary;
		this.#deliversOnly = deliversOnly;
		this.#config = config;
		this.#log = log;
		this.#fatal.promise.catch(() => undefined);
	}

	/** Runs until `leave` has been called and the jobs are finished. @throws FatalError with a one-sentence cause. */
	async run(): Promise<void> {
		try {
			this.#started.resolve(await this.#start());
			await Promise.race([aborted(this.#shutdown.signal), this.#fatal.promise]);
			await this.#finishJobs();
		} catch (error) {
			this.#shutdown.abort();
			await this.#finishJobs();
			throw error;
		} finally {
			await this.#close();
		}
	}

	/**
	 * Use instead of `run`: delivers what is kept for the dashboard, then returns; also returns when `leave` is called.
	 * @param adopted keys of recordings of another dashboard, to deliver to this one as new jobs.
	 * @param connected called once the dashboard has been reached.
	 * @throws FatalError.
	 */
	async deliver(adopted: ReadonlySet<string>, connected: () => void): Promise<void> {
		const running = this.run();
		const done = this.#started.promise.then(async ({ connection, setAside }) => {
			await connection.session();
			if (this.#shutdown.signal.aborted) return;
			connected();
			// Ends recordings that a previous process left running.
			for (const run of this.#runs) run.endWithoutOwner();
			this.#runs.shutDown();
			for (const { spool } of [...this.#runs]) if (adopted.has(basename(spool.folder))) await setAside.adopt(spool);
			await this.#runs.finished();
			this.leave();
		});
		done.catch((error) => this.#fatal.reject(error));
		await running;
	}

	/** Asks the runner to stop its recordings, deliver them and exit. */
	leave(): void {
		this.#shutdown.abort();
	}

	/** Whether the runner has left in order to start again, as the version that is installed now. */
	get restarts(): boolean {
		return this.#restart === "now";
	}

	/** Leaves as soon as there is nothing to record and nothing to upload: no job notices. */
	async restartWhenIdle(): Promise<void> {
		if (this.#restart !== "no") return;
		this.#restart = "wanted";
		await this.#idle();
		if (this.#shutdown.signal.aborted) return;
		// From here on no job is accepted: the dashboard offers it again to the one who signs in next.
		this.#restart = "now";
		this.#log.info("Restarting as the installed version.");
		this.leave();
	}

	/** Jobs that have not finished. */
	get #jobs(): number {
		return this.#runs.size + (this.#parts?.screenshots.size ?? 0) + (this.#parts?.fileUploads.size ?? 0);
	}

	/** Returns, in the same tick, when the runner has no job, accepts none at this moment, and has lent no display; or when it leaves. */
	async #idle(): Promise<void> {
		const isUsed = () => this.#jobs > 0 || this.#beginning > 0 || (this.#parts?.virtualDisplays.lent ?? 0) > 0;
		while (isUsed() && !this.#shutdown.signal.aborted) {
			await pause(IDLE_POLL_MS, this.#shutdown.signal);
		}
	}

	async #start(): Promise<AgentParts> {
		const [config, log] = [this.#config, this.#log];
		const parts = await openParts(
			config,
			log,
			{
				runs: this.#runs,
				shutdown: this.#shutdown.signal,
				noNewJobs: this.#noNewJobs,
				closed: this.#closed.signal,
				deliversOnly: this.#deliversOnly,
				isTemporary: this.#isTemporary,
				deliveryRules: this.#deliveryRules,
				takesNoJobs: () => this.#deliversOnly || this.restarts,
				add: (spool) => this.#add(spool, this.#knownPassword(spool)),
				begin: (order, options) => this.#begin(order, options),
				leave: () => this.leave(),
				restartWhenIdle: () => this.restartWhenIdle(),
				isLeft: () => this.#isLeft,
				removed: () => void this.#endRemoved(),
				onJobError: (spool, error) => this.#onJobError(spool, error),
			},
			this.#opened,
		);
		this.#parts = parts;
		const { spools, unreadable } = await parts.spool.list();
		for (const name of unreadable) await salvage(parts.spool.root, name, log);
		for (const spool of spools) this.#add(spool, this.#knownPassword(spool));
		this.#startLoops(parts);
		await parts.serveCommands();
		if (this.#isTemporary) void this.#guard(this.#leaveWhenUnused(parts));
		return parts;
	}

	#startLoops(parts: AgentParts): void {
		const closed = this.#closed.signal;
		if (!this.#deliversOnly) {
			void this.#guard(this.#autoRecord(parts));
			void this.#guard(this.#reportCoverage(parts));
			if (!this.#isTemporary) void this.#guard(this.#watchFolder(parts));
			if (this.#config.autoUpgrade) void this.#guard(this.#autoUpgrade(parts));
		}
		void this.#guard(this.#keepBuffers(parts));
		void this.#guard(parts.reporter.run(closed));
		void this.#guard(parts.longPoll.run(AbortSignal.any([this.#shutdown.signal, closed])));
	}

	async #watchFolder({ connection }: AgentParts): Promise<void> {
		const { watch } = this.#config;
		if (watch === null) return;
		this.#log.info(`Watching ${watch.folder} for files.`);
		const over = AbortSignal.any([this.#noNewJobs, this.#closed.signal]);
		await watchFolder(watch, { connection, log: this.#log, dataDir: this.#config.dataDir }, over);
	}

	/** A failed loop ends the runner. */
	async #guard(loop: Promise<void>): Promise<void> {
		try {
			await loop;
		} catch (error) {
			this.#fatal.reject(error);
		}
	}

	async #leaveWhenUnused({ controlService }: AgentParts): Promise<void> {
		await controlService.unused(this.#shutdown.signal);
		this.leave();
	}

	/** The grid password of an auto-record job comes from the environment and is never written to disk. */
	#knownPassword(spool: JobSpool): JobOptions {
		const password = this.#config.autoRecord?.grid?.password;
		return spool.manifest.origin === "auto-record" && password !== undefined ? { gridPassword: password } : {};
	}

	async #autoRecord({ displays }: AgentParts): Promise<void> {
		const { autoRecord: config, display, allowedGrids } = this.#config;
		if (config === null) return;
		const tools: AutoRecordTools = {
			config,
			display,
			allowedGrids,
			displays,
			log: this.#log,
			start: (order, options) => this.#begin(order, options),
			surviving: () => this.#runs.autoRecorded(),
			isRecording: (sessionId) => this.#runs.isRecordingSession(sessionId),
		};
		if (config.eachSession && config.grid !== null) await autoRecordSessions(tools, config.grid, this.#noNewJobs);
		else await autoRecord(tools, this.#noNewJobs);
	}

	async #autoUpgrade({ connection }: AgentParts): Promise<void> {
		await connection.session();
		const tools = { dataDir: this.#config.dataDir, log: this.#log, idle: () => this.#idle() };
		await autoUpgrade(tools, this.#noNewJobs);
	}

	/** Reports to the dashboard which sessions the grid of auto-record had. */
	async #reportCoverage({ connection, displays }: AgentParts): Promise<void> {
		const { autoRecord: config, allowedGrids, display } = this.#config;
		if (config?.grid == null) return;
		const displayId = display === null ? null : displayIdOf(display);
		const tools: CoverageTools = {
			allowedGrids,
			whyMissed: () => {
				const isThere = displayId === null || displays.list().some(({ id }) => id === displayId);
				return isThere ? this.#runs.lastFault : "display_unavailable";
			},
			send: (sessions) => connection.reportSessions(sessions),
		};
		await reportCoverage(tools, config.grid, this.#noNewJobs);
	}

	async #keepBuffers({ connection, buffers }: AgentParts): Promise<void> {
		// They are encoded as the organization says, which is known in a moment.
		await Promise.race([connection.attempted, pause(FIRST_ANSWER_MS)]);
		await buffers.start();
	}

	async #begin(ordered: JobOrder, given: JobOptions): Promise<JobRun> {
		const { spool: spools, connection, buffers, virtualDisplays } = this.#openParts();
		this.#beginning += 1;
		try {
			const { order, display } = await withNewDisplay(ordered, virtualDisplays);
			// A job of the dashboard has its cap already.
			const own = order.origin === "dashboard" ? undefined : this.#config.jobRules.maxDurationSeconds;
			const { maxDurationSeconds = own } = order;
			const video = buffers.videoOf(order, overrideVideo(await this.#defaultVideo(order), order.video));
			const spool = await spools.create({ ...order, maxDurationSeconds, video }, connection.origin);
			await buffers.take(spool);
			if (given.session !== undefined) spool.released = given.session.then(() => undefined);
			return this.#add(spool, { ...given, display });
		} finally {
			this.#beginning -= 1;
		}
	}

	/** Default video settings, for options that a recording leaves out. */
	async #defaultVideo({ origin }: JobOrder): Promise<VideoOptions> {
		// A job of the dashboard has the organization's options already.
		if (origin === "dashboard") return this.#config.video;
		const { connection } = this.#openParts();
		// A runner that has just started knows them in a moment. A dashboard that does not respond must not cost the beginning.
		await Promise.race([connection.attempted, pause(FIRST_ANSWER_MS)]);
		return overrideVideo(this.#config.video, connection.organizationVideo);
	}

	#add(spool: JobSpool, options: JobOptions): JobRun {
		const { tools, setAside, controlService } = this.#openParts();
		const run = new JobRun(tools, spool, options);
		setAside.watch(run);
		this.#runs.add(run);
		controlService.add(run);
		if (this.#removed.signal.aborted) run.shutDown(REMOVED);
		if (this.#shutdown.signal.aborted) run.shutDown();
		return run;
	}

	#openParts(): AgentParts {
		if (this.#parts === null) throw new Error("The agent has not started.");
		return this.#parts;
	}

	#onJobError(spool: JobSpool, error: unknown): void {
		if (error instanceof FatalError) this.#fatal.reject(error);
		else if (!this.#closed.signal.aborted)
			this.#log.error(`${spool.label} failed unexpectedly: ${errorMessage(error)}`);
	}

	/** The runner was removed: stops its recordings, delivers them however long that takes, and exits. */
	async #endRemoved(): Promise<void> {
		if (this.#removed.signal.aborted) return;
		this.#removed.abort();
		this.#log.warn("This runner was removed from the dashboard. Stopping and uploading its recordings.");
		this.#runs.shutDown(REMOVED);
		await this.#runs.finished();
		this.#fatal.reject(this.#parts?.connection.removed());
	}

	/** Stops the recordings and waits for their delivery, as long as a container stop allows. */
	async #finishJobs(): Promise<void> {
		if (this.#jobs === 0) return;
		this.#log.info(`Finishing and uploading ${this.#jobs} ${this.#jobs === 1 ? "job" : "jobs"}.`);
		this.#runs.shutDown();
		const { screenshots, fileUploads } = this.#parts ?? {};
		const finished = Promise.all([this.#runs.finished(), screenshots?.finished(), fileUploads?.finished()]);
		await Promise.race([finished, pause(LEAVE_MS)]);
	}

	async #close(): Promise<void> {
		const left = this.#runs.size;
		this.#isLeft = left > 0;
		this.#closed.abort();
		// Gives undelivered jobs time to close their files.
		await Promise.race([this.#runs.finished(), pause(500)]);
		await this.#opened.disposeAsync();
		if (left > 0) this.#log.warn(`${left} not uploaded yet; kept in the spool until the next start.`);
	}
}

/** Makes the display of a job that asks for a new one. A job that gets none fails at once, with the reason. */
async function withNewDisplay(
	order: JobOrder,
	virtualDisplays: VirtualDisplays,
): Promise<{ order: JobOrder; display?: VirtualDisplay }> {
	if (order.displayId !== NEW_DISPLAY || order.stop != null) return { order };
	try {
		const display = await virtualDisplays.make(order.display ?? null);
		return { order: { ...order, displayId: display.id, virtualDisplay: true }, display };
	} catch (error) {
		if (!(error instanceof NoDisplayError)) throw error;
		return { order: { ...order, stop: stopFor(error.fault) } };
	}
}
