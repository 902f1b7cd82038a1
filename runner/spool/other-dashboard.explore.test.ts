/** Recordings in the spool that the runner's dashboard does not know or has forgotten. */
import { expect, test } from "vitest";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { FakeDashboard } from "../../test/runners/fake-dashboard.ts";
import { type FakeJob, movesOf } from "../../test/runners/fake-job.ts";
import { probe, spooled } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const scene = runnerScene();
const { start, interrupt, status, reasonOf, spoolEmpty } = scene;

/** Leaves undelivered recordings: the runner records, loses its dashboard and is stopped. */
async function leaveBehind(count = 1): Promise<FakeJob> {
	await start();
	const [job, ...others] = Array.from({ length: count }, () => interrupt());
	for (const each of [job, ...others]) await status(each as FakeJob, "recording");
	await scene.dashboard.goDown();
	await scene.runner.stop(10_000);
	expect(await spooled(scene.dataDir)).toHaveLength(count);
	return job as FakeJob;
}

const env = () => ({ TAPEDECK_DATA_DIR: scene.dataDir });
const settings = (url: string) => ({
	...env(),
	TAPEDECK_URL: url,
	TAPEDECK_TOKEN: "the-token",
	TAPEDECK_RUNNER_NAME: "a test runner",
});

/** Starts another dashboard, which is stopped with the test. */
async function elsewhere(use: (other: FakeDashboard) => Promise<void>): Promise<void> {
	const other = await FakeDashboard.start();
	try {
		await use(other);
	} finally {
		await scene.runner.stop(10_000);
		await other.stop();
	}
}

test("a job that its dashboard has forgotten is recreated with its name, start, reports and complete video", async () => {
	await start();
	const job = interrupt();
	await status(job, "recording");
	await until(() => job.uploadId !== null, "the upload has begun");
	scene.dashboard.forget(job);
	const back = await until(
		() => [...scene.dashboard.jobs.values()].find(({ status }) => status === "recording"),
		() => `it is back:\n${scene.runner.output()}`,
	);
	expect(scene.dashboard.autoJobs).toMatchObject([{ key: job.order.key, name: "a test", formerId: job.order.id }]);
	scene.dashboard.cancel(back);
	await status(back, "completed");
	expect(movesOf(back).map(({ type }) => type)).toEqual(["recording", "stopped"]);
	expect(movesOf(back)[0]?.at).toBe(movesOf(job)[0]?.at);
	expect((await probe(await scene.dashboard.video(back))).faults).toBe("");
	await spoolEmpty();
});

test("a dashboard restored from a backup gets every report again", async () => {
	await start();
	const job = interrupt();
	await status(job, "recording");
	scene.dashboard.rewind(job);
	await status(job, "recording");
	scene.dashboard.cancel(job);
	await status(job, "completed");
	await spoolEmpty();
});

test("a recording started without a dashboard waits for the one it was started for", async () => {
	await scene.dashboard.goDown();
	scene.launch();
	await scene.runner.says("Retrying");
	const made = await tapedeck(["record", "--display", scene.display.id, "--duration", "1", "--name", "offline"], env());
	expect(made.status, made.text).toBe(0);
	await until(async () => (await scene.ffmpegs()).length === 0, "it has ended");
	await scene.runner.stop(10_000);
	await elsewhere(async (other) => {
		await start({ url: other.url });
		await scene.runner.says("tapedeck spool");
		expect(other.autoJobs).toEqual([]);
	});
	await scene.dashboard.listen();
	await start();
	await until(() => [...scene.dashboard.jobs.values()][0]?.status === "completed", "it is delivered");
	await spoolEmpty();
});

test("without a runner, the spool commands list, send and delete recordings", async () => {
	const job = await leaveBehind();
	const [key = ""] = await spooled(scene.dataDir);
	const listed = await tapedeck(["spool", "list"], env());
	expect(listed.status, listed.text).toBe(0);
	expect(listed.text).toContain(key);
	expect(listed.text).toContain(`for ${scene.dashboard.url}`);

	await elsewhere(async (other) => {
		const queued = other.order(scene.display.id, { stopCondition: "interrupt", stopConditionConfig: {} });
		const refused = await tapedeck(["spool", "send"], settings(other.url));
		expect(refused.status, refused.text).toBe(1);
		expect(refused.text).toContain(`for the dashboard at ${scene.dashboard.url}, not ${other.url}`);
		expect(queued.status).toBe("queued");
		expect(await spooled(scene.dataDir)).toHaveLength(1);
	});

	await scene.dashboard.listen();
	const sent = await tapedeck(["spool", "send", "--json"], settings(scene.dashboard.url));
	expect(sent.status, sent.text).toBe(0);
	expect(job.status).toBe("completed");
	await spoolEmpty();

	await leaveBehind();
	expect((await tapedeck(["spool", "remove"], env())).status).toBe(2);
	expect((await tapedeck(["spool", "remove", "job-99"], env())).status).toBe(1);
	const removed = await tapedeck(["spool", "remove", "--all"], env());
	expect(removed.status, removed.text).toBe(0);
	expect(removed.text).toContain('Deleted: Job 2 "a test"');
	await spoolEmpty();
	// The next runner ends the watchdog that this one left.
	await scene.dashboard.listen();
	await start();
});

test("with a runner, recordings kept for another dashboard can be sent as new jobs, or deleted", async () => {
	await leaveBehind(2);
	const [first = "", second = ""] = await spooled(scene.dataDir);
	await elsewhere(async (other) => {
		await start({ url: other.url });
		await scene.runner.says("tapedeck spool");
		const why = await tapedeck(["spool", "send"], env());
		expect([why.status, why.text]).toEqual([1, expect.stringContaining("--as-new")]);
		const removed = await tapedeck(["spool", "remove", first], env());
		expect([removed.status, removed.text]).toEqual([0, expect.stringContaining("Deleted: ")]);
		expect(await spooled(scene.dataDir)).toEqual([second]);
		const sent = await tapedeck(["spool", "send", second, "--as-new"], env());
		expect([sent.status, sent.text]).toEqual([0, expect.stringContaining("is uploading it")]);
		const job = await until(
			() => [...other.jobs.values()].find(({ status }) => status === "completed"),
			() => `it is delivered:\n${scene.runner.output()}`,
		);
		expect(reasonOf(job)).toBe("runner_shutdown");
		expect((await probe(await other.video(job))).faults).toBe("");
		await spoolEmpty();
	});
});

test("a recording in progress cannot be deleted", async () => {
	await start();
	const job = interrupt();
	await status(job, "recording");
	const [key = ""] = await spooled(scene.dataDir);
	const refused = await tapedeck(["spool", "remove", key], env());
	expect([refused.status, refused.text]).toEqual([1, expect.stringContaining("stop it first")]);
	expect((await tapedeck(["spool", "remove", "--all"], env())).text).toContain("Nothing to delete");
	expect(await spooled(scene.dataDir)).toHaveLength(1);
	scene.dashboard.cancel(job);
	await status(job, "completed");
});
