/** The list of jobs by keyboard. */

import type { Page } from "playwright/test";
import { inExplore } from "#test/in-explore.ts";
import { beginRecording, createInterruptJob, createShort, NO_DISPLAY } from "#test/jobs.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { rowOf } from "#test/pages/jobs-page.ts";
import type { Stack } from "#test/stack.ts";
import { expect, test } from "#test/tapedeck.ts";

/** Jobs of a second each. The last one is at the top of the list. */
async function createJobs(tapedeck: Stack, names: string[]): Promise<void> {
	for (const name of names) {
		await createShort(tapedeck, name);
	}
}

/** The whole row is within the window, and nothing lies over its name. */
const inView = (page: Page, name: string) =>
	rowOf(page, name).evaluate((row) => {
		const { top, bottom } = row.getBoundingClientRect();
		const link = row.querySelector("a")?.getBoundingClientRect();
		const over = link && document.elementFromPoint(link.left + 2, link.top + link.height / 2);
		return top >= 0 && bottom <= window.innerHeight && over !== null && row.contains(over ?? null);
	});

test("J, K and the arrow keys move the focus from row to row and keep it in view, Enter opens, Escape returns it", async ({
	page,
	tapedeck,
}) => {
	const names = Array.from({ length: 6 }, (_, index) => `Row ${index}`);
	await createJobs(tapedeck, names);
	await page.setViewportSize({ width: 1280, height: 320 });
	await page.goto("/jobs?q=Row");
	await expect(rowOf(page, "Row 5")).toBeVisible();
	await page.keyboard.press("j");
	await expect(rowOf(page, "Row 5")).toBeFocused();
	await page.keyboard.press("ArrowDown");
	await expect(rowOf(page, "Row 4")).toBeFocused();
	await page.keyboard.press("ArrowUp");
	await expect(rowOf(page, "Row 5")).toBeFocused();
	await page.keyboard.press("k");
	await expect(rowOf(page, "Row 5")).toBeFocused();
	for (const name of ["Row 4", "Row 3", "Row 2", "Row 1", "Row 0"]) {
		await page.keyboard.press("j");
		await expect(rowOf(page, name)).toBeFocused();
		await expect.poll(() => inView(page, name)).toBe(true);
	}
	for (const name of ["Row 1", "Row 2", "Row 3", "Row 4", "Row 5"]) {
		await page.keyboard.press("k");
		await expect(rowOf(page, name)).toBeFocused();
		await expect.poll(() => inView(page, name)).toBe(true);
	}
	// Only one row is in the Tab order.
	await expect(page.locator('tr[tabindex="0"]')).toHaveCount(1);

	await page.keyboard.press("Enter");
	const drawer = page.getByRole("dialog", { name: "Row 5" });
	await expect(drawer).toBeVisible();
	await page.keyboard.press("j");
	await page.keyboard.press("Escape");
	await expect(drawer).toBeHidden();
	await expect(rowOf(page, "Row 5")).toBeFocused();
});

test("C asks whether to cancel the job of the open drawer, and does nothing without one", async ({
	page,
	tapedeck,
}) => {
	const name = "Cancelled by C";
	const { id } = await beginRecording(tapedeck, name);
	await page.goto("/jobs");
	await expect(rowOf(page, name)).toBeVisible();
	await page.keyboard.press("j");
	await page.keyboard.press("c");
	await page.keyboard.press("Enter");
	const drawer = page.getByRole("dialog", { name });
	await expect(drawer.getByRole("button", { name: "Cancel job" })).toBeVisible();
	await page.keyboard.press("Control+c");
	await page.keyboard.press("Shift+C");
	await page.keyboard.press("?");
	await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
	await page.keyboard.press("c");
	await page.keyboard.press("Escape");
	await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeHidden();
	await page.keyboard.press("c");
	const question = page.getByRole("dialog", { name: `Cancel “${name}”?` });
	await expect(question.getByRole("button", { name: "Keep job" })).toBeFocused();
	expect(await violationsOf(page)).toEqual([]);
	await page.keyboard.press("c");
	await page.keyboard.press("Enter");
	await expect(question).toBeHidden();
	await expect(drawer).toBeFocused();
	await page.keyboard.press("c");
	await expect(question.getByRole("button", { name: "Keep job" })).toBeFocused();
	await page.keyboard.press("Escape");
	await expect(question).toBeHidden();
	await expect(drawer).toBeVisible();
	expect((await tapedeck.api.readJob(id)).cancelRequestedAt).toBeNull();
	await page.keyboard.press("c");
	await question.getByRole("button", { name: "Cancel job" }).press("Enter");
	await expect(drawer.getByText("Completed").first()).toBeVisible();
	expect(await tapedeck.api.readJob(id)).toMatchObject({ status: "completed", stopReason: "cancelled" });
});

inExplore(test)(
	"Escape closes the question and not the drawer below it, also in the moment in which the question appears",
	async ({ page, tapedeck }) => {
		const { id } = await createInterruptJob(tapedeck, "Below the question", NO_DISPLAY);
		await page.goto(`/jobs/${id}`);
		const drawer = page.getByRole("dialog", { name: "Below the question", exact: true });
		await expect(drawer.getByRole("button", { name: "Cancel job" })).toBeVisible();
		await expect(drawer).toBeFocused();
		await page.evaluate(() => {
			const observer = new MutationObserver(() => {
				if (document.querySelectorAll('[role="dialog"][data-state="open"]').length < 2) return;
				observer.disconnect();
				const key = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
				document.activeElement?.dispatchEvent(key);
				Object.assign(window, { pressedEscape: true });
			});
			observer.observe(document.body, { childList: true, subtree: true });
		});
		await page.keyboard.press("c");
		await page.waitForFunction(() => (window as unknown as { pressedEscape?: boolean }).pressedEscape);
		await expect(page.getByRole("button", { name: "Keep job" })).toBeHidden();
		await expect(drawer).toBeVisible();
		await page.keyboard.press("Escape");
		await expect(drawer).toBeHidden();
	},
);

inExplore(test)(
	"Escape closes the list of keys and not the drawer below it, also while the list loads",
	async ({ page, tapedeck }) => {
		const { id } = await createInterruptJob(tapedeck, "Below the keys", NO_DISPLAY);
		await page.goto(`/jobs/${id}`);
		const drawer = page.getByRole("dialog", { name: "Below the keys" });
		const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
		await expect(drawer.getByRole("button", { name: "Cancel job" })).toBeVisible();
		const loads = Promise.withResolvers<void>();
		await page.route("**/_next/static/chunks/**", async (route) => {
			await loads.promise;
			await route.continue();
		});
		const requested = page.waitForRequest("**/_next/static/chunks/**");
		await page.keyboard.press("?");
		const request = await requested;
		await page.keyboard.press("Escape");
		await expect(drawer).toBeVisible();
		loads.resolve();
		await (await request.response())?.finished();
		await page.keyboard.press("?");
		await expect(keys).toBeVisible();
		await page.keyboard.press("Escape");
		await expect(keys).toBeHidden();
		await expect(drawer).toBeVisible();
		await page.keyboard.press("Escape");
		await expect(drawer).toBeHidden();
		await tapedeck.api.cancelJob(id);
	},
);

test("the search, the form and the list of keys open by their keys, and none of them while typing", async ({
	page,
}) => {
	await page.goto("/jobs");
	const search = page.getByRole("searchbox", { name: "Search jobs" });
	const form = page.getByRole("dialog", { name: "New job" });
	const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
	await expect(search).toBeVisible();
	await page.keyboard.press("/");
	await expect(search).toBeFocused();
	await page.keyboard.type("jkcn?/");
	await expect(search).toHaveValue("jkcn?/");
	await expect(page.getByRole("dialog")).toHaveCount(0);
	await search.fill("");
	await search.blur();

	await page.keyboard.press("Shift+N");
	await expect(page.getByRole("dialog")).toHaveCount(0);
	await page.keyboard.press("n");
	await expect(form.getByLabel("Stop condition")).toBeVisible();
	await form.getByRole("button", { name: "Close" }).focus();
	await page.keyboard.press("?");
	await page.keyboard.press("/");
	await expect(keys).toBeHidden();
	await expect(form.getByRole("button", { name: "Close" })).toBeFocused();
	await page.keyboard.press("Escape");
	await expect(form).toBeHidden();

	await page.keyboard.press("?");
	for (const does of ["Next job", "Search jobs", "New job", "Play or pause", "Next frame"]) {
		await expect(keys.getByText(does, { exact: true })).toBeVisible();
	}
	await page.keyboard.press("n");
	await expect(form).toBeHidden();
	for (const width of [390, 1440]) {
		await page.setViewportSize({ width, height: 844 });
		const overflow = () => keys.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
		expect(await overflow()).toBeLessThanOrEqual(0);
	}
	await page.keyboard.press("Escape");
	await expect(keys).toBeHidden();
});

test("single keys that are turned off do nothing, in every tab, and everything else still works", async ({
	page,
	context,
	tapedeck,
}) => {
	const name = "Without single keys";
	const { id } = await createInterruptJob(tapedeck, name, NO_DISPLAY);
	await page.goto(`/jobs?q=${name}`);
	const other = await context.newPage();
	await other.goto(`/jobs?q=${name}`);
	const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
	await expect(rowOf(page, name)).toBeVisible();
	await page.keyboard.press("?");
	await keys.getByRole("checkbox", { name: /^Single-key shortcuts/ }).uncheck();
	await expect(keys.locator("div:has(> dt)", { hasText: "New job" }).locator("dd")).toHaveText("Off");
	await expect(keys.locator("div:has(> dt)", { hasText: "Next job" }).locator("dd")).toHaveText("↓");
	expect(await violationsOf(page)).toEqual([]);
	await page.keyboard.press("Escape");
	for (const one of [page, other]) {
		for (const key of ["n", "?", "/", "j", "x", "Shift+X", "Shift+J"]) await one.keyboard.press(key);
		await expect(one.getByRole("dialog")).toHaveCount(0);
		await expect(one.getByRole("searchbox", { name: "Search jobs" })).not.toBeFocused();
		await expect(rowOf(one, name)).not.toBeFocused();
		await expect(one.getByRole("button", { name: "New job" })).not.toHaveAttribute("title", /.*/);
		await one.keyboard.press("ArrowDown");
		await expect(rowOf(one, name)).toBeFocused();
		await one.keyboard.press("Enter");
		await expect(one.getByRole("dialog", { name })).toBeVisible();
		await one.keyboard.press("c");
		await expect(one.getByRole("dialog", { name: `Cancel “${name}”?` })).toHaveCount(0);
		await one.keyboard.press("Escape");
		await expect(one.getByRole("dialog")).toHaveCount(0);
	}
	await other.close();
	await page.reload();
	await page.keyboard.press("Control+k");
	await page.getByRole("dialog", { name: "Command palette" }).getByRole("combobox").fill("keyboard");
	await page.keyboard.press("Enter");
	await keys.getByRole("checkbox", { name: /^Single-key shortcuts/ }).check();
	await page.keyboard.press("Escape");
	await expect(keys).toBeHidden();
	await page.keyboard.press("n");
	await expect(page.getByRole("dialog", { name: "New job" })).toBeVisible();
	await tapedeck.api.cancelJob(id);
});

inExplore(test)(
	"the keys continue from the focused row, even when it was scrolled far away",
	async ({ page, tapedeck }) => {
		for (let index = 0; index < 60; index++) {
			await createInterruptJob(tapedeck, `Far ${index}`, NO_DISPLAY);
		}
		await page.goto("/jobs?q=Far");
		await expect(rowOf(page, "Far 59")).toBeVisible();
		await page.keyboard.press("j");
		await expect(rowOf(page, "Far 59")).toBeFocused();
		await rowOf(page, "Far 59").hover();
		await page.mouse.wheel(0, 5_000);
		await expect(rowOf(page, "Far 59")).toHaveCount(0);
		await page.keyboard.press("j");
		await expect(rowOf(page, "Far 58")).toBeFocused();
		await expect.poll(() => inView(page, "Far 58")).toBe(true);
	},
);
