/** The guides as pages and as Markdown. */
import { GUIDES } from "#lib/server/guides.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";

test("every guide is a page and Markdown, listed in llms.txt", async ({ page }) => {
	const index = await (await page.request.get("/llms.txt")).text();
	await page.goto("/docs/guides");
	const menu = page.getByRole("navigation", { name: "Guides" });
	for (const { name, title } of GUIDES) {
		const answer = await page.request.get(`/docs/guides/${name}.md`);
		expect(answer.headers()["content-type"], name).toMatch(/^text\/markdown/);
		expect(index).toContain(`(/docs/guides/${name}.md)`);
		await menu.getByRole("link", { name: title, exact: true }).click();
		await expect(page).toHaveURL(`/docs/guides/${name}`);
		await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
		expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name).toBe(true);
	}
	await page.goto("/docs/guides/finding");
	const picture = page.getByRole("article").getByRole("img").first();
	await picture.scrollIntoViewIfNeeded();
	await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
});

test("the sidebar leads to the guides, and an unknown guide is not found", async ({ page }) => {
	await page.goto("/jobs");
	await page.getByRole("link", { name: "Guides" }).click();
	await expect(page).toHaveURL(/\/docs\/guides\/\w+$/);
	await page.goto("/docs/guides/none");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
});

test("every guide is accessible in both color schemes, and fits on a phone", async ({ page }) => {
	for (const { name } of GUIDES) {
		await page.setViewportSize({ width: 1280, height: 720 });
		await page.emulateMedia({ colorScheme: "light" });
		await page.goto(`/docs/guides/${name}`);
		expect.soft(await violationsOf(page), name).toEqual([]);
		await page.emulateMedia({ colorScheme: "dark" });
		expect.soft(await violationsOf(page, { onlyColors: true }), name).toEqual([]);
		await page.setViewportSize({ width: 390, height: 844 });
		expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name).toBe(true);
	}
});
