/** Changes to jobs at a steady rate, as a busy organization makes them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Api } from "#test/api-client.ts";

export interface JobChanges {
	/** The jobs that were created, with their time of creation. */
	readonly created: readonly { id: number; at: number }[];
	/** Changes a second so far. */
	rate(): number;
	stop(): Promise<void>;
}

/**
 * Creates jobs for the runner with id 1 and cancels each a second later, until stopped. Each of both counts as a
 * change.
 */
export function startJobChanges(api: Api, changesPerSecond: number): JobChanges {
	const created: { id: number; at: number }[] = [];
	let running = true;
	let changes = 0;
	const startedAt = performance.now();
	const pair = async () => {
		const body = { runnerId: 1, displayId: ":99", name: "a change", stopCondition: "interrupt" } as const;
		const { id, createdAt } = await api.call<Job>("POST", "/v1/jobs", body);
		created.push({ id, at: Date.parse(createdAt) });
		await sleep(1_000);
		await api.cancelJob(id);
		changes += 2;
	};
	const all = new Set<Promise<void>>();
	const loop = (async () => {
		for (let started = 0; running; started += 1) {
			const one = pair()
				// A refused change is missing from the rate.
				.catch(() => undefined)
				.finally(() => all.delete(one));
			all.add(one);
			// Timed from the start: a pause after each job would add the time that creating it takes.
			const next = startedAt + ((started + 1) * 2_000) / changesPerSecond;
			await sleep(Math.max(0, next - performance.now()));
		}
		await Promise.all(all);
	})();
	loop.catch(() => undefined);
	return {
		created,
		rate: () => changes / ((performance.now() - startedAt) / 1_000),
		async stop() {
			running = false;
			await loop;
		},
	};
}
