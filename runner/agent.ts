/** The runner as a whole: puts its pieces together, takes jobs, goes when asked. */
import type { ReceivedSyncAnswer } from "#lib/contract/runner-protocol.ts";
import { autoRecord } from "./auto-record.ts";
import type { RunnerConfig } from "./config.ts";
import { Connection } from "./connection.ts";
import { ControlDesk } from "./control/control-desk.ts";
import { type ControlServer, serveControl } from "./control/control-server.ts";
import { DashboardClient } from "./dashboard-client.ts";
import { type DataDir, takeDataDir } from "./data-dir.ts";
import { DisplayPictures } from "./display-pictures.ts";
import { Displays } from "./displays.ts";
import { checkFfmpeg } from "./ffmpeg-check.ts";
import { JobRuns, REMOVED } from "./job-runs.ts";
import { FatalError, type RunnerLog, wordsOf } from "./log.ts";
import { type OrderedJob, readJob } from "./read-job.ts";
import { Reporter } from "./reporter.ts";
import { type JobOptions, JobRun } from "./run-job.ts";
import type { Services } from "./services.ts";
import { type JobOrder, type JobSpool, Spool } from "./spool.ts";
import { SyncLoop } from "./sync-loop.ts";
import { aborted, pause } from "./wait.ts";
import { keepWatchdog, type Watchdog } from "./watchdog.ts";

/** Of the 8 s that a container stop allows; letting go of the files and saying goodbye can take 1.5 s. */
const LEAVE_MS = 6_200;

export class Agent {
	readonly #config: RunnerConfig;
	readonly #log: RunnerLog;
	readonly #leaving = new AbortController();
	readonly #closed = new AbortController();
	/** Aborted when somebody removed the runner in the dashboard. */
	readonly #removed = new AbortController();
	/** Aborted when no further recording may begin. */
	readonly #noMore = AbortSignal.any([this.#leaving.signal, this.#removed.signal]);
	readonly #runs = new JobRuns();
	readonly #fatal = Promise.withResolvers<never>();
	#dataDir: DataDir | null = null;
	#watchdog: Watchdog | null = null;
	#displays: Displays | null = null;
	#connection: Connection | null = null;
	#spool: Spool | null = null;
	#services: Services | null = null;
	#sync: SyncLoop | null = null;
	#pictures: DisplayPictures | null = null;
	#desk: ControlDesk | null = null;
	#control: ControlServer | null = null;
	#idlessTold = false;

	constructor(config: RunnerConfig, log: RunnerLog) {
		this.#config = config;
		this.#log = log;
		this.#fatal.promise.catch(() => undefined);
	}

	/** Runs until `leave` was called and done. @throws FatalError with the one sentence that says what is wrong. */
	async run(): Promise<void> {
		try {
			await this.#start();
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

	/** Asks the runner to end its recordings, deliver them and go. */
	leave(): void {
		this.#leaving.abort();
	}

	async #start(): Promise<void> {
		const config = this.#config;
		const log = this.#log;
		const version = await checkFfmpeg(config.ffmpeg, config.childEnv);
		log.info(`Runner "${config.name}", ${version.split(" Copyright")[0]}, data in ${config.dataDir}.`);
		const dataDir = await takeDataDir(config.dataDir);
		this.#dataDir = dataDir;
		this.#watchdog = keepWatchdog(dataDir.path, config.childEnv);
		const displays = new Displays(config.display, config.xauthority, log, config.allowedDisplays);
		this.#displays = displays;
		await displays.start();
		const client = new DashboardClient(config);
		const identity = { name: config.name, instanceId: dataDir.instanceId };
		const connection = new Connection(client, identity, displays, log, this.#closed.signal);
		this.#connection = connection;
		const reporter = new Reporter(connection, log, {
			spools: () => [...this.#runs].map((run) => run.spool),
			displays: () => displays.list().map(({ id, width, height }) => ({ id, width, height })),
			disowned: (spool) => this.#runs.ofSpool(spool)?.disown(),
		});
		displays.on("changed", () => reporter.tellDisplays());
		this.#sync = new SyncLoop(
			connection,
			() => this.#runs.listed(),
			(answer) => this.#take(answer),
		);
		this.#services = {
			config,
			displays,
			connection,
			reporter,
			log,
			leaving: this.#leaving.signal,
			closed: this.#closed.signal,
			listGrew: () => this.#sync?.poke(),
			broke: (spool, error) => this.#broke(spool, error),
		};
		this.#pictures = new DisplayPictures({
			config,
			displays,
			connection,
			closed: this.#closed.signal,
			captures: (displayId) => this.#runs.posterFiles(displayId),
		});
		this.#desk = new ControlDesk({
			name: config.name,
			dataDir: dataDir.path,
			allowedGrids: config.allowedGrids,
			displays,
			connection,
			leaving: this.#noMore,
			begin: (order) => this.#begin(order, {}),
		});
		this.#spool = new Spool(dataDir.path);
		const salvaged = (name: string, kept: string) =>
			log.error(`The record of ${name} cannot be read, so nothing can be delivered; its video is kept in ${kept}.`);
		for (const spool of await this.#spool.list(salvaged)) this.#add(spool, this.#knownPassword(spool));
		if (config.autoRecord !== null) void this.#guard(this.#autoRecord());
		void this.#guard(reporter.run(this.#closed.signal));
		void this.#guard(this.#sync.run(AbortSignal.any([this.#leaving.signal, this.#closed.signal])));
		this.#control = await serveControl(dataDir.path, this.#desk).catch((error) => {
			log.warn(`The commands on this machine (tapedeck status, record, stop) cannot reach it: ${wordsOf(error)}.`);
			return null;
		});
	}

	/** The password of an auto-record job stays in the environment. */
	#knownPassword(spool: JobSpool): JobOptions {
		const password = this.#config.autoRecord?.grid?.password;
		return spool.manifest.auto !== null && password !== undefined ? { gridPassword: password } : {};
	}

	#autoRecord(): Promise<void> {
		const { autoRecord: config, display, allowedGrids } = this.#config;
		const displays = this.#displays;
		if (config === null || displays === null) return Promise.resolve();
		return autoRecord(
			{
				config,
				display,
				allowedGrids,
				displays,
				log: this.#log,
				start: (order, options) => this.#begin(order, options),
				surviving: () => this.#runs.autoRecorded(),
			},
			this.#noMore,
		);
	}

	/** @returns whether the answer brought anything that was not known. */
	async #take(answer: ReceivedSyncAnswer): Promise<boolean> {
		if (answer.removed) {
			void this.#endRemoved();
			return true;
		}
		const fresh = this.#readJobs(answer.start).filter(({ order }) => !this.#runs.isKnown(order.id));
		await Promise.all(fresh.map((job) => this.#takeJob(job)));
		for (const id of answer.cancel) this.#runs.ofJob(id)?.cancel();
		for (const id of answer.unknown) {
			const run = this.#runs.ofJob(id);
			if (run) this.#log.warn(`${run.spool.label} is not this runner's any more; it ends and nothing is kept.`);
			run?.disown();
		}
		if (answer.passwords !== undefined) this.#runs.givePasswords(answer.passwords);
		const wanted = answer.pictures ?? [];
		this.#pictures?.show(wanted);
		return fresh.length + answer.cancel.length + wanted.length > 0;
	}

	/** Somebody removed the runner: ends its recordings, delivers them however long that takes, and goes. */
	async #endRemoved(): Promise<void> {
		if (this.#removed.signal.aborted) return;
		this.#removed.abort();
		this.#log.warn("This runner was removed from the dashboard; its recordings end and are delivered.");
		this.#runs.shutDown(REMOVED);
		await this.#runs.finished();
		this.#fatal.reject(new FatalError(this.#connection?.removed() ?? REMOVED.message));
	}

	#readJobs(raws: readonly unknown[]): OrderedJob[] {
		const versions = this.#connection?.versions ?? "";
		const read = raws.map((raw) => readJob(raw, versions));
		if (read.includes(null) && !this.#idlessTold) {
			this.#idlessTold = true;
			this.#log.warn(`The dashboard orders a job whose id this runner cannot read. ${versions}; update the older one.`);
		}
		return read.filter((job) => job !== null);
	}

	async #takeJob({ order, password, cancelRequested }: OrderedJob): Promise<void> {
		this.#runs.taken(order.id);
		if (order.stop == null) {
			this.#log.info(`Job ${order.id}, "${order.name}": ${order.stopCondition} on ${order.displayId}.`);
		}
		const run = await this.#begin(order, { gridPassword: password });
		if (cancelRequested) run.cancel();
	}

	async #begin(order: JobOrder, options: JobOptions): Promise<JobRun> {
		if (this.#spool === null) throw new Error("A job before the start.");
		return this.#add(await this.#spool.create(order), options);
	}

	#add(spool: JobSpool, options: JobOptions): JobRun {
		if (this.#services === null) throw new Error("A job before the start.");
		const run = new JobRun(this.#services, spool, options);
		this.#runs.add(run);
		this.#desk?.add(run);
		if (this.#removed.signal.aborted) run.shutDown(REMOVED);
		if (this.#leaving.signal.aborted) run.shutDown();
		return run;
	}

	#broke(spool: JobSpool, error: unknown): void {
		if (error instanceof FatalError) this.#fatal.reject(error);
		else if (!this.#closed.signal.aborted) this.#log.error(`${spool.label} broke off: ${wordsOf(error)}`);
	}

	/** A loop that fails takes the runner with it. */
	async #guard(loop: Promise<void>): Promise<void> {
		try {
			await loop;
		} catch (error) {
			this.#fatal.reject(error);
		}
	}

	/** Ends the recordings and waits for their delivery, as long as a container stop allows. */
	async #finishJobs(): Promise<void> {
		if (this.#runs.size === 0) return;
		this.#log.info(
			`Ending: ${this.#runs.size} ${this.#runs.size === 1 ? "job is" : "jobs are"} finished and delivered.`,
		);
		this.#runs.shutDown();
		await Promise.race([this.#runs.finished(), pause(LEAVE_MS)]);
	}

	async #close(): Promise<void> {
		const left = this.#runs.size;
		this.#closed.abort();
		// Jobs that could not be delivered let go of their files.
		await Promise.race([this.#runs.finished(), pause(500)]);
		await Promise.all([this.#control?.close(), this.#connection?.client.signOut()]);
		this.#connection?.client.close();
		this.#displays?.close();
		if (left > 0) this.#log.warn(`${left} not delivered yet; kept in the spool for the next start.`);
		const leaveWatched = left > 0;
		if (leaveWatched) this.#watchdog?.leave();
		else this.#watchdog?.stop();
		this.#dataDir?.release(leaveWatched);
	}
}
