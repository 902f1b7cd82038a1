/** The drawer of a job: its stop reason, the available actions, and its neighbors. */

import type { Page } from "playwright/test";
import { startFakeGrid } from "#test/grids/fake-grid.ts";
import { inExplore } from "#test/in-explore.ts";
import { recordShortly } from "#test/jobs.ts";
import { createByForm, openDrawer, openForm, rowOf } from "#test/pages/jobs-page.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { expect, test } from "#test/tapedeck.ts";
import { expectPlaying } from "#test/videos/expect-playing.ts";

test("an idle stop shows its polls, and Run again repeats the job once the password is entered again", async ({
	page,
	tapedeck,
}) => {
	const grid = await startFakeGrid();
	grid.credentials = { username: "ada", password: "typed twice" };
	grid.respondWith({ kind: "sessions", count: 1 });
	const name = "Ended by its grid";
	const job = await tapedeck.api.createJob({
		runnerId: tapedeck.runnerId,
		displayId: tapedeck.displayId,
		name,
		stopCondition: "selenium_idle",
		stopConditionConfig: { gridUrl: grid.url, gridUsername: "ada", gridPassword: "typed twice" },
	});
	await tapedeck.api.waitFor(job.id, "recording");
	grid.respondWith({ kind: "sessions", count: 0 });
	await tapedeck.api.waitFor(job.id, "playable");
	await page.goto(`/jobs/${job.id}`);
	const drawer = page.getByRole("dialog", { name });
	// There are eleven polls in the 5 s, and fewer in a longer time on a machine that delays them.
	const stop = (await tapedeck.api.events(job.id)).find(({ type }) => type === "stopped");
	const { zeros, polls } = stop?.data as { zeros: number; polls: { at: string }[] };
	const [first, last] = [polls[0], polls.at(-1)].map((poll) => Date.parse(poll?.at ?? ""));
	const seconds = (Number(last) - Number(first)) / 1_000;
	expect(seconds).toBeGreaterThan(4.9);
	const idle = `${seconds.toFixed(1)} s (${zeros} checks of ${grid.url}).`;
	await expect(drawer.getByText(`Stopped: no Selenium sessions for ${idle}`)).toBeVisible();

	const events = drawer.getByRole("region", { name: "Events" });
	await expect(events.getByRole("listitem").filter({ hasText: "First frame captured" })).toContainText("+0:00.0");
	await events.getByText(polls.length === zeros ? `${zeros} checks` : `${polls.length} of ${zeros} checks`).click();
	await expect(events.getByText(/^0 sessions · \d+ ms$/)).toHaveCount(polls.length);
	await drawer.getByText("Repeat with curl").click();
	await expect(drawer.getByRole("region", { name: "Configuration" })).toContainText("$GRID_PASSWORD");

	await drawer.getByRole("button", { name: "Run again" }).click();
	const form = page.getByRole("dialog", { name: "New job" });
	await expect(form.getByLabel("Name", { exact: true })).toHaveValue(name);
	await expect(form.getByLabel("Grid URL")).toHaveValue(grid.url);
	await expect(form.getByLabel("Grid username")).toHaveValue("ada");
	await expect(form.getByLabel("Grid password")).toHaveValue("");
	await expect(form.getByLabel("Grid password")).toHaveAccessibleDescription(/Re-enter the grid password/);
	await form.getByLabel("Grid password").fill("typed twice");
	const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
	await form.getByRole("button", { name: "Create job" }).click();
	const again = await (await answered).json();
	expect(again).toMatchObject({ name, stopCondition: "selenium_idle", stopConditionConfig: job.stopConditionConfig });
	await expect(form).toBeHidden();
	await expect(page).toHaveURL(new RegExp(`/jobs/${again.id}$`));
	await expect(drawer.getByRole("button", { name: "Cancel job" })).toBeVisible();
	await expect(drawer).toBeFocused();
	await tapedeck.api.cancelJob(again.id);
	await tapedeck.api.waitFor(again.id, "ended");
	await grid.stop();
});

test("a cancel shows at once and is undone with the server's message if refused; otherwise the job ends with its video shown", async ({
	page,
	tapedeck,
}) => {
	const name = "Refused, then cancelled";
	await page.goto("/jobs");
	const { id } = await createByForm(page, "interrupt", { Name: name, Display: tapedeck.displayId });
	await tapedeck.api.waitFor(id, "recording");
	const drawer = await openDrawer(page, name);
	const video = drawer.locator("video");
	await expectPlaying(video);
	await expect(drawer.getByText("Live", { exact: true })).toBeVisible();

	let answer = () => {};
	const held = new Promise<void>((resolve) => {
		answer = resolve;
	});
	await page.route(`**/v1/jobs/${id}/cancel`, async (route) => {
		await held;
		const detail = "Your role was changed a moment ago.";
		await route.fulfill({
			status: 403,
			contentType: "application/problem+json",
			json: { type: "about:blank", title: "Forbidden", status: 403, code: "forbidden", detail },
		});
	});
	await drawer.getByRole("button", { name: "Cancel job" }).click();
	await expect(drawer.getByRole("button", { name: "Cancelling…" })).toBeVisible();
	answer();
	await expect(page.getByText(`“${name}” was not cancelled. Your role was changed a moment ago.`)).toBeVisible();
	await expect(drawer.getByRole("button", { name: "Cancel job" })).toBeVisible();
	expect((await tapedeck.api.readJob(id)).status).toBe("recording");

	await page.unroute(`**/v1/jobs/${id}/cancel`);
	await drawer.getByRole("button", { name: "Cancel job" }).click();
	await expect(drawer.getByText("Stopped. The video is ready.").first()).toBeVisible();
	// A minute or more on a busy machine.
	await expect(drawer.getByText(/^Stopped by .+ after \d+(\.\d s| min.*)\./)).toBeVisible();
	await expectPlaying(video);
	await expect(drawer.getByRole("button", { name: "Run again" })).toBeVisible();
});

test("the drawer of a new job reserves the space of its video, and shows the first frame once the job has ended", async ({
	page,
	tapedeck,
}) => {
	const name = "Seen from its first second";
	await page.goto("/jobs");
	const form = await openForm(page, "interrupt", { Name: name, Display: tapedeck.displayId });
	await form.getByRole("button", { name: "Create job" }).click();
	const drawer = page.getByRole("dialog", { name });
	const configuration = drawer.getByRole("region", { name: "Configuration" });
	await expect(configuration).toBeVisible();
	const before = await configuration.boundingBox();
	const video = drawer.locator("video");
	await expectPlaying(video);
	const during = await configuration.boundingBox();
	expect(Math.abs((during?.y ?? 0) - (before?.y ?? Number.NaN)), "pixels that the rest has moved").toBeLessThan(8);

	await drawer.getByRole("button", { name: "Cancel job" }).click();
	await expect(drawer.getByText("Stopped. The video is ready.").first()).toBeVisible();
	await expect
		.poll(() =>
			video.evaluate(async (element: HTMLVideoElement) => {
				const picture = new Image();
				picture.src = element.poster;
				await picture.decode();
				return [picture.naturalWidth, picture.naturalHeight];
			}),
		)
		.toEqual([1280, 720]);

	await drawer.getByRole("slider", { name: "Seek" }).fill("0.6");
	await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeCloseTo(0.6, 1);
	const open = drawer.getByRole("link", { name: "Open the video" });
	await open.click();
	await expect(page).toHaveURL(/\/recordings\/\d+\?t=0\.[56]\d*$/);
	await expect(page.getByRole("slider", { name: "Seek" })).toHaveValue(/^0\.[56]/);
});

inExplore(test)(
	"the drawer of an ended job shows its poster until the first frame has come, and no black box",
	async ({ page, tapedeck }) => {
		const job = await recordShortly(tapedeck, "Seen before it plays", 2);
		const { promise: shown, resolve: release } = Promise.withResolvers<void>();
		for (const late of [/\/poster\?size=full$/, /\/video$/]) {
			await page.route(late, async (route) => {
				await shown;
				await route.continue();
			});
		}
		// Does not wait for the load event, which may depend on the delayed requests.
		await page.goto(`/jobs/${job.id}`, { waitUntil: "commit" });
		const drawer = page.getByRole("dialog", { name: job.name });
		await expect(drawer.getByRole("region", { name: "Player controls" })).toBeVisible();
		const wanted = await brightnessOf(
			page,
			await (await page.request.get(`/v1/recordings/${job.recording?.id}/poster`)).body(),
		);
		expect(wanted).toBeGreaterThan(10);
		await expect
			.poll(async () => Math.abs((await brightnessOf(page, await drawer.locator("video").screenshot())) - wanted))
			.toBeLessThan(0.2 * wanted);
		release();
		await drawer.getByRole("button", { name: "Play" }).click();
		await expectPlaying(drawer.locator("video"));
	},
);

/** The average brightness of an image, from 0 to 255. */
const brightnessOf = (page: Page, image: Buffer): Promise<number> =>
	page.evaluate(async (base64) => {
		const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
		const bitmap = await createImageBitmap(new Blob([bytes]));
		const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
		const context = canvas.getContext("2d");
		context?.drawImage(bitmap, 0, 0);
		const pixels = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [];
		let sum = 0;
		for (let at = 0; at < pixels.length; at += 4) sum += pixels[at + 1] ?? 0;
		return (4 * sum) / pixels.length;
	}, image.toString("base64"));

test("a queued job says what it waits for, and the arrow keys move from job to job in the open drawer", async ({
	page,
	tapedeck,
}) => {
	const runner = await scriptRunner(tapedeck, "runner that left");
	await runner.stop();
	const [below, above] = ["Waits below", "Waits above"];
	for (const name of [below, above]) {
		await tapedeck.api.createJob({ runnerId: runner.runnerId, displayId: ":77", name, stopCondition: "interrupt" });
	}
	await page.goto("/jobs?q=Waits");
	await rowOf(page, above).click();
	const first = page.getByRole("dialog", { name: above });
	await expect(first.getByText(/runner that left has been offline for \d+ (s|min)/)).toBeVisible();
	await page.keyboard.press("ArrowUp");
	await expect(first).toBeVisible();
	await page.keyboard.press("ArrowDown");
	const second = page.getByRole("dialog", { name: below });
	await expect(second).toBeVisible();
	await expect(page.getByRole("dialog")).toHaveCount(1);
	await second.getByRole("button", { name: "Previous job" }).click();
	await expect(first).toBeVisible();
	await first.getByRole("button", { name: "Next job" }).click();
	await second.getByRole("button", { name: "Cancel job" }).click();
	await expect(second.getByText(/^Cancelled by .+ before the first frame/)).toBeVisible();
	await page.keyboard.press("Escape");
	await expect(second).toBeHidden();
	await expect(rowOf(page, below).getByRole("link")).toBeFocused();
	await expect(page).toHaveURL(/\/jobs\?q=Waits$/);
});

inExplore(test)("a failed job that has a video leads to it", async ({ page, tapedeck }) => {
	const name = "Failed with a video";
	const job = await recordShortly(tapedeck, name);
	await page.route(`**/v1/jobs/${job.id}`, (route) =>
		route.fulfill({
			json: {
				...job,
				status: "failed",
				stopReason: "display_lost",
				error: { code: "display_lost", message: "Display :99 went away." },
			},
		}),
	);
	await page.goto(`/jobs/${job.id}`);
	const drawer = page.getByRole("dialog", { name });
	await expect(drawer.getByText("Everything recorded until then is saved.")).toBeVisible();
	await drawer.getByRole("link", { name: "Open the video" }).click();
	await expect(page).toHaveURL(new RegExp(`/recordings/${job.recording?.id}`));

	const history = page.getByRole("main");
	await expect(history.getByText("Display :99 went away.")).toBeVisible();
	await expect(history.getByRole("link", { name: "Open the video" })).toHaveCount(0);
});

inExplore(test)(
	"Open the video keeps the moment of the address while the video in the drawer was not played",
	async ({ page, tapedeck }) => {
		const name = "A moment in the address";
		const job = await recordShortly(tapedeck, name, 3);
		await page.goto(`/jobs/${job.id}`);
		const drawer = page.getByRole("dialog", { name });
		await expect(drawer.locator("video")).toBeVisible();
		// Changes the address like a link on the jobs page, without a request to the server, which would redirect.
		await page.evaluate(() => history.replaceState(null, "", `${location.pathname}?t=1.5`));
		await drawer.getByRole("link", { name: "Open the video" }).click();
		await expect(page).toHaveURL(new RegExp(`/recordings/${job.recording?.id}\\?t=1\\.5$`));

		await page.goto(`/jobs/${job.id}`);
		await expect(drawer.locator("video")).toBeVisible();
		await page.evaluate(() => history.replaceState(null, "", `${location.pathname}?t=1.5`));
		await page.keyboard.press("Escape");
		await expect(page).toHaveURL(/\/jobs$/);
	},
);
