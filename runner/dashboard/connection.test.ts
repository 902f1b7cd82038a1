/** Cases in which the connection to a dashboard ends for good. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "../../test/api-server.ts";
import { inExplore } from "../../test/in-explore.ts";
import { probe } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const scene = runnerScene();
let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());

const start = () => scene.start({ url: api.url, env: { TAPEDECK_TOKEN: TEST_RUNNER_TOKEN } });
const runnerId = async (): Promise<number> => (await api.call("GET", "/v1/runners")).body.data[0].id;

test("a runner that is removed while recording delivers everything, logs one sentence and exits 1", async () => {
	const runner = await start();
	const id = await runnerId();
	const order = { runnerId: id, displayId: scene.display.id, stopCondition: "interrupt" };
	const job = (await api.call("POST", "/v1/jobs", { body: order })).body;
	const read = async () => (await api.call("GET", `/v1/jobs/${job.id}`)).body;
	await until(async () => (await read()).recording?.durationSeconds > 1, "a second of it is there");
	expect((await api.call("DELETE", `/v1/runners/${id}`)).status).toBe(204);

	expect(await runner.exited).toBe(1);
	expect(runner.output()).toContain('The runner "a test runner" was removed from the dashboard, so it stops;');
	const ended = await read();
	expect([ended.status, ended.stopReason, ended.recording.state]).toEqual(["failed", "runner_removed", "ready"]);
	const video = await fetch(`${api.url}/v1/recordings/${ended.recording.id}/video`, {
		headers: { authorization: `Bearer ${TEST_API_KEY}` },
	});
	const { durationSeconds, faults } = await probe(Buffer.from(await video.arrayBuffer()));
	expect(faults).toBe("");
	// All captured frames were uploaded: the video is as long as the recording, however few frames a busy machine
	// captures.
	const seconds = (Date.parse(ended.stoppedAt) - Date.parse(ended.startedAt)) / 1000;
	expect(Math.abs(durationSeconds - seconds)).toBeLessThan(0.5);

	await start();
	expect(await runnerId()).not.toBe(id);
});

inExplore(test)("an idle runner that is removed exits 1 at once", async () => {
	const runner = await start();
	const since = performance.now();
	await api.call("DELETE", `/v1/runners/${await runnerId()}`);
	expect(await runner.exited).toBe(1);
	expect(performance.now() - since).toBeLessThan(5_000);
	expect(runner.output()).toContain("was removed from the dashboard, so it stops;");
	await until(
		async () => (await api.call("GET", "/v1/runners")).body.data.length === 0,
		"the runner is listed no more",
	);
});

test("a runner whose token is revoked while recording logs it, exits 1, and delivers everything once the token works again", async () => {
	const runner = await scene.start();
	const job = scene.interrupt();
	await scene.status(job, "recording");
	const { token } = scene.dashboard;
	scene.dashboard.token = "another-token";
	expect(await runner.exited).toBe(1);
	const errors = runner
		.output()
		.split("\n")
		.filter((line) => line.includes("error: "));
	expect(errors).toHaveLength(1);
	expect(errors[0]).toMatch(/refused the runner token.*kept in its data directory; .*TAPEDECK_TOKEN/);
	expect(await scene.ffmpegs()).toEqual([]);

	scene.dashboard.token = token;
	await scene.start();
	await scene.status(job, "completed");
	expect(scene.reasonOf(job)).toBe("runner_shutdown");
	expect(await probe(await scene.dashboard.video(job))).toMatchObject({ faults: "" });
	await scene.spoolEmpty();
});
