/** No dead link, no page that throws, nothing loaded from anywhere else. */
import { recordShortly } from "#test/jobs.ts";
import { expect, test } from "#test/tapedeck.ts";

/** Other tests leave a list full of jobs: a few of those that differ only in their numbers are enough. */
function isOneOfMany(path: string, seen: ReadonlyMap<string, string>): boolean {
	const shape = (one: string) => one.replaceAll(/\d+/g, "0");
	return [...seen.keys()].filter((one) => shape(one) === shape(path)).length >= 3;
}

test("no link on any page is broken", async ({ page, tapedeck }) => {
	const { id } = await recordShortly(tapedeck, "So that lists have a link");

	const queue = ["/", "/jobs", `/jobs/${id}`, "/recordings", "/runners", "/settings", "/docs"];
	const seen = new Map<string, string>(queue.map((path) => [path, "the list of pages"]));
	const dead: string[] = [];
	for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
		const from = seen.get(path);
		// Targets that are not pages (a video, a document of the API) are requested without opening them.
		const answer = await page.request.head(path);
		if (answer.status() >= 400) {
			dead.push(`${path} (${answer.status()}), linked from ${from}`);
			continue;
		}
		if (!answer.headers()["content-type"]?.includes("text/html")) continue;
		await page.goto(path);
		await expect(page.getByRole("heading").first()).toBeVisible();
		// Lists arrive after the first paint.
		await page.waitForLoadState("load");
		await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
		const links = await page
			.locator("a[href]")
			.evaluateAll((anchors) => anchors.map((anchor) => (anchor as HTMLAnchorElement).href));
		for (const link of links) {
			const url = new URL(link);
			if (url.origin !== tapedeck.url) continue;
			const next = url.pathname + url.search;
			if (seen.has(next) || isOneOfMany(next, seen)) continue;
			seen.set(next, path);
			queue.push(next);
		}
	}
	expect(dead).toEqual([]);
	expect(seen.size).toBeGreaterThan(7);
});

test("a link that was cut within a character leads to the page that says that there is none", async ({ page }) => {
	for (const path of ["/builds/gr%C3", "/recordings/%FF", "/shared/%ED%A0%80"]) {
		const answer = await page.goto(path);
		expect(answer?.status(), path).toBe(404);
		await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
		expect(new URL(page.url()).pathname).toBe(path);
	}
});

test("a page that does not exist says so and links back", async ({ page }) => {
	const answer = await page.goto("/no-such-page");
	expect(answer?.status()).toBe(404);
	await page.getByRole("link").first().click();
	await expect(page.getByRole("button", { name: "New job" })).toBeVisible();
});
