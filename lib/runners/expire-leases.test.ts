import { LEASE_SECONDS } from "@tapedeck/contract/runner-protocol.ts";
import type { KyselyPlugin, PluginTransformQueryArgs } from "kysely";
import { expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { firstFrame, protocolRunner, stopped } from "#test/runners/protocol-runner.ts";
import { leaseSweep } from "./expire-leases.ts";

/** Other jobs than recordings have no stop condition. */
const unspooled = { stopCondition: undefined };

onEachDatabase((api) => {
	const runner = protocolRunner(api);

	/**
	 * Sweeps at the time when the runner will have been silent for this long. The dashboard's own sweeps see it online.
	 */
	async function sweepAfterSilenceOf(seconds: number): Promise<void> {
		const ctx = contextFor(api().app, { kind: "system", organizationId: 0 });
		await runner.beSilentFor(0);
		const { lastSeenAt } = await ctx.db
			.selectFrom("runner")
			.select("lastSeenAt")
			.where("id", "=", runner.session.runnerId)
			.executeTakeFirstOrThrow();
		const now = (lastSeenAt ?? 0) + seconds * 1_000;
		await leaseSweep(0)({ ...ctx, clock: { now: () => now } });
	}

	test("a runner that is silent for 30 s loses its jobs, and resumes them when it returns", async () => {
		const [recording, uploading] = [await runner.createJob(), await runner.createJob()];
		const starting = await runner.createJob();
		await runner.sync();
		await runner.report(recording.id, firstFrame);
		await runner.report(uploading.id, firstFrame, stopped("duration_elapsed"));
		await runner.storeRecording(recording.id, "live");
		await sweepAfterSilenceOf(LEASE_SECONDS - 1);
		expect((await runner.readJob(recording.id)).status).toBe("recording");
		await sweepAfterSilenceOf(LEASE_SECONDS + 1);
		const lost = { status: "failed", stopReason: "runner_lost", error: { code: "runner_lost" } };
		for (const { id } of [recording, uploading, starting]) expect(await runner.readJob(id)).toMatchObject(lost);
		expect((await runner.readJob(recording.id)).recording?.state).toBe("partial");

		expect((await runner.cancelJob(recording.id)).status).toBe(202);
		const listed = [recording, uploading, starting].map(({ id }) => ({ id }));
		expect((await runner.sync(listed)).cancel).toContain(recording.id);
		const resumed = { status: "recording", stopReason: null, error: null, endedAt: null };
		expect(await runner.readJob(recording.id)).toMatchObject(resumed);
		expect(await runner.readJob(uploading.id)).toMatchObject({
			status: "uploading",
			stopReason: "duration_elapsed",
		});
		await runner.report(starting.id, firstFrame);
		expect(await runner.readJob(starting.id)).toMatchObject({ status: "recording", stopReason: null });
	});

	test("jobs of which a runner keeps nothing are sent to it again when it is back, and a cancel in the meantime counts", async () => {
		const upload = await runner.createJob({ type: "file_upload", path: "a.txt", ...unspooled, displayId: undefined });
		const screenshot = await runner.createJob({ type: "screenshot", ...unspooled });
		const recording = await runner.createJob();
		expect((await runner.sync()).start).toHaveLength(3);
		await sweepAfterSilenceOf(LEASE_SECONDS + 1);
		for (const { id } of [upload, screenshot, recording])
			expect(await runner.readJob(id)).toMatchObject({ status: "failed", stopReason: "runner_lost" });
		expect((await runner.cancelJob(screenshot.id)).status).toBe(202);

		// Started again after a crash: it lists nothing.
		await runner.signIn();
		const { start } = await runner.sync();
		expect(start.map(({ id, cancelRequested }) => [id, cancelRequested])).toEqual([
			[upload.id, false],
			[screenshot.id, true],
		]);
		expect(await runner.readJob(upload.id)).toMatchObject({
			status: "starting",
			stopReason: null,
			error: null,
			endedAt: null,
		});
		expect(await runner.eventTypes(upload.id)).toContain("runner_returned");
		// A recording would begin too late.
		expect((await runner.readJob(recording.id)).status).toBe("failed");

		// Away without a crash: it lists them.
		const { id, key } = start[0] as { id: number; key: string };
		await sweepAfterSilenceOf(LEASE_SECONDS + 1);
		expect((await runner.readJob(id)).status).toBe("failed");
		expect((await runner.sync([{ id, key }])).start).not.toContainEqual(expect.objectContaining({ id }));
		expect((await runner.readJob(id)).status).toBe("starting");
	});

	test("a recording whose runner has resumed the job cannot be deleted", async () => {
		const job = await runner.startJob();
		await runner.report(job.id, firstFrame);
		const recordingId = await runner.storeRecording(job.id, "live");
		await runner.beSilentFor(60);
		await runner.sweepLeases();
		expect((await runner.readJob(job.id)).stopReason).toBe("runner_lost");
		await runner.sync([job]);
		expect((await runner.readJob(job.id)).status).toBe("recording");
		expect((await api().call("DELETE", `/v1/recordings/${recordingId}`)).status).toBe(409);
	});

	test("leases restart when nobody could be heard for a while, as when the database was away", async () => {
		const job = await runner.startJob();
		await runner.report(job.id, firstFrame);
		let now = Date.now();
		const ctx = { ...contextFor(api().app, { kind: "system", organizationId: 0 }), clock: { now: () => now } };
		const sweep = leaseSweep(0);
		const sweepAfter = async (seconds: number) => {
			now += seconds * 1_000;
			await sweep(ctx);
			return (await runner.readJob(job.id)).status;
		};
		await sweepAfter(0);
		expect(await sweepAfter(4 * 60)).toBe("recording");
		for (let silent = 5; silent < LEASE_SECONDS; silent += 5) expect(await sweepAfter(5)).toBe("recording");
		await sweepAfter(5);
		expect(await sweepAfter(5)).toBe("failed");
	});

	test("leases restart with the dashboard", async () => {
		const job = await runner.startJob();
		await runner.report(job.id, firstFrame);
		await runner.beSilentFor(300);
		await runner.sweepLeases(Date.now() - 10_000);
		expect((await runner.readJob(job.id)).status).toBe("recording");
	});

	/** Runs one sweep of a dashboard that has been up for longer than a lease. @returns the number of its queries. */
	async function queriesOfSweep(): Promise<number> {
		let queries = 0;
		const counter: KyselyPlugin = {
			transformQuery: ({ node }: PluginTransformQueryArgs) => {
				queries += 1;
				return node;
			},
			transformResult: async ({ result }) => result,
		};
		const ctx = contextFor(api().app, { kind: "system", organizationId: 0 });
		await leaseSweep(Date.now() - 2 * LEASE_SECONDS * 1_000)({ ...ctx, db: ctx.db.withPlugin(counter) });
		return queries;
	}

	test("runners that are offline cost a sweep no queries of their own", async () => {
		// The first sweep ends the jobs that the tests above left.
		await queriesOfSweep();
		const before = await queriesOfSweep();
		for (let index = 0; index < 5; index++) {
			await runner.signIn(`${runner.name}-offline-${index}`);
			await runner.call("sign-out", {});
			await runner.beSilentFor(300);
		}
		// This sweep records that they have gone offline.
		await queriesOfSweep();
		expect(await queriesOfSweep()).toBe(before);
	});
});
