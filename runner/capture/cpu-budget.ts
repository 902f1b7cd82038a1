/**
 * Keeps the processor time of all recordings of a runner together below a budget, by limiting their frame rate
 * (./rate-limit.ts). Recordings read the limit and continue in another part when it has changed.
 */
import { readFile } from "node:fs/promises";
import type { RunnerLog } from "../base/log.ts";
import { type ProcessId, parseStat } from "../base/process-id.ts";
import { pause } from "../base/wait.ts";
import { readTicks } from "./machine-load.ts";
import { RateLimit } from "./rate-limit.ts";

const EVERY_MS = 2_000;

/** A recording that the budget is for. */
export interface BudgetedRecording {
	/** What it asked for. */
	framesPerSecond: number;
	/** Its ffmpeg at this moment; null while there is none. */
	process(): ProcessId | null;
	/** Called once if it takes more than the budget at the lowest rate. */
	exceeded(message: string): void;
}

export class CpuBudget {
	readonly #budget: number | null;
	readonly #limit: RateLimit;
	readonly #log: RunnerLog;
	readonly #recordings = new Set<BudgetedRecording>();
	/** Processor time of each ffmpeg when it was last seen, in ticks. */
	readonly #ticks = new Map<string, number>();
	#reason = "this runner has not measured yet";

	/** @param budget share of the machine, above 0 and at most 1; null for no limit. */
	constructor(budget: number | null, log: RunnerLog) {
		this.#budget = budget;
		this.#limit = new RateLimit(budget ?? 1);
		this.#log = log;
	}

	/** Whether the tests of this machine come first: encoders then run with a lower priority. */
	get isSet(): boolean {
		return this.#budget !== null;
	}

	/** Frames a second of a recording that asked for so many. */
	rateOf(framesPerSecond: number): number {
		return Math.min(framesPerSecond, this.#limit.limit);
	}

	/** Why the limit is what it is, as the rest of a sentence. */
	get reason(): string {
		return this.#reason;
	}

	/** Counts a recording. @returns ends that. */
	add(recording: BudgetedRecording): () => void {
		this.#recordings.add(recording);
		return () => {
			this.#recordings.delete(recording);
			if (this.#recordings.size === 0) this.#limit.reset();
		};
	}

	/** Measures until the signal aborts. Does nothing without a budget. */
	async run(closed: AbortSignal): Promise<void> {
		if (this.#budget === null) return;
		let machine: number | null = null;
		while (!closed.aborted) {
			await pause(EVERY_MS, closed);
			const total = await readTicks().then(
				({ total }) => total,
				() => null,
			);
			const recorded = await this.#recordedTicks();
			if (machine !== null && total !== null && total > machine && this.#recordings.size > 0) {
				this.#measured(recorded / (total - machine));
			}
			machine = total;
		}
	}

	#measured(share: number): void {
		const wanted = Math.max(...[...this.#recordings].map(({ framesPerSecond }) => framesPerSecond));
		const changed = this.#limit.add(share, wanted);
		if (changed === null) return;
		const budget = percentOf(this.#budget ?? 1);
		this.#reason = `the recordings took ${percentOf(changed.share)} of the processors, the budget is ${budget}`;
		if (changed.change !== "exceeded") {
			this.#log.info(`The frame rate was ${changed.change} to ${this.rateOf(wanted)}: ${this.#reason}.`);
			return;
		}
		const message = `The frame rate is as low as it gets: ${this.#reason}.`;
		this.#log.warn(message);
		for (const recording of this.#recordings) recording.exceeded(message);
	}

	/** Processor time of all recordings since the last call, in ticks. */
	async #recordedTicks(): Promise<number> {
		let sum = 0;
		const seen = new Map<string, number>();
		for (const recording of this.#recordings) {
			const id = recording.process();
			const stat = id === null ? null : await readFile(`/proc/${id.pid}/stat`, "utf8").then(parseStat, () => null);
			if (id === null || stat === null || stat.startTicks !== id.startTicks) continue;
			const key = `${id.pid} ${id.startTicks}`;
			seen.set(key, stat.cpuTicks);
			// What one took before it was first seen is not known to lie in this time.
			sum += stat.cpuTicks - (this.#ticks.get(key) ?? stat.cpuTicks);
		}
		this.#ticks.clear();
		for (const [key, ticks] of seen) this.#ticks.set(key, ticks);
		return sum;
	}
}

/** Such as `31 %`, and `0.04 %` of a budget that small. */
const percentOf = (share: number): string => `${Number((share * 100).toPrecision(2))} %`;
