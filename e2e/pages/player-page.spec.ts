/** The page of a recording around its player: markers, events, and messages about problems. */
import type { Page } from "playwright/test";
import { inExplore } from "#test/in-explore.ts";
import { recordShortly } from "#test/jobs.ts";
import { openAt, timeOf, uploadVideo } from "#test/pages/player.ts";
import { holdUndo } from "#test/pages/undo.ts";
import type { Stack } from "#test/stack.ts";
import { expect, test } from "#test/tapedeck.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

test.afterAll(removeTestFolder);

const markersOf = (page: Page) => page.getByRole("list", { name: "Markers" });

/** Uploads a video with a note at 0.6 s and a failure at 4 s. @returns its id. */
async function uploadWithMarkers(tapedeck: Stack, name: string): Promise<number> {
	const id = await uploadVideo(tapedeck, await makeVideo("recorder.mp4", 6), name);
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
	const id = await uploadVideo(tapedeck, await makeVideo("recorder.mp4", 6), "To mark");
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

inExplore(test)(
	"Delete stands apart from Download: at the end of a menu, in every size of the player",
	async ({ page, tapedeck }) => {
		const id = await uploadVideo(tapedeck, await makeVideo("recorder.mp4", 6), "To keep");
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
	},
);

test("a time after the end shows the end; a broken connection is reported, and the video continues where it was", async ({
	page,
	tapedeck,
}) => {
	const id = await uploadVideo(tapedeck, await makeVideo("recorder.mp4", 6), "To break");
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
	await page.goto(`/recordings/${await uploadVideo(tapedeck, await makeVideo("recorder.mp4", 6), "Missing")}`);
	await expect(page.getByText("The video file is missing.")).toBeVisible();
});

inExplore(test)("forced colors keep markers and progress visible on the seek bar", async ({ page, tapedeck }) => {
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
