/** A recording while it is made: live, paused, from its beginning, and on into the stored video. */
import { readFile } from "node:fs/promises";
import type { Locator } from "playwright/test";
import { makeVideo, removeTestFolder } from "#lib/media/make-video-test-setup.ts";
import { scriptRunner } from "./fixtures/scripted-runner.ts";
import { expect, test } from "./fixtures/tapedeck.ts";
import { expectPlaying } from "./fixtures/video.ts";

test.afterAll(removeTestFolder);

const timeOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.currentTime);
const pausedOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.paused);
/** Seconds from the beginning of what is held to its end. */
const heldOf = (video: Locator) =>
	video.evaluate(({ buffered }: HTMLVideoElement) =>
		buffered.length === 0 ? [0, 0] : [buffered.start(0), buffered.end(buffered.length - 1)],
	);

test("a live recording is paused, rewound to its start, brought back to live, and goes on where one was once it is stored", async ({
	page,
	context,
	tapedeck,
}) => {
	const { id } = await tapedeck.api.createJob({
		runnerId: tapedeck.runnerId,
		displayId: tapedeck.displayId,
		name: "Looked back at",
		stopCondition: "interrupt",
	});
	const recorded = async () => (await tapedeck.api.readJob(id)).recording?.durationSeconds ?? 0;
	await tapedeck.api.waitFor(id, "recording");
	await expect.poll(recorded, { timeout: 20_000 }).toBeGreaterThan(8);
	const recordingId = (await tapedeck.api.readJob(id)).recording?.id;
	const atLive = await context.newPage();
	await atLive.goto(`/recordings/${recordingId}`);
	await page.goto(`/recordings/${recordingId}`);
	const video = page.locator("video");
	await expectPlaying(video);
	const goLive = page.getByRole("button", { name: "Go live" });
	await expect(goLive).toHaveCount(0);
	expect(await timeOf(video)).toBeGreaterThan((await recorded()) - 3);

	await page.keyboard.press("k");
	await expect(goLive).toBeVisible();
	expect(await pausedOf(video)).toBe(true);
	const pausedAt = await timeOf(video);
	await expect(page.getByText(/^[3-9] s behind$/)).toBeVisible();
	expect(await timeOf(video)).toBe(pausedAt);
	await page.keyboard.press("k");
	await expect.poll(() => timeOf(video)).toBeGreaterThan(pausedAt + 0.3);
	expect(await timeOf(video)).toBeLessThan(pausedAt + 2.5);

	await page.keyboard.press("Home");
	await expect.poll(() => timeOf(video)).toBeLessThan(1.5);
	await expectPlaying(video);
	await page.keyboard.press("k");
	const still = await timeOf(video);
	await page.keyboard.press(".");
	await expect.poll(() => timeOf(video)).toBeCloseTo(still + 1 / 15, 1);
	await page.keyboard.press("a");
	await page.keyboard.type("Seen while it ran");
	await page.keyboard.press("Enter");
	await expect(page.getByRole("button", { name: /Note: Seen while it ran/ })).toBeVisible();
	await page.getByLabel("Speed").selectOption("2");
	await page.getByRole("heading").first().click();
	await page.keyboard.press("k");
	expect(await video.evaluate((element: HTMLVideoElement) => element.playbackRate)).toBe(2);

	await goLive.click();
	await expect(goLive).toHaveCount(0);
	await expect.poll(async () => (await recorded()) - (await timeOf(video))).toBeLessThan(2);
	expect(await video.evaluate((element: HTMLVideoElement) => element.playbackRate)).toBeLessThan(1.2);

	await page.getByRole("slider", { name: "Seek" }).fill("3");
	await expect.poll(() => timeOf(video)).toBeGreaterThanOrEqual(3);
	await page.getByRole("heading").first().click();
	await page.keyboard.press("k");
	const before = await timeOf(video);
	await tapedeck.api.cancelJob(id);
	await tapedeck.api.waitFor(id, "playable");
	await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.src)).toContain("/video");
	await expect.poll(() => timeOf(video)).toBeCloseTo(before, 2);
	expect(await pausedOf(video)).toBe(true);
	await page.keyboard.press("k");
	await expect.poll(() => timeOf(video)).toBeGreaterThan(before + 0.5);

	await expect(atLive.getByText("Stopped. The video is ready.")).toBeVisible();
	await atLive.keyboard.press("k");
	await expect.poll(() => timeOf(atLive.locator("video"))).toBeGreaterThan(0.3);
	await atLive.close();
});

test("of a long live recording no more is held than is near to what is looked at", async ({ page, tapedeck }) => {
	const seconds = 240;
	const bytes = await readFile(await makeVideo("recorder.mp4", seconds));
	const runner = await scriptRunner(tapedeck, "runner of long ones");
	const id = await runner.record("Long and live");
	expect(await runner.send(id, 0, bytes)).toBe(204);
	const recordingId = (await tapedeck.api.readJob(id)).recording?.id;
	await page.goto(`/recordings/${recordingId}?t=20`);
	const video = page.locator("video");
	const held = async (from: number, to: number) => {
		await expect.poll(async () => (await heldOf(video))[1]).toBeGreaterThan(from + 1);
		const [start, end] = await heldOf(video);
		expect(start).toBeGreaterThanOrEqual(Math.max(0, from - 90));
		expect(end).toBeLessThan(to);
	};
	await expect.poll(() => timeOf(video)).toBeGreaterThanOrEqual(20);
	await held(20, 80);
	await page.getByRole("slider", { name: "Seek" }).fill("200");
	await expect.poll(() => timeOf(video)).toBeGreaterThanOrEqual(200);
	await expect.poll(async () => (await heldOf(video))[0]).toBeGreaterThan(190);
	await page.keyboard.press("Home");
	await held(0, 60);
	await page.getByLabel("Speed").selectOption("16");
	await page.getByRole("button", { name: "Play" }).click();
	await expect.poll(() => timeOf(video), { timeout: 20_000 }).toBeGreaterThan(130);
	await held(130, 230);
	await runner.report(id, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
	await runner.stop();
});
