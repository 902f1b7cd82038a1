/** Failures since the user last looked: test results grouped by a common property, played from before the failure. */

import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright/test";
import { inExplore } from "#test/in-explore.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { addRecording } from "#test/pages/recordings-page.ts";
import { recordTests } from "#test/pages/test-results.ts";
import { holdUndo } from "#test/pages/undo.ts";
import { type ScriptedRunner, scriptRunner } from "#test/runners/scripted-runner.ts";
import type { Dashboard } from "#test/stack.ts";
import { expect, ownDashboardTest, dashboardTest as test } from "#test/tapedeck.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";
import { makeVideo } from "#test/videos/make-video.ts";

const recorded = async () => readFile(await makeVideo("recorder.mp4", 12));

const groups = (page: Page): Locator => page.locator("li[data-group]");
const groupOf = (page: Page, text: string): Locator => groups(page).filter({ hasText: text });
const linkOf = (group: Locator): Locator => group.locator("h2 a[data-failure]");
/** Notes in the page where a video begins to play, however late the test looks. Call before `goto`. */
const notePlaying = (page: Page) =>
	page.addInitScript(() => {
		const note = ({ target }: Event) => {
			document.documentElement.dataset.playedFrom ??= String((target as HTMLVideoElement).currentTime);
		};
		addEventListener("playing", note, true);
	});
const playedFrom = (page: Page) =>
	page.locator("html").evaluate(({ dataset }: HTMLElement) => Number(dataset.playedFrom ?? Number.NaN));

/** Two builds of a branch: what fails twice with another number, and what fails once with another message. */
async function twoBuilds(tapedeck: Dashboard, runner: ScriptedRunner) {
	const video = await recorded();
	const first = await recordTests(tapedeck, runner, "Nightly 4182", {
		...{ labels: { build: "4182", branch: "main" }, video },
		tests: [
			{ test: "Cart › three items", outcome: "failed", message: "expected 3 items, got 2", at: [2, 9] },
			{ test: "Login › works", outcome: "passed", at: [9, 10] },
		],
	});
	const second = await recordTests(tapedeck, runner, "Nightly 4183", {
		...{ labels: { build: "4183", branch: "main" }, video },
		tests: [
			{ test: "Login › works", outcome: "error", message: "Timeout\n  at login.ts:12", at: [1, 3] },
			{ test: "Cart › three items", outcome: "failed", message: "expected 3 items, got 1", at: [4, 8] },
		],
	});
	return { first, second };
}

ownDashboardTest()(
	"failures stand by cause, each with the frame of the newest, and Enter plays it from 5 seconds before",
	async ({ page, tapedeck }) => {
		await notePlaying(page);
		await page.goto("/jobs");
		await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Failures" }).click();
		await expect(page.getByRole("heading", { name: /^No failures/ })).toBeVisible();
		expect(await violationsOf(page)).toEqual([]);

		const runner = await scriptRunner(tapedeck, "runner of causes");
		const { second } = await twoBuilds(tapedeck, runner);
		// The list follows without being loaded again.
		await expect(groups(page)).toHaveCount(2);
		await expect(page.getByText("2 causes: 2 tests failed (3 attempts)")).toBeVisible();
		const cart = groupOf(page, "expected 3 items");
		await expect(cart.getByRole("list", { name: "Counts" })).toContainText("1 test failed (2 attempts)");
		await expect(cart.getByRole("list", { name: "Counts" })).toContainText("1 known");
		await expect(cart.getByRole("list", { name: "Counts" })).toContainText("2 builds");
		await expect(cart).toContainText("Cart › three items · main · build 4183");
		await expect
			.poll(() => cart.locator("img").evaluate((image: HTMLImageElement) => [image.complete, image.naturalWidth > 0]))
			.toEqual([true, true]);
		const failures = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Failures" });
		await expect(failures).toHaveAccessibleName("Failures , 2 not seen");
		for (const width of [390, 1440]) {
			await page.setViewportSize({ width, height: 900 });
			expect(await violationsOf(page), `at ${width} px`).toEqual([]);
		}
		await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
		expect(await violationsOf(page, { onlyColors: true }), "in the dark").toEqual([]);

		// Seen by key, by opening and by playing; each for itself.
		const counts = (group: Locator) => group.getByRole("list", { name: "Counts" });
		const login = groupOf(page, "Timeout");
		await expect(counts(cart)).toContainText("Not seen");
		await linkOf(login).focus();
		await page.keyboard.press("s");
		await expect(counts(login)).not.toContainText("Not seen");
		await expect(login.getByRole("button", { name: /^Mark as seen/ })).toHaveCount(0);
		await expect(failures).toHaveAccessibleName("Failures , 1 not seen");
		await expect(counts(cart)).toContainText("Not seen");

		await linkOf(groups(page).first()).focus();
		while (!(await linkOf(cart).evaluate((link) => link === document.activeElement))) await page.keyboard.press("j");
		await page.keyboard.press("Enter");
		await expect(page).toHaveURL(new RegExp(`/recordings/${second.recordingId}\\?result=\\d+$`));
		await expect.poll(() => playedFrom(page)).toBeGreaterThanOrEqual(3);
		expect(await playedFrom(page)).toBeLessThan(8);

		// The keyboard is where it was.
		await page.goBack();
		await expect(linkOf(cart)).toBeFocused();
		await expect(counts(cart)).not.toContainText("Not seen");
		await expect(failures).toHaveAccessibleName("Failures");
		await page.keyboard.press("ArrowRight");
		const all = cart.getByRole("list", { name: "Failures: expected 3 items" });
		await expect(all.getByRole("listitem")).toHaveText([/build 4183/, /build 4182/]);
		expect(await violationsOf(page), "with a group open").toEqual([]);
		await page.keyboard.press("j");
		await page.keyboard.press("j");
		await expect(all.getByRole("link").last()).toBeFocused();
		await page.keyboard.press("ArrowLeft");
		await expect(all).toHaveCount(0);
		await runner.stop();
	},
);

ownDashboardTest()(
	"failures are grouped by test and by build too, and the address has the grouping and the period",
	async ({ page, tapedeck }) => {
		const runner = await scriptRunner(tapedeck, "runner of groups");
		await twoBuilds(tapedeck, runner);
		await page.goto("/failures?by=test");
		await expect(page.getByText("2 tests failed (3 attempts)")).toBeVisible();
		await expect(groups(page).locator("h2")).toHaveText(["Cart › three items", "Login › works"], {
			useInnerText: true,
		});
		await page.getByRole("combobox", { name: "Group by" }).selectOption("By build");
		await expect(page).toHaveURL(/\/failures\?by=build$/);
		await expect(groups(page).locator("h2")).toHaveText(["Build 4183", "Build 4182"]);
		await groupOf(page, "Build 4183").getByRole("button", { name: "All failures: Build 4183" }).click();
		await expect(page.getByRole("list", { name: "Failures: Build 4183" }).getByRole("listitem")).toHaveCount(2);
		await page.getByRole("button", { name: "24 hours" }).click();
		await expect(page).toHaveURL(/\?since=day&by=build$/);
		await page.reload();
		await expect(page.getByRole("button", { name: "24 hours" })).toHaveAttribute("aria-pressed", "true");
		await expect(groups(page)).toHaveCount(2);
		await page.getByRole("searchbox", { name: "Search failures" }).fill("Login");
		await expect(groups(page)).toHaveCount(1);
		await page.getByRole("searchbox", { name: "Search failures" }).fill("nothing-is-called-so");
		await expect(page.getByRole("heading", { name: "No failures match these filters" })).toBeVisible();
		await runner.stop();
	},
);

ownDashboardTest()(
	"a cause is assigned and muted with a reason and an end, and what is muted can be shown",
	async ({ page, tapedeck }) => {
		const runner = await scriptRunner(tapedeck, "runner of triage");
		await twoBuilds(tapedeck, runner);
		await page.goto("/failures");
		const cart = groupOf(page, "expected 3 items");
		const actions = cart.getByRole("button", { name: /^Actions for expected 3 items/ });
		await actions.click();
		await page.getByRole("menuitem", { name: "Assign to me" }).click();
		await expect(cart).toContainText(/Assigned to /);
		await actions.click();
		expect(await violationsOf(page), "with the menu open").toEqual([]);
		await page.getByRole("menuitem", { name: "Mute…" }).click();
		const dialog = page.getByRole("dialog", { name: "Mute" });
		expect(await violationsOf(page), "with the dialog open").toEqual([]);
		await dialog.getByRole("button", { name: "Mute" }).click();
		await expect(dialog.getByText(/reason/i).last()).toBeVisible();
		await dialog.getByLabel("Reason").fill("Known: the backend drops an item");
		await dialog.getByLabel("For").selectOption("30 days");
		await dialog.getByRole("button", { name: "Mute" }).click();
		await expect(cart).toHaveCount(0);
		await expect(groups(page)).toHaveCount(1);
		await page.getByRole("button", { name: "1 muted" }).click();
		await expect(page).toHaveURL(/muted=yes/);
		await expect(cart).toContainText(/Muted until .* by .*: Known: the backend drops an item/);
		await actions.click();
		await page.getByRole("menuitem", { name: "Unmute" }).click();
		await expect(cart).not.toContainText("Muted until");
		await page.getByRole("button", { name: "Muted are shown" }).click();
		await expect(cart).toBeVisible();

		// CI passes for 30 days at most, so that a longer time is no longer offered.
		await actions.click();
		await page.getByRole("menuitem", { name: "Mute…" }).click();
		await dialog.getByLabel("Reason").fill("TAP-7");
		const days = dialog.getByLabel("For");
		await days.selectOption("90 days");
		await dialog.getByLabel("Let CI pass?").selectOption("Yes, until the mute ends");
		await expect(days).toHaveValue("30");
		await expect(days.getByRole("option")).toHaveText(["1 day", "7 days", "30 days"]);
		expect(await violationsOf(page), "with the choice to let CI pass").toEqual([]);
		await dialog.getByRole("button", { name: "Mute" }).click();
		const passing = page.getByRole("region", { name: "CI passes in spite of these" });
		await expect(passing.getByRole("listitem")).toContainText(/owner .* · let through by .* · TAP-7/);
		await passing.getByRole("button", { name: /^End: expected 3 items/ }).click();
		await expect(passing).toHaveCount(0);
		// The mute goes on: the cause does not come back.
		await page.getByRole("button", { name: "1 muted" }).click();
		await expect(cart).toContainText(/Muted until .* by .*: TAP-7/);
		await expect(cart).not.toContainText("CI passes in spite of it");
		await expect(page.getByRole("button", { name: /new group/ })).toHaveCount(0);
		await runner.stop();
	},
);

inExplore(test)(
	"a job that recorded nothing is there too, with why it failed, and leads to itself",
	async ({ page, tapedeck }) => {
		const runner = await scriptRunner(tapedeck, "runner of failures", [{ id: ":79", width: 160, height: 120 }]);
		const { runnerId } = runner;
		const { id: jobId } = await tapedeck.api.createJob({ runnerId, displayId: ":79", stopCondition: "interrupt" });
		await runner.take();
		const message = "The display :79 is gone.";
		await runner.report(jobId, { type: "failed", code: "display_unavailable", message });
		await page.goto("/failures?since=day");
		const row = groupOf(page, "The display :79 is gone.");
		await expect(row).toContainText("Recording failed");
		await expect(row).toContainText("No video");
		await linkOf(row).click();
		await expect(page).toHaveURL(new RegExp(`/jobs/${jobId}$`));
		await runner.stop();
	},
);

inExplore(test)(
	"a black video of a test that passed is in a section of its own, and leads to its recording",
	async ({ page, tapedeck }) => {
		const runner = await scriptRunner(tapedeck, "runner of black videos");
		const jobId = await runner.record("Shows nothing");
		const video = await readFile(await makeVideo("recorder.mp4", 4));
		await runner.send(jobId, 0, video, video.length);
		await runner.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "black" });
		const { recording } = await tapedeck.api.waitFor(jobId, "playable");
		await tapedeck.api.call("PATCH", `/v1/jobs/${jobId}`, { outcome: "passed" });
		await page.goto("/failures");
		const videos = page.getByRole("region", { name: "Black or frozen videos" });
		await expect(videos.getByRole("listitem").filter({ hasText: "Shows nothing" })).toContainText("Black video");
		expect(await violationsOf(page)).toEqual([]);
		await videos.getByRole("link", { name: "Shows nothing" }).click();
		await expect(page).toHaveURL(new RegExp(`/recordings/${recording?.id}$`));
		await runner.stop();
	},
);

ownDashboardTest()(
	"opening the page marks nothing as seen, Mark all can be undone, and the sidebar counts what is not seen",
	async ({ page, tapedeck }) => {
		const video = await makeExternalVideo({ seconds: 2 });
		const fail = async (name: string) => {
			const { id } = await addRecording(tapedeck, name, video);
			await tapedeck.api.call("PATCH", `/v1/recordings/${id}`, { outcome: "failed" });
		};
		await holdUndo(page);
		await fail("Earlier");
		await page.goto("/failures?by=test");
		const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Failures" });
		await expect(groupOf(page, "Earlier")).toBeVisible();
		await expect(link).toContainText("1 not seen");
		await page.reload();
		await expect(groupOf(page, "Earlier")).toBeVisible();
		await page.getByRole("button", { name: "Mark all as seen" }).click();
		await expect(page.getByRole("heading", { name: "No failures since you last looked" })).toBeVisible();
		await expect(link).not.toContainText("not seen");
		await page.getByRole("button", { name: "Undo" }).click();
		await expect(groupOf(page, "Earlier")).toBeVisible();
		await page.getByRole("button", { name: "Mark all as seen" }).click();
		await expect(groupOf(page, "Earlier")).toBeHidden();
		await fail("Later");
		await page.reload();
		await expect(groupOf(page, "Later")).toBeVisible();
		await expect(link).toContainText("1 not seen");
		await expect(groupOf(page, "Earlier")).toBeHidden();
		await page.getByRole("button", { name: "24 hours" }).click();
		await expect(page).toHaveURL(/\?since=day&by=test$/);
		await expect(groupOf(page, "Later")).toBeVisible();
		await expect(groupOf(page, "Earlier")).toBeVisible();
	},
);
