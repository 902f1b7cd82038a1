/** Pages whose session ends while they are open. */

import type { Page } from "playwright/test";
import { runSql } from "#test/databases/database.ts";
import { inExplore, variants } from "#test/in-explore.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { newBrowser, signIn } from "#test/pages/people.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";

const FILTERED = "/jobs?status=failed&q=nothing-is-called-so";

const EXPIRED = [
	// The requested address, or the previous one if the page noticed first.
	[
		"a link",
		(page: Page) => page.getByRole("link", { name: "Runners", exact: true }).click(),
		/\/(runners|jobs\?.*so)$/,
	],
	["a change", (page: Page) => page.keyboard.press("Enter"), /\/jobs\?status=failed&q=nothing-is-called-so$/],
	["nothing", () => Promise.resolve(), /\/jobs\?status=failed&q=nothing-is-called-so$/],
] as const;

for (const [what, act, back] of variants(EXPIRED, ([what]) => what === "a change")) {
	test(`a session that expires under an open page leads to sign-in, which says so and comes back, with ${what}`, async ({
		browser,
		tapedeck,
	}) => {
		const page = await newBrowser(browser, tapedeck.url);
		await signIn(page, tapedeck.email, tapedeck.password);
		await page.goto(FILTERED);
		await expect(page.getByText("match these filters")).toBeVisible();
		if (what === "a change") {
			await page.getByRole("button", { name: "Save view" }).click();
			await page.getByLabel("Name", { exact: true }).fill("Too late");
		}
		// Ends only this browser's session, because other tests share the account.
		const { data } = await (await page.request.get("/v1/me/sessions")).json();
		const { id } = data.find((session: { current: boolean }) => session.current);
		await runSql(tapedeck, `update session set "expiresAt" = '2020-01-01T00:00:00.000Z' where id = ${id}`);
		await act(page);
		await page.waitForURL(/\/login\?/);
		await expect(page.getByText("Your session has expired. Sign in to continue where you left off.")).toBeVisible();
		expect(await violationsOf(page)).toEqual([]);
		await page.getByLabel("Email").fill(tapedeck.email);
		await page.getByLabel("Password").fill(tapedeck.password);
		await page.keyboard.press("Enter");
		await page.waitForURL(back);
		await page.context().close();
	});
}

test("signing out in another tab says so, and comes back to the page", async ({ browser, tapedeck }) => {
	const page = await newBrowser(browser, tapedeck.url);
	await signIn(page, tapedeck.email, tapedeck.password);
	await page.goto(FILTERED);
	await expect(page.getByText("match these filters")).toBeVisible();
	const other = await page.context().newPage();
	await other.goto("/runners");
	await other.getByRole("button", { name: "Your account" }).first().click();
	await other.getByRole("menuitem", { name: "Sign out" }).click();
	await other.waitForURL("**/login");
	await expect(other.getByText(/expired|signed out/)).toHaveCount(0);
	await page.waitForURL(/\/login\?next=/);
	await expect(page.getByText("You signed out in another tab.")).toBeVisible();
	await page.context().close();
});

inExplore(test)(
	"signing out is no expired session, also when its response comes after others were refused",
	async ({ browser, tapedeck }) => {
		const page = await newBrowser(browser, tapedeck.url);
		await signIn(page, tapedeck.email, tapedeck.password);
		await page.route("**/api/auth/sign-out", async (route) => {
			const refused = page.waitForResponse(
				(response) => response.url().endsWith("/v1/me") && response.status() === 401,
			);
			const response = await route.fetch();
			await refused;
			await route.fulfill({ response });
		});
		await page.getByRole("button", { name: "Your account" }).first().click();
		await page.getByRole("menuitem", { name: "Sign out" }).click();
		await page.waitForURL("**/login");
		await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
		await expect(page.getByText(/expired|signed out/)).toHaveCount(0);
		await page.context().close();
	},
);
