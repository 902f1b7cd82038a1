/** Starts the plan's jobs, ends them as it says, and records when it did what. */
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { CreateJobBody, Job } from "@tapedeck/contract/job.ts";
import { isEnded } from "@tapedeck/contract/job-status.ts";
import { type FakeGrid, startFakeGrid } from "#test/grids/fake-grid.ts";
import { root } from "#test/stack.ts";
import type { PlannedJob } from "./plan.ts";
import { type JobRecord, sinceEpoch } from "./run-record.ts";
import { runnerEnvironment } from "./services.ts";
import type { Workers } from "./workers.ts";
import { AUTO_RECORD_NAME, AUTO_RECORD_RUNNER, type World } from "./world.ts";

const POLL_MS = 500;
/** The maximum time for a job to begin, or to end, before its slot continues without it. */
const TIMEOUT_MS = 60_000;
/** A `duration` that has no longer to go is waited for, even when the run is over. */
const SHORT_REST_MS = 10_000;
/** A session of this length is in at least one of the grid's answers. */
const SEEN_MS = 2_500;
/** The maximum time for `tapedeck record`, including a runner that stands still for a while. */
const COMMAND_MS = 60_000;
/** Before a command that failed is tried again. */
const COMMAND_AGAIN_MS = 1_000;

/** The recording of auto-record: one display, until the end of the run. */
const AUTO_RECORD: PlannedJob = {
	...{ origin: "auto-record", runner: AUTO_RECORD_RUNNER, display: 0, stopCondition: "interrupt" },
	...{ pause: 0, seconds: 0, cancel: null, gridGap: 0 },
};

export class JobDriver {
	readonly jobs: JobRecord[] = [];
	readonly #world: World;
	readonly #over: AbortSignal;
	readonly #grids: FakeGrid[] = [];
	/** Each call of `tapedeck record` by the job's name, and whether it reported that it records. */
	readonly #commands = new Map<string, { plan: PlannedJob; records: boolean }>();

	/** @param over aborted when no more jobs are needed. Running ones are ended. */
	constructor(world: World, over: AbortSignal) {
		this.#world = world;
		this.#over = over;
	}

	/** Resolves when every job was requested to end, or was left to end by itself. */
	async run(slots: readonly PlannedJob[][]): Promise<void> {
		await Promise.all(
			slots.map(async (jobs, slot) => {
				for (const [index, plan] of jobs.entries()) {
					await this.#pause(plan.pause * 1_000);
					if (this.#over.aborted) return;
					await this.#drive(plan, `chaos ${slot + 1}.${index + 1}`);
				}
			}),
		);
	}

	/** Stops the grids, which no runner polls any more. */
	async close(): Promise<void> {
		await Promise.all(this.#grids.map((grid) => grid.stop()));
	}

	async #drive(plan: PlannedJob, name: string): Promise<void> {
		const { client, epoch, now, say } = this.#world;
		const grid = plan.stopCondition === "selenium_idle" ? await this.#grid() : null;
		const on = `${this.#world.runners[plan.runner]?.program.name} ${this.#world.displays[plan.display]?.id}`;
		const created = plan.origin === "command" ? await this.#command(plan, name) : null;
		if (plan.origin === "command" && created === null) return say(`${name}: not begun, or not known within a minute`);
		const { id } = created ?? (await client.createJob(bodyOf(plan, name, grid, this.#world)));
		const job = this.#add(id, plan, sinceEpoch(epoch, created?.createdAt ?? null) ?? now());
		const how = plan.origin === "command" ? " by command" : "";
		say(`job ${id}: ${plan.stopCondition} on ${on} for ${plan.seconds} s${how}`);
		if (plan.cancel !== null && "afterCreation" in plan.cancel) {
			await this.#pause(plan.cancel.afterCreation * 1_000);
			await this.#cancel(job);
		} else {
			await this.#until(id, TIMEOUT_MS, ({ status }) => status !== "queued" && status !== "starting");
			await this.#record(job, grid);
		}
		await this.#until(id, TIMEOUT_MS, ({ status }) => isEnded(status));
	}

	#add(id: number, plan: PlannedJob, createdAt: number): JobRecord {
		const job: JobRecord = { id, plan, createdAt, cancel: null, idleFrom: null, final: null };
		this.jobs.push(job);
		return job;
	}

	/**
	 * Starts a job on the runner's machine, like a script that retries: under another name each time, because a failed
	 * command may have started a recording.
	 * @returns null when no attempt succeeded before the end of the run, or the dashboard did not learn of the job in
	 *   time.
	 */
	async #command(plan: PlannedJob, name: string): Promise<Job | null> {
		for (let attempt = 1; !this.#over.aborted; attempt++) {
			const jobName = `${name} command ${attempt}`;
			const command = { plan, records: false };
			this.#commands.set(jobName, command);
			command.records = await this.#recordByCommand(plan, jobName);
			if (command.records) return this.#jobNamed(jobName);
			await this.#pause(COMMAND_AGAIN_MS);
		}
		return null;
	}

	/** @returns whether `tapedeck record` ended with status 0. */
	#recordByCommand(plan: PlannedJob, name: string): Promise<boolean> {
		const dataDir = this.#world.runners[plan.runner]?.dataDir ?? "";
		const display = this.#world.displays[plan.display]?.id ?? "";
		const duration = plan.stopCondition === "duration" ? ["--duration", String(plan.seconds)] : [];
		const words = ["record", "--data-dir", dataDir, "--display", display, "--name", name, ...duration];
		const options = { cwd: root, env: runnerEnvironment(), timeout: COMMAND_MS };
		return new Promise((resolve) => {
			execFile(process.execPath, ["runner/cli.ts", ...words], options, (error, _out, problem) => {
				if (error !== null) this.#world.say(`tapedeck record: ${problem.trim() || error.message}`);
				resolve(error === null);
			});
		});
	}

	async #jobNamed(name: string): Promise<Job | null> {
		const deadline = performance.now() + TIMEOUT_MS;
		while (!this.#over.aborted && performance.now() < deadline) {
			const found = (await this.#world.client.jobs()).find((job) => job.name === name);
			if (found !== undefined) return found;
			await this.#pause(POLL_MS);
		}
		return null;
	}

	/**
	 * Adds the jobs started by runners that no caller waited for: those of auto-record, of workers, and of commands that
	 * reached the dashboard late.
	 * @param reported all jobs of the dashboard.
	 */
	adopt(reported: readonly Job[], workers: Workers): void {
		const known = new Set(this.jobs.map(({ id }) => id));
		for (const { id, name, createdAt } of reported) {
			const plan = name === AUTO_RECORD_NAME ? AUTO_RECORD : (this.#commands.get(name)?.plan ?? workers.planOf(name));
			if (plan !== undefined && !known.has(id)) this.#add(id, plan, sinceEpoch(this.#world.epoch, createdAt) ?? 0);
		}
	}

	/** @returns names of recordings that a command reported as started, but that have no job. */
	lostCommands(): string[] {
		const arrived = new Set(this.jobs.map(({ final }) => final?.name));
		return [...this.#commands].flatMap(([name, { records }]) => (records && !arrived.has(name) ? [name] : []));
	}

	/** Cancels what runners began and nothing ends: auto-record, once it records, and late commands. */
	async endAdopted(): Promise<void> {
		for (const job of this.jobs) {
			const records = job.final?.status === "recording";
			const endless = job.plan.origin !== "dashboard" && job.plan.stopCondition === "interrupt";
			if (records && endless && job.cancel === null) await this.#cancel(job);
		}
	}

	/** Whether the last recording of auto-record was cancelled: its runner then starts no other one by itself. */
	autoRecordEnded(): boolean {
		return this.jobs.some(({ plan, cancel }) => plan === AUTO_RECORD && cancel !== null);
	}

	/** Follows a job from the start of its recording to the event that ends it. */
	async #record(job: JobRecord, grid: FakeGrid | null): Promise<void> {
		const { plan } = job;
		const ms = plan.seconds * 1_000;
		const isOver = ({ status }: Job) => isEnded(status);
		if (plan.cancel !== null && "share" in plan.cancel) {
			await this.#until(job.id, ms * plan.cancel.share, isOver);
			await this.#cancel(job);
		} else if (grid !== null) {
			await this.#until(job.id, ms / 2, isOver);
			if (plan.gridGap > 0 && !this.#over.aborted) {
				grid.respondWith({ kind: "sessions", count: 0 });
				await sleep(plan.gridGap * 1_000);
				grid.respondWith({ kind: "sessions", count: 1 });
				// Long enough to be seen, even when the run ends now: else it would have been no gap, but the end.
				await sleep(SEEN_MS);
			}
			await this.#until(job.id, ms / 2, isOver);
			grid.respondWith({ kind: "sessions", count: 0 });
			job.idleFrom = this.#world.now();
		} else if (plan.stopCondition === "interrupt") {
			await this.#until(job.id, ms, isOver);
			await this.#cancel(job);
		} else {
			const end = performance.now() + ms;
			await this.#until(job.id, ms, isOver);
			if (this.#over.aborted && end - performance.now() > SHORT_REST_MS) await this.#cancel(job);
		}
	}

	async #cancel(job: JobRecord): Promise<void> {
		const asked = this.#world.now();
		// The dashboard may execute the request before its response arrives, so the request counts from here.
		job.cancel = { asked, answered: Infinity };
		await this.#world.client.cancelJob(job.id);
		job.cancel = { asked, answered: this.#world.now() };
		this.#world.say(`job ${job.id}: cancelled`);
	}

	async #grid(): Promise<FakeGrid> {
		const grid = await startFakeGrid();
		grid.respondWith({ kind: "sessions", count: 1 });
		this.#grids.push(grid);
		return grid;
	}

	/** Waits until the job is so, at most this long, and no longer than jobs are wanted. */
	async #until(id: number, ms: number, isSo: (job: Job) => boolean): Promise<void> {
		const deadline = performance.now() + ms;
		while (!this.#over.aborted && performance.now() < deadline) {
			if (isSo(await this.#world.client.readJob(id))) return;
			await this.#pause(Math.min(POLL_MS, deadline - performance.now()));
		}
	}

	async #pause(ms: number): Promise<void> {
		if (ms > 0) await sleep(ms, undefined, { signal: this.#over }).catch(() => undefined);
	}
}

function bodyOf(plan: PlannedJob, name: string, grid: FakeGrid | null, { runners, displays }: World): CreateJobBody {
	const runnerId = runners[plan.runner]?.id ?? 0;
	const displayId = displays[plan.display]?.id ?? "";
	const common = { runnerId, displayId, name };
	switch (plan.stopCondition) {
		case "duration":
			return { ...common, stopCondition: "duration", stopConditionConfig: { durationSeconds: plan.seconds } };
		case "interrupt":
			return { ...common, stopCondition: "interrupt" };
		case "selenium_idle":
			return { ...common, stopCondition: "selenium_idle", stopConditionConfig: { gridUrl: grid?.url ?? "" } };
		case "selenium_session":
			throw new Error("The plan has no jobs of this condition.");
	}
}
