/** A recording while it is made: live, paused, from its beginning, and on into the stored video. */
import { readFile } from "node:fs/promises";
import type { Locator } from "playwright/test";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { expect, test } from "#test/tapedeck.ts";
import { expectPlaying } from "#test/videos/expect-playing.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

test.afterAll(removeTestFolder);

const timeOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.currentTime);
const pausedOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.paused);
/** How many seconds are held behind and ahead of what is looked at; null while that is not there yet. */
const heldOf = (video: Locator) =>
	video.evaluate(({ buffered, currentTime, seeking }: HTMLVideoElement) => {
		if (seeking || buffered.length === 0) return null;
		return { behind: currentTime - buffered.start(0), ahead: buffered.end(buffered.length - 1) - currentTime };
	});

/** Notes in the page, where no load of this machine comes between: where it was sent, and which picture it shows. */
const watch = (video: Locator) =>
	video.evaluate((element: HTMLVideoElement) => {
		const note = (name: string, seconds: number) => element.setAttribute(`data-${name}`, String(seconds));
		element.addEventListener("seeking", () => note("sent-to", element.currentTime));
		const see = (_now: number, { mediaTime }: VideoFrameCallbackMetadata) => {
			note("picture", mediaTime);
			element.requestVideoFrameCallback(see);
		};
		element.requestVideoFrameCallback(see);
	});
const noted = async (video: Locator, name: "sent-to" | "picture") =>
	Number((await video.getAttribute(`data-${name}`)) ?? Number.NaN);

test("a live recording is paused, rewound and brought back to live, and keeps its position once it is stored", async ({
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
	await expect.poll(recorded, { timeout: 60_000 }).toBeGreaterThan(8);
	const recordingId = (await tapedeck.api.readJob(id)).recording?.id;
	const atLive = await context.newPage();
	await atLive.goto(`/recordings/${recordingId}`);
	await page.goto(`/recordings/${recordingId}`);
	const video = page.locator("video");
	await expectPlaying(video);
	const goLive = page.getByRole("button", { name: "Go live" });
	await expect(goLive).toHaveCount(0);
	await expect.poll(async () => (await recorded()) - (await timeOf(video))).toBeLessThan(2);
	await watch(video);

	await page.keyboard.press("k");
	await expect(goLive).toBeVisible();
	await expect.poll(() => pausedOf(video)).toBe(true);
	const pausedAt = await timeOf(video);
	await expect(page.getByText(/^([3-9]|\d\d) s behind$/)).toBeVisible();
	expect(await timeOf(video)).toBe(pausedAt);
	await page.keyboard.press("k");
	await expect.poll(() => timeOf(video)).toBeGreaterThan(pausedAt + 0.3);
	expect(await noted(video, "sent-to"), "it goes on where it was, as nothing sent it elsewhere").toBeNaN();

	await page.keyboard.press("Home");
	await expect.poll(() => noted(video, "sent-to")).toBe(0);
	await expectPlaying(video);
	await page.keyboard.press("k");
	await expect.poll(() => pausedOf(video)).toBe(true);
	await page.getByRole("slider", { name: "Seek" }).fill("3");
	await expect.poll(() => noted(video, "picture")).toBeCloseTo(3, 0);
	const picture = await noted(video, "picture");
	await page.getByRole("heading").first().click();
	await page.keyboard.press(".");
	await expect.poll(() => noted(video, "picture")).toBeGreaterThan(picture);
	// The very next one: from it, the one before is where one came from.
	await page.keyboard.press(",");
	await expect.poll(() => noted(video, "picture")).toBe(picture);
	await page.keyboard.press("a");
	await page.keyboard.type("Seen while it ran");
	await page.keyboard.press("Enter");
	await expect(page.getByRole("button", { name: /Note: Seen while it ran/ })).toBeVisible();
	await page.getByLabel("Speed").selectOption("2");
	await page.getByRole("heading").first().click();
	await page.keyboard.press("k");
	await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.playbackRate)).toBe(2);

	await goLive.click();
	await expect(goLive).toHaveCount(0);
	await expect.poll(async () => (await recorded()) - (await timeOf(video))).toBeLessThan(2);
	expect(await video.evaluate((element: HTMLVideoElement) => element.playbackRate)).toBeLessThan(1.2);

	await page.getByRole("slider", { name: "Seek" }).fill("3");
	await expect.poll(() => timeOf(video)).toBeGreaterThanOrEqual(3);
	await page.getByRole("heading").first().click();
	await page.keyboard.press("k");
	await expect.poll(() => pausedOf(video)).toBe(true);
	const before = await timeOf(video);
	await tapedeck.api.cancelJob(id);
	await tapedeck.api.waitFor(id, "playable");
	await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.src)).toContain("/video");
	await expect.poll(() => timeOf(video)).toBeCloseTo(before, 2);
	expect(await pausedOf(video)).toBe(true);
	await page.keyboard.press("k");
	await expect.poll(() => timeOf(video)).toBeGreaterThan(before + 0.5);

	await expect(atLive.getByText("Recording stopped. The video is ready.")).toBeVisible();
	await atLive.keyboard.press("k");
	await expect.poll(() => timeOf(atLive.locator("video"))).toBeGreaterThan(0.3);
	await atLive.close();
});

test("of a long live recording only the part around the position is kept in memory", async ({ page, tapedeck }) => {
	const seconds = 240;
	const bytes = await readFile(await makeVideo("recorder.mp4", seconds));
	const runner = await scriptRunner(tapedeck, "runner of long ones");
	const id = await runner.record("Long and live");
	expect(await runner.send(id, 0, bytes)).toBe(204);
	const recordingOf = async () => (await tapedeck.api.readJob(id)).recording;
	// The page learns the length once a second, and seeks no further.
	await expect.poll(async () => (await recordingOf())?.durationSeconds).toBeGreaterThan(seconds - 1);
	await page.goto(`/recordings/${(await recordingOf())?.id}?t=20`);
	const video = page.locator("video");
	const expectLittleHeld = async () => {
		await expect.poll(async () => (await heldOf(video))?.ahead ?? 0).toBeGreaterThan(1);
		const { behind, ahead } = (await heldOf(video)) ?? { behind: 0, ahead: 0 };
		// What is asked for begins at the keyframe before it, and what is dropped is dropped in pieces of 30 s.
		expect(behind).toBeLessThan(65);
		expect(ahead).toBeLessThan(40);
	};
	await expect.poll(() => timeOf(video)).toBeGreaterThanOrEqual(20);
	await expectLittleHeld();
	await page.getByRole("slider", { name: "Seek" }).fill("200");
	await expect.poll(() => timeOf(video)).toBeGreaterThanOrEqual(200);
	await expect.poll(async () => (await heldOf(video))?.behind).toBeLessThan(10);
	await page.keyboard.press("Home");
	await expect.poll(() => timeOf(video)).toBeLessThan(200);
	await expectLittleHeld();
	await page.getByLabel("Speed").selectOption("16");
	await page.getByRole("button", { name: "Play" }).click();
	for (const seconds of [60, 100, 130]) {
		await expect.poll(() => timeOf(video), { timeout: 60_000 }).toBeGreaterThan(seconds);
		await expectLittleHeld();
	}
	await runner.report(id, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
	await runner.stop();
});
