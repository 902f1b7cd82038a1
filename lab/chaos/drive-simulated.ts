/** Gives the simulated runners their planned jobs, so that some of them record at any time. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@tapedeck/contract/job.ts";
import { isEnded } from "@tapedeck/contract/job-status.ts";
import type { SimulatedJob } from "./plan.ts";
import type { World } from "./world.ts";

const POLL_MS = 1_000;

export interface SimulatedJobRecord {
	id: number;
	plan: SimulatedJob;
	/** Whether a cancel was requested. */
	cancelled: boolean;
	/** The job as the dashboard reports it in the end; null when it is gone. */
	final: Job | null;
}

export class SimulatedJobDriver {
	/** Every job that was acknowledged. */
	readonly jobs: SimulatedJobRecord[] = [];
	readonly #world: World;
	readonly #over: AbortSignal;

	/** @param over aborted when no more jobs are needed. Running ones continue to the end of their video. */
	constructor(world: World, over: AbortSignal) {
		this.#world = world;
		this.#over = over;
	}

	async run(slots: readonly SimulatedJob[][]): Promise<void> {
		await Promise.all(
			slots.map(async (jobs, slot) => {
				for (const [index, plan] of jobs.entries()) {
					await this.#pause(plan.pause * 1_000);
					if (this.#over.aborted) return;
					await this.#drive(plan, `simulated ${slot + 1}.${index + 1}`);
				}
			}),
		);
	}

	async #drive(plan: SimulatedJob, name: string): Promise<void> {
		const { client, simulated } = this.#world;
		const runnerId = simulated[plan.runner]?.runner.runnerId ?? 0;
		const { id } = await client.createJob({ runnerId, displayId: ":99", name, stopCondition: "interrupt" });
		const job: SimulatedJobRecord = { id, plan, cancelled: false, final: null };
		this.jobs.push(job);
		if (plan.cancelAfter !== null) {
			await this.#until(id, ({ status }) => status !== "queued" && status !== "starting");
			await this.#pause(plan.cancelAfter * 1_000);
			job.cancelled = true;
			await client.cancelJob(id);
		}
		await this.#until(id, ({ status }) => isEnded(status));
	}

	/** Waits until the job is so, however long faults keep it from that, and no longer than jobs are wanted. */
	async #until(id: number, isSo: (job: Job) => boolean): Promise<void> {
		while (!this.#over.aborted && !isSo(await this.#world.client.readJob(id))) await this.#pause(POLL_MS);
	}

	async #pause(ms: number): Promise<void> {
		await sleep(ms, undefined, { signal: this.#over }).catch(() => undefined);
	}
}
