/** The home page: what is worth a look, and for a new organization the ways to its first result. */
import type { Page } from "playwright/test";
import { violationsOf } from "#test/pages/axe.ts";
import { newBrowser } from "#test/pages/people.ts";
import { startBrowserDashboard } from "#test/stack.ts";
import { expect, test } from "#test/tapedeck.ts";

/** No part of the page is wider than the window. */
const misfit = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

test("a new organization is shown three ways to its first result, which replaces them", async ({ browser }) => {
	const empty = await startBrowserDashboard();
	const page = await newBrowser(browser, empty.url);
	try {
		await page.goto("/");
		await page.getByLabel("Email").fill(empty.email);
		await page.getByLabel("Password").fill(empty.password);
		await page.getByRole("button", { name: "Sign in" }).click();
		const ways = page.getByRole("region", { name: "Your first result" });
		await expect(ways.getByRole("heading", { level: 3 })).toHaveText([
			"Record a display",
			"Report a test framework",
			"Upload what you have",
		]);
		expect(new URL(page.url()).pathname).toBe("/");
		await expect(ways.getByText(/TAPEDECK_URL=http/).first()).toContainText(`TAPEDECK_URL=${empty.url}`);
		for (const [name, path] of [
			["Connect a runner", "/runners"],
			["Create an API key", "/settings"],
			["Upload a video", "/recordings"],
		] as const) {
			await expect(ways.getByRole("link", { name })).toHaveAttribute("href", path);
		}
		const guides = ways.locator('a[href^="/docs/guides/"]');
		await expect(guides).toHaveCount(6);
		for (const guide of await guides.all()) {
			expect((await page.request.get((await guide.getAttribute("href")) ?? "")).status()).toBe(200);
		}
		for (const width of [1440, 390]) {
			await page.setViewportSize({ width, height: 900 });
			expect(await violationsOf(page)).toEqual([]);
			expect(await misfit(page), `at ${width} pixels`).toBe(false);
		}

		const send = (path: string, data: unknown) =>
			page.request.post(path, { data, headers: { origin: empty.url } }).then((answer) => answer.json());
		const run = await send("/v1/test-runs", { name: "Nightly", labels: { build: "shop 1" } });
		await send(`/v1/test-runs/${run.id}/tests`, [{ key: "1", test: "opens", outcome: "passed" }]);
		await expect(page.getByRole("list", { name: "Builds" })).toContainText("shop 1");
		await expect(ways).toHaveCount(0);
	} finally {
		await page.context().close();
		await empty.stop();
	}
});

test("home shows what failed since the user looked, what records now and the last builds, as they change", async ({
	page,
	tapedeck,
}) => {
	const { api } = tapedeck;
	const labels = { build: "home 1", branch: "main" };
	const run = await api.call<{ id: number }>("POST", "/v1/test-runs", { name: "Home", labels });
	const report = (key: string, message: string) =>
		api.call("POST", `/v1/test-runs/${run.id}/tests`, [{ key, test: `Home › ${key}`, outcome: "failed", message }]);
	await report("pays", "The coins of the home page are gone");
	await page.goto("/");
	await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" })).toHaveAttribute(
		"aria-current",
		"page",
	);
	const failures = page.getByRole("region", { name: "Failed since you looked" });
	await expect(failures.getByRole("link", { name: "The coins of the home page are gone" })).toBeVisible();
	await expect(page.getByRole("list", { name: "Builds" }).getByRole("listitem").first()).toContainText("home 1");
	await report("ships", "No ship leaves the home port");
	const second = failures.getByRole("link", { name: "No ship leaves the home port" });
	await expect(second).toBeVisible();

	const { id } = await api.createJob({
		...{ runnerId: tapedeck.runnerId, displayId: tapedeck.displayId, name: "Recorded at home" },
		stopCondition: "interrupt",
	});
	const records = page.getByRole("region", { name: "Recording now" }).getByRole("listitem");
	await expect(records.filter({ hasText: "Recorded at home" })).toContainText(tapedeck.displayId);
	await api.call("POST", `/v1/jobs/${id}/cancel`);
	await expect(records.filter({ hasText: "Recorded at home" })).toHaveCount(0);
	await expect(page.getByRole("region", { name: "Storage and runners" })).toContainText(/online|offline/);

	await second.click();
	await expect(page.getByRole("heading", { level: 1, name: "Home › ships" })).toBeVisible();
	await page.goto("/");
	await expect(failures.getByRole("link", { name: "The coins of the home page are gone" })).toBeVisible();
	await expect(second).toHaveCount(0);
});
