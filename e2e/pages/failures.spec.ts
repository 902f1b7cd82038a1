/** What failed since a person last looked: by build and test, each with its frame, and played from before its failure. */
import type { Locator, Page } from "playwright/test";
import type { Recording } from "#lib/contract/recording.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { addRecording } from "#test/pages/recordings-page.ts";
import { holdUndo } from "#test/pages/undo.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import type { Dashboard } from "#test/stack.ts";
import { expect, ownDashboardTest, dashboardTest as test } from "#test/tapedeck.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";

const video = makeExternalVideo({ seconds: 12 });

interface Wanted {
	labels?: Record<string, string>;
	/** Message of a marker of the kind fail, and its second. */
	fails?: [message: string, seconds: number];
	outcome?: "failed" | "error" | "passed";
}

async function add(tapedeck: Dashboard, name: string, { labels = {}, fails, outcome }: Wanted): Promise<Recording> {
	const { id } = await addRecording(tapedeck, name, await video);
	const path = `/v1/recordings/${id}`;
	if (fails !== undefined) {
		const [label, offsetSeconds] = fails;
		await tapedeck.api.call("POST", `${path}/markers`, { label, kind: "fail", offsetSeconds });
	}
	return tapedeck.api.call("PATCH", path, { labels, ...(outcome === undefined ? {} : { outcome }) });
}

const rows = (page: Page): Locator => page.locator("li:has(> div > a[data-failure])");
const rowOf = (page: Page, text: string): Locator => rows(page).filter({ hasText: text });
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

// A failure stays, also when its video is deleted.
ownDashboardTest()(
	"failures stand by build and test, each with the frame at its failure, and Enter plays from 5 seconds before",
	async ({ page, tapedeck }) => {
		await notePlaying(page);
		await page.goto("/jobs");
		await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Failures" }).click();
		await expect(page.getByRole("heading", { name: /^No failures/ })).toBeVisible();
		expect(await violationsOf(page)).toEqual([]);

		const cart = { build: "4183", test: "cart.spec: three items", branch: "main" };
		await add(tapedeck, "Attempt 1", { labels: cart, fails: ["expected 3 items, got 2", 8] });
		await add(tapedeck, "Passes", { labels: cart, outcome: "passed" });
		const second = await add(tapedeck, "Attempt 2", { labels: cart, fails: ["expected 3 items, got 1", 9] });
		const silent = await add(tapedeck, "Says nothing more", { labels: { build: "4182" }, outcome: "error" });
		// The list follows without being loaded again.
		await expect(page.getByRole("heading", { level: 2 })).toHaveText(["Build 4182", "Build 4183"]);
		await expect(rows(page).locator("a[data-failure]")).toHaveText([
			"Says nothing more",
			"expected 3 items, got 1",
			"expected 3 items, got 2",
		]);
		await expect(page.getByRole("list", { name: `Failures of ${cart.test}` }).getByRole("listitem")).toHaveCount(2);
		const row = rowOf(page, "got 1");
		await expect(row).toContainText("Failed test");
		await expect(row).toContainText("main · Attempt 2");
		await expect(row).toContainText("0:09");
		await expect
			.poll(() => row.locator("img").evaluate((image: HTMLImageElement) => [image.complete, image.naturalWidth]))
			.toEqual([true, 480]);
		for (const width of [390, 1440]) {
			await page.setViewportSize({ width, height: 900 });
			expect(await violationsOf(page), `at ${width} px`).toEqual([]);
		}
		await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
		expect(await violationsOf(page, { onlyColors: true }), "in the dark").toEqual([]);

		await page.keyboard.press("j");
		await page.keyboard.press("ArrowDown");
		await expect(row.getByRole("link", { name: "expected 3 items, got 1" })).toBeFocused();
		await page.keyboard.press("k");
		await page.keyboard.press("j");
		await page.keyboard.press("Enter");
		await expect(page).toHaveURL(new RegExp(`/recordings/${second.id}\\?t=4$`));
		await expect.poll(() => playedFrom(page)).toBeGreaterThanOrEqual(4);
		expect(await playedFrom(page)).toBeLessThan(8);

		// On to the next of the list, and back to it.
		await page.keyboard.press("Shift+J");
		await expect(page).toHaveURL(/\?t=3$/);
		await page.getByRole("link", { name: "Failures", exact: true }).first().click();
		// Without a marker, it plays from before the last change.
		await rowOf(page, "Says nothing more").locator("a[data-failure]").click();
		await expect(page).toHaveURL(new RegExp(`/recordings/${silent.id}\\?t=6\\.5$`));
	},
);

test("a job that recorded nothing is there too, with why it stopped, and leads to itself", async ({
	page,
	tapedeck,
}) => {
	const runner = await scriptRunner(tapedeck, "runner of failures", [{ id: ":79", width: 160, height: 120 }]);
	const { runnerId } = runner;
	const { id: jobId } = await tapedeck.api.createJob({ runnerId, displayId: ":79", stopCondition: "interrupt" });
	await runner.take();
	const message = "The display :79 is gone.";
	await runner.report(jobId, { type: "failed", code: "display_unavailable", message });
	await page.goto("/failures?since=day");
	const row = rowOf(page, "The display :79 is gone.");
	await expect(row).toContainText("Job failed");
	await expect(row).toContainText("Display not found");
	await expect(row).toContainText("No video");
	await row.getByRole("link").click();
	await expect(page).toHaveURL(new RegExp(`/jobs/${jobId}$`));
	await runner.stop();
});

ownDashboardTest()(
	"only Mark all as seen moves the mark, it can be undone, and other periods tell what is new",
	async ({ page, tapedeck }) => {
		await holdUndo(page);
		await add(tapedeck, "Seen", { outcome: "failed" });
		await page.goto("/failures");
		await expect(rowOf(page, "Seen")).toBeVisible();
		await page.reload();
		await expect(rowOf(page, "Seen")).toBeVisible();
		await page.getByRole("button", { name: "Mark all as seen" }).click();
		await expect(page.getByRole("heading", { name: "No failures since you last looked" })).toBeVisible();
		await page.getByRole("button", { name: "Undo" }).click();
		await expect(rowOf(page, "Seen")).toBeVisible();
		await page.getByRole("button", { name: "Mark all as seen" }).click();
		await expect(rowOf(page, "Seen")).toBeHidden();
		await add(tapedeck, "Later", { outcome: "failed" });
		await page.reload();
		await expect(rowOf(page, "Later")).toBeVisible();
		await expect(rowOf(page, "Seen")).toBeHidden();
		await page.getByRole("button", { name: "24 hours" }).click();
		await expect(page).toHaveURL(/\?since=day$/);
		await expect(rowOf(page, "Later")).toContainText("New");
		await expect(rowOf(page, "Seen")).toBeVisible();
		await expect(rowOf(page, "Seen")).not.toContainText("New");
		await page.reload();
		await expect(page.getByRole("button", { name: "24 hours" })).toHaveAttribute("aria-pressed", "true");
	},
);
