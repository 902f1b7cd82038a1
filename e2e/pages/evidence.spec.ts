/** The data of a video except its frames, in tabs: logs, console, network; and their download. */

import { readFile } from "node:fs/promises";
import type { Job } from "@tapedeck/contract/job.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import type { TrackLine } from "@tapedeck/contract/track.ts";
import type { Locator, Page } from "playwright/test";
import { inExplore } from "#test/in-explore.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { addRecording } from "#test/pages/recordings-page.ts";
import { type ScriptedRunner, scriptRunner } from "#test/runners/scripted-runner.ts";
import type { Dashboard } from "#test/stack.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

test.afterAll(removeTestFolder);

const SECONDS = 12;
const ESC = "\u001b";

interface Line {
	offsetMs: number;
	text: string;
	level?: string;
	data?: object;
}

async function send({ url, apiKey }: Dashboard, jobId: number, track: string, lines: readonly Line[]): Promise<void> {
	const answer = await fetch(`${url}/v1/jobs/${jobId}/tracks/${track}`, {
		method: "POST",
		headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/x-ndjson" },
		body: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
	});
	expect(await answer.json()).toMatchObject({ refused: 0 });
}

/** A job that is recording, with the beginning of its video. */
async function begin(runner: ScriptedRunner, name: string): Promise<{ jobId: number; rest(): Promise<void> }> {
	// Lines of the future are not stored as such.
	const jobId = await runner.record(name, { stopCondition: "interrupt" }, SECONDS * 1_000);
	const video = await readFile(await makeVideo("recorder.mp4", SECONDS));
	await runner.send(jobId, 0, video);
	return {
		jobId,
		rest: async () => {
			await runner.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
			await runner.send(jobId, video.length, Buffer.alloc(0), video.length);
		},
	};
}

const logLine = (second: number): Line => ({ offsetMs: second * 1_000, text: `second ${second} of the log` });

/** A checkout that failed at 9 s, with all that is known of it. @returns its job. */
async function failedCheckout(tapedeck: Dashboard, name: string): Promise<Job> {
	const runner = await scriptRunner(tapedeck, `runner of ${name}`);
	const { jobId, rest } = await begin(runner, name);
	await rest();
	const job = await tapedeck.api.waitFor(jobId, "playable");
	await runner.stop();
	await send(tapedeck, jobId, "log", [
		...Array.from({ length: SECONDS }, (_, second) => logLine(second)),
		{ offsetMs: 8_500, text: `${ESC}[31mpay failed${ESC}[0m <b>in bold</b>\nat pay.ts:7`, level: "error" },
		{ offsetMs: 2_500, text: "stock is low", level: "warn" },
	]);
	await send(tapedeck, jobId, "console", [
		{ offsetMs: 8_800, text: "TypeError: total is undefined", level: "error", data: { source: "shop.js", line: 12 } },
	]);
	await send(tapedeck, jobId, "network", [
		{
			...{ offsetMs: 6_500, text: "GET https://shop.example/cart 200" },
			data: { method: "GET", status: 200, url: "https://shop.example/cart?id=4", durationMs: 120, bytes: 2_048 },
		},
		{
			...{ offsetMs: 8_400, text: "POST https://shop.example/pay 500", level: "error" },
			data: { method: "POST", status: 500, url: "https://shop.example/pay", durationMs: 2_003, bytes: 312 },
		},
	]);
	await send(tapedeck, jobId, "mobile-app", [{ offsetMs: 1_000, text: "from another program" }]);
	await send(
		tapedeck,
		jobId,
		"load",
		Array.from({ length: SECONDS }, (_, second) => {
			const cpu = second === 8 ? 0.9 : 0.2;
			const data = { cpu, memory: 0.5, steal: second === 8 ? 0.06 : 0, diskWait: 0 };
			return { offsetMs: second * 1_000 + 500, text: `CPU ${Math.round(cpu * 100)} %`, data };
		}),
	);
	await tapedeck.api.call("POST", `/v1/recordings/${job.recording?.id}/markers`, {
		...{ kind: "fail", label: "checkout pays", message: "Expected 3\nReceived 2", offsetSeconds: 9 },
	});
	await tapedeck.api.call("PATCH", `/v1/jobs/${jobId}`, {
		outcome: "failed",
		labels: { build: "shop #4", test: "checkout pays" },
	});
	return job;
}

const position = (page: Page): Promise<number> =>
	page.locator("video").evaluate((video) => (video as HTMLVideoElement).currentTime);
const tab = (page: Page, name: string): Locator => page.getByRole("tab", { name, exact: true });
const list = (page: Page, name: string): Locator => page.getByRole("listbox", { name, exact: true });
const row = (page: Page, track: string, text: string | RegExp): Locator =>
	list(page, track).getByRole("option").filter({ hasText: text });
const isInView = (box: Locator): Promise<boolean> =>
	box.evaluate((element) => {
		const own = element.getBoundingClientRect();
		const around = element.parentElement?.getBoundingClientRect();
		return around !== undefined && own.top >= around.top - 1 && own.bottom <= around.bottom + 1;
	});

inExplore(test)(
	"the tabs beside a video have what there is of it, at every width, and none that has nothing",
	async ({ page, tapedeck }) => {
		const job = await failedCheckout(tapedeck, "Checkout in tabs");
		for (const [width, height] of [
			[1920, 1080],
			[1280, 720],
			[390, 844],
		] as const) {
			await page.setViewportSize({ width, height });
			await page.goto(`/recordings/${job.recording?.id}`);
			await expect(page.getByRole("tab")).toHaveText([
				...["Markers", "Log", "Console", "Network", "Mobile app", "Events", "Details"],
			]);
			await expect(page.getByRole("region", { name: "Test result" })).toContainText("Received 2");
			for (const name of ["Log", "Console", "Network", "Events", "Details"]) {
				await tab(page, name).click();
				await expect(tab(page, name)).toHaveAttribute("aria-selected", "true");
				if (name === "Log") await expect(row(page, "Log", "second 4 of the log")).toBeVisible();
				if (name === "Network") await expect(row(page, "Network", "/pay")).toContainText("POST500/pay2.0 s312 B");
				if (name === "Console") await expect(row(page, "Console", "TypeError")).toBeVisible();
				for (const colorScheme of ["light", "dark"] as const) {
					await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
					const where = `${name} at ${width}, ${colorScheme}`;
					expect(await violationsOf(page, { onlyColors: colorScheme === "dark" }), where).toEqual([]);
				}
				await page.emulateMedia({ colorScheme: "light" });
			}
			expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
		}

		// The failure first: title, outcome, message, video and list without scrolling.
		await page.setViewportSize({ width: 1280, height: 720 });
		await page.goto(`/recordings/${job.recording?.id}`);
		await tab(page, "Log").click();
		for (const shown of [
			page.getByRole("heading", { level: 1 }),
			page.getByRole("region", { name: "Test result" }),
			page.getByRole("region", { name: "Player controls" }),
			list(page, "Log"),
		]) {
			const box = await shown.boundingBox();
			expect(box && box.y >= 0 && box.y + box.height <= 720).toBe(true);
		}

		// A video with nothing but itself has no tabs.
		const { id } = await addRecording(tapedeck, "Alone", await makeExternalVideo({ seconds: 2 }));
		await page.goto(`/recordings/${id}`);
		await expect(page.getByRole("list", { name: "Details" })).toBeVisible();
		await expect(page.getByRole("tab")).toHaveCount(0);
	},
);

/** The controls of the player that cover one another, or reach over the edge of their region, as sentences. */
const coveredControls = (page: Page): Promise<string[]> =>
	page.getByRole("region", { name: "Player controls" }).evaluate((region) => {
		const { left, right, top, bottom } = region.getBoundingClientRect();
		// The seek bar has its marks one upon the other.
		const bar = region.querySelector("[type=range]")?.parentElement;
		const boxes = [...region.querySelectorAll("button, select, a, time, span")]
			.filter((control) => !bar?.contains(control) && control.checkVisibility())
			.map((control) => ({
				control,
				name: control.ariaLabel ?? control.textContent,
				box: control.getBoundingClientRect(),
			}))
			.filter(({ box }) => box.width > 0);
		const outside = boxes
			.filter(({ box }) => box.left < left || box.right > right || box.top < top || box.bottom > bottom)
			.map(({ name }) => `${name} is outside`);
		const covered = boxes.flatMap(({ control, name, box }, index) =>
			boxes
				.slice(index + 1)
				.filter((other) => !control.contains(other.control))
				.filter(
					(other) =>
						// Neighbours may touch, in fractions of a pixel.
						Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left) > 0.5 &&
						Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top) > 0.5,
				)
				.map((other) => `${name} covers ${other.name}`),
		);
		return [...outside, ...covered];
	});

inExplore(test)(
	"no control of the player covers another one, at any width, beside a panel or alone",
	async ({ page, tapedeck }) => {
		const job = await failedCheckout(tapedeck, "Checkout with controls");
		await page.goto(`/recordings/${job.recording?.id}`);
		await expect(page.getByRole("tab")).toHaveCount(7);
		for (const width of [1920, 1600, 1440, 1366, 1280, 1152, 1024, 820, 700, 390, 320]) {
			await page.setViewportSize({ width, height: 800 });
			await expect.poll(() => coveredControls(page), `at ${width}`).toEqual([]);
		}
	},
);

test("a list follows the video until somebody scrolls; a click and the keyboard lead to a line's moment", async ({
	page,
	tapedeck,
}) => {
	const job = await failedCheckout(tapedeck, "Checkout that is read");
	const many = Array.from({ length: 1_500 }, (_, index) => ({ offsetMs: index * 8, text: `request ${index}` }));
	await send(tapedeck, job.id, "server", many);
	await page.goto(`/recordings/${job.recording?.id}`);
	await tab(page, "Server").click();
	const current = list(page, "Server").locator('[aria-current="true"]');
	// Five seconds before the failure, where the video waits.
	await expect(current).toContainText("request 500");
	await expect.poll(() => isInView(current)).toBe(true);
	expect(await list(page, "Server").getByRole("option").count()).toBeLessThan(150);

	await page.getByRole("slider", { name: "Seek" }).fill("11.2");
	await expect(current).toContainText("request 1400");
	await expect.poll(() => isInView(current)).toBe(true);
	// Lines that the user reads keep their place.
	await list(page, "Server").hover();
	await page.mouse.wheel(0, -2_000);
	await expect(page.getByRole("button", { name: "Follow the video" })).toBeVisible();
	await page.getByRole("slider", { name: "Seek" }).fill("0.8");
	await expect(row(page, "Server", /request 13\d\d/).first()).toBeVisible();
	await page.getByRole("button", { name: "Follow the video" }).click();
	await expect(current).toContainText("request 100");
	await expect.poll(() => isInView(current)).toBe(true);
	await expect(list(page, "Server")).toBeFocused();

	// The first and the last line of the whole track.
	await page.keyboard.press("End");
	await expect(row(page, "Server", "request 1499")).toBeVisible();
	await page.keyboard.press("ArrowUp");
	await page.keyboard.press("Enter");
	await expect.poll(() => position(page)).toBeCloseTo(1_498 * 0.008, 2);
	await page.keyboard.press("Home");
	await expect(row(page, "Server", /request 0$/)).toBeVisible();
	await row(page, "Server", /request 3$/).click();
	await expect.poll(() => position(page)).toBeCloseTo(0.024, 2);

	// Works while the lines of the other end are loading as well.
	await page.route(/\/tracks\/server\?/, async (route) => {
		const answer = await route.fetch();
		await new Promise((resolve) => setTimeout(resolve, 1_000));
		await route.fulfill({ response: answer });
	});
	await list(page, "Server").focus();
	await page.keyboard.press("End");
	await expect(list(page, "Server")).toHaveAttribute("aria-busy", "true");
	await page.keyboard.press("Home");
	await expect(list(page, "Server")).not.toHaveAttribute("aria-busy");
	await expect(row(page, "Server", /request 0$/)).toBeVisible();
});

test("text of a track is only ever text, in its colours, and in full on request", async ({ page, tapedeck }) => {
	const job = await failedCheckout(tapedeck, "Checkout with colours");
	await page.goto(`/recordings/${job.recording?.id}`);
	await tab(page, "Log").click();
	const failed = row(page, "Log", "pay failed");
	await expect(failed).toContainText("Error: pay failed <b>in bold</b> …");
	await expect(failed.getByText("pay failed", { exact: true })).toHaveClass(/text-danger/);
	await expect(failed.locator("b")).toHaveCount(0);
	await expect(failed).toHaveAttribute("data-near-failure", "");
	await expect(row(page, "Log", "second 2 of the log")).not.toHaveAttribute("data-near-failure", "");
	await failed.click();
	await expect.poll(() => position(page)).toBeCloseTo(8.5, 2);
	const line = page.getByRole("region", { name: "Line" });
	await expect(line.locator("pre")).toHaveText("pay failed <b>in bold</b>\nat pay.ts:7");
	await line.getByRole("button", { name: "Close the line" }).click();
	await expect(line).toHaveCount(0);
	await expect(list(page, "Log")).toBeFocused();
	await tab(page, "Console").click();
	await row(page, "Console", "TypeError").click();
	await expect(line).toContainText('"source": "shop.js"');
});

test("the server searches a track, by text and by level", async ({ page, tapedeck }) => {
	const job = await failedCheckout(tapedeck, "Checkout that is searched");
	await page.goto(`/recordings/${job.recording?.id}`);
	await tab(page, "Log").click();
	const rows = list(page, "Log").getByRole("option");
	await expect(rows).toHaveCount(SECONDS + 2);
	await page.keyboard.press("/");
	await expect(page.getByRole("searchbox", { name: "Search in Log" })).toBeFocused();
	await page.keyboard.type("FAILED <B>");
	await expect(rows).toHaveText([/pay failed/]);
	await page.getByRole("searchbox", { name: "Search in Log" }).fill("not there");
	await expect(page.getByText("No lines match this search.")).toBeVisible();
	await page.getByRole("searchbox", { name: "Search in Log" }).fill("");
	await page.getByRole("combobox", { name: "Level of Log" }).selectOption("warn");
	await expect(rows).toHaveText([/stock is low/, /pay failed/]);
	await page.getByRole("combobox", { name: "Level of Log" }).selectOption("error");
	await expect(rows).toHaveText([/pay failed/]);
});

test("the seek bar has the errors of all tracks, and says how busy the machine was", async ({ page, tapedeck }) => {
	const job = await failedCheckout(tapedeck, "Busy checkout");
	await page.goto(`/recordings/${job.recording?.id}`);
	const ticks = page.locator('[data-tick="error"]');
	await expect(ticks).toHaveCount(3);
	await expect(page.locator("svg[data-load]")).toBeVisible();
	await ticks.first().click();
	await expect.poll(() => position(page)).toBeCloseTo(8.4, 2);
	const preview = page.locator("[data-preview]");
	await expect(preview).toContainText("POST https://shop.example/pay 500");
	await expect(preview).toContainText("4 % of the CPU left");
	// The keyboard shows the same.
	const slider = page.getByRole("slider", { name: "Seek" });
	await expect(slider).toHaveAttribute("aria-valuetext", /, 4 % of the CPU left$/);
	await page.getByRole("combobox", { name: "Speed" }).focus();
	await slider.focus();
	await page.keyboard.press("Home");
	await expect(slider).toHaveAttribute("aria-valuetext", /, 80 % of the CPU left$/);
	await expect(slider.locator("+ span")).toBeVisible();
});

test("the windows that were active are chapters of the seek bar, by pointer and keyboard, and take no space of their own", async ({
	page,
	tapedeck,
}) => {
	const job = await failedCheckout(tapedeck, "Checkout in chapters");
	const long = `Pay – ${"The Shop ".repeat(20)}`;
	await send(tapedeck, job.id, "windows", [
		{ offsetMs: 0, text: "Cart – The Shop", data: { window: "0x200001" } },
		{ offsetMs: 3_000, text: "(private)", data: { window: null } },
		{ offsetMs: 6_000, text: long, data: { window: "0x200001" } },
	]);
	await page.goto(`/recordings/${job.recording?.id}`);
	const slider = page.getByRole("slider", { name: "Seek" });
	await expect(slider).toBeVisible();
	await expect(tab(page, "Windows")).toHaveCount(0);
	const bar = await slider.boundingBox();
	if (bar === null) throw new Error("There is no seek bar.");
	const preview = page.locator("[data-preview]");
	const point = (second: number) =>
		page.mouse.move(bar.x + 6 + (second / SECONDS) * (bar.width - 12), bar.y + bar.height / 2);
	await point(1.2);
	await expect(preview).toContainText("Cart – The Shop");
	await point(4.6);
	await expect(preview).toContainText("0:04");
	await expect(preview).not.toContainText("The Shop");
	await expect(preview).not.toContainText("(private)");
	await point(7.2);
	await expect(preview).toContainText("Pay – The Shop");
	const box = await preview.boundingBox();
	expect(box?.width).toBeLessThan(200);

	await slider.focus();
	await page.keyboard.press("Home");
	await expect(slider).toHaveAttribute("aria-valuetext", /, Cart – The Shop, 80 % of the CPU left$/);
	await expect(slider.locator("+ span")).toContainText("Cart – The Shop");
});

test("a bug report of a test has no errors of the tests before and after it", async ({ page, tapedeck, context }) => {
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	const job = await failedCheckout(tapedeck, "Checkout of two tests");
	const log = await tapedeck.api.call<{ data: TrackLine[] }>("GET", `/v1/jobs/${job.id}/tracks/log?limit=1`);
	const firstFrame = Date.parse(log.data[0]?.at ?? "") - 1_000 * (log.data[0]?.offsetSeconds ?? 0);
	const at = (seconds: number) => new Date(firstFrame + seconds * 1_000).toISOString();
	const failed = { outcome: "failed", message: "Expected 3" };
	const { data } = await tapedeck.api.call<{ data: TestResult[] }>("POST", `/v1/jobs/${job.id}/tests`, [
		{ key: "a", test: "the cart adds up", startedAt: at(0), endedAt: at(8.45), ...failed },
		{ key: "b", test: "the card is charged", startedAt: at(8.46), endedAt: at(8.7), ...failed },
		{ key: "c", test: "the receipt is sent", startedAt: at(8.71), endedAt: at(9), ...failed },
	]);
	await page.goto(`/recordings/${job.recording?.id}?result=${data[1]?.id}`);
	await expect(page.locator('[data-tick="error"]')).toHaveCount(3);
	await page.getByRole("button", { name: "Copy for bug report" }).click();
	await expect(page.getByText("Copied the bug report of")).toBeVisible();
	const [, errors] = (await page.evaluate(() => navigator.clipboard.readText())).split("Last errors:");
	expect(errors?.match(/^\d:.*$/gm)).toEqual(["0:08.5 log: pay failed <b>in bold</b>"]);
});

inExplore(test)(
	"a bug report of a test whose time is not exact says about, and has nothing that may be another test's",
	async ({ page, tapedeck, context }) => {
		await context.grantPermissions(["clipboard-read", "clipboard-write"]);
		const job = await failedCheckout(tapedeck, "Checkout at about that time");
		const log = await tapedeck.api.call<{ data: TrackLine[] }>("GET", `/v1/jobs/${job.id}/tracks/log?limit=1`);
		const firstFrame = Date.parse(log.data[0]?.at ?? "") - 1_000 * (log.data[0]?.offsetSeconds ?? 0);
		const at = (seconds: number) => new Date(firstFrame + seconds * 1_000).toISOString();
		const { data } = await tapedeck.api.call<{ data: TestResult[] }>("POST", `/v1/jobs/${job.id}/tests`, [
			{
				...{ key: "a", test: "the cart adds up", startedAt: at(7), endedAt: at(8.6), isApproximate: true },
				...{ outcome: "failed", message: "Expected 3" },
			},
		]);
		const address = `/recordings/${job.recording?.id}?result=${data[0]?.id}`;
		await page.goto(address);
		await expect(page.locator('[data-tick="error"]')).toHaveCount(3);
		await page.getByRole("button", { name: "Copy for bug report" }).click();
		await expect(page.getByText("Copied the bug report of")).toBeVisible();
		const report = await page.evaluate(() => navigator.clipboard.readText());
		expect(report).toContain("**Failed** at about 0:08\n");
		expect(report).toContain(`- [Video at about 0:08](${tapedeck.url}${address})\n- Labels`);
		expect(report).not.toMatch(/Clip|Frame|Last errors/);
	},
);

test("a bug report has the failure with its links and errors, or those of the chosen stretch, and its clip plays", async ({
	page,
	tapedeck,
	context,
}) => {
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	const job = await failedCheckout(tapedeck, "Checkout to report");
	const id = job.recording?.id;
	const [result] = (await tapedeck.api.call<{ data: TestResult[] }>("GET", `/v1/tests?jobId=${job.id}`)).data;
	await page.goto(`/recordings/${id}`);
	const slider = page.getByRole("slider", { name: "Seek" });
	await expect(slider).toBeVisible();
	await expect(page.locator('[data-tick="error"]')).toHaveCount(3);
	const copied = () => page.evaluate(() => navigator.clipboard.readText());
	await page.getByRole("button", { name: "Copy for bug report" }).click();
	await expect(page.getByText("Copied the bug report of 0:04.0 to 0:12.0.")).toBeVisible();
	expect(await copied()).toBe(`### checkout pays

**Failed** at 0:09.0

\`\`\`text
Expected 3
Received 2
\`\`\`

- [Video at 0:09.0](${tapedeck.url}/recordings/${id}?result=${result?.id})
- [Clip from 0:04.0 to 0:12.0](${tapedeck.url}/v1/recordings/${id}/clip?from=4&to=12)
- [Frame at 0:09.0](${tapedeck.url}/v1/recordings/${id}/frame?at=9&width=1280)
- Labels: \`build=shop #4\`, \`test=checkout pays\`

Last errors:

\`\`\`text
0:08.4 network: POST https://shop.example/pay 500
0:08.5 log: pay failed <b>in bold</b>
at pay.ts:7
0:08.8 console: TypeError: total is undefined
\`\`\`
`);

	// The keyboard seeks.
	await slider.fill("2");
	await page.getByRole("heading", { level: 1 }).click();
	await page.keyboard.press("[");
	await slider.fill("3.5");
	await page.getByRole("heading", { level: 1 }).click();
	await page.keyboard.press("]");
	await page.keyboard.press("r");
	await expect(page.getByText("Copied the bug report of 0:02.0 to 0:03.5.")).toBeVisible();
	const report = await copied();
	expect(report).toContain("- [Video at 0:03.5]");
	expect(report).not.toContain("Last errors");
	for (const link of ["Clip", "Frame"]) {
		const path = new RegExp(`\\[${link} [^\\]]*\\]\\(([^)]*)\\)`).exec(report)?.[1] ?? "";
		const answer = await page.request.get(path);
		expect(answer.status(), path).toBe(200);
	}

	// The pointer seeks.
	const bar = await slider.boundingBox();
	if (bar === null) throw new Error("There is no seek bar.");
	const at = (part: number) => [bar.x + 6 + part * (bar.width - 12), bar.y + bar.height / 2] as const;
	const before = await position(page);
	await page.keyboard.down("Shift");
	await page.mouse.move(...at(0.75));
	await page.mouse.down();
	await page.mouse.move(...at(0.5), { steps: 3 });
	await page.mouse.up();
	await page.keyboard.up("Shift");
	await expect(page.getByText(/^Loop 0:0[56]\.\d – 0:0[89]\.\d$/)).toBeVisible();
	expect(await position(page)).toBe(before);
	const download = page.waitForEvent("download");
	await page.getByRole("button", { name: "Download clip" }).click();
	const file = await download;
	expect(file.suggestedFilename()).toMatch(/^Checkout to report 0\.0[56]\.\d to 0\.0[89]\.\d\.mp4$/);
	const clip = await addRecording(tapedeck, "The clip", await readFile(await file.path()));
	expect(clip.durationSeconds).toBeGreaterThan(2.5);
	expect(clip.durationSeconds).toBeLessThan(6);
});

test("a shared recording that failed opens shortly before its failure, with or without its tests", async ({
	page,
	tapedeck,
}) => {
	const { recording } = await failedCheckout(tapedeck, "Checkout to share");
	for (const include of [[], ["tests"]]) {
		const link = { expiresAt: null, include };
		const { url } = await tapedeck.api.call<{ url: string }>("POST", `/v1/recordings/${recording?.id}/links`, link);
		await page.goto(url);
		await expect(page.getByRole("slider", { name: "Seek" })).toHaveValue(/^4/);
		await page.goto(`${url}?t=1.5`);
		await expect(page.getByRole("slider", { name: "Seek" })).toHaveValue(/^1\.5/);
	}
});

test("new lines appear while it records, in the page of a live recording", async ({ page, tapedeck }) => {
	const runner = await scriptRunner(tapedeck, "runner of a live log");
	const { jobId, rest } = await begin(runner, "Live log");
	await expect.poll(async () => (await tapedeck.api.readJob(jobId)).recording?.id).toBeDefined();
	const { recording } = await tapedeck.api.readJob(jobId);
	await send(tapedeck, jobId, "log", [{ offsetMs: 100, text: "the first line" }]);
	await page.goto(`/recordings/${recording?.id}`);
	await tab(page, "Log").click();
	await expect(row(page, "Log", "the first line")).toBeVisible();
	await send(tapedeck, jobId, "log", [
		{ offsetMs: 400, text: "written while it records", level: "error" },
		{ offsetMs: 500, text: "and one more" },
	]);
	await send(tapedeck, jobId, "console", [{ offsetMs: 450, text: "a console too" }]);
	await rest();
	await expect(row(page, "Log", "written while it records")).toBeVisible();
	await expect(list(page, "Log").getByRole("option")).toHaveText([
		...[/the first line/, /written while it records/, /and one more/],
	]);
	await tab(page, "Console").click();
	await expect(row(page, "Console", "a console too")).toBeVisible();
	await runner.stop();
});

inExplore(test)(
	"100,000 lines open and scroll as 100 do: what is read and rendered is what is seen",
	async ({ page, tapedeck }) => {
		const job = await failedCheckout(tapedeck, "Long log");
		const lines = Array.from({ length: 100_000 }, (_, index) => ({
			offsetMs: Math.floor((index * SECONDS * 1_000) / 100_000),
			text: `line ${index} of many`,
		}));
		await send(tapedeck, job.id, "log.many", lines);
		const read: string[] = [];
		page.on("request", (request) => {
			if (request.url().includes("/tracks/log.many?")) read.push(request.url());
		});
		await page.goto(`/recordings/${job.recording?.id}`);
		await tab(page, "Log.many").click();
		const rows = list(page, "Log.many").getByRole("option");
		await expect(rows.first()).toBeVisible();
		await list(page, "Log.many").hover();
		for (let turn = 0; turn < 10; turn += 1) await page.mouse.wheel(0, 1_500);
		await expect(rows.first()).toBeVisible();
		expect(await rows.count()).toBeLessThan(150);
		await list(page, "Log.many").focus();
		await page.keyboard.press("End");
		await expect(row(page, "Log.many", "line 99999 of many")).toBeVisible();
		// There are 334 pages.
		expect(read.length).toBeLessThan(20);
	},
);
