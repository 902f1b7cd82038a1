/** From the API to the file: a real dashboard, a real runner and its encoder. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "../test/api-server.ts";
import { variants } from "../test/in-explore.ts";
import { tapedeck } from "../test/processes/tapedeck-command.ts";
import { probe } from "../test/runners/runner-process.ts";
import { runnerScene } from "../test/runners/runner-scene.ts";

const scene = runnerScene({ display: { width: 320, height: 180 } });
let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());

const CONFIGURED = { TAPEDECK_VIDEO_MAX_WIDTH: "160", TAPEDECK_VIDEO_CRF: "40", TAPEDECK_VIDEO_FPS: "20" };

const ASKED = [
	["nothing", undefined, { preset: "balanced", crf: 40, framesPerSecond: 20, cursor: true, maxWidth: 160 }],
	[
		"another rate and preset",
		{ framesPerSecond: 5, preset: "sharp" },
		{ preset: "sharp", crf: 19, framesPerSecond: 5, cursor: true, maxWidth: 160 },
	],
	[
		"its own size, without the pointer",
		{ maxWidth: 256, cursor: false },
		{ preset: "balanced", crf: 40, framesPerSecond: 20, cursor: false, maxWidth: 256 },
	],
] as const;

test.each(
	variants(ASKED, ([what]) => what.startsWith("its own size")),
)("a job that asks for %s is recorded so, and its recording says what was used", async (_what, video, used) => {
	await scene.start({ url: api.url, env: { TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, ...CONFIGURED } });
	const [runner] = (await api.call("GET", "/v1/runners")).body.data;
	const rule = { stopCondition: "duration", stopConditionConfig: { durationSeconds: 3 } };
	const order = { runnerId: runner.id, displayId: scene.display.id, video, ...rule };
	const { id } = (await api.call("POST", "/v1/jobs", { body: order })).body;
	const { recording } = (await api.call("GET", `/v1/jobs/${id}?waitFor=playable&timeoutSeconds=60`)).body;
	expect(recording.video).toEqual(used);
	expect((await api.call("GET", `/v1/recordings/${recording.id}`)).body.video).toEqual(used);
	const headers = { authorization: `Bearer ${TEST_API_KEY}` };
	const stored = await fetch(`${api.url}/v1/recordings/${recording.id}/video`, { headers });
	expect(await probe(Buffer.from(await stored.arrayBuffer()))).toMatchObject({
		...{ width: used.maxWidth, height: (used.maxWidth * 9) / 16 },
		...{ durationSeconds: expect.closeTo(3, 3), faults: "" },
	});
});

test("a recording that begins with its runner has the organization's options, and before them its command's", async () => {
	const settings = { keep: "always", graceSeconds: 3_600, maxDurationSeconds: null, commitUrlTemplate: null };
	const video = { framesPerSecond: 7, maxWidth: 128 };
	expect((await api.call("PUT", "/v1/recording-settings", { body: { ...settings, video } })).status).toBe(200);
	const env = { TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, ...CONFIGURED, DISPLAY: scene.display.id };
	await scene.start({
		url: api.url,
		env: { ...env, TAPEDECK_AUTO_RECORD: "true", TAPEDECK_JOB_NAME: "begins with its runner" },
	});
	const data = { TAPEDECK_DATA_DIR: scene.dataDir, TAPEDECK_URL: api.url, TAPEDECK_TOKEN: TEST_RUNNER_TOKEN };
	const flags = ["--name", "asked", "--duration", "1", "--fps", "9", "--wait", "--json"];
	const recorded = await tapedeck(["record", "--display", scene.display.id, ...flags], data);
	expect(recorded.status, recorded.text).toBe(0);
	const used = async (name: string) => {
		const jobs: { id: number; name: string }[] = (await api.call("GET", "/v1/jobs")).body.data;
		const job = jobs.find((each) => each.name.startsWith(name));
		return (await api.call("GET", `/v1/jobs/${job?.id}`)).body.recording?.video;
	};
	const both = { preset: "balanced", crf: 40, cursor: true, maxWidth: 128 };
	expect(await used("asked")).toEqual({ ...both, framesPerSecond: 9 });
	expect(await used("begins with its runner")).toEqual({ ...both, framesPerSecond: 7 });
});
