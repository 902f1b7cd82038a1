/** The player: keys, frames, speed, loops, markers, pictures, and messages about problems. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import type { Locator, Page } from "playwright/test";
import { beginRecording, recordShortly } from "#test/jobs.ts";
import { countRenders } from "#test/pages/render-count.ts";
import { holdUndo } from "#test/pages/undo.ts";
import type { Stack } from "#test/stack.ts";
import { expect, test } from "#test/tapedeck.ts";
import { expectPlaying } from "#test/videos/expect-playing.ts";
import { makeVideo, removeTestFolder, testFolder } from "#test/videos/make-video.ts";
import { pause } from "#test/wait.ts";

const FRAME_SECONDS = 1 / 15;

test.afterAll(removeTestFolder);

const pausedOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.paused);
const timeOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.currentTime);
const speedOf = (video: Locator) => video.evaluate((element: HTMLVideoElement) => element.playbackRate);

/** Uploads a file as a video that was made elsewhere. @returns its id. */
async function upload({ url, apiKey }: Stack, path: string, name: string): Promise<number> {
	const answer = await fetch(`${url}/v1/recordings?name=${encodeURIComponent(name)}`, {
		method: "POST",
		headers: { authorization: `Bearer ${apiKey}`, "content-type": "video/mp4" },
		body: new Uint8Array(await readFile(path)),
	});
	expect(answer.status).toBe(201);
	return (await answer.json()).id;
}

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

async function openAt(page: Page, id: number, seconds?: number): Promise<Locator> {
	await page.goto(`/recordings/${id}${seconds === undefined ? "" : `?t=${seconds}`}`);
	const video = page.locator("video");
	await expect
		.poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState))
		.toBeGreaterThanOrEqual(HAVE_CURRENT_DATA);
	return video;
}
const HAVE_CURRENT_DATA = 2;

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

for (const rate of [15, 60]) {
	test.describe(`a video of ${rate} frames a second`, () => {
		const gap = [20, 80] as const;
		let id: number;

		test.beforeAll(async ({ tapedeck }) => {
			id = await upload(tapedeck, await numberedVideo(rate, 120, [...gap]), `${rate} a second`);
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
	const id = await upload(tapedeck, await makeVideo("recorder.mp4", 6), "To loop");
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

const markersOf = (page: Page) => page.getByRole("list", { name: "Markers" });

/** Uploads a video with a note at 0.6 s and a failure at 4 s. @returns its id. */
async function uploadWithMarkers(tapedeck: Stack, name: string): Promise<number> {
	const id = await upload(tapedeck, await makeVideo("recorder.mp4", 6), name);
	for (const marker of [
		{ label: "It begins", kind: "note", offsetSeconds: 0.6 },
		{ label: "It breaks", kind: "fail", offsetSeconds: 4 },
	]) {
		await tapedeck.api.call("POST", `/v1/recordings/${id}/markers`, marker);
	}
	return id;
}

test("a marker is added by keyboard or by the button, listed in order of time, and shown to other users at once", async ({
	page,
	context,
	tapedeck,
}) => {
	const id = await upload(tapedeck, await makeVideo("recorder.mp4", 6), "To mark");
	const other = await context.newPage();
	await other.goto(`/recordings/${id}`);
	await openAt(page, id, 4);
	await page.keyboard.press("a");
	await page.keyboard.type("It breaks");
	await page.getByLabel("Marker kind").selectOption("fail");
	await page.getByLabel("Marker label").press("Enter");
	await expect(page.getByRole("button", { name: /Failed: It breaks/ })).toBeVisible();
	await expect(other.getByRole("button", { name: /Failed: It breaks/ })).toBeVisible();
	await expect(page.locator('[data-tick="fail"]')).toBeVisible();
	await page.keyboard.press("1");
	await page.getByRole("button", { name: "Add marker" }).click();
	await page.getByLabel("Marker label").fill("It begins");
	await page.getByRole("button", { name: "Save" }).click();
	await expect(markersOf(page).getByRole("listitem")).toHaveText([/It begins/, /It breaks/]);
	await other.close();
});

test("keys and clicks jump to markers", async ({ page, tapedeck }) => {
	const video = await openAt(page, await uploadWithMarkers(tapedeck, "To jump"));
	const list = markersOf(page);
	await expect(list.getByRole("listitem")).toHaveText([/It begins/, /It breaks/]);
	await page.keyboard.press("Home");
	await page.keyboard.press("Shift+ArrowRight");
	await expect.poll(() => timeOf(video)).toBeCloseTo(0.6, 1);
	await expect(list.getByRole("button", { name: /Note: It begins/ })).toHaveAttribute("aria-current", "true");
	await page.keyboard.press("Shift+ArrowRight");
	await expect.poll(() => timeOf(video)).toBeCloseTo(4, 1);
	await page.keyboard.press("Shift+ArrowLeft");
	await expect.poll(() => timeOf(video)).toBeCloseTo(0.6, 1);
	await list.getByRole("button", { name: /Failed: It breaks/ }).click();
	await expect.poll(() => timeOf(video)).toBeCloseTo(4, 1);
});

test("a deleted marker disappears for other users as well, and Undo restores it", async ({
	page,
	context,
	tapedeck,
}) => {
	await holdUndo(page);
	const id = await uploadWithMarkers(tapedeck, "To unmark");
	const other = await context.newPage();
	await other.goto(`/recordings/${id}`);
	await openAt(page, id);
	for (const each of [page, other]) await expect(markersOf(each).getByRole("listitem")).toHaveCount(2);
	await page.getByRole("button", { name: "Delete marker It breaks" }).click();
	await expect(markersOf(page).getByRole("listitem")).toHaveText([/It begins/]);
	await expect(other.getByRole("button", { name: /Failed: It breaks/ })).toHaveCount(0);
	await page.getByRole("button", { name: "Undo" }).click();
	await expect(markersOf(page).getByRole("listitem")).toHaveText([/It begins/, /It breaks/]);
	await other.close();
});

test("a marker that the server refuses is reported, and does not stay on the page", async ({ page, tapedeck }) => {
	await openAt(page, await uploadWithMarkers(tapedeck, "To refuse"));
	await page.route("**/markers", (route) => (route.request().method() === "POST" ? route.abort() : route.fallback()));
	await page.keyboard.press("a");
	await page.keyboard.type("Never");
	await page.keyboard.press("Enter");
	await expect(page.getByText(/Couldn't add the marker “Never”/)).toBeVisible();
	await expect(markersOf(page).getByRole("listitem")).toHaveText([/It begins/, /It breaks/]);
});

test("the page of a recording says why it stopped and shows its job's events, each of which leads to its moment", async ({
	page,
	tapedeck,
}) => {
	const job = await recordShortly(tapedeck, "With its history", 3);
	const seconds = job.recording?.durationSeconds ?? 0;
	const video = await openAt(page, Number(job.recording?.id), 1);
	await expect(page.getByText(/^Reached its duration of \d/)).toBeVisible();
	const events = page.getByRole("region", { name: "Events" });
	await expect(events.getByRole("heading", { level: 2, name: /Events/ })).toBeVisible();
	await expect(events.getByRole("listitem")).toHaveCount((await tapedeck.api.events(job.id)).length);
	const toMoments = events.getByRole("button");
	await toMoments.last().click();
	await expect.poll(() => timeOf(video)).toBeGreaterThan(seconds - 0.5);
	await expect(video).toBeInViewport();
	await toMoments.first().click();
	await expect.poll(() => timeOf(video)).toBeLessThan(0.5);
});

test("Delete stands apart from Download: at the end of a menu, in every size of the player", async ({
	page,
	tapedeck,
}) => {
	const id = await upload(tapedeck, await makeVideo("recorder.mp4", 6), "To keep");
	for (const width of [1440, 390]) {
		await page.setViewportSize({ width, height: 900 });
		await openAt(page, id);
		await expect(page.getByRole("button", { name: "Delete recording" })).toHaveCount(0);
		await page.getByRole("button", { name: "More" }).click();
		await page.getByRole("menuitem", { name: "Delete recording" }).waitFor();
		const items = await page.getByRole("menuitem").allTextContents();
		expect(items.at(-1)).toBe("Delete recording");
		expect(items.at(-2)).not.toBe("Download");
		await page.keyboard.press("Escape");
	}
});

test("the current frame is copied as PNG, or saved where copying is not allowed", async ({
	page,
	context,
	tapedeck,
}) => {
	const id = await upload(tapedeck, await numberedVideo(15, 120, [200, 201]), "To copy: it");
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

test("a time after the end shows the end; a broken connection is reported, and the video continues where it was", async ({
	page,
	tapedeck,
}) => {
	const id = await upload(tapedeck, await makeVideo("recorder.mp4", 6), "To break");
	const video = await openAt(page, id, 100);
	await expect.poll(() => timeOf(video)).toBeCloseTo(6, 1);

	await page.goto(`/recordings/${id}`);
	await page.route("**/video", (route) => route.abort());
	await page.goto(`/recordings/${id}?t=3`);
	await expect(page.getByRole("alert").filter({ hasText: "Connection lost" })).toBeVisible();
	await page.unroute("**/video");
	await page.getByRole("button", { name: "Try again" }).click();
	await expect.poll(() => timeOf(video)).toBeGreaterThan(3);
	await expect(page.getByRole("alert").filter({ hasText: "Connection lost" })).toHaveCount(0);
	await page.route("**/video", (route) => route.fulfill({ status: 404 }));
	// Another one: the browser may still have the first.
	await page.goto(`/recordings/${await upload(tapedeck, await makeVideo("recorder.mp4", 6), "Missing")}`);
	await expect(page.getByText("The video file is missing.")).toBeVisible();
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
	const id = await upload(tapedeck, await makeVideo("recorder.mp4", 6), "To count");
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

test("forced colors keep markers and progress visible on the seek bar", async ({ page, tapedeck }) => {
	const { recording } = await recordShortly(tapedeck, "In forced colors", 4);
	await tapedeck.api.call("POST", `/v1/recordings/${recording?.id}/markers`, {
		label: "Here",
		kind: "step",
		offsetSeconds: 3,
	});
	await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
	await openAt(page, recording?.id ?? 0, 2);
	const seek = page.getByRole("slider", { name: "Seek" });
	await expect(seek).toHaveAttribute("aria-valuetext", /^2 s of /);
	await expect(page.locator("[data-tick]")).toBeVisible();
	const { width, height, pixels } = await pixelsOf(page, await seek.screenshot());
	const middle = Math.floor(height / 2);
	const at = (part: number) => pixels[middle * width + Math.floor(width * part)];
	expect(at(0.25), "what was played").not.toBe(at(0.75));
	expect(at(0.75), "what is left").not.toBe(pixels[0]);
	const tick = await pixelsOf(page, await page.locator("[data-tick]").screenshot());
	expect(new Set(tick.pixels).size, "colors of a marker and its background").toBeGreaterThan(1);
});

/** The colors of a screenshot, row by row, each as one number. */
const pixelsOf = (page: Page, png: Buffer): Promise<{ width: number; height: number; pixels: number[] }> =>
	page.evaluate(async (base64) => {
		const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
		const bitmap = await createImageBitmap(new Blob([bytes]));
		const { width, height } = bitmap;
		const context = new OffscreenCanvas(width, height).getContext("2d") as OffscreenCanvasRenderingContext2D;
		context.drawImage(bitmap, 0, 0);
		const { data } = context.getImageData(0, 0, width, height);
		return {
			width,
			height,
			pixels: Array.from(
				{ length: width * height },
				(_, at) => (data[at * 4] ?? 0) * 65_536 + (data[at * 4 + 1] ?? 0) * 256 + (data[at * 4 + 2] ?? 0),
			),
		};
	}, png.toString("base64"));
