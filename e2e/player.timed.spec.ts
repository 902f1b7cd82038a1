/** The player: keys, frames, speed, loops and pictures. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import type { Locator, Page } from "playwright/test";
import { variants } from "#test/in-explore.ts";
import { beginRecording, recordShortly } from "#test/jobs.ts";
import { openAt, timeOf, uploadVideo } from "#test/pages/player.ts";
import { countRenders } from "#test/pages/render-count.ts";
import { expect, test } from "#test/tapedeck.ts";
import { expectPlaying } from "#test/videos/expect-playing.ts";
import { makeVideo, removeTestFolder, testFolder } from "#test/videos/make-video.ts";
import { pause } from "#test/wait.ts";

const FRAME_SECONDS = 1 / 15;

test.afterAll(removeTestFolder);

const pausedOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.paused);
const speedOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.playbackRate);

/**
 * A video whose frames tell their number in eight fields of black and white. `left out`: those are not in it, as where
 * nothing moved while it was recorded.
 */
async function numberedVideo(rate: number, frames: number, leftOut: [from: number, to: number]): Promise<string> {
	const path = join(await testFolder(), `numbered-${rate}.mp4`);
	const bits = Array.from(
		{ length: 8 },
		(_, bit) => `drawbox=x=${bit * 40}:y=0:w=40:h=120:c=white:t=fill:enable='mod(floor(n/${2 ** bit})\\,2)'`,
	);
	const filter = [...bits, `select='not(between(n,${leftOut[0]},${leftOut[1]}))'`].join(",");
	const source = ["-f", "lavfi", "-i", `color=black:size=320x120:rate=${rate}`, "-frames:v", String(frames)];
	const codec = ["-fps_mode", "passthrough", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
	await promisify(execFile)("ffmpeg", ["-v", "error", "-y", ...source, "-vf", filter, ...codec, "-g", "30", path]);
	return path;
}

/** The number of the frame that is shown. */
const frameOf = (video: Locator): Promise<number> =>
	video.evaluate((element: HTMLVideoElement) => {
		const canvas = document.createElement("canvas");
		canvas.width = 320;
		canvas.height = 120;
		const pen = canvas.getContext("2d");
		pen?.drawImage(element, 0, 0, canvas.width, canvas.height);
		const isWhite = (bit: number) => (pen?.getImageData(bit * 40 + 20, 60, 1, 1).data[0] ?? 0) > 127;
		return Array.from({ length: 8 }, (_, bit) => (isWhite(bit) ? 2 ** bit : 0)).reduce((sum, each) => sum + each, 0);
	});

test.describe("the video of a job", () => {
	let job: Job;
	let seconds: number;

	test.beforeAll(async ({ tapedeck }) => {
		job = await recordShortly(tapedeck, "For the keys", 6);
		seconds = job.recording?.durationSeconds ?? 0;
	});

	test("keys pause, seek and play a job's video", async ({ page }) => {
		await page.goto(`/recordings/${job.recording?.id}`);
		const video = page.locator("video");
		await expectPlaying(video);
		await page.getByRole("heading").first().click();
		await page.keyboard.press("Space");
		expect(await pausedOf(video)).toBe(true);
		for (const [key, wanted] of [
			["j", 0],
			["ArrowRight", 5],
			["ArrowLeft", 0],
			["5", seconds / 2],
			["End", seconds],
			["Home", 0],
			["3", seconds * 0.3],
			["l", seconds],
			["0", 0],
		] as const) {
			await page.keyboard.press(key);
			await expect.poll(() => timeOf(video), { message: `${key} to ${wanted} s` }).toBeCloseTo(wanted, 1);
		}
		await page.keyboard.press("k");
		expect(await pausedOf(video)).toBe(false);
	});

	test("keys change the speed, which the next page remembers", async ({ page }) => {
		const video = await openAt(page, Number(job.recording?.id));
		for (const key of [">", ">", ">"]) await page.keyboard.press(key);
		await expect(page.getByLabel("Speed")).toHaveValue("2");
		expect(await speedOf(video)).toBe(2);
		await page.reload();
		await expect.poll(() => speedOf(page.locator("video"))).toBe(2);
		await page.keyboard.press("<");
		await expect(page.getByLabel("Speed")).toHaveValue("1.5");
	});

	test("a video plays to its end at 16 times the speed", async ({ page }) => {
		const video = await openAt(page, Number(job.recording?.id));
		await page.getByLabel("Speed").selectOption("16");
		await page.getByRole("heading").first().click();
		await page.keyboard.press("k");
		await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.ended)).toBe(true);
	});

	test("the player shows the time of day of the current frame", async ({ page }) => {
		await openAt(page, Number(job.recording?.id), seconds / 2);
		const expected = Date.parse(job.startedAt ?? "") + (seconds / 2) * 1000;
		const clock = page.getByLabel("Player controls").locator("time");
		await expect
			.poll(async () => Math.abs(Date.parse((await clock.getAttribute("datetime")) ?? "") - expected))
			.toBeLessThan(100);
	});

	test("f shows the player with its controls in full screen, and leaves it", async ({ page }) => {
		await openAt(page, Number(job.recording?.id));
		await page.keyboard.press("f");
		await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
		await expect(page.getByRole("button", { name: "Leave full screen" })).toBeVisible();
		await page.keyboard.press("f");
		await expect(page.getByRole("button", { name: "Full screen", exact: true })).toBeVisible();
	});

	test("the drawer of a job loads its video when a key plays it, and not before", async ({ page }) => {
		await page.goto(`/jobs/${job.id}`);
		const video = page.getByRole("dialog", { name: "For the keys" }).locator("video");
		await expect(video).toBeVisible();
		expect(await video.evaluate((element: HTMLVideoElement) => element.readyState)).toBe(0);
		await page.keyboard.press("Space");
		await expect.poll(() => timeOf(video)).toBeGreaterThan(0.2);
		await page.keyboard.press("k");
		await expect.poll(() => pausedOf(video)).toBe(true);
	});

	test("keys do not control the video while a marker's label is typed, and Escape closes only that form", async ({
		page,
	}) => {
		await page.goto(`/jobs/${job.id}`);
		const drawer = page.getByRole("dialog", { name: "For the keys" });
		const video = drawer.locator("video");
		await expect(video).toBeVisible();
		await page.keyboard.press("Space");
		await expect.poll(() => timeOf(video)).toBeGreaterThan(0.2);
		await page.keyboard.press("k");
		await expect.poll(() => pausedOf(video)).toBe(true);
		await page.keyboard.press("a");
		const label = drawer.getByLabel("Marker label");
		await expect(label).toBeFocused();
		const before = await timeOf(video);
		await page.keyboard.type("jkl 5");
		expect([await timeOf(video), await pausedOf(video)]).toEqual([before, true]);
		await page.keyboard.press("Escape");
		await expect(label).toBeHidden();
		await expect(drawer).toBeVisible();
	});
});

for (const rate of variants([15, 60], (rate) => rate === 60)) {
	test.describe(`a video of ${rate} frames a second`, () => {
		const gap = [20, 80] as const;
		let id: number;

		test.beforeAll(async ({ tapedeck }) => {
			id = await uploadVideo(tapedeck, await numberedVideo(rate, 120, [...gap]), `${rate} a second`);
		});

		async function openAtFrame(page: Page, frame: number): Promise<Locator> {
			const video = await openAt(page, id, (frame + 0.2) / rate);
			await expect.poll(() => frameOf(video)).toBe(frame);
			return video;
		}

		test("comma and full stop step to the next frame, across a gap", async ({ page }) => {
			const video = await openAtFrame(page, 18);
			for (const [key, wanted] of [
				[".", 19],
				[".", gap[1] + 1],
				[".", gap[1] + 2],
				[",", gap[1] + 1],
				[",", 19],
				[",", 18],
			] as const) {
				await page.keyboard.press(key);
				await expect.poll(() => frameOf(video), { message: `${key} to ${wanted}` }).toBe(wanted);
			}
		});

		test("each press of a key that steps counts, also when keys are pressed faster than frames are shown", async ({
			page,
		}) => {
			const video = await openAtFrame(page, 18);
			for (let press = 0; press < 5; press += 1) await page.keyboard.press(",");
			await expect.poll(() => frameOf(video)).toBe(13);
		});

		test("a link to the time of a frame that keys stepped to opens at this frame", async ({ page }) => {
			const video = await openAtFrame(page, 14);
			await page.keyboard.press(",");
			await expect.poll(() => frameOf(video)).toBe(13);
			await page.goto(`/recordings/${id}?t=${await timeOf(video)}`);
			await expect.poll(() => frameOf(page.locator("video"))).toBe(13);
		});

		test("a step back from the first frame stays there", async ({ page }) => {
			const video = await openAtFrame(page, 1);
			await page.keyboard.press("Home");
			await expect.poll(() => frameOf(video)).toBe(0);
			await page.keyboard.press(",");
			await page.keyboard.press(".");
			await expect.poll(() => frameOf(video)).toBe(1);
		});
	});
}

test("a loop plays until it is cleared", async ({ page, tapedeck }) => {
	const id = await uploadVideo(tapedeck, await makeVideo("recorder.mp4", 6), "To loop");
	const video = await openAt(page, id, 2);
	await page.keyboard.press("[");
	await page.keyboard.press("Home");
	await expect(page.getByText(/Loop from 0:02.0/)).toBeVisible();
	await page.goto(`/recordings/${id}?t=2`);
	await expect.poll(() => timeOf(video)).toBeCloseTo(2, 1);
	await page.keyboard.press("[");
	for (let step = 0; step < 9; step += 1) await page.keyboard.press(".");
	await expect.poll(() => timeOf(video)).toBeCloseTo(2 + 9 * FRAME_SECONDS, 1);
	await page.keyboard.press("]");
	await expect(page.getByText("Loop 0:02.0 – 0:02.6")).toBeVisible();
	await expect(page.locator("[data-loop]")).toBeVisible();
	const times = video.evaluate(
		(element: HTMLVideoElement) =>
			new Promise<{ most: number; least: number; rounds: number }>((resolve) => {
				const seen = { most: 0, least: Number.POSITIVE_INFINITY, rounds: 0 };
				element.addEventListener("seeking", () => {
					seen.rounds += 1;
					if (seen.rounds === 3) resolve(seen);
				});
				element.addEventListener("timeupdate", () => {
					seen.most = Math.max(seen.most, element.currentTime);
					seen.least = Math.min(seen.least, element.currentTime);
				});
			}),
	);
	await page.keyboard.press("k");
	const { most, least } = await times;
	expect(least).toBeGreaterThan(1.9);
	expect(most).toBeLessThan(3);
	await page.getByRole("button", { name: "Clear the loop" }).click();
	await expect(page.locator("[data-loop]")).toHaveCount(0);
	await expect.poll(() => timeOf(video)).toBeGreaterThan(3.2);
});

test("the current frame is copied as PNG, or saved where copying is not allowed", async ({
	page,
	context,
	tapedeck,
}) => {
	const id = await uploadVideo(tapedeck, await numberedVideo(15, 120, [200, 201]), "To copy: it");
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	const video = await openAt(page, id, 77.2 / 15);
	await expect.poll(() => frameOf(video)).toBe(77);
	await page.getByRole("button", { name: "Copy frame" }).click();
	await expect(page.getByText("Copied the frame at 0:05.1.")).toBeVisible();
	const copied = await page.evaluate(async () => {
		const [item] = await navigator.clipboard.read();
		const bitmap = await createImageBitmap((await item?.getType("image/png")) as Blob);
		const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
		const pen = canvas.getContext("2d");
		pen?.drawImage(bitmap, 0, 0);
		const white = Array.from(
			{ length: 8 },
			(_, bit) => (pen?.getImageData(bit * 40 + 20, 60, 1, 1).data[0] ?? 0) > 127,
		);
		return { width: bitmap.width, frame: white.reduce((sum, is, bit) => sum + (is ? 2 ** bit : 0), 0) };
	});
	expect(copied).toEqual({ width: 320, frame: 77 });

	await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
	const saving = page.waitForEvent("download");
	await page.getByRole("button", { name: "Copy frame" }).click();
	expect((await saving).suggestedFilename()).toBe("To copy- it at 0.05.1.png");
	await expect(page.getByText(/Saved the frame at 0:05.1 as a file/)).toBeVisible();
});

test("a link to a moment waits there, also after a click played the same recording", async ({ page, tapedeck }) => {
	const { id, recording } = await recordShortly(tapedeck, "Played before", 4);
	const video = page.locator("video");
	await page.goto("/recordings");
	await page.getByRole("link", { name: "Played before" }).click();
	await expect.poll(() => timeOf(video)).toBeGreaterThan(0.2);
	expect(await pausedOf(video)).toBe(false);

	// Navigates through links, so that the document stays the same.
	await page.getByRole("tab", { name: "Details" }).click();
	await page.getByRole("link", { name: `Job ${id}` }).click();
	const drawer = page.getByRole("dialog", { name: "Played before" });
	await drawer.getByRole("slider", { name: "Seek" }).fill("2");
	await expect.poll(() => timeOf(drawer.locator("video"))).toBeCloseTo(2, 1);
	await drawer.locator(`a[href^="/recordings/${recording?.id}"]`).click();
	await page.waitForURL("**?t=2");
	await expect(drawer).toHaveCount(0);
	await expect.poll(() => video.evaluate(({ readyState }: HTMLVideoElement) => readyState)).toBeGreaterThan(1);
	expect(await pausedOf(video)).toBe(true);
	expect(await timeOf(video)).toBeCloseTo(2, 1);
});

test("playing renders only what shows the position", async ({ page, tapedeck }) => {
	const id = await uploadVideo(tapedeck, await makeVideo("recorder.mp4", 6), "To count");
	const counts = await countRenders(page);
	const video = await openAt(page, id);
	await video.evaluate((element: HTMLVideoElement) => {
		element.muted = true;
		return element.play();
	});
	await expect.poll(() => timeOf(video)).toBeGreaterThan(1);
	const before = await counts();
	await expect.poll(() => timeOf(video)).toBeGreaterThan(4);
	const after = await counts();
	const perCommit = (after.components - before.components) / (after.commits - before.commits);
	console.log({ commits: after.commits - before.commits, perCommit });
	expect(after.commits).toBeGreaterThan(before.commits + 20);
	// The slider and the clock; other parts of the page may join a commit now and then.
	expect(perCommit).toBeLessThan(4);
});

test("a private stretch is hatched on the seek bar, black in the video, and said to be private by the slider and at the pointer", async ({
	page,
	tapedeck,
}) => {
	const { id } = await beginRecording(tapedeck, "Private for a while");
	const privacy = (on: boolean) => tapedeck.api.call("POST", `/v1/jobs/${id}/privacy`, { on });
	await pause(1_500);
	await privacy(true);
	await pause(2_000);
	await privacy(false);
	await pause(1_500);
	await tapedeck.api.call("POST", `/v1/jobs/${id}/cancel`);
	const { recording } = await tapedeck.api.waitFor(id, "playable");
	const { privacy: stretches = [], durationSeconds } = await tapedeck.api.call<Recording>(
		"GET",
		`/v1/recordings/${recording?.id}`,
	);
	const [{ from, to } = { from: 0, to: 0 }] = stretches;
	expect(to).toBeGreaterThan(from + 2);
	const middle = (from + (to ?? 0)) / 2;
	const video = await openAt(page, recording?.id ?? 0, middle);
	const isBlack = () =>
		video.evaluate((element: HTMLVideoElement) => {
			const canvas = document.createElement("canvas");
			[canvas.width, canvas.height] = [64, 36];
			const pen = canvas.getContext("2d");
			pen?.drawImage(element, 0, 0, 64, 36);
			const { data } = pen?.getImageData(0, 0, 64, 36) ?? { data: [] };
			return data.every((value, index) => index % 4 === 3 || value < 8);
		});
	await expect.poll(isBlack).toBe(true);
	const seek = page.getByRole("slider", { name: "Seek" });
	const words = /Private, 0:0\d–0:0\d/;
	await expect(seek).toHaveAttribute("aria-valuetext", words);
	// Over the video. The seek bar has it, too, while it has the focus.
	await expect(page.getByText(words).first()).toBeVisible();
	const [bar, hatched] = [await seek.boundingBox(), await page.locator("[data-private]").boundingBox()];
	if (bar === null || hatched === null) throw new Error("The seek bar has no hatched stretch.");
	const secondsAt = (x: number) => ((x - bar.x) / bar.width) * durationSeconds;
	expect(Math.abs(secondsAt(hatched.x) - from)).toBeLessThan(0.2);
	expect(Math.abs(secondsAt(hatched.x + hatched.width) - (to ?? 0))).toBeLessThan(0.2);
	await page.mouse.move(hatched.x + hatched.width / 2, bar.y + bar.height / 2);
	await expect(page.locator("[data-preview]")).toContainText(words);
	await seek.fill("0.5");
	await expect(seek).not.toHaveAttribute("aria-valuetext", /private/i);
	await expect.poll(isBlack).toBe(false);
});
