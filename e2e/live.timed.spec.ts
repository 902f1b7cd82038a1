/** A recording while it is made: live, paused, from its beginning, and on into the stored video. */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright/test";
import { inExplore } from "#test/in-explore.ts";
import { beginRecording } from "#test/jobs.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import type { Stack } from "#test/stack.ts";
import { expect, test } from "#test/tapedeck.ts";
import { expectPlaying } from "#test/videos/expect-playing.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

test.afterAll(removeTestFolder);

const timeOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.currentTime);
const pausedOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.paused);
/** The seconds that are buffered behind and ahead of the position; null while the position is not buffered. */
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

/** The seconds of video that the dashboard has of a job. */
const recordedSeconds = async ({ api }: Stack, jobId: number) =>
	(await api.readJob(jobId)).recording?.durationSeconds ?? 0;

/** Opens the page of a job's recording and plays it at its newest frame. */
async function openAtLive(page: Page, tapedeck: Stack, jobId: number): Promise<Locator> {
	const { recording } = await tapedeck.api.readJob(jobId);
	await page.goto(`/recordings/${recording?.id}`);
	const video = page.locator("video");
	await expectPlaying(video);
	return video;
}

const goLiveButton = (page: Page) => page.getByRole("button", { name: "Go live" });
const speedOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.playbackRate);

async function expectAtLive(page: Page, tapedeck: Stack, jobId: number): Promise<void> {
	const video = page.locator("video");
	await expect(goLiveButton(page)).toHaveCount(0);
	await expect.poll(async () => (await recordedSeconds(tapedeck, jobId)) - (await timeOf(video))).toBeLessThan(2);
}

async function pauseByKey(page: Page): Promise<void> {
	await page.keyboard.press("k");
	await expect.poll(() => pausedOf(page.locator("video"))).toBe(true);
}

/** Seeks by the slider, and returns the focus to the page so that keys reach the player. */
async function seekTo(page: Page, seconds: number): Promise<void> {
	await page.getByRole("slider", { name: "Seek" }).fill(String(seconds));
	await page.getByRole("heading").first().click();
}

test.describe("while it is recorded", () => {
	/** The job whose recording all tests in this file open. Only the last test ends it. */
	let jobId: number;

	test.beforeAll(async ({ tapedeck }) => {
		jobId = (await beginRecording(tapedeck, "Looked back at")).id;
		await expect.poll(() => recordedSeconds(tapedeck, jobId), { timeout: 60_000 }).toBeGreaterThan(5);
	});
	test.afterAll(async ({ tapedeck }) => {
		await tapedeck.api.cancelJob(jobId);
		await tapedeck.api.waitFor(jobId, "playable");
	});

	test("a live recording that is paused shows how far it is behind and continues where it was", async ({
		page,
		tapedeck,
	}) => {
		const video = await openAtLive(page, tapedeck, jobId);
		await expectAtLive(page, tapedeck, jobId);
		await watch(video);
		await pauseByKey(page);
		await expect(goLiveButton(page)).toBeVisible();
		const pausedAt = await timeOf(video);
		await expect(page.getByText(/^([3-9]|\d\d) s behind$/)).toBeVisible();
		expect(await timeOf(video)).toBe(pausedAt);
		await page.keyboard.press("k");
		await expect.poll(() => timeOf(video)).toBeGreaterThan(pausedAt + 0.3);
		expect(await noted(video, "sent-to"), "the player does not seek when it continues").toBeNaN();
	});

	test("Home shows a live recording from its beginning", async ({ page, tapedeck }) => {
		const video = await openAtLive(page, tapedeck, jobId);
		await watch(video);
		await page.keyboard.press("Home");
		await expect.poll(() => noted(video, "sent-to")).toBe(0);
		await expectPlaying(video);
	});

	test("comma and full stop step to the next frame of a live recording", async ({ page, tapedeck }) => {
		const video = await openAtLive(page, tapedeck, jobId);
		await watch(video);
		await pauseByKey(page);
		await seekTo(page, 3);
		await expect.poll(() => noted(video, "picture")).toBeCloseTo(3, 0);
		const picture = await noted(video, "picture");
		await page.keyboard.press(".");
		await expect.poll(() => noted(video, "picture")).toBeGreaterThan(picture);
		// The step was to the very next frame: the frame before that one is the first again.
		await page.keyboard.press(",");
		await expect.poll(() => noted(video, "picture")).toBe(picture);
	});

	test("a note added to a live recording is among its markers", async ({ page, tapedeck }) => {
		await openAtLive(page, tapedeck, jobId);
		await page.keyboard.press("a");
		await page.keyboard.type("Seen while it ran");
		await page.keyboard.press("Enter");
		await expect(page.getByRole("button", { name: /Note: Seen while it ran/ })).toBeVisible();
	});

	test("Go live returns to the newest frame at normal speed", async ({ page, tapedeck }) => {
		const video = await openAtLive(page, tapedeck, jobId);
		// Paused: at this speed, a player reaches the newest frame by itself.
		await pauseByKey(page);
		await page.getByRole("slider", { name: "Seek" }).fill("3");
		await page.getByLabel("Speed").selectOption("2");
		await expect.poll(() => speedOf(video)).toBe(2);
		await goLiveButton(page).click();
		await expectAtLive(page, tapedeck, jobId);
		// A player at live may run a little faster to catch up.
		expect(await speedOf(video)).toBeLessThan(1.2);
	});

	test("a paused live recording keeps its position once it is stored", async ({ page, tapedeck }) => {
		const video = await openAtLive(page, tapedeck, jobId);
		await seekTo(page, 3);
		await expect.poll(() => timeOf(video)).toBeGreaterThanOrEqual(3);
		await pauseByKey(page);
		const before = await timeOf(video);
		await tapedeck.api.cancelJob(jobId);
		await tapedeck.api.waitFor(jobId, "playable");
		await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.src)).toContain("/video");
		await expect.poll(() => timeOf(video)).toBeCloseTo(before, 2);
		expect(await pausedOf(video)).toBe(true);
		await page.keyboard.press("k");
		await expect.poll(() => timeOf(video)).toBeGreaterThan(before + 0.5);
	});
});

test("a page at live says that the recording stopped, and plays the stored video", async ({ page, tapedeck }) => {
	const bytes = await readFile(await makeVideo("recorder.mp4"));
	const runner = await scriptRunner(tapedeck, "runner that stops");
	const id = await runner.record("Followed to its end");
	expect(await runner.send(id, 0, bytes)).toBe(204);
	await page.goto(`/recordings/${(await tapedeck.api.readJob(id)).recording?.id}`);
	const video = page.locator("video");
	await expect.poll(() => timeOf(video)).toBeGreaterThan(1);
	await runner.report(id, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
	expect(await runner.send(id, bytes.length, Buffer.alloc(0), bytes.length)).toBe(204);
	await expect(page.getByText("Recording stopped. The video is ready.")).toBeVisible();
	await page.keyboard.press("k");
	await expect.poll(() => timeOf(video)).toBeGreaterThan(0.3);
	await runner.stop();
});

inExplore(test)(
	"only the part around the position of a long live recording is kept in memory",
	async ({ page, tapedeck }) => {
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
			// A request starts at the key frame before the position, and old data is dropped in pieces of 30 s.
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
	},
);
