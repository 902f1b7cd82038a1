/** Looking through recordings without playing them, and the messages about black and frozen ones. */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Locator } from "playwright/test";
import { inExplore } from "#test/in-explore.ts";
import { recordShortly } from "#test/jobs.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { expect, test } from "#test/tapedeck.ts";
import { makeVideo, removeTestFolder, testFolder } from "#test/videos/make-video.ts";

test.afterAll(removeTestFolder);

/** A picture of one colour. */
async function picture(colour: string): Promise<Buffer> {
	const path = join(await testFolder(), `${colour}.jpg`);
	const source = ["-f", "lavfi", "-i", `color=${colour}:size=480x360`, "-frames:v", "1"];
	await promisify(execFile)("ffmpeg", ["-loglevel", "error", "-y", ...source, path]);
	return readFile(path);
}

/** The strongest color channel in the middle of an image. */
const colourOf = (image: Locator): Promise<string> =>
	image.evaluate((element: HTMLImageElement) => {
		const canvas = document.createElement("canvas");
		canvas.width = 1;
		canvas.height = 1;
		const pen = canvas.getContext("2d");
		pen?.drawImage(element, 0, 0, 1, 1);
		const [red = 0, green = 0, blue = 0] = pen?.getImageData(0, 0, 1, 1).data ?? [];
		const most = Math.max(red, green, blue);
		return most === red ? "red" : most === green ? "green" : "blue";
	});

/** Points at a part of the width of something, in its middle. */
async function pointAt(target: Locator, part: number): Promise<void> {
	const box = await target.boundingBox();
	if (box === null) throw new Error("it is not there");
	await target.page().mouse.move(box.x + box.width * part, box.y + box.height / 2);
}

test("a card and the player's timeline preview the frame under the pointer", async ({ page, tapedeck }) => {
	const bytes = await readFile(await makeVideo("recorder.mp4", 6));
	const runner = await scriptRunner(tapedeck, "runner of pictures");
	const id = await runner.record("To look through");
	expect(await runner.send(id, 0, bytes, bytes.length)).toBe(204);
	for (const [at, colour] of [
		[0, "red"],
		[2, "lime"],
		[4, "blue"],
	] as const) {
		expect(await runner.picture(id, at, await picture(colour))).toBe(204);
	}
	await runner.report(id, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
	const recordingId = (await tapedeck.api.waitFor(id, "playable")).recording?.id;

	await page.goto("/recordings");
	const card = page.getByRole("listitem").filter({ hasText: "To look through" });
	const poster = card.locator("img").first();
	await expect(poster).toBeVisible();
	const frame = card.locator("img[data-scrub]");
	for (const [part, colour] of [
		[0.1, "red"],
		[0.5, "green"],
		[0.9, "blue"],
		[0.2, "red"],
	] as const) {
		await pointAt(poster, part);
		await expect.poll(() => colourOf(frame)).toBe(colour);
	}
	await page.mouse.move(2, 2);
	await expect(frame).toHaveCount(0);

	await card.getByRole("link").click();
	await expect(page).toHaveURL(new RegExp(`/recordings/${recordingId}$`));
	const bar = page.getByRole("slider", { name: "Seek" });
	const preview = page.locator("[data-preview]");
	await pointAt(bar, 0.5);
	await expect(preview).toContainText(/0:0(2|3)/);
	await expect.poll(() => colourOf(preview.locator("img"))).toBe("green");
	await pointAt(bar, 0.95);
	await expect.poll(() => colourOf(preview.locator("img"))).toBe("blue");
	await page.mouse.move(2, 2);
	await expect(preview).toHaveCount(0);
	await runner.stop();
});

inExplore(test)("an uploaded video has previews too", async ({ page, tapedeck }) => {
	const bytes = await readFile(await makeVideo("plain.mp4", 4));
	const answer = await fetch(`${tapedeck.url}/v1/recordings?name=Elsewhere, looked through`, {
		method: "POST",
		headers: { authorization: `Bearer ${tapedeck.apiKey}`, "content-type": "video/mp4" },
		body: new Uint8Array(bytes),
	});
	expect(answer.status).toBe(201);
	await page.goto("/recordings");
	const card = page.getByRole("listitem").filter({ hasText: "Elsewhere, looked through" });
	await pointAt(card.locator("img").first(), 0.6);
	const frame = card.locator("img[data-scrub]");
	await expect(frame).toBeVisible();
	await expect(frame).toHaveAttribute("src", /frame\?at=2$/);
	expect(await frame.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(160);
});

inExplore(test)("without a storyboard nothing covers the poster", async ({ page, tapedeck }) => {
	const bytes = await readFile(await makeVideo("plain.mp4", 4));
	await fetch(`${tapedeck.url}/v1/recordings?name=Without pictures`, {
		method: "POST",
		headers: { authorization: `Bearer ${tapedeck.apiKey}`, "content-type": "video/mp4" },
		body: new Uint8Array(bytes),
	});
	// Simulates a machine without an encoder, or with a full disk.
	await page.route(/\/frame\?/, (route) => route.fulfill({ status: 404 }));
	/** Points at two moments: the second picture is requested after the first one has failed. */
	const lookAt = async (target: Locator) => {
		for (const part of [0.3, 0.7]) {
			const refused = page.waitForResponse(/\/frame\?/);
			await pointAt(target, part);
			await refused;
		}
	};
	await page.goto("/recordings");
	const card = page.getByRole("listitem").filter({ hasText: "Without pictures" });
	await lookAt(card.locator("img").first());
	await expect(card.locator("img[data-scrub]")).toBeHidden();
	await card.getByRole("link").click();
	await lookAt(page.getByRole("slider", { name: "Seek" }));
	const preview = page.locator("[data-preview]");
	await expect(preview).toContainText(/0:0/);
	await expect(preview.locator("img")).toBeHidden();
});

inExplore(test)("a real recording leaves a storyboard of its length", async ({ tapedeck }) => {
	const job = await recordShortly(tapedeck, "With a storyboard", 8);
	const path = `/v1/recordings/${job.recording?.id}/storyboard`;
	const timesNow = async () =>
		(await tapedeck.api.call<{ data: { at: number }[] }>("GET", path)).data.map(({ at }) => at);
	// The runner sends the remaining pictures after the video.
	await expect.poll(async () => (await timesNow()).at(-1) ?? 0).toBeGreaterThan(4);
	const times = await timesNow();
	expect(times.length).toBeGreaterThanOrEqual(2);
	expect(times).toEqual(times.toSorted((a, b) => a - b));
	expect(times.at(-1)).toBeLessThanOrEqual(job.recording?.durationSeconds ?? 0);
});

for (const [verdict, title, meaning] of [
	["black", "Black video", "The screen was a single color throughout."],
	["frozen", "Frozen video", "The screen never changed."],
] as const) {
	test(`a ${verdict} video says so in the list, in the drawer and on its page`, async ({ page, tapedeck }) => {
		const bytes = await readFile(await makeVideo("recorder.mp4"));
		const runner = await scriptRunner(tapedeck, `runner of ${verdict}`);
		const id = await runner.record(`Nothing to see, ${verdict}`);
		await page.goto("/jobs");
		const row = page.getByRole("row").filter({ hasText: `Nothing to see, ${verdict}` });
		await expect(row).toBeVisible();
		await expect(row.getByText(title)).toHaveCount(0);
		await runner.send(id, 0, bytes, bytes.length);
		await runner.report(id, { type: "stopped", stopReason: "cancelled", verdict });
		await expect(row.getByText(title)).toBeVisible();
		await row.getByRole("link").click();
		const drawer = page.getByRole("dialog");
		await expect(drawer.getByText(title)).toBeVisible();
		await expect(drawer.getByText(meaning)).toBeVisible();
		const recordingId = (await tapedeck.api.readJob(id)).recording?.id;
		await page.goto("/recordings");
		const card = page.getByRole("listitem").filter({ hasText: `Nothing to see, ${verdict}` });
		await expect(card.getByText(title)).toBeVisible();
		await page.goto(`/recordings/${recordingId}`);
		await expect(page.getByText(meaning)).toBeVisible();
		await runner.stop();
	});
}
