/** Metrics that the alerts of deploy/prometheus-alerts.yml read: each shows a fault for as long as it lasts. */
import { expect, onTestFinished, test } from "vitest";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { firstFrame, ProtocolRunner, protocolRunner, stopped } from "#test/runners/protocol-runner.ts";
import { setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";

const TOKEN = "prometheus-0123456789abcdef";
const METRICS = { TAPEDECK_METRICS_TOKEN: TOKEN };

/** The value of a series; null if there is none. */
async function valueAt(url: string, series: string): Promise<number | null> {
	const text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();
	const line = text.split("\n").find((each) => each.startsWith(`${series} `));
	return line === undefined ? null : Number(line.slice(series.length + 1));
}

onOneDatabase((api) => {
	const runner = protocolRunner(api);
	const value = (series: string) => valueAt(api().url, series);
	const failedInARow = (reason: string) => value(`tapedeck_failed_jobs_in_a_row{reason="${reason}"}`);
	const fail = async (of: ProtocolRunner, reason: string) => {
		const { id } = await of.startJob();
		await of.report(id, { type: "failed", code: reason, message: "It failed." });
		expect((await of.readJob(id)).status).toBe("failed");
	};
	const complete = async (of: ProtocolRunner) => {
		const { id } = await of.startJob();
		await of.report(id, firstFrame);
		await of.storeRecording(id, "ready");
		await of.report(id, stopped("duration_elapsed"));
		expect((await of.readJob(id)).status).toBe("completed");
	};

	test("the queue of a runner that is offline counts, although others record; a runner that nobody waits for does not", async () => {
		const other = new ProtocolRunner(api);
		await other.signIn(`${runner.name}-other`);
		const { id } = await other.startJob();
		await other.report(id, firstFrame);
		const waiting = [await runner.createJob(), await runner.createJob()];
		expect(await value("tapedeck_offline_runner_jobs")).toBe(0);
		await runner.beSilentFor(60);
		expect(await value("tapedeck_offline_runner_jobs")).toBe(2);
		for (const job of waiting) await runner.cancelJob(job.id);
		expect(await value("tapedeck_offline_runner_jobs")).toBe(0);
		expect(await value('tapedeck_runners{state="offline"}')).toBeGreaterThan(0);
	});

	test("jobs of one runner that fail in a row count by reason, while others complete, until one of its own does", async () => {
		const other = new ProtocolRunner(api);
		await other.signIn(`${runner.name}-other`);
		for (let job = 1; job <= 3; job++) {
			await fail(runner, "display_unavailable");
			await complete(other);
			expect(await failedInARow("display_unavailable")).toBe(job);
		}
		expect(await failedInARow("ffmpeg_failed")).toBe(0);
		await fail(runner, "ffmpeg_failed");
		expect([await failedInARow("display_unavailable"), await failedInARow("ffmpeg_failed")]).toEqual([0, 1]);
		await complete(runner);
		expect(await failedInARow("ffmpeg_failed")).toBe(0);
	});

	test("jobs of runners that have one each count too, when all of an organization fail", async () => {
		for (let machine = 1; machine <= 4; machine++) {
			const short = new ProtocolRunner(api);
			await short.signIn(`${runner.name}-${machine}`);
			await fail(short, "display_unavailable");
		}
		expect(await failedInARow("display_unavailable")).toBe(4);
		// An hour later.
		const { db } = api().app;
		await db
			.updateTable("job")
			.set({ endedAt: Date.now() - 3_700_000 })
			.execute();
		expect(await failedInARow("display_unavailable")).toBe(0);
	});

	test("held retention counts the organizations that do not believe the clock", async () => {
		expect(await value("tapedeck_retention_held")).toBe(0);
		const row = { organizationId: 1, seenAt: 1, bootId: "an earlier one", uptimeMs: 0, jumpedAt: Date.now() };
		await api()
			.app.db.insertInto("clockWatch")
			.values(row)
			.onConflict((conflict) => conflict.column("organizationId").doUpdateSet(row))
			.execute();
		expect(await value("tapedeck_retention_held")).toBe(1);
		// The sweep may run at any moment. It believes this time.
		await api().app.db.updateTable("clockWatch").set({ seenAt: Date.now(), jumpedAt: null }).execute();
		expect(await value("tapedeck_retention_held")).toBe(0);
	});
}, METRICS);

test("a file that does not fit counts as refused by the quota", async () => {
	const api = await startTestApi({ ...METRICS, TAPEDECK_LIMIT_ORGANIZATION_GB: "0.008" });
	onTestFinished(() => api.stop());
	const send = async (bytes: number) => {
		const headers = { "content-type": "video/mp4" };
		return (await api.call("POST", "/v1/recordings?name=Video", { headers, raw: await makeExternalVideo({ bytes }) }))
			.status;
	};
	expect(await valueAt(api.url, "tapedeck_quota_refusals_total")).toBe(0);
	expect(await send(6_000_000)).toBe(201);
	expect(await valueAt(api.url, "tapedeck_quota_refusals_total")).toBe(0);
	expect(await send(6_000_000)).toBe(507);
	expect(await valueAt(api.url, "tapedeck_quota_refusals_total")).toBe(1);
});

test("an outage of the bucket shows while nobody needs it, and its end", async () => {
	setFakeCredentials();
	const s3 = await startFakeS3();
	onTestFinished(() => s3.stop());
	const api: TestApi = await startTestApi({ ...METRICS, TAPEDECK_STORAGE_URL: s3.url }, { sweepMs: 200 });
	onTestFinished(() => api.stop());
	expect(await valueAt(api.url, "tapedeck_object_store_up")).toBe(1);
	s3.fault = () => ({ status: 503, code: "SlowDown" });
	await expect.poll(() => valueAt(api.url, "tapedeck_object_store_up")).toBe(0);
	s3.fault = () => undefined;
	await expect.poll(() => valueAt(api.url, "tapedeck_object_store_up")).toBe(1);
	// A store that answers, even if it refuses, is no outage.
	s3.fault = () => ({ status: 403, code: "AccessDenied" });
	await expect.poll(() => valueAt(api.url, 'tapedeck_object_store_errors_total{fault="denied"}')).toBeGreaterThan(0);
	expect(await valueAt(api.url, "tapedeck_object_store_up")).toBe(1);
});
