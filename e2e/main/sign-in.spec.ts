/** The first visit, signing in and signing out. */
import type { Page } from "playwright/test";
import { runSql } from "#test/databases/database.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { newBrowser, signIn } from "#test/pages/people.ts";
import { signInMachine } from "#test/runners/scripted-runner.ts";
import { startBrowserDashboard } from "#test/stack.ts";
import { core, expect, signedOut, dashboardTest as test } from "#test/tapedeck.ts";

test.describe("signed out", core, () => {
	test.use(signedOut);

	test("a page asks for a sign-in and shows afterwards", async ({ page, tapedeck }) => {
		await signInMachine(tapedeck, "behind-the-sign-in");
		await page.goto("/runners");
		await expect(page).toHaveURL(/\/login\?next=/);
		await page.getByLabel("Email").fill(tapedeck.email);
		await page.getByLabel("Password").fill(tapedeck.password);
		await page.getByRole("button", { name: "Sign in" }).click();
		await expect(page).toHaveURL(/\/runners$/);
		await expect(page.getByText("behind-the-sign-in").first()).toBeVisible();
	});

	test("a wrong password is refused with the reason, and no page shows", async ({ page, tapedeck }) => {
		await page.goto("/login");
		await page.getByLabel("Email").fill(tapedeck.email);
		await page.getByLabel("Password").fill("not the password");
		await page.getByRole("button", { name: "Sign in" }).click();
		await expect(page.getByRole("alert").filter({ hasText: "Incorrect email or password." })).toBeVisible();
		await expect(page).toHaveURL(/\/login/);
		expect((await page.request.get("/v1/jobs")).status()).toBe(401);
	});

	test("the form checks before it sends, and focuses the field to correct, at first Email", async ({
		page,
		tapedeck,
	}) => {
		const sent: string[] = [];
		page.on("request", (request) => {
			if (request.method() === "POST") sent.push(request.url());
		});
		await page.goto("/login");
		const [email, password] = [page.getByLabel("Email"), page.getByLabel("Password")];
		const button = page.getByRole("button", { name: "Sign in" });
		await expect(email).toBeFocused();
		await expect(button).toBeEnabled();
		await button.click();
		await expect(email).toHaveAccessibleDescription("Enter your email.");
		await expect(password).toHaveAccessibleDescription("Enter your password.");
		await expect(email).toBeFocused();
		expect(await violationsOf(page)).toEqual([]);
		await email.fill("ada at example.com");
		await email.press("Enter");
		await expect(email).toHaveAccessibleDescription("Enter a full email, e.g. ada@example.com");
		await email.fill(` ${tapedeck.email} `);
		await email.press("Enter");
		await expect(email).not.toHaveAttribute("aria-invalid");
		await expect(password).toBeFocused();
		expect(sent).toEqual([]);
		await password.fill(tapedeck.password);
		await password.press("Enter");
		await page.waitForURL("**/jobs");
	});

	test("setup is closed once there is an owner", async ({ page }) => {
		await page.goto("/setup");
		await expect(page).toHaveURL(/\/login/);
	});
});

const FILTERED = "/jobs?status=failed&q=nothing-is-called-so";

for (const [what, act, back] of [
	// The address that was asked for, or the one before if the page noticed first.
	[
		"a link",
		(page: Page) => page.getByRole("link", { name: "Runners", exact: true }).click(),
		/\/(runners|jobs\?.*so)$/,
	],
	["a change", (page: Page) => page.keyboard.press("Enter"), /\/jobs\?status=failed&q=nothing-is-called-so$/],
	["nothing", () => Promise.resolve(), /\/jobs\?status=failed&q=nothing-is-called-so$/],
] as const) {
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
		// Of this browser alone: others share the account.
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

test("signing out is no expired session, also when its response comes after others were refused", async ({
	browser,
	tapedeck,
}) => {
	const page = await newBrowser(browser, tapedeck.url);
	await signIn(page, tapedeck.email, tapedeck.password);
	await page.route("**/api/auth/sign-out", async (route) => {
		const refused = page.waitForResponse((response) => response.url().endsWith("/v1/me") && response.status() === 401);
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
});

test("signing out ends the session", core, async ({ browser, tapedeck }) => {
	const page = await newBrowser(browser, tapedeck.url);
	await signIn(page, tapedeck.email, tapedeck.password);
	await page.getByRole("button", { name: "Your account" }).first().click();
	await page.getByRole("menuitem", { name: "Sign out" }).click();
	await page.waitForURL("**/login");
	expect((await page.request.get("/v1/jobs")).status()).toBe(401);
	await page.context().close();
});

test("the first visitor creates the first account and is signed in", core, async ({ browser }) => {
	const empty = await startBrowserDashboard({ bootstrap: false });
	const [, code = ""] = /enter the code (\S+)\./.exec(empty.lastLines()) ?? [];
	const page = await newBrowser(browser, empty.url);
	try {
		await page.goto("/");
		await expect(page).toHaveURL(/\/setup$/);
		await page.getByLabel("Organization").fill("Quality");
		await page.getByLabel("Your name").fill("Ada");
		await page.getByLabel("Email").fill("ada@example.com");
		await page.getByLabel("Password").fill("short");
		await page.getByRole("button", { name: "Set up" }).click();
		await expect(page.getByText("at least 10 characters").first()).toBeVisible();
		await expect(page).toHaveURL(/\/setup$/);
		await page.getByLabel("Password").fill("long enough for anyone");
		const { codeRequired } = await (await page.request.get("/v1/setup")).json();
		expect(codeRequired).toBe(empty.isBehindProxy);
		if (codeRequired) await page.getByLabel("One-time code").fill(code);
		await page.getByRole("button", { name: "Set up" }).click();
		await page.waitForURL("**/jobs");
		await expect(page.getByRole("button", { name: "New job" })).toBeVisible();
	} finally {
		await page.context().close();
		await empty.stop();
	}
});
