/** The guides as Markdown, and the list of them for programs. */
import { readdir, readFile } from "node:fs/promises";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";

test("every guide is served as Markdown, linked from the reference and listed in llms.txt", async ({ page }) => {
	const guides = (await readdir("docs")).filter((name) => name.endsWith(".md"));
	const index = await (await page.request.get("/llms.txt")).text();
	await page.goto("/docs");
	for (const guide of guides) {
		const answer = await page.request.get(`/docs/${guide}`);
		expect(answer.headers()["content-type"], guide).toMatch(/^text\/markdown/);
		expect(await answer.text()).toBe(await readFile(`docs/${guide}`, "utf8"));
		expect(index).toContain(`(/docs/${guide})`);
		await expect(page.locator(`a[href="/docs/${guide}"]`)).toBeVisible();
	}
});
