/** Thousands of calls that wait for one job cost one read for each of its changes. */
import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import type { Actor } from "#lib/core/context.ts";
import { contextFor } from "#lib/http/app-context.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { protocolRunner } from "#test/runners/protocol-runner.ts";
import { until } from "#test/wait.ts";
import { waitForJob } from "./read-job.ts";

const WAITING = 2_500;

onOneDatabase((api) => {
	const runner = protocolRunner(api);
	const actorOf = (organizationId: number): Actor => ({ kind: "system", organizationId });

	/** A context that counts its reads. */
	function counting(actor: Actor) {
		const count = { reads: 0, answered: 0 };
		const plugin: KyselyPlugin = {
			transformQuery: ({ node }) => {
				count.reads += 1;
				return node;
			},
			transformResult: async ({ result }) => {
				count.answered += 1;
				return result;
			},
		};
		const ctx = contextFor(api().app, actor);
		return { ctx: { ...ctx, db: ctx.db.withPlugin(plugin) }, count };
	}

	test("all who wait for a job share one read, and one more for each change", async () => {
		const { id } = await runner.createJob();
		const { ctx, count } = counting(actorOf(1));
		const { signal } = new AbortController();
		const waiting = Array.from({ length: WAITING }, () => waitForJob(ctx, id, "ended", 100_000, signal));
		await until(() => count.answered === count.reads, "they have read it");
		expect(count.reads).toBe(1);
		const { delivered } = api().app.events;
		// No caller waits for this other job.
		const other = await runner.createJob();
		expect(count.reads).toBe(1);
		expect((await runner.cancelJob(id)).body.status).toBe("cancelled");
		const jobs = await Promise.all(waiting);
		expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(["cancelled"]));
		expect(count.reads).toBeLessThanOrEqual(1 + api().app.events.delivered - delivered);
		await runner.cancelJob(other.id);
	});

	test("a job of another organization is found by nobody, whoever waits for it", async () => {
		const { id } = await runner.createJob();
		const own = counting(actorOf(1));
		const foreign = counting(actorOf(999));
		const { signal } = new AbortController();
		const waits = [own.ctx, foreign.ctx].map((ctx) => waitForJob(ctx, id, "ended", 0, signal));
		const [mine, theirs] = await Promise.allSettled(waits);
		expect(mine).toMatchObject({ status: "fulfilled", value: { id } });
		expect(theirs).toMatchObject({ status: "rejected", reason: { code: "not_found" } });
		await runner.cancelJob(id);
	});

	test("a change during a read is seen by those who came before it and by those who come after", async () => {
		const { id } = await runner.createJob();
		const { ctx } = counting(actorOf(1));
		const { signal } = new AbortController();
		const early = Array.from({ length: 20 }, () => waitForJob(ctx, id, "ended", 100_000, signal));
		const cancelled = runner.cancelJob(id);
		const late = Array.from({ length: 20 }, () => waitForJob(ctx, id, "ended", 100_000, signal));
		await cancelled;
		const after = Array.from({ length: 20 }, () => waitForJob(ctx, id, "ended", 0, signal));
		const jobs = await Promise.all([...early, ...late, ...after]);
		expect(jobs.filter(({ status }) => status !== "cancelled")).toEqual([]);
	});
});
