/** The video options in the form of a new job are used, and invalid ones are refused at their field. */

import type { Job } from "@tapedeck/contract/job.ts";
import type { Locator, Page } from "playwright/test";
import { openWindow } from "#test/displays/x-window.ts";
import { startXvfb } from "#test/displays/xvfb.ts";
import { inExplore, variants } from "#test/in-explore.ts";
import { openDrawer, openForm } from "#test/pages/jobs-page.ts";
import { expect, test } from "#test/tapedeck.ts";

/** Opens the form for a job of one second, with the fields of its video. */
async function openVideoForm(page: Page, fields: { Name: string; Display: string }): Promise<Locator> {
	await page.goto("/jobs");
	const form = await openForm(page, "duration", { "Duration (seconds)": "1", ...fields });
	await form.getByText("Video quality").click();
	return form;
}

const fill = async (form: Locator, fields: Record<string, string>) => {
	for (const [label, value] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(value);
};

async function create(page: Page, form: Locator): Promise<Job> {
	const answered = page.waitForResponse(
		(answer) => answer.request().method() === "POST" && answer.url().endsWith("/v1/jobs"),
	);
	await form.getByRole("button", { name: "Create job" }).click();
	return (await answered).json();
}

test("a job is recorded as its form asks, and both the job and the recording say how", async ({ page, tapedeck }) => {
	const form = await openVideoForm(page, { Name: "Small and slow", Display: tapedeck.displayId });
	await form.getByLabel("Preset").selectOption("small");
	await form.getByLabel("Pointer").selectOption("Not recorded");
	await fill(form, {
		"Frames per second": "5",
		"Maximum width (pixels)": "320",
		"Maximum height (pixels)": "240",
		// It counts instead of the preset's.
		"Quality (CRF, 0–51)": "40",
		"Maximum bit rate (bits per second)": "500000",
		Region: "640x320+100+50",
	});
	const { id } = await create(page, form);
	const { recording } = await tapedeck.api.waitFor(id, "playable");
	expect(recording).toMatchObject({
		...{ width: 320, height: 160, durationSeconds: expect.closeTo(1, 3) },
		video: {
			...{ preset: "small", framesPerSecond: 5, crf: 40, cursor: false, maxBitrate: 500_000 },
			...{ maxWidth: 320, maxHeight: 240, region: { x: 100, y: 50, width: 640, height: 320 } },
		},
	});
	await page.goto("/jobs");
	await expect((await openDrawer(page, "Small and slow")).getByRole("region", { name: "Configuration" })).toContainText(
		"5 fps, small, CRF 40, at most 320 pixels wide, at most 240 pixels high, at most 500 kbit/s, without pointer, region 640x320+100+50",
	);
	await page.goto(`/recordings/${recording?.id}`);
	await page.getByRole("tab", { name: "Details" }).click();
	const details = page.getByRole("list", { name: "Details" });
	await expect(details).toContainText("320 × 160");
	await expect(details).toContainText("5 fps");
});

test("a job whose form names a window records that window alone", async ({ page, tapedeck }) => {
	const display = await startXvfb({ width: 640, height: 480 });
	try {
		await openWindow(display, { title: "Checkout – Shop", color: 0x3366cc, x: 40, y: 30, width: 320, height: 200 });
		const form = await openVideoForm(page, { Name: "One window", Display: display.id });
		await fill(form, { Window: "checkout" });
		const { id } = await create(page, form);
		const { recording } = await tapedeck.api.waitFor(id, "playable");
		expect(recording).toMatchObject({ width: 320, height: 200, video: { window: "checkout" } });
	} finally {
		await display.stop();
	}
});

const REFUSED = [
	["Frames per second", "0", "Enter a whole number from 1 to 60."],
	["Frames per second", "61", "Enter a whole number from 1 to 60."],
	["Frames per second", "0.5", "Enter a whole number from 1 to 60."],
	["Maximum width (pixels)", "641", "Enter an even number of pixels, 16 or more, e.g. 1280."],
	["Maximum height (pixels)", "14", "Enter an even number of pixels, 16 or more, e.g. 1280."],
	["Quality (CRF, 0–51)", "52", "Enter a whole number from 0 (lossless) to 51."],
	["Maximum bit rate (bits per second)", "1000", "Enter bits per second, 50000 or more."],
	["Region", "800x600-1+0", "Enter width, height and position in pixels, e.g. 800x600+100+50."],
] as const;

for (const [label, value, message] of variants(REFUSED, ([, value]) => value === "0.5" || value.startsWith("800x"))) {
	test(`${value} for ${label} is refused at its field, also when it is folded away, and nothing is sent`, async ({
		page,
		tapedeck,
	}) => {
		const form = await openVideoForm(page, { Name: "Not to be created", Display: tapedeck.displayId });
		await fill(form, { [label]: value });
		await form.getByText("Video quality").click();
		const field = form.getByLabel(label, { exact: true });
		await expect(field).toBeHidden();
		const sent: string[] = [];
		page.on("request", (request) => void (request.method() === "POST" && sent.push(request.url())));
		await form.getByRole("button", { name: "Create job" }).click();
		await expect(field).toHaveAccessibleDescription(message);
		await expect(field).toHaveAttribute("aria-invalid", "true");
		expect(sent.filter((url) => url.endsWith("/v1/jobs"))).toEqual([]);
	});
}

test("a region beside a window is refused at the window, until one of them is emptied", async ({ page, tapedeck }) => {
	const form = await openVideoForm(page, { Name: "Region or window", Display: tapedeck.displayId });
	await fill(form, { Region: "640x320", Window: "Shop" });
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(form.getByLabel("Window")).toHaveAccessibleDescription(
		"Enter a part of the window's title, and no region.",
	);
	await fill(form, { Window: "" });
	const { id, video } = await create(page, form);
	expect(video).toEqual({ region: { x: 0, y: 0, width: 640, height: 320 } });
	await tapedeck.api.cancelJob(id);
});

inExplore(test)(
	"a region that the display does not have fails the job, which names both",
	async ({ page, tapedeck }) => {
		const form = await openVideoForm(page, { Name: "Beyond the edge", Display: tapedeck.displayId });
		await fill(form, { Region: "640x320+1000+0" });
		const { id } = await create(page, form);
		expect(await tapedeck.api.waitFor(id, "ended")).toMatchObject({ status: "failed", recording: null });
		await page.goto(`/jobs/${id}`);
		await expect(page.getByRole("dialog", { name: "Beyond the edge" })).toContainText(
			`The region 640x320+1000+0 is not on display ${tapedeck.displayId}, which is 1280x720`,
		);
	},
);
