/** Creates the plan's jobs, ends them as it says, and writes down when it did what. */
import { setTimeout as sleep } from "node:timers/promises";
import { type FakeGrid, startFakeGrid } from "#test/grids/fake-grid.ts";
import { type CreateJobBody, isEnded, type Job } from "#lib/contract/job.ts";
import type { JobFacts } from "./facts.ts";
import type { PlannedJob } from "./plan.ts";
import type { World } from "./world.ts";

const LOOK_MS = 500;
/** How long a job may take to begin, or to end, before its slot goes on without it. */
const PATIENCE_MS = 60_000;
/** A `duration` that has no longer to go is waited for, even when the run is over. */
const SHORT_REST_MS = 10_000;
/** A session of that length is in some answer of the grid's. */
const SEEN_MS = 2_500;

export class JobDriver {
	readonly jobs: JobFacts[] = [];
	readonly #world: World;
	readonly #over: AbortSignal;
	readonly #grids: FakeGrid[] = [];

	/** @param over aborted when no more jobs are wanted: those that run are ended. */
	constructor(world: World, over: AbortSignal) {
		this.#world = world;
		this.#over = over;
	}

	/** Resolves when every job has been asked to end, or was left to end by itself. */
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

	/** Takes the grids down, which no runner asks any more. */
	async close(): Promise<void> {
		await Promise.all(this.#grids.map((grid) => grid.stop()));
	}

	async #drive(plan: PlannedJob, name: string): Promise<void> {
		const { client, now, say } = this.#world;
		const grid = plan.stopCondition === "selenium_idle" ? await this.#grid() : null;
		const { id } = await client.createJob(bodyOf(plan, name, grid, this.#world));
		const job: JobFacts = { id, plan, createdAt: now(), cancel: null, idleFrom: null, final: null };
		this.jobs.push(job);
		const on = `${this.#world.runners[plan.runner]?.program.name} ${this.#world.displays[plan.display]?.id}`;
		say(`job ${id}: ${plan.stopCondition} on ${on} for ${plan.seconds} s`);
		if (plan.cancel !== null && "afterCreation" in plan.cancel) {
			await this.#pause(plan.cancel.afterCreation * 1_000);
			await this.#cancel(job);
		} else {
			await this.#until(id, PATIENCE_MS, ({ status }) => status !== "queued" && status !== "starting");
			await this.#record(job, grid);
		}
		await this.#until(id, PATIENCE_MS, ({ status }) => isEnded(status));
	}

	/** From the beginning of the recording to what ends it. */
	async #record(job: JobFacts, grid: FakeGrid | null): Promise<void> {
		const { plan } = job;
		const ms = plan.seconds * 1_000;
		const isOver = ({ status }: Job) => isEnded(status);
		if (plan.cancel !== null && "share" in plan.cancel) {
			await this.#until(job.id, ms * plan.cancel.share, isOver);
			await this.#cancel(job);
		} else if (grid !== null) {
			await this.#until(job.id, ms / 2, isOver);
			if (plan.gridGap > 0 && !this.#over.aborted) {
				grid.say({ kind: "sessions", count: 0 });
				await sleep(plan.gridGap * 1_000);
				grid.say({ kind: "sessions", count: 1 });
				// Long enough to be seen, even when the run ends now: else it would have been no gap, but the end.
				await sleep(SEEN_MS);
			}
			await this.#until(job.id, ms / 2, isOver);
			grid.say({ kind: "sessions", count: 0 });
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

	async #cancel(job: JobFacts): Promise<void> {
		const asked = this.#world.now();
		// The dashboard may obey before it can say so: what was asked counts from here.
		job.cancel = { asked, answered: Infinity };
		await this.#world.client.cancelJob(job.id);
		job.cancel = { asked, answered: this.#world.now() };
		this.#world.say(`job ${job.id}: cancelled`);
	}

	async #grid(): Promise<FakeGrid> {
		const grid = await startFakeGrid();
		grid.say({ kind: "sessions", count: 1 });
		this.#grids.push(grid);
		return grid;
	}

	/** Waits until the job is so, at most this long, and no longer than jobs are wanted. */
	async #until(id: number, ms: number, isSo: (job: Job) => boolean): Promise<void> {
		const deadline = performance.now() + ms;
		while (!this.#over.aborted && performance.now() < deadline) {
			if (isSo(await this.#world.client.readJob(id))) return;
			await this.#pause(Math.min(LOOK_MS, deadline - performance.now()));
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
	}
}
