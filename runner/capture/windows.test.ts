/** A recording that follows a window: real displays and windows, and the colors that the video shows. */

import type { VideoOptions } from "@tapedeck/contract/video-options.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWindow, type TestWindow, type WindowOptions } from "../../test/displays/x-window.ts";
import { startXvfb, type VirtualDisplay } from "../../test/displays/xvfb.ts";
import { inExplore } from "../../test/in-explore.ts";
import { type FakeJob, notesOf } from "../../test/runners/fake-job.ts";
import { probe } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { colorsOf, near } from "../../test/videos/colors.ts";
import { frameSizesOf } from "../../test/videos/frame-sizes.ts";
import { pause, until } from "../../test/wait.ts";

const scene = runnerScene({ display: null });
const [RED, GREEN] = [near(255, 0, 0), near(0, 255, 0)];
const SHOP: WindowOptions = { title: "The Shop - Browser", color: 0xff0000, x: 40, y: 30, width: 200, height: 120 };

let display: VirtualDisplay;
let open: TestWindow[] = [];
beforeEach(async () => {
	display = await startXvfb();
	open = [];
});
afterEach(async () => {
	for (const window of open) await window.close();
	await display.stop();
});

async function opened(options: Partial<WindowOptions> = {}): Promise<TestWindow> {
	const window = await openWindow(display, { ...SHOP, ...options });
	open.push(window);
	return window;
}

async function recording(video: VideoOptions): Promise<FakeJob> {
	await scene.start();
	const job = scene.interrupt(display.id, video);
	await scene.status(job, "recording");
	return job;
}

const noted = (job: FakeJob, event: string, times = 1) =>
	until(
		() => notesOf(job, event).length === times,
		() => `${event} ${times} times:\n${scene.runner.output()}`,
	);

async function ended(job: FakeJob): Promise<Buffer> {
	await pause(700);
	scene.dashboard.cancel(job);
	await scene.status(job, "completed");
	return scene.dashboard.video(job);
}

test("a window is recorded alone, found by a part of its title in any case, with what opens over it", async () => {
	await opened();
	const job = await recording({ window: "the shop" });
	await pause(500);
	await opened({ title: "menu", color: 0x00ff00 });
	const video = await ended(job);
	expect(await probe(video)).toMatchObject({ width: 200, height: 120, faults: "" });
	const colors = await colorsOf(video);
	expect([colors[0], colors.at(-1)]).toEqual([RED, GREEN]);
	expect(job.reports.filter(({ type }) => type === "note")).toEqual([]);
	expect(job.reports).toContainEqual(
		expect.objectContaining({ type: "recording", video: expect.objectContaining({ window: "the shop" }) }),
	);
});

inExplore(test)("the topmost of several windows with the title is recorded", async () => {
	await opened();
	await opened({ color: 0x00ff00, x: 300, y: 200, width: 100, height: 80 });
	const video = await ended(await recording({ window: "Browser" }));
	expect(await probe(video)).toMatchObject({ width: 100, height: 80, faults: "" });
	expect((await colorsOf(video))[0]).toEqual(GREEN);
});

inExplore(test)("a window is found by its id", async () => {
	const { id } = await opened();
	await opened({ color: 0x00ff00, x: 300, y: 200 });
	const video = await ended(await recording({ window: id }));
	expect((await colorsOf(video)).at(-1)).toEqual(RED);
});

inExplore(test)("a window with a title in another script is found", async () => {
	await opened({ title: "Übersicht – 概要" });
	await opened({ color: 0x00ff00, x: 300, y: 200 });
	const video = await ended(await recording({ window: "übersicht – 概" }));
	expect((await colorsOf(video)).at(-1)).toEqual(RED);
});

test("a recording follows its window where it moves, and its duration stays exact", async () => {
	const window = await opened();
	await scene.start();
	const job = scene.duration(6, display.id, { window: "shop" });
	await scene.status(job, "recording");
	await pause(700);
	window.moveTo(300, 200);
	await noted(job, "window_moved");
	await scene.status(job, "completed");
	const video = await scene.dashboard.video(job);
	const exact = { durationSeconds: expect.closeTo(6, 3), faults: "" };
	expect(await probe(video)).toMatchObject({ width: 200, height: 120, ...exact });
	expect((await colorsOf(video)).at(-1)).toEqual(RED);
	expect(notesOf(job, "window_moved")[0]).toMatchObject({
		message: expect.stringContaining("shows 200×120 pixels at 300, 200"),
		data: { x: 300, y: 200, width: 200, height: 120 },
	});
});

inExplore(test)("a window that is moved partly beyond an edge is recorded with what is left of it", async () => {
	const window = await opened();
	const job = await recording({ window: "shop" });
	window.moveTo(-100, -60);
	await noted(job, "window_moved");
	const video = await ended(job);
	expect(await probe(video)).toMatchObject({ width: 200, height: 120, faults: "" });
	expect(notesOf(job, "window_moved")[0]?.data).toMatchObject({ x: 0, y: 0, width: 200, height: 120 });
});

test("a window that is resized is recorded whole, in its own size", async () => {
	const window = await opened();
	const job = await recording({ window: "shop" });
	window.resize(400, 240);
	await noted(job, "window_moved");
	const video = await ended(job);
	expect((await probe(video)).faults).toBe("");
	expect(await frameSizesOf(video)).toEqual(["200x120", "400x240"]);
	expect((await colorsOf(video)).at(-1)).toEqual(RED);
});

test("a window that closes ends no recording, which follows the next one with its title", async () => {
	const window = await opened();
	const job = await recording({ window: "shop" });
	await pause(700);
	await window.close();
	await noted(job, "window_closed");
	expect(notesOf(job, "window_closed")[0]?.message).toBe(
		'The window with "shop" in its title was closed. The recording shows where it was, and follows it when it is open again.',
	);
	await opened({ x: 350, y: 200, color: 0x00ff00 });
	await noted(job, "window_moved");
	const video = await ended(job);
	expect((await probe(video)).faults).toBe("");
	const colors = await colorsOf(video);
	expect([colors[0], colors.at(-1)]).toEqual([RED, GREEN]);
});

inExplore(test)("until its window opens, a recording shows the whole display, and says so", async () => {
	const job = await recording({ window: "shop" });
	await noted(job, "window_missing");
	expect(notesOf(job, "window_missing")[0]?.message).toBe(
		'No window with "shop" in its title is open yet. The whole display is recorded until there is one.',
	);
	await pause(700);
	await opened({ width: 320, height: 180 });
	await noted(job, "window_moved");
	const video = await ended(job);
	expect((await probe(video)).faults).toBe("");
	expect(await frameSizesOf(video)).toEqual(["640x360", "320x180"]);
	expect((await colorsOf(video)).at(-1)).toEqual(RED);
});

inExplore(test)("a runner that was killed goes on following the window", async () => {
	const window = await opened();
	const job = await recording({ window: "shop" });
	await pause(700);
	await scene.kill();
	window.moveTo(300, 200);
	await scene.start();
	await noted(job, "window_moved");
	const video = await ended(job);
	expect((await probe(video)).faults).toBe("");
	expect((await colorsOf(video)).at(-1)).toEqual(RED);
});
