/** Builds: the outcomes of their tests, the differences from the previous build, their jobs and their videos. */
import { readFile } from "node:fs/promises";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import type { Page } from "playwright/test";
import { violationsOf } from "#test/pages/axe.ts";
import { addRecording, cardOf, cards, namesIn } from "#test/pages/recordings-page.ts";
import { recordTests } from "#test/pages/test-results.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import type { Dashboard } from "#test/stack.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";
import { makeVideo } from "#test/videos/make-video.ts";

const BUILD = "release/1.2 #7";

async function add(tapedeck: Dashboard, name: string, outcome: string | null, build = BUILD): Promise<Recording> {
	const { id } = await addRecording(tapedeck, name, await makeExternalVideo({ seconds: 2 }));
	const labels = { build, branch: "feature/checkout-with-saved-addresses" };
	return tapedeck.api.call("PATCH", `/v1/recordings/${id}`, { labels, outcome });
}

/** Other tests of the same dashboard have left builds. */
async function forgetBuilds({ api }: Dashboard): Promise<void> {
	for (const { labels, id } of await api.recordings()) {
		if (labels.build !== undefined) await api.call("PATCH", `/v1/recordings/${id}`, { labels: { build: null } });
	}
	const { data: jobs } = await api.call<{ data: Job[] }>("GET", "/v1/jobs?limit=100&q=label:build");
	for (const { id } of jobs) await api.call("PATCH", `/v1/jobs/${id}`, { labels: { build: null } });
	expect((await api.call<{ data: unknown[] }>("GET", "/v1/builds")).data).toEqual([]);
}

const rowOf = (page: Page, name: string) =>
	page
		.getByRole("list", { name: "Builds" })
		.getByRole("listitem")
		.filter({ has: page.getByRole("link", { name, exact: true }) });
/** Selects the view of a build's page by its chip, which includes a count. */
const show = (page: Page, name: string) =>
	page
		.getByRole("group", { name: "Show" })
		.getByRole("button", { name: new RegExp(`^${name} ?\\d`) })
		.click();
const countsOf = (page: Page, name: string) => page.getByRole("list", { name: `Outcome of build ${name}` });

test("without builds, the page says how to get one; a build leads to its recordings, what failed first, and they follow", async ({
	page,
	tapedeck,
}) => {
	await forgetBuilds(tapedeck);
	await page.goto("/jobs");
	await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Builds" }).click();
	await expect(page.getByRole("heading", { name: "No builds yet" })).toBeVisible();
	await expect(page.getByText('"labels": {"build": "123"')).toBeVisible();
	expect(await violationsOf(page)).toEqual([]);

	await add(tapedeck, "Fails", "passed", "release/1.2 #6");
	const failed = await add(tapedeck, "Fails", "failed");
	await add(tapedeck, "Passes", "passed");
	const other = await add(tapedeck, "Says nothing", null);
	await add(tapedeck, "Elsewhere", "failed", "8");
	// The list follows without being loaded again.
	await expect(countsOf(page, BUILD).getByRole("listitem")).toHaveText(["1 failed", "1 passed"]);
	await expect(page.getByRole("list", { name: "Builds" }).getByRole("link")).toHaveText([
		...["8", BUILD, "release/1.2 #6"],
	]);
	await expect(rowOf(page, BUILD)).toContainText(/Failed.*2 tests.*feature\/checkout-with-saved-addresses/);
	expect(await violationsOf(page)).toEqual([]);

	// Nothing of this name passed.
	const answered = page.waitForResponse(/\/last-passed$/);
	await page.goto("/builds/8?show=videos");
	expect((await (await answered).json()).recording).toBeNull();
	await expect(cardOf(page, "Elsewhere")).toContainText("Failed test");
	await expect(page.getByRole("link", { name: /^Compare/ })).toHaveCount(0);
	await page.goto("/builds");

	await page.getByRole("link", { name: BUILD }).click();
	await expect(page.getByRole("heading", { name: `Build ${BUILD}` })).toBeVisible();
	await expect(page).toHaveURL(/\/builds\/release%2F1\.2%20%237$/);
	await show(page, "Videos");
	await expect.poll(() => namesIn(page)).toEqual(["Fails", "Says nothing", "Passes"]);
	await expect(cardOf(page, "Fails")).toContainText("Failed test");
	await expect(cardOf(page, "Passes")).toContainText("Passed");
	for (const width of [390, 1440]) {
		await page.setViewportSize({ width, height: 900 });
		expect(await violationsOf(page), `at ${width} px`).toEqual([]);
		// Holds for a card whose notes are longer than the card as well.
		const compare = cardOf(page, "Fails").getByRole("link", { name: "Compare with last passed: Fails" });
		await expect(compare, `at ${width} px`).toBeInViewport({ ratio: 1 });
	}
	await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
	expect(await violationsOf(page, { onlyColors: true }), "in the dark").toEqual([]);

	await tapedeck.api.call("PATCH", `/v1/recordings/${other.id}`, { outcome: "error" });
	await tapedeck.api.call("PATCH", `/v1/recordings/${failed.id}`, { outcome: "passed" });
	await expect.poll(() => namesIn(page)).toEqual(["Says nothing", "Passes", "Fails"]);
	await expect(countsOf(page, BUILD).getByRole("listitem")).toHaveText(["1 error", "2 passed"]);
	await page.getByRole("link", { name: "Says nothing", exact: true }).click();
	await expect(page).toHaveURL(new RegExp(`/recordings/${other.id}$`));
	// The keys belong to the page, which may appear after its address.
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Says nothing");
	await expect(page.getByRole("button", { name: "Next recording" })).toHaveAttribute("aria-disabled", "false");
	// Moves on to the passed recording, and back to the build.
	for (const name of ["Passes", "Fails"]) {
		await page.keyboard.press("Shift+J");
		await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
	}
	await page.getByRole("link", { name: `Build ${BUILD}`, exact: true }).click();
	await expect(page).toHaveURL(/\/builds\/release%2F1\.2%20%237\?show=videos$/);
	await expect.poll(() => namesIn(page)).toEqual(["Says nothing", "Passes", "Fails"]);

	await page.goto("/recordings?q=elsewhere");
	await cards(page).getByRole("link", { name: "build 8" }).click();
	await expect(page.getByRole("heading", { name: "Build 8" })).toBeVisible();
	// Deleted recordings of a build are still listed there.
	const { id: deletedId } = await add(tapedeck, "Deleted since", "failed", "8");
	await tapedeck.api.call("DELETE", `/v1/recordings/${deletedId}`);
	await page.goto("/builds/8?show=videos");
	const deleted = page.getByRole("region", { name: "Deleted videos" });
	await expect(deleted.getByRole("listitem")).toHaveText([/^Deleted since.*Failed test.*deleted by /]);
	expect(await violationsOf(page)).toEqual([]);
	await deleted.getByRole("link", { name: "Deleted since" }).click();
	await expect(page).toHaveURL(new RegExp(`/recordings/${deletedId}$`));
	await expect(page.getByText("This recording was deleted")).toBeVisible();
	await page.goto("/builds/nothing");
	await expect(page.getByRole("heading", { name: "No jobs in this build" })).toBeVisible();
	await show(page, "Videos");
	await expect(page.getByRole("heading", { name: "No videos in this build yet" })).toBeVisible();
});

test("a recording in progress comes into the wall, and says how it ended", async ({ page, tapedeck }) => {
	await page.goto("/builds/live?show=videos");
	await expect(page.getByRole("heading", { name: "No videos in this build yet" })).toBeVisible();
	const runner = await scriptRunner(tapedeck, "runner of a build");
	const jobId = await runner.record("Grows");
	await tapedeck.api.call("PATCH", `/v1/jobs/${jobId}`, { labels: { build: "live" } });
	const video = await readFile(await makeVideo("recorder.mp4", 4));
	const half = Math.floor(video.length / 2);
	await runner.send(jobId, 0, video.subarray(0, half));
	await expect(cardOf(page, "Grows")).toContainText("Live");
	await expect(countsOf(page, "live").getByRole("listitem")).toHaveText(["1 no result", "1 live"]);
	await runner.send(jobId, half, video.subarray(half), video.length);
	await runner.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "black" });
	await tapedeck.api.call("PATCH", `/v1/jobs/${jobId}`, { outcome: "failed" });
	await expect(cardOf(page, "Grows")).toContainText("Failed test");
	await expect(countsOf(page, "live").getByRole("listitem")).toHaveText(["1 failed", "1 black"]);
	await runner.stop();
});

test("a build's page says what fails anew, still fails, was fixed and is flaky, and has every job, also those without a video", async ({
	page,
	tapedeck,
}) => {
	const runner = await scriptRunner(tapedeck, "runner of reports");
	const video = await readFile(await makeVideo("recorder.mp4", 4));
	await recordTests(tapedeck, runner, "Before", {
		...{ labels: { build: "report 1", branch: "reports", commit: "a".repeat(40) }, video },
		tests: [
			{ test: "Stays red", outcome: "failed", message: "still wrong" },
			{ test: "Turns green", outcome: "failed", message: "wrong for now" },
			{ test: "Turns red", outcome: "passed" },
		],
	});
	const labels = { build: "report 2", branch: "reports", commit: "b".repeat(40), "ci.url": "http://127.0.0.1:9/run/2" };
	const { recordingId } = await recordTests(tapedeck, runner, "After", {
		...{ labels, video },
		tests: [
			{ test: "Stays red", outcome: "failed", message: "still wrong", at: [0, 2] },
			{ test: "Turns green", outcome: "passed" },
			{ test: "Turns red", outcome: "error", message: "boom" },
			{ test: "Needs a retry", outcome: "failed", message: "once" },
			{ test: "Needs a retry", outcome: "passed", attempt: 2, at: [1, 2] },
			{ test: "Is left out", outcome: "skipped" },
		],
	});
	const { runnerId } = runner;
	const waiting = { runnerId, displayId: ":9876", stopCondition: "interrupt", name: "Waits for a display" } as const;
	const { id: waitingId } = await tapedeck.api.createJob(waiting);
	await tapedeck.api.call("PATCH", `/v1/jobs/${waitingId}`, { labels });

	await page.goto("/builds");
	await page.getByRole("searchbox", { name: "Search builds" }).fill("branch:reports");
	await expect(page.getByRole("list", { name: "Builds" }).getByRole("link")).toHaveText(["report 2", "report 1"]);
	// A job of the second waits; each test counts once.
	await expect(rowOf(page, "report 2")).toContainText(/Running.*5 tests.*b{10}/);
	await expect(countsOf(page, "report 2").getByRole("listitem")).toHaveText([
		...["1 failed", "1 error", "1 flaky", "1 passed", "1 skipped"],
	]);
	for (const width of [390, 1280]) {
		await page.setViewportSize({ width, height: 720 });
		expect(await violationsOf(page), `builds at ${width} px`).toEqual([]);
		expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
	}
	await page.getByRole("searchbox", { name: "Search builds" }).fill("report 2");
	await expect(page.getByRole("list", { name: "Builds" }).getByRole("link")).toHaveText(["report 2"]);
	await expect(page).toHaveURL(/\?q=report%202$/);
	await page.getByRole("searchbox", { name: "Search builds" }).fill("nothing-is-called-so");
	await expect(page.getByRole("heading", { name: "No builds match these filters" })).toBeVisible();
	expect(await violationsOf(page)).toEqual([]);
	// The palette knows builds and tests.
	await page.keyboard.press("Control+k");
	await page.getByRole("dialog", { name: "Command palette" }).getByRole("combobox").fill("Needs a retry");
	await expect(page.getByRole("option", { name: /Needs a retry/ })).toHaveCount(1);
	await page.keyboard.press("Escape");
	await page.goto("/builds/report%202");
	const chips = page.getByRole("group", { name: "Show" }).getByRole("button");
	await expect(chips).toHaveText([
		...["Tests5", "Failed2", "Newly failing1", "Still failing1", "Fixed1", "Flaky1", "Passed1", "Skipped1"],
		...["Jobs2", "Videos1"],
	]);
	const head = page.getByRole("main");
	await expect(head).toContainText(`reports${"b".repeat(10)}Started`);
	await expect(head.getByRole("link", { name: "Open in CI" })).toHaveAttribute("href", labels["ci.url"]);
	await expect(head.getByRole("link", { name: "build report 1" })).toHaveAttribute("href", "/builds/report%201");
	const tests = page.getByRole("list", { name: "Tests" }).getByRole("listitem");
	// Each once, what failed first; of the retried one, its last attempt.
	await expect(tests).toHaveText([/Turns red/, /Stays red/, /Needs a retry.*attempt 2/, /./, /./]);
	await expect(page.getByRole("list", { name: "Frames of failures" }).getByRole("listitem")).toHaveCount(2);
	for (const width of [390, 1440]) {
		await page.setViewportSize({ width, height: 900 });
		expect(await violationsOf(page), `at ${width} px`).toEqual([]);
		expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
	}
	await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
	expect(await violationsOf(page, { onlyColors: true }), "in the dark").toEqual([]);
	for (const [part, found] of [
		["Failed", [/Turns red/, /Stays red/]],
		["Newly failing", [/Turns red/]],
		["Still failing", [/Stays red/]],
		["Fixed", [/Turns green/]],
		["Flaky", [/Needs a retry.*Flaky.*attempt 2/]],
		["Passed", [/Turns green/]],
		["Skipped", [/Is left out/]],
	] as const) {
		await show(page, part);
		await expect(chips.filter({ hasText: part })).toContainText(String(found.length));
		await expect(tests).toHaveText([...found]);
	}
	await expect(page).toHaveURL(/\?show=skipped$/);
	await page.reload();
	await expect(tests).toHaveText([/Is left out/]);
	await show(page, "Jobs");
	const jobs = page.getByRole("list", { name: "Jobs" }).getByRole("listitem");
	await expect(jobs).toHaveText([/(Queued|Starting).*Waits for a display/, /After/]);
	expect(await violationsOf(page), "jobs").toEqual([]);
	// The drawer of a job has its tests, what failed first; each leads to its moment.
	await jobs.getByRole("link", { name: "After" }).click();
	const drawer = page.getByRole("dialog", { name: "After" });
	const own = drawer.getByRole("list", { name: "Tests of this job" }).getByRole("listitem");
	await expect(own).toHaveCount(6);
	const failure = /^(Failed|Error)/;
	const rest = /^(Passed|Skipped)/;
	await expect(own).toHaveText([failure, failure, failure, rest, rest, rest]);
	expect(await violationsOf(page), "tests of the drawer").toEqual([]);
	await own.getByRole("link", { name: "Stays red" }).click();
	await expect(page).toHaveURL(new RegExp(`/recordings/${recordingId}\\?result=`));
	await page.goto("/builds/report%202?show=jobs");
	await show(page, "Still failing");
	await tests.getByRole("link", { name: "Stays red", exact: true }).click();
	await expect(page).toHaveURL(new RegExp(`/recordings/${recordingId}`));
	await tapedeck.api.cancelJob(waitingId);
	await runner.stop();
});

test("a build of test runs alone shows its tests and, as Runs, where they are from; a failure without a video leads to its test", async ({
	page,
	tapedeck,
}) => {
	const { api } = tapedeck;
	const body = { name: "Headless, shard 1", source: "playwright", labels: { build: "headless 1", branch: "main" } };
	const run = await api.call<{ id: number }>("POST", "/v1/test-runs", body);
	await api.call("POST", `/v1/test-runs/${run.id}/tests`, [
		{ key: "a", test: "Cart › total", outcome: "failed", message: "expected 3, got 4" },
		{ key: "b", test: "Cart › empty", outcome: "passed" },
	]);
	await api.call("POST", `/v1/test-runs/${run.id}/end`, { outcome: "failed" });
	await page.goto("/builds");
	await expect(rowOf(page, "headless 1")).toContainText("2 tests");
	await page.getByRole("button", { name: "By branch" }).click();
	await expect(page).toHaveURL(/\/builds\?by=branch$/);
	const lane = page.getByRole("list", { name: "Builds of main, headless" }).getByRole("link");
	await expect(lane).toHaveAccessibleName(/^Build headless 1 · Failed · 1 of 2 tests failed · /);
	expect(await violationsOf(page), "by branch").toEqual([]);
	await lane.click();
	await show(page, "Runs");
	const runs = page.getByRole("list", { name: "Test runs" }).getByRole("listitem");
	await expect(runs).toHaveCount(1);
	await expect(runs).toContainText("Failed");
	await expect(runs).toContainText("Headless, shard 1");
	await expect(runs).toContainText("playwright · 2 results · 1 failed");
	expect(await violationsOf(page)).toEqual([]);
	await show(page, "Tests");
	await page.getByLabel("Group").selectOption("By cause");
	const groups = page.getByRole("main").locator("details");
	await expect(groups.locator("summary")).toHaveText([
		/^expected 3, got 4.*1 failed of 1 test$/,
		/^No failure.*1 test$/,
	]);
	expect(await violationsOf(page), "grouped").toEqual([]);
	await page.getByRole("searchbox", { name: "Search tests of this build" }).fill("total");
	await expect(groups).toHaveCount(1);
	await expect(page).toHaveURL(/\?show=tests&find=total&group=cause$/);
	await page.reload();
	await expect(groups).toHaveCount(1);
	await page.getByRole("link", { name: "Cart › total", exact: true }).click();
	await expect(page).toHaveURL(/\/tests\/\d+\?result=\d+$/);
	await expect(page.getByText("expected 3, got 4").first()).toBeVisible();
	await api.call("DELETE", `/v1/test-runs/${run.id}`);
});
