/** Parts of a page that come when they are used, over a network that fails once. */
import type { Page } from "playwright/test";
import { openDrawer } from "#test/pages/jobs-page.ts";
import { expect, test } from "#test/tapedeck.ts";

const CHUNKS = "**/_next/static/chunks/**";
const MISSING = "Couldn't load this part of the page.";

/** Blocks all scripts until `unroute`. */
const cutScripts = (page: Page) => page.route(CHUNKS, (route) => route.abort());

test("a form that failed to load leaves the page as it is, and loads on the next attempt", async ({ page }) => {
	await page.goto("/jobs");
	const button = page.getByRole("button", { name: "New job" });
	await expect(button).toBeVisible();
	await cutScripts(page);
	await button.click();
	await expect(page).toHaveURL(/\/jobs$/);
	await expect(button).toBeVisible();
	await expect(page.getByText(MISSING).first()).toBeVisible();
	await page.unroute(CHUNKS);
	await button.click();
	await expect(page.getByRole("dialog", { name: "New job" }).getByLabel("Name", { exact: true })).toBeVisible();
});

test("the drawer's player recovers from a failed network on the next attempt", async ({ page, tapedeck }) => {
	const { runnerId, displayId, api } = tapedeck;
	const place = {
		runnerId,
		displayId,
		stopCondition: "duration",
		stopConditionConfig: { durationSeconds: 1 },
	} as const;
	const { id } = await api.createJob({ ...place, name: "Parted ways" });
	await api.waitFor(id, "playable");
	const waiting = await api.createJob({ ...place, displayId: ":9877", name: "Parted hair" });
	await page.goto("/jobs?q=Parted");
	await openDrawer(page, "Parted hair");
	await page.keyboard.press("Escape");
	await cutScripts(page);
	await openDrawer(page, "Parted ways");
	await expect(page.getByText(MISSING).first()).toBeVisible();
	await expect(page.getByRole("dialog", { name: "Parted ways" }).getByRole("heading").first()).toBeVisible();
	await expect(page.getByRole("region", { name: "Player controls" })).toHaveCount(0);
	await page.keyboard.press("Escape");
	await page.unroute(CHUNKS);

	await openDrawer(page, "Parted ways");
	await expect(page.getByRole("region", { name: "Player controls" })).toBeVisible();
	await api.cancelJob(waiting.id);
});
