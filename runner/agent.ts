/** The runner as a whole: wires its parts together, accepts jobs and shuts down on request. */
import { basename } from "node:path";
import type { ReceivedSyncAnswer } from "#lib/contract/runner-protocol.ts";
import { type AutoRecordTools, autoRecord } from "./auto-record.ts";
import { autoRecordSessions } from "./auto-record-sessions.ts";
import { autoUpgrade } from "./auto-upgrade.ts";
import { errorMessage, FatalError } from "./base/fault.ts";
import type { RunnerLog } from "./base/log.ts";
import { proxyFor, proxyProblem } from "./base/proxy.ts";
import { aborted, pause } from "./base/wait.ts";
import { DisplayPictures } from "./capture/display-pictures.ts";
import { checkFfmpeg } from "./capture/ffmpeg-check.ts";
import { salvage } from "./capture/salvage.ts";
import { keepWatchdog, type Watchdog } from "./capture/watchdog.ts";
import type { RunnerConfig } from "./config/config.ts";
import { type ControlServer, serveControl } from "./control/control-server.ts";
import { ControlService } from "./control/control-service.ts";
import { type CoverageTools, reportCoverage } from "./coverage.ts";
import { DashboardClient } from "./dashboard/client.ts";
import { Connection } from "./dashboard/connection.ts";
import { LongPoll } from "./dashboard/long-poll.ts";
import { type OrderedJob, readJob } from "./dashboard/read-job.ts";
import { Reporter } from "./dashboard/reporter.ts";
import { displayIdOf } from "./displays/display-name.ts";
import { Displays } from "./displays/displays.ts";
import { JobRuns, REMOVED } from "./job-runs.ts";
import { type JobOptions, JobRun, type JobTools } from "./run-job.ts";
import { SetAside } from "./set-aside.ts";
import { type DataDir, takeDataDir } from "./spool/data-dir.ts";
import { type JobOrder, type JobSpool, Spool } from "./spool/spool.ts";

/** Of the 8 s that a container stop allows; closing files and signing out can take the other 1.5 s. */
const LEAVE_MS = 6_200;

const IDLE_POLL_MS = 200;

export class Agent {
	readonly #config: RunnerConfig;
	readonly #log: RunnerLog;
	readonly #deliversOnly: boolean;
	readonly #isTemporary: boolean;
	readonly #leaving = new AbortController();
	readonly #closed = new AbortController();
	/** Aborted when the runner was removed in the dashboard. */
	readonly #removed = new AbortController();
	/** Aborted when no new recording may start. */
	readonly #noNewJobs = AbortSignal.any([this.#leaving.signal, this.#removed.signal]);
	readonly #runs = new JobRuns();
	readonly #started = Promise.withResolvers<void>();
	readonly #fatal = Promise.withResolvers<never>();
	#dataDir: DataDir | null = null;
	#watchdog: Watchdog | null = null;
	#displays: Displays | null = null;
	#connection: Connection | null = null;
	#setAside: SetAside | null = null;
	#spool: Spool | null = null;
	#tools: JobTools | null = null;
	#longPoll: LongPoll | null = null;
	#pictures: DisplayPictures | null = null;
	#controlService: ControlService | null = null;
	#control: ControlServer | null = null;
	#unreadableIdReported = false;
	/** Jobs that are being added to the runs. */
	#beginning = 0;
	#restart: "no" | "wanted" | "now" = "no";

	/**
	 * @param options.deliversOnly record nothing: see `deliver`.
	 * @param options.isTemporary only for commands that record: offers their displays alone, and leaves when none is left.
	 */
	constructor(config: RunnerConfig, log: RunnerLog, { deliversOnly = false, isTemporary = false } = {}) {
		this.#isTemporary = isTemporary;
		this.#deliversOnly = deliversOnly;
		this.#config = config;
		this.#log = log;
		this.#fatal.promise.catch(() => undefined);
	}

	/** Runs until `leave` has been called and the jobs are finished. @throws FatalError with a one-sentence cause. */
	async run(): Promise<void> {
		try {
			await this.#start();
			this.#started.resolve();
			await Promise.race([aborted(this.#leaving.signal), this.#fatal.promise]);
			await this.#finishJobs();
		} catch (error) {
			this.#leaving.abort();
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
		const done = this.#started.promise.then(async () => {
			await this.#connection?.session();
			if (this.#leaving.signal.aborted) return;
			connected();
			// Ends recordings that a previous process left running.
			for (const run of this.#runs) run.endWithoutOwner();
			this.#runs.shutDown();
			for (const { spool } of [...this.#runs])
				if (adopted.has(basename(spool.folder))) await this.#setAside?.adopt(spool);
			await this.#runs.finished();
			this.leave();
		});
		done.catch((error) => this.#fatal.reject(error));
		await running;
	}

	async #leaveWhenUnused(service: ControlService): Promise<void> {
		await service.unused(this.#leaving.signal);
		this.leave();
	}

	/** Asks the runner to stop its recordings, deliver them and exit. */
	leave(): void {
		this.#leaving.abort();
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
		if (this.#leaving.signal.aborted) return;
		// From here on no job is accepted: the dashboard offers it again to the one who signs in next.
		this.#restart = "now";
		this.#log.info("Restarting as the installed version.");
		this.leave();
	}

	/** Returns, in the same tick, when the runner has no job and accepts none at this moment; or when it leaves. */
	async #idle(): Promise<void> {
		while ((this.#runs.size > 0 || this.#beginning > 0) && !this.#leaving.signal.aborted) {
			await pause(IDLE_POLL_MS, this.#leaving.signal);
		}
	}

	async #start(): Promise<void> {
		const config = this.#config;
		const log = this.#log;
		const version = await checkFfmpeg(config.ffmpeg, config.childEnv);
		log.info(`Runner "${config.name}", ${version.split(" Copyright")[0]}, data in ${config.dataDir}.`);
		const dashboardUrl = new URL(config.url);
		const [proxy, problem] = [proxyFor(dashboardUrl), proxyProblem(dashboardUrl)];
		if (proxy !== null) log.info(`Connecting to ${config.url} through the proxy ${proxy.protocol}//${proxy.host}.`);
		if (problem !== null) log.warn(problem);
		const dataDir = await takeDataDir(config.dataDir);
		this.#dataDir = dataDir;
		this.#watchdog = keepWatchdog(dataDir.path, config.childEnv);
		const displays = new Displays(config.display, config.xauthority, log, config.allowedDisplays, {
			onlyOffered: this.#isTemporary,
		});
		this.#displays = displays;
		await displays.start();
		const client = new DashboardClient(config);
		const identity = { name: config.name, instanceId: dataDir.instanceId, ...config.jobRules };
		const connection = new Connection(client, identity, displays, log, this.#closed.signal);
		this.#connection = connection;
		const setAside = new SetAside({
			runs: this.#runs,
			connection,
			log,
			resume: (spool) => this.#add(spool, this.#knownPassword(spool)),
		});
		this.#setAside = setAside;
		const reporter = new Reporter(connection, log, {
			spools: () => [...this.#runs].map((run) => run.spool),
			displays: () => displays.list().map(({ id, width, height }) => ({ id, width, height })),
			forgotten: (spool, jobId) => {
				if (spool.jobId === jobId) this.#recreate(spool);
			},
		});
		connection.onSignedIn = (dashboard) => {
			setAside.signedIn(dashboard);
			reporter.kick();
		};
		displays.on("changed", () => reporter.reportDisplays());
		this.#longPoll = new LongPoll(
			connection,
			async () => {
				const waitingBytes = await this.#runs.waitingBytes();
				const jobs = this.#runs.listed(connection.dashboard);
				return { jobs, waitingBytes, ...(this.#deliversOnly ? { takesJobs: false } : {}) };
			},
			(answer) => this.#applyAnswer(answer),
		);
		this.#tools = {
			config,
			displays,
			connection,
			reporter,
			log,
			leaving: this.#leaving.signal,
			closed: this.#closed.signal,
			pollAgain: () => this.#longPoll?.restart(),
			onError: (spool, error) => this.#onJobError(spool, error),
		};
		this.#pictures = new DisplayPictures({
			config,
			displays,
			connection,
			closed: this.#closed.signal,
			captures: (displayId) => this.#runs.posterFiles(displayId),
		});
		this.#controlService = new ControlService({
			name: config.name,
			dataDir: dataDir.path,
			isTemporary: this.#isTemporary,
			allowedGrids: config.allowedGrids,
			displays,
			connection,
			leaving: this.#noNewJobs,
			begin: (order) => this.#begin(order, {}),
			leave: () => this.leave(),
			restartWhenIdle: () => void this.restartWhenIdle(),
			setAside: () => setAside.list(),
			adopt: (spool) => setAside.adopt(spool),
			discard: (spool) => setAside.discard(spool),
		});
		this.#spool = new Spool(dataDir.path);
		const { spools, unreadable } = await this.#spool.list();
		for (const name of unreadable) await salvage(this.#spool.root, name, log);
		for (const spool of spools) this.#add(spool, this.#knownPassword(spool));
		if (config.autoRecord !== null && !this.#deliversOnly) void this.#guard(this.#autoRecord());
		if (config.autoRecord?.grid != null && !this.#deliversOnly) void this.#guard(this.#reportCoverage(connection));
		if (config.autoUpgrade && !this.#deliversOnly) void this.#guard(this.#autoUpgrade(connection));
		void this.#guard(reporter.run(this.#closed.signal));
		void this.#guard(this.#longPoll.run(AbortSignal.any([this.#leaving.signal, this.#closed.signal])));
		this.#control = await serveControl(dataDir.path, this.#controlService).catch((error) => {
			log.warn(
				`The commands on this machine (tapedeck status, record, stop) cannot reach this runner: ${errorMessage(error)}.`,
			);
			return null;
		});
		if (this.#isTemporary) void this.#guard(this.#leaveWhenUnused(this.#controlService));
	}

	/** The grid password of an auto-record job comes from the environment and is never written to disk. */
	#knownPassword(spool: JobSpool): JobOptions {
		const password = this.#config.autoRecord?.grid?.password;
		return spool.manifest.origin === "auto-record" && password !== undefined ? { gridPassword: password } : {};
	}

	#autoRecord(): Promise<void> {
		const { autoRecord: config, display, allowedGrids } = this.#config;
		const displays = this.#displays;
		if (config === null || displays === null) return Promise.resolve();
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
		if (config.eachSession && config.grid !== null) return autoRecordSessions(tools, config.grid, this.#noNewJobs);
		return autoRecord(tools, this.#noNewJobs);
	}

	async #autoUpgrade(connection: Connection): Promise<void> {
		await connection.session();
		const tools = { dataDir: this.#config.dataDir, log: this.#log, idle: () => this.#idle() };
		await autoUpgrade(tools, this.#noNewJobs);
	}

	/** Tells the dashboard which sessions the grid of auto-record had. */
	#reportCoverage(connection: Connection): Promise<void> {
		const { autoRecord: config, allowedGrids, display } = this.#config;
		if (config?.grid == null) return Promise.resolve();
		const displayId = display === null ? null : displayIdOf(display);
		const tools: CoverageTools = {
			allowedGrids,
			whyMissed: () => {
				const isThere = displayId === null || this.#displays?.list().some(({ id }) => id === displayId);
				return isThere ? this.#runs.lastFault : "display_unavailable";
			},
			send: (sessions) => connection.reportSessions(sessions),
		};
		return reportCoverage(tools, config.grid, this.#noNewJobs);
	}

	/** @returns whether the answer brought anything new. */
	async #applyAnswer(answer: ReceivedSyncAnswer): Promise<boolean> {
		if (answer.removed) {
			void this.#endRemoved();
			return true;
		}
		// Must come first: a new job may reuse the id of a forgotten one.
		this.#applyJobStates(answer);
		const orders = this.#deliversOnly || this.restarts ? [] : this.#readJobs(answer.start);
		const fresh = orders.filter(({ order }) => !this.#runs.isKnown(order.key));
		await Promise.all(fresh.map((job) => this.#takeJob(job)));
		for (const id of answer.cancel) this.#runs.ofJob(id)?.cancel();
		if (answer.passwords !== undefined) this.#runs.givePasswords(answer.passwords);
		const wanted = answer.pictures ?? [];
		this.#pictures?.show(wanted);
		return fresh.length + answer.cancel.length + wanted.length > 0;
	}

	/** Applies what the dashboard reports about the listed jobs. */
	#applyJobStates(answer: ReceivedSyncAnswer): void {
		for (const { id, key } of answer.forgotten ?? []) {
			const run = this.#runs.ofKey(key);
			// A report may have revealed this already, and the job may have been recreated since.
			if (run?.spool.jobId === id) this.#recreate(run.spool);
		}
		for (const run of answer.deleted?.flatMap((key) => this.#runs.ofKey(key) ?? []) ?? []) {
			this.#log.warn(`The recording of ${run.spool.label} was deleted in the dashboard; deleting it here too.`);
			run.disown();
		}
		if (answer.retell) void this.#resendReports();
	}

	/** The dashboard was restored from a backup of before the job. */
	#recreate(spool: JobSpool): void {
		this.#log.warn(`The dashboard no longer has ${spool.label}; recreating it there with its video.`);
		void spool.forget();
	}

	async #resendReports(): Promise<void> {
		const dashboard = this.#connection?.dashboard;
		if (dashboard == null) return;
		await Promise.all(this.#runs.of(dashboard).own.map(({ spool }) => spool.resendReports()));
		this.#tools?.reporter.kick();
	}

	/** The runner was removed: stops its recordings, delivers them however long that takes, and exits. */
	async #endRemoved(): Promise<void> {
		if (this.#removed.signal.aborted) return;
		this.#removed.abort();
		this.#log.warn("This runner was removed from the dashboard. Stopping and uploading its recordings.");
		this.#runs.shutDown(REMOVED);
		await this.#runs.finished();
		this.#fatal.reject(this.#connection?.removed());
	}

	#readJobs(raws: readonly unknown[]): OrderedJob[] {
		const versions = this.#connection?.versions ?? "";
		const read = raws.map((raw) => readJob(raw, versions));
		if (read.includes(null) && !this.#unreadableIdReported) {
			this.#unreadableIdReported = true;
			this.#log.warn(`The dashboard sent a job whose id this runner cannot read. ${versions}; update the older one.`);
		}
		return read.filter((job) => job !== null);
	}

	async #takeJob({ order, password, cancelRequested }: OrderedJob): Promise<void> {
		this.#runs.taken(order.key);
		if (order.stop == null) {
			this.#log.info(`Job ${order.id}, "${order.name}": ${order.stopCondition} on ${order.displayId}.`);
		}
		const run = await this.#begin(order, { gridPassword: password });
		if (cancelRequested) run.cancel();
	}

	async #begin(order: JobOrder, options: JobOptions): Promise<JobRun> {
		if (this.#spool === null || this.#connection === null) throw new Error("The agent has not started.");
		// A job of the dashboard has its cap already.
		const { maxDurationSeconds = order.origin === "dashboard" ? undefined : this.#config.jobRules.maxDurationSeconds } =
			order;
		const capped = { ...order, maxDurationSeconds };
		this.#beginning += 1;
		try {
			const spool = await this.#spool.create(capped, this.#connection.origin);
			if (options.session !== undefined) spool.released = options.session.then(() => undefined);
			return this.#add(spool, options);
		} finally {
			this.#beginning -= 1;
		}
	}

	#add(spool: JobSpool, options: JobOptions): JobRun {
		if (this.#tools === null) throw new Error("The agent has not started.");
		const run = new JobRun(this.#tools, spool, options);
		this.#setAside?.watch(run);
		this.#runs.add(run);
		this.#controlService?.add(run);
		if (this.#removed.signal.aborted) run.shutDown(REMOVED);
		if (this.#leaving.signal.aborted) run.shutDown();
		return run;
	}

	#onJobError(spool: JobSpool, error: unknown): void {
		if (error instanceof FatalError) this.#fatal.reject(error);
		else if (!this.#closed.signal.aborted)
			this.#log.error(`${spool.label} failed unexpectedly: ${errorMessage(error)}`);
	}

	/** A failed loop ends the runner. */
	async #guard(loop: Promise<void>): Promise<void> {
		try {
			await loop;
		} catch (error) {
			this.#fatal.reject(error);
		}
	}

	/** Stops the recordings and waits for their delivery, as long as a container stop allows. */
	async #finishJobs(): Promise<void> {
		if (this.#runs.size === 0) return;
		this.#log.info(`Finishing and uploading ${this.#runs.size} ${this.#runs.size === 1 ? "job" : "jobs"}.`);
		this.#runs.shutDown();
		await Promise.race([this.#runs.finished(), pause(LEAVE_MS)]);
	}

	async #close(): Promise<void> {
		const left = this.#runs.size;
		this.#closed.abort();
		// Gives undelivered jobs time to close their files.
		await Promise.race([this.#runs.finished(), pause(500)]);
		await Promise.all([this.#control?.close(), this.#connection?.client.signOut()]);
		this.#connection?.client.close();
		this.#displays?.close();
		if (left > 0) this.#log.warn(`${left} not uploaded yet; kept in the spool until the next start.`);
		const keepsSpool = left > 0;
		if (keepsSpool) this.#watchdog?.leave();
		else this.#watchdog?.stop();
		this.#dataDir?.release(keepsSpool);
	}
}
