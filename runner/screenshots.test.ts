/** Screenshot jobs: a real dashboard, a real runner, real displays. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "@tapedeck/contract/job.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "../test/api-server.ts";
import { openWindow } from "../test/displays/x-window.ts";
import { startXvfb, type VirtualDisplay } from "../test/displays/xvfb.ts";
import { inExplore } from "../test/in-explore.ts";
import { tapedeck } from "../test/processes/tapedeck-command.ts";
import { runnerScene } from "../test/runners/runner-scene.ts";
import { colorsOf, near } from "../test/videos/colors.ts";

const scene = runnerScene({ display: null });
let api: TestApi;
let display: VirtualDisplay;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());
afterEach(() => display.stop());

async function start(size = { width: 321, height: 181 }): Promise<number> {
	display = await startXvfb(size);
	await scene.start({ url: api.url, env: { TAPEDECK_TOKEN: TEST_RUNNER_TOKEN } });
	return (await api.call("GET", "/v1/runners")).body.data[0].id;
}
const created = async (body: object): Promise<Job> => {
	const answer = await api.call("POST", "/v1/jobs", { body: { type: "screenshot", displayId: display.id, ...body } });
	expect(answer.status, JSON.stringify(answer.body)).toBe(201);
	return answer.body;
};
const ended = async ({ id }: Job): Promise<Job> =>
	(await api.call("GET", `/v1/jobs/${id}?waitFor=playable&timeoutSeconds=60`)).body;
const notesOf = async ({ id }: Job): Promise<string[]> =>
	(await api.call("GET", `/v1/jobs/${id}/events`)).body.data
		.filter(({ type }: { type: string }) => type === "note")
		.map(({ message }: { message: string }) => message);
async function pictureOf(job: Job): Promise<Buffer> {
	const headers = { authorization: `Bearer ${TEST_API_KEY}` };
	const answer = await fetch(`${api.url}/v1/recordings/${job.recording?.id}/video`, { headers });
	expect(answer.headers.get("content-type")).toBe("image/png");
	return Buffer.from(await answer.arrayBuffer());
}
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

test("a screenshot has the display's full size, its labels, and no stop condition", async () => {
	const runnerId = await start();
	const window = await openWindow(display, { title: "Shop", color: 0xff0000, x: 0, y: 0, width: 321, height: 100 });
	const job = await created({ runnerId, name: "Home page", labels: { build: "9" }, keep: "failed" });
	expect(job).toMatchObject({ type: "screenshot", stopCondition: null, stopConditionConfig: null, status: "queued" });
	const done = await ended(job);
	expect(done).toMatchObject({
		...{ status: "completed", stopReason: "captured", error: null, labels: { build: "9" } },
		recording: { kind: "image", state: "ready", width: 321, height: 181, durationSeconds: 0, verdict: "ok" },
	});
	expect(done.startedAt).toBe(done.stoppedAt);
	const png = await pictureOf(done);
	expect(sizeOf(png)).toEqual([321, 181]);
	const [red, green, blue] = (await colorsOf(png))[0] ?? [];
	expect([green, blue]).toEqual([0, 0]);
	expect(red).toBeGreaterThan(100);
	const recording = (await api.call("GET", `/v1/recordings/${done.recording?.id}`)).body;
	expect(recording).toMatchObject({ name: "Home page", kind: "image", keep: "failed", jobId: job.id, runnerId });
	await window.close();

	const ids = async (query = "") =>
		(await api.call("GET", `/v1/jobs${query}`)).body.data.map(({ id }: { id: number }) => id);
	expect(await ids()).not.toContain(job.id);
	expect(await ids("?q=Home")).not.toContain(job.id);
	expect(await ids("?type=screenshot&q=label:build=9")).toEqual([job.id]);
	expect(await ids("?type=screenshot&type=recording&status=completed")).toContain(job.id);
	expect((await api.call("POST", `/v1/jobs/${job.id}/privacy`, { body: { on: true } })).status).toBe(409);
});

test("a screenshot shows a region or a window, and says if there is no such window", async () => {
	const runnerId = await start();
	const window = await openWindow(display, { title: "The Shop", color: 0xff, x: 40, y: 20, width: 120, height: 60 });
	const region = await ended(await created({ runnerId, video: { region: { x: 30, y: 10, width: 61, height: 31 } } }));
	expect(sizeOf(await pictureOf(region))).toEqual([61, 31]);
	const shop = await ended(await created({ runnerId, video: { window: "the shop" } }));
	expect(sizeOf(await pictureOf(shop))).toEqual([120, 60]);
	const missing = await ended(await created({ runnerId, video: { window: "Bank" } }));
	expect(sizeOf(await pictureOf(missing))).toEqual([321, 181]);
	expect(await notesOf(missing)).toEqual([
		'No window with "Bank" in its title is open. The picture shows the whole display.',
	]);
	const outside = await ended(await created({ runnerId, video: { region: { x: 300, y: 0, width: 100, height: 50 } } }));
	expect(outside).toMatchObject({ status: "failed", recording: null, error: { code: "display_unavailable" } });
	expect(outside.error?.message).toContain("is not on display");
	await window.close();
});

test("a black picture says so, and of a private display nothing is shown", async () => {
	const runnerId = await start();
	const black = await ended(await created({ runnerId }));
	expect(black).toMatchObject({ status: "completed", recording: { verdict: "black" } });
	expect(await notesOf(black)).toEqual([
		`The picture is of a single colour. Check that a program shows something on ${display.id}.`,
	]);
	const window = await openWindow(display, { title: "Bank", color: 0xff00, x: 0, y: 0, width: 321, height: 100 });
	const body = { runnerId, displayId: display.id, stopCondition: "interrupt" };
	const { id } = (await api.call("POST", "/v1/jobs", { body })).body;
	await api.call("GET", `/v1/jobs/${id}?waitFor=recording&timeoutSeconds=60`);
	expect((await api.call("POST", `/v1/jobs/${id}/privacy`, { body: { on: true } })).status).toBe(200);
	const hidden = await ended(await created({ runnerId }));
	expect(await notesOf(hidden)).toEqual([`A recording of ${display.id} is private now, so the picture is black.`]);
	const png = await pictureOf(hidden);
	expect([sizeOf(png), (await colorsOf(png))[0]]).toEqual([[321, 181], near(0, 0, 0)]);
	await api.call("POST", `/v1/jobs/${id}/cancel`);
	await api.call("GET", `/v1/jobs/${id}?waitFor=ended&timeoutSeconds=60`);
	await window.close();
});

inExplore(test)(
	"a screenshot whose runner is killed is taken once the runner is back, and one that is cancelled before is not",
	async () => {
		const runnerId = await start();
		const settings = { url: api.url, env: { TAPEDECK_TOKEN: TEST_RUNNER_TOKEN } };
		const cut = await created({ runnerId });
		await scene.kill();
		const cancelled = await created({ runnerId });
		expect((await api.call("POST", `/v1/jobs/${cancelled.id}/cancel`)).status).toBe(202);
		await scene.start(settings);
		expect(await ended(cut)).toMatchObject({ status: "completed", recording: { kind: "image" } });
		expect(await ended(cancelled)).toMatchObject({ status: "cancelled", recording: null });
	},
);

test("tapedeck screenshot takes a picture on the only runner and saves it", async () => {
	await start();
	const target = join(scene.folder, "shot.png");
	const env = { TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY };
	// The machine may have other displays.
	const of = ["--display", display.id];
	const named = ["--name", "By command", "--label", "suite=pay", "--json"];
	const taken = await tapedeck(["screenshot", target, ...of, ...named], env);
	expect(taken.status, taken.text).toBe(0);
	expect(sizeOf(await readFile(target))).toEqual([321, 181]);
	const [listed] = (await api.call("GET", "/v1/recordings?kind=image&q=label:suite=pay")).body.data;
	expect(listed).toMatchObject({ name: "By command", kind: "image", verdict: "black" });
	const outside = await tapedeck(["screenshot", ...of, "--region", "100x100+300+0"], env);
	expect([outside.status, outside.text]).toEqual([1, expect.stringContaining("is not on display")]);
});

test("a schedule takes a screenshot again and again", async () => {
	const runnerId = await start();
	const job = { type: "screenshot", runnerId, displayId: display.id, name: "Each minute" };
	const made = await api.call("POST", "/v1/schedules", { body: { everySeconds: 60, job } });
	expect(made.status, JSON.stringify(made.body)).toBe(201);
	expect(made.body).toMatchObject({ job, startedJobs: 1 });
	expect(await ended({ id: made.body.lastJob.id } as Job)).toMatchObject({ status: "completed", name: "Each minute" });
});

test("a screenshot of a display that has to be made, or with fields of a recording, is refused", async () => {
	const runnerId = await start();
	const refused = async (body: object) => (await api.call("POST", "/v1/jobs", { body })).body.errors;
	const screenshot = { type: "screenshot", runnerId };
	expect(await refused({ ...screenshot, displayId: "new" })).toMatchObject([{ path: "displayId" }]);
	expect(await refused({ ...screenshot, displayId: display.id, stopCondition: "interrupt" })).toMatchObject([
		{ path: "stopCondition" },
	]);
	expect(await refused({ ...screenshot, displayId: display.id, video: { crf: 3 } })).toMatchObject([
		{ path: "video.crf" },
	]);
	expect(await refused({ type: "film", runnerId, displayId: display.id, stopCondition: "interrupt" })).toMatchObject([
		{ path: "type", message: expect.stringContaining('"screenshot"') },
	]);
});
