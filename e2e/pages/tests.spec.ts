/** A failed test: on the page of its recording, on its own page, and after its video was deleted. */

import type { Job } from "@tapedeck/contract/job.ts";
import type { TestHistory, TestResult } from "@tapedeck/contract/test-result.ts";
import type { Page } from "playwright/test";
import { inExplore } from "#test/in-explore.ts";
import { recordShortly } from "#test/jobs.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { addRecording } from "#test/pages/recordings-page.ts";
import type { Stack } from "#test/stack.ts";
import { expect, test } from "#test/tapedeck.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";

interface Sent {
	key: string;
	test: string;
	outcome?: TestResult["outcome"];
	/** Seconds from the first frame. */
	at: number;
	seconds?: number;
	message?: string;
	stack?: string;
	project?: string;
	attempt?: number;
	steps?: object[];
}

/** Reports results of a job, by the time of its video. */
async function report(tapedeck: Stack, job: Job, sent: readonly Sent[]): Promise<TestResult[]> {
	const began = Date.parse(job.startedAt ?? job.createdAt);
	const time = (at: number) => new Date(began + Math.round(at * 1_000)).toISOString();
	const body = sent.map(({ at, seconds = 0.1, outcome, ...rest }) => ({
		...rest,
		startedAt: time(at),
		...(outcome === undefined ? {} : { outcome, endedAt: time(at + seconds) }),
	}));
	const { data } = await tapedeck.api.call<{ data: TestResult[] }>("POST", `/v1/jobs/${job.id}/tests`, body);
	return data;
}

const step = (job: Job, title: string, at: number, more: object = {}) => ({
	title,
	startedAt: new Date(Date.parse(job.startedAt ?? job.createdAt) + Math.round(at * 1_000)).toISOString(),
	durationSeconds: 0.1,
	outcome: "passed",
	...more,
});

const position = (page: Page): Promise<number> =>
	page.locator("video").evaluate((video) => (video as HTMLVideoElement).currentTime);
const tree = (page: Page) => page.getByRole("tree", { name: "Tests" });
const summary = (page: Page) => page.getByRole("region", { name: "Test result" });

async function isAccessible(page: Page, where: string): Promise<void> {
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		expect(await violationsOf(page, { onlyColors: colorScheme === "dark" }), `${where}, ${colorScheme}`).toEqual([]);
	}
}

test("a failed recording shows its message, and its video paused five seconds before the failure, without scrolling", async ({
	page,
	tapedeck,
}) => {
	const { id } = await addRecording(tapedeck, "Checkout", await makeExternalVideo({ seconds: 12 }));
	const message = "Error: expected 3 items\n\nExpected: 3\nReceived: 2";
	await tapedeck.api.call("POST", `/v1/recordings/${id}/markers`, {
		...{ kind: "fail", label: "cart: three items", message, offsetSeconds: 9 },
	});
	await tapedeck.api.call("PATCH", `/v1/recordings/${id}`, {
		outcome: "failed",
		labels: { test: "cart: three items", build: "shop #4", commit: "9fceb02", "ci.url": "https://ci.example.com/4" },
	});
	await page.setViewportSize({ width: 1280, height: 720 });
	await page.goto(`/recordings/${id}`);
	await expect(summary(page).getByRole("heading", { name: "cart: three items" })).toBeVisible();
	await expect(summary(page)).toContainText("Received: 2");
	await expect.poll(() => position(page)).toBeCloseTo(4, 1);
	expect(await page.locator("video").evaluate((video) => (video as HTMLVideoElement).paused)).toBe(true);
	for (const shown of [summary(page), page.getByRole("region", { name: "Player controls" })]) {
		const box = await shown.boundingBox();
		expect(box && box.y >= 0 && box.y + box.height <= 720).toBe(true);
	}
	const sources = summary(page).getByRole("list", { name: "Build and source" });
	await expect(sources.getByRole("link", { name: "shop #4" })).toHaveAttribute("href", "/builds/shop%20%234");
	await expect(sources.getByRole("link", { name: "CI job" })).toHaveAttribute("href", "https://ci.example.com/4");
	await isAccessible(page, "on a desk");
	await page.setViewportSize({ width: 390, height: 844 });
	await isAccessible(page, "on a phone");
	const [text, video] = await Promise.all([summary(page).boundingBox(), page.locator("video").boundingBox()]);
	expect(text && video && text.y + text.height <= video.y).toBe(true);

	// A link to another moment shows that one.
	await page.goto(`/recordings/${id}?t=2`);
	await expect(summary(page)).toContainText("Received: 2");
	await expect.poll(() => position(page)).toBeCloseTo(2, 1);
});

test("tests and steps follow the video, lead to their moments, and are filtered; a key leads from failure to failure", async ({
	page,
	tapedeck,
}) => {
	const job = await recordShortly(tapedeck, "Whole suite", 2);
	const [opens, pays, ships] = await report(tapedeck, job, [
		{ key: "a", test: "shop › opens", outcome: "passed", at: 0.1, seconds: 0.3 },
		{
			...{
				key: "b",
				test: "shop › pays",
				outcome: "failed",
				at: 0.5,
				seconds: 0.4,
				message: "No card",
				stack: "at pay.ts:7",
			},
			steps: [
				step(job, "fill in the card", 0.5),
				step(job, "press Pay", 0.7, {
					outcome: "failed",
					steps: [step(job, "wait for the receipt", 0.7, { outcome: "failed" })],
				}),
			],
		},
		{ key: "c", test: "shop › <b>ships</b>\u0007\u001b[31m", outcome: "error", at: 1, message: "No address" },
		{ key: "d", test: "shop › returns", outcome: "skipped", at: 1.3 },
		{ key: "e", test: "shop › still runs", at: 1.5 },
	]);
	await page.goto(`/recordings/${job.recording?.id}`);
	await expect(summary(page).getByRole("heading", { name: "shop › pays" })).toBeVisible();
	await expect(summary(page).getByText("at pay.ts:7")).toBeHidden();
	await summary(page).getByRole("button", { name: "Show stack" }).click();
	await expect(summary(page).getByText("at pay.ts:7")).toBeVisible();
	const rows = tree(page).getByRole("treeitem");
	await expect(rows.filter({ hasText: "press Pay" })).toBeVisible();
	await expect(rows.filter({ hasText: "<b>ships</b>" })).toBeVisible();
	await isAccessible(page, "with tests");

	await page.getByRole("slider", { name: "Seek" }).fill("0.75");
	await expect(rows.filter({ hasText: "wait for the receipt" })).toHaveAttribute("aria-current", "true");
	await page.getByRole("slider", { name: "Seek" }).fill("0.2");
	await expect(rows.filter({ hasText: "opens" })).toHaveAttribute("aria-current", "true");
	await rows.filter({ hasText: "fill in the card" }).click();
	await expect.poll(() => position(page)).toBeCloseTo(0.5, 1);

	await page.getByRole("heading", { level: 1 }).click();
	await page.keyboard.press("e");
	await expect(summary(page).getByRole("heading")).toContainText("shop › <b>ships</b>");
	await expect(summary(page)).toContainText("No address");
	await page.keyboard.press("e");
	await expect(summary(page).getByRole("heading")).toHaveText("shop › pays");
	await page.keyboard.press("Shift+E");
	await expect(summary(page).getByRole("heading")).toContainText("shop › <b>ships</b>");

	const filters = page.getByRole("group", { name: "Tests by outcome" });
	await expect(filters.getByRole("button")).toHaveText(["All5", "Failed2", "Passed1", "Skipped1", "No result1"]);
	await filters.getByRole("button", { name: "Skipped" }).click();
	await expect(rows).toHaveText([/Skipped: returns|Skipped: shop › returns/]);
	await filters.getByRole("button", { name: "All" }).click();
	await tree(page).focus();
	await page.keyboard.press("Home");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("ArrowLeft");
	await expect(rows.filter({ hasText: "fill in the card" })).toHaveCount(0);
	await page.keyboard.press("ArrowRight");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	await expect.poll(() => position(page)).toBeCloseTo(0.5, 1);
	await expect(summary(page).getByRole("heading")).toHaveText("shop › pays");

	// A link to a result shows that one, of the same video too.
	const address = `/recordings/${job.recording?.id}`;
	await page.goto(`${address}?result=${ships?.id}`);
	await expect(summary(page).getByRole("heading")).toContainText("<b>ships</b>");

	// The address keeps up with the selection: a key, a click, a page behind which Back leads here, a reload.
	await page.getByRole("heading", { level: 1 }).click();
	await page.keyboard.press("e");
	await expect(page).toHaveURL(`${address}?result=${pays?.id}`);
	await rows.filter({ hasText: "opens" }).click();
	await expect(page).toHaveURL(`${address}?result=${opens?.id}`);
	await expect(summary(page).getByRole("heading")).toHaveText("shop › opens");
	await page.goBack();
	await expect(page).toHaveURL(`${address}?result=${pays?.id}`);
	await expect(summary(page).getByRole("heading")).toHaveText("shop › pays");
	await expect.poll(() => position(page)).toBeLessThan(0.05);
	await summary(page).getByRole("link", { name: "shop › pays" }).click();
	await expect(page).toHaveURL(/\/tests\/\d+$/);
	await page.goBack();
	await expect(summary(page).getByRole("heading")).toHaveText("shop › pays");
	await expect(page).toHaveURL(`${address}?result=${pays?.id}`);
	await page.reload();
	await expect(summary(page).getByRole("heading")).toHaveText("shop › pays");

	// A moment selects the test that ran then.
	for (const [seconds, test] of [
		[0.2, "shop › opens"],
		[0.6, "shop › pays"],
		[1.05, "<b>ships</b>"],
	] as const) {
		await page.goto(`${address}?t=${seconds}`);
		await expect(summary(page).getByRole("heading")).toContainText(test);
		await expect.poll(() => position(page)).toBeCloseTo(seconds, 1);
	}
	// A link from the time when only the job was known leads there too.
	await page.goto(`/jobs/${job.id}?result=${ships?.id}`);
	await expect(page).toHaveURL(`${address}?result=${ships?.id}`);
	await expect(summary(page).getByRole("heading")).toContainText("<b>ships</b>");
});

inExplore(test)(
	"hundreds of tests with thousands of steps render only the rows in view, and a title of 10 kB breaks nothing",
	async ({ page, tapedeck }) => {
		const job = await recordShortly(tapedeck, "Many tests", 2);
		const steps = Array.from({ length: 20 }, (_, index) => step(job, `step ${index}`, 0.1));
		const sent = Array.from({ length: 500 }, (_, index) => ({
			...{
				key: `t${index}`,
				test: `many › test ${index}`,
				outcome: "passed" as const,
				at: index / 300,
				seconds: 0.003,
				steps,
			},
		}));
		for (let from = 0; from < sent.length; from += 100) await report(tapedeck, job, sent.slice(from, from + 100));
		const long = {
			key: "long",
			test: "x".repeat(10_000),
			outcome: "failed" as const,
			at: 1.9,
			message: "y".repeat(8_000),
		};
		await report(tapedeck, job, [long]);
		await page.goto(`/recordings/${job.recording?.id}`);
		await expect(page.getByRole("group", { name: "Tests by outcome" }).getByRole("button", { name: "All" })).toHaveText(
			"All501",
		);
		await tree(page).focus();
		await page.keyboard.press("End");
		await expect(tree(page).getByRole("treeitem").filter({ hasText: "xxx" })).toBeVisible();
		await page.keyboard.press("Home");
		await expect(
			tree(page)
				.getByRole("treeitem")
				.filter({ has: page.getByTitle("many › test 0", { exact: true }) }),
		).toBeVisible();
		expect(await tree(page).getByRole("treeitem").count()).toBeLessThan(100);
		expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
	},
);

test("a deleted video leaves its failure: what failed, why the video is gone, and the steps", async ({
	page,
	tapedeck,
}) => {
	const job = await recordShortly(tapedeck, "Deleted later");
	const [failed] = await report(tapedeck, job, [
		{
			...{ key: "a", test: "gone › pays", outcome: "failed", at: 0.2, message: "No card" },
			steps: [step(job, "press Pay", 0.2, { outcome: "failed" })],
		},
		{ key: "b", test: "gone › opens", outcome: "passed", at: 0.5 },
	]);
	await tapedeck.api.call("DELETE", `/v1/recordings/${job.recording?.id}`);
	await page.goto(`/recordings/${job.recording?.id}`);
	await expect(summary(page).getByRole("heading", { name: "gone › pays" })).toBeVisible();
	await expect(summary(page)).toContainText("No card");
	await expect(page.getByText(/^The video was deleted .* on /)).toBeVisible();
	await expect(page.getByRole("region", { name: "Other results" })).toContainText("gone › opens");
	await isAccessible(page, "of a deleted video");
	await page.goto(`/tests/${failed?.testId}?result=${failed?.id}`);
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("gone › pays");
	await expect(page.getByRole("region", { name: "Steps" })).toContainText("press Pay");
	await expect(page.getByText(/^The video was deleted .* on /).first()).toBeVisible();
});

test("a test's page begins with since when it fails, its last failure and its last pass; then it has its results with their causes, and its branches", async ({
	page,
	tapedeck,
}) => {
	const builds: { outcome: "passed" | "failed"; branch: string; message?: string }[] = [
		{ outcome: "passed", branch: "main" },
		{ outcome: "failed", branch: "other", message: "Cannot connect" },
		{ outcome: "passed", branch: "main" },
		{ outcome: "failed", branch: "main", message: "Expected 3, received 2" },
		{ outcome: "failed", branch: "main", message: "Expected 4, received 1" },
	];
	let last: TestResult | undefined;
	for (const [index, { outcome, branch, message }] of builds.entries()) {
		const job = await recordShortly(tapedeck, `Nightly ${index}`);
		await tapedeck.api.call("PATCH", `/v1/jobs/${job.id}`, { labels: { build: `nightly ${index}`, branch } });
		const [result] = await report(tapedeck, job, [
			{
				...{ key: "a", test: "nightly › pays", project: "chromium", outcome, at: 0.1 },
				...(message ? { message } : {}),
			},
			...(index === 4
				? [{ ...{ key: "b", test: "nightly › pays", project: "firefox" }, outcome: "passed" as const, at: 0.3 }]
				: []),
		]);
		last = result;
	}
	await page.goto(`/tests/${last?.testId}`);
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("nightly › pays");
	const main = page.getByRole("main");
	await expect(main).toContainText("2 of 5 results");
	await expect(main.getByRole("link", { name: "nightly 3" }).first()).toBeVisible();
	const strip = page.getByRole("list", { name: "Results of this test" });
	await expect(strip.getByRole("link")).toHaveCount(5);
	await expect(strip.getByRole("link").last()).toHaveAttribute(
		"title",
		/^Failed.* · build nightly 4 · main · .*cause A$/,
	);
	await expect(page.getByRole("list", { name: "Causes" }).getByRole("listitem")).toHaveText([
		/^AExpected 4.*× 2$/,
		/^BCannot connect.*× 1$/,
	]);
	await expect(page.getByRole("img", { name: /^Duration of 5 results/ })).toBeVisible();
	await expect(page.getByRole("region", { name: "Last failure" })).toContainText("nightly 4");
	await expect(page.getByRole("region", { name: "Last pass" })).toContainText("nightly 2");
	await expect(main).toContainText("Failing since build nightly 3");
	await page.setViewportSize({ width: 1280, height: 720 });
	for (const name of ["Last failure", "Last pass"]) {
		const shown = page.getByRole("region", { name });
		await expect(shown.getByRole("img")).toBeVisible();
		const box = await shown.boundingBox();
		expect(box && box.y >= 0 && box.y + box.height <= 720, name).toBe(true);
	}
	for (const width of [1440, 390]) {
		await page.setViewportSize({ width, height: 900 });
		await isAccessible(page, `at ${width} px`);
	}
	await page.getByRole("combobox", { name: "Branch" }).selectOption("other");
	await expect(strip.getByRole("link")).toHaveCount(1);
	await page.getByRole("link", { name: "firefox" }).click();
	await expect(main).toContainText("1 of 1 result");
	await page.goBack();
	await page.goBack();
	// The results of all branches again.
	await expect(strip.getByRole("link")).toHaveCount(5);
	await strip.getByRole("link").last().click();
	await expect(page).toHaveURL(/\/recordings\/\d+\?result=\d+$/);
	await expect(summary(page)).toContainText("Expected 4, received 1");
	const history = await tapedeck.api.call<TestHistory>("GET", `/v1/test-history?testId=${last?.testId}`);
	expect(history.data.length).toBe(5);
	await page.goto("/tests/999999999");
	await expect(page.getByRole("heading", { name: "Test not found" })).toBeVisible();
});

test("comparing is not offered for a failure whose test passed without a video", async ({ page, tapedeck }) => {
	const job = await recordShortly(tapedeck, "Only failure", 1);
	const test = "passes headless › pays";
	const [failed] = await report(tapedeck, job, [{ key: "a", test, outcome: "failed", at: 0.1, message: "No card" }]);
	const run = await tapedeck.api.call<{ id: number }>("POST", "/v1/test-runs", { name: "Headless" });
	await tapedeck.api.call("POST", `/v1/test-runs/${run.id}/tests`, [{ key: "1", test, outcome: "passed" }]);
	await page.goto(`/tests/${failed?.testId}`);
	await expect(page.getByRole("region", { name: "Last pass" }).getByRole("link", { name: "Passed" })).toBeVisible();
	await expect(
		page.getByRole("region", { name: "Last failure" }).getByRole("link", { name: "Open the video" }),
	).toBeVisible();
	await expect(page.getByRole("link", { name: /^Compare/ })).toHaveCount(0);
});

test("comparing begins before the failure, together at the last step of both; any other result of the test can be chosen", async ({
	page,
	tapedeck,
}) => {
	const sent = async (name: string, outcome: "passed" | "failed", payAt: number) => {
		const job = await recordShortly(tapedeck, name, 2);
		// Where it passed, the step goes on for longer than until it failed: both can be shown from its beginning.
		const pay = step(job, "pay", payAt, { outcome, ...(outcome === "passed" ? { durationSeconds: 0.3 } : {}) });
		const steps = [step(job, "open", 0.2), pay, step(job, `end of ${name}`, 1.5)];
		await report(tapedeck, job, [
			{ key: "a", test: "compared › pays", outcome, at: 0.1, seconds: 1.6, message: "No card", steps },
		]);
		return job;
	};
	await sent("First pass", "passed", 0.4);
	await sent("Second pass", "passed", 1);
	const failed = await sent("Failure", "failed", 0.5);
	await page.goto(`/recordings/${failed.recording?.id}`);
	await page.getByRole("link", { name: "Compare with last passed" }).click();
	const positions = () =>
		page
			.locator("video")
			.evaluateAll((videos) => videos.map((video) => Math.round((video as HTMLVideoElement).currentTime * 10) / 10));
	await expect(page.getByRole("main").getByRole("region", { name: "Second pass" })).toBeVisible();
	await expect.poll(positions).toEqual([0, 0.5]);
	await expect(page.getByLabel("Align at").locator("option:checked")).toHaveText("pay");
	const others = page.getByRole("combobox", { name: "Compare with" });
	await expect(others.locator("option")).toHaveCount(2);
	await others.selectOption({ index: 1 });
	await expect(page.getByRole("main").getByRole("region", { name: "First pass" })).toBeVisible();
	await expect(page).toHaveURL(/\?result=\d+&against=\d+$/);
	await expect(page.getByLabel("Align at").locator("option:checked")).toHaveText("pay");
	await isAccessible(page, "side by side");

	const videos = page.locator("video");
	await page.locator("body").press("o");
	const boxes = () => videos.evaluateAll((all) => all.map((video) => JSON.stringify(video.getBoundingClientRect())));
	await expect.poll(async () => new Set(await boxes()).size).toBe(1);
	await isAccessible(page, "over each other");
	await page.locator("body").press("b");
	await expect(videos.first()).toBeVisible();
	await expect(videos.last()).toBeHidden();
	await page.locator("body").press("b");
	await expect(videos.first()).toBeHidden();
	await expect(videos.last()).toBeVisible();
	await page.getByRole("button", { name: "Side by side" }).click();
	await expect.poll(async () => new Set(await boxes()).size).toBe(2);
});
