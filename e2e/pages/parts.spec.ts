/** A recording of two parts with a gap between them, as after an encoder's death: it plays on, live and finished. */

import { readFile } from "node:fs/promises";
import type { Locator } from "playwright/test";
import { inExplore } from "#test/in-explore.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { expectSeek } from "#test/videos/expect-playing.ts";
import { fragmentsOf, initOf, movedFragments } from "#test/videos/join-videos.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { resizedVideo } from "#test/videos/resized-video.ts";

const FIRST_SECONDS = 4;
const SECOND_SECONDS = 6;
const AT = 5.5;

test.afterAll(removeTestFolder);

const time = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.currentTime);

test("the live view and the finished video continue across the gap between two parts", async ({ page, tapedeck }) => {
	const first = await readFile(await makeVideo("recorder.mp4", FIRST_SECONDS));
	const second = await readFile(await makeVideo("recorder.mp4", SECOND_SECONDS));
	const runner = await scriptRunner(tapedeck, "runner of parts");
	const id = await runner.record("In two parts");
	let sent = 0;
	const send = async (piece: Buffer, length?: number) => {
		expect(await runner.send(id, sent, piece, length)).toBe(204);
		sent += piece.length;
	};
	await send(Buffer.concat([initOf(first), ...fragmentsOf(first)]));
	const recordingId = (await tapedeck.api.readJob(id)).recording?.id;

	await page.goto(`/recordings/${recordingId}`);
	const video = page.locator("video");
	// It gets to the end of what there is and waits there, as for a picture that is late.
	await expect.poll(() => time(video)).toBeGreaterThan(FIRST_SECONDS - 0.6);
	expect(await time(video)).toBeLessThanOrEqual(FIRST_SECONDS + 0.1);
	const rest = movedFragments(second, AT, fragmentsOf(first).length + 1);
	for (const fragment of rest.slice(0, 4)) await send(fragment);
	await expect.poll(() => time(video)).toBeGreaterThan(AT);
	const before = await time(video);
	for (const fragment of rest.slice(4)) await send(fragment);
	await expect.poll(() => time(video)).toBeGreaterThan(before + 0.5);
	await expect(page.getByText("Live view disconnected.")).toHaveCount(0);
	await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.buffered.length)).toBeGreaterThan(0);

	await send(Buffer.alloc(0), sent);
	await runner.report(id, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
	await tapedeck.api.waitFor(id, "playable");
	await expect(page.getByRole("slider", { name: "Seek" })).toBeVisible();
	const stored = page.locator("video");
	await expect
		.poll(() => stored.evaluate((element: HTMLVideoElement) => element.duration))
		.toBeCloseTo(AT + SECOND_SECONDS, 1);
	await expectSeek(stored, FIRST_SECONDS - 0.5);
	await stored.evaluate((element: HTMLVideoElement) => {
		element.muted = true;
		return element.play();
	});
	await expect.poll(() => time(stored)).toBeGreaterThan(AT + 0.5);
	expect(await stored.evaluate((element: HTMLVideoElement) => element.error)).toBeNull();
	// A moment inside of the gap shows the last picture before it.
	await expectSeek(stored, FIRST_SECONDS + 0.7);
	await runner.stop();
});

/** The shape of the video on the page, and of the frame that it shows: width by height. */
const shapes = (video: Locator) =>
	video.evaluate((element: HTMLVideoElement) => {
		const { width, height } = element.getBoundingClientRect();
		return { box: width / height, frame: element.videoWidth / element.videoHeight };
	});

async function expectShape(video: Locator, shape: number): Promise<void> {
	await expect.poll(async () => (await shapes(video)).frame).toBeCloseTo(shape, 2);
	// There are no bars at any side.
	await expect.poll(async () => (await shapes(video)).box).toBeCloseTo(shape, 1);
}

inExplore(test)(
	"each frame of a resized display is shown in its own shape, live and finished",
	async ({ page, tapedeck }) => {
		const fragments = fragmentsOf(await resizedVideo());
		const runner = await scriptRunner(tapedeck, "runner of sizes");
		const id = await runner.record("In two sizes");
		let sent = 0;
		const send = async (piece: Buffer, length?: number) => {
			expect(await runner.send(id, sent, piece, length)).toBe(204);
			sent += piece.length;
		};
		const first = fragments.length / 2;
		await send(Buffer.concat([initOf(await resizedVideo()), ...fragments.slice(0, first)]));
		const recordingId = (await tapedeck.api.readJob(id)).recording?.id;
		await page.goto(`/recordings/${recordingId}`);
		const video = page.locator("video");
		await expectShape(video, 160 / 120);
		for (const fragment of fragments.slice(first)) await send(fragment);
		await expectShape(video, 120 / 200);

		await send(Buffer.alloc(0), sent);
		await runner.report(id, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
		await tapedeck.api.waitFor(id, "playable");
		await page.goto(`/recordings/${recordingId}?t=1`);
		await expectShape(video, 160 / 120);
		await page.goto(`/recordings/${recordingId}?t=3`);
		await expectShape(video, 120 / 200);
		await runner.stop();
	},
);
