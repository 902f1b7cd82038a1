/** A part of a display is recorded instead of all of it: real displays, and the colors in the video. */

import type { Region } from "@tapedeck/contract/video-kinds.ts";
import { expect, test } from "vitest";
import { openWindow } from "../../test/displays/x-window.ts";
import { startXvfb, type VirtualDisplay, type XvfbOptions } from "../../test/displays/xvfb.ts";
import { inExplore } from "../../test/in-explore.ts";
import { notesOf } from "../../test/runners/fake-job.ts";
import { probe } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { colorsOf, near } from "../../test/videos/colors.ts";
import { frameSizesOf } from "../../test/videos/frame-sizes.ts";
import { pause, until } from "../../test/wait.ts";

const scene = runnerScene({ display: null });

async function withDisplay(options: XvfbOptions, use: (display: VirtualDisplay) => Promise<void>): Promise<void> {
	const display = await startXvfb(options);
	try {
		await scene.start();
		await use(display);
	} finally {
		await display.stop();
	}
}

const RED = near(255, 0, 0);

/** The region where a window is. */
const AT: Region = { x: 101, y: 51, width: 121, height: 81 };
const RED_WINDOW = { title: "red", color: 0xff0000 };

test("a region is recorded alone, at its place, without its odd last row and column", async () => {
	await withDisplay({}, async (display) => {
		const window = await openWindow(display, { ...RED_WINDOW, ...AT });
		const job = scene.duration(2, display.id, { region: AT });
		await scene.status(job, "completed");
		const video = await scene.dashboard.video(job);
		expect(await probe(video)).toMatchObject({
			width: 120,
			height: 80,
			durationSeconds: expect.closeTo(2, 3),
			faults: "",
		});
		expect((await colorsOf(video)).at(-1)).toEqual(RED);
		expect(job.reports).toContainEqual(
			expect.objectContaining({ type: "recording", video: expect.objectContaining({ region: AT }) }),
		);
		await window.close();
	});
});

inExplore(test)("a region is scaled down to the limits of its video", async () => {
	await withDisplay({}, async (display) => {
		const region = { x: 0, y: 0, width: 400, height: 200 };
		const job = scene.duration(1, display.id, { region, maxWidth: 200 });
		await scene.status(job, "completed");
		expect(await probe(await scene.dashboard.video(job))).toMatchObject({ width: 200, height: 100, faults: "" });
	});
});

test("a display of an odd size is recorded without its last row and column", async () => {
	await withDisplay({ width: 321, height: 241 }, async (display) => {
		const job = scene.duration(1, display.id);
		await scene.status(job, "completed");
		expect(await probe(await scene.dashboard.video(job))).toMatchObject({ width: 320, height: 240, faults: "" });
	});
});

inExplore(test).each([
	["beyond the right edge of the display", { x: 600, y: 0, width: 100, height: 100 }],
	["below the display", { x: 0, y: 400, width: 100, height: 100 }],
	["larger than the display", { x: 0, y: 0, width: 641, height: 360 }],
])("a region %s fails the job at once, with a sentence", async (_where, region) => {
	await withDisplay({}, async (display) => {
		const job = scene.interrupt(display.id, { region });
		await scene.status(job, "failed");
		expect(job.reports).toMatchObject([
			{
				...{ type: "failed", code: "display_unavailable" },
				message: expect.stringMatching(
					/^The region \d+x\d+\+\d+\+\d+ is not on display :\d+, which is 640x360; choose one that is, or start a larger display\.$/,
				),
			},
		]);
	});
});

test("a region that leaves the display when it shrinks is moved into it, in the same video", async () => {
	await withDisplay({ width: 800, height: 600 }, async (display) => {
		const moved = { x: 400, y: 300, width: 240, height: 180 };
		const window = await openWindow(display, { ...RED_WINDOW, ...moved });
		const job = scene.interrupt(display.id, { region: { x: 560, y: 420, width: 240, height: 180 } });
		await scene.status(job, "recording");
		await pause(800);
		await display.resize(640, 480);
		await until(
			() => notesOf(job, "display_resized").length === 1,
			() => scene.runner.output(),
		);
		await pause(800);
		scene.dashboard.cancel(job);
		await scene.status(job, "completed");
		const video = await scene.dashboard.video(job);
		expect(await probe(video)).toMatchObject({ width: 240, height: 180, faults: "" });
		const [note] = notesOf(job, "display_resized");
		expect(note).toMatchObject({
			message: expect.stringContaining("240×180 pixels at 400, 300 are recorded of it"),
			data: { x: 400, y: 300, width: 240, height: 180 },
		});
		const colors = await colorsOf(video);
		expect(colors[0]).not.toEqual(RED);
		expect(colors.at(-1)).toEqual(RED);
		await window.close();
	});
});

inExplore(test)("a region larger than a display that shrinks is recorded as far as the display goes", async () => {
	await withDisplay({ width: 800, height: 600 }, async (display) => {
		const job = scene.interrupt(display.id, { region: { x: 50, y: 50, width: 700, height: 500 } });
		await scene.status(job, "recording");
		await display.resize(640, 480);
		await until(
			() => notesOf(job, "display_resized").length === 1,
			() => scene.runner.output(),
		);
		await pause(800);
		scene.dashboard.cancel(job);
		await scene.status(job, "completed");
		const video = await scene.dashboard.video(job);
		expect((await probe(video)).faults).toBe("");
		expect(await frameSizesOf(video)).toEqual(["700x500", "640x480"]);
		expect(notesOf(job, "display_resized")[0]?.data).toMatchObject({ x: 0, y: 0, width: 640, height: 480 });
	});
});

inExplore(test)("a region that a resized display still has is recorded on without a gap", async () => {
	await withDisplay({ width: 800, height: 600 }, async (display) => {
		const region = { x: 10, y: 10, width: 320, height: 240 };
		const window = await openWindow(display, { ...RED_WINDOW, ...region });
		const job = scene.duration(4, display.id, { region });
		await scene.status(job, "recording");
		await pause(700);
		await display.resize(640, 480);
		await scene.status(job, "completed");
		const video = await scene.dashboard.video(job);
		expect(await probe(video)).toMatchObject({
			width: 320,
			height: 240,
			durationSeconds: expect.closeTo(4, 3),
			faults: "",
		});
		expect((await colorsOf(video)).at(-1)).toEqual(RED);
		expect(job.reports.filter(({ type }) => type === "note")).toEqual([]);
		await window.close();
	});
});
