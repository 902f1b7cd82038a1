/** The first visit, signing in and signing out. */
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

	test("setup is closed once there is an owner", async ({ page }) => {
		await page.goto("/setup");
		await expect(page).toHaveURL(/\/login/);
	});
});

test("signing out ends the session", core, async ({ browser, tapedeck }) => {
	const context = await browser.newContext({ ...signedOut, baseURL: tapedeck.url });
	const page = await context.newPage();
	await page.goto("/login");
	await page.getByLabel("Email").fill(tapedeck.email);
	await page.getByLabel("Password").fill(tapedeck.password);
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.waitForURL("**/jobs");
	await page.getByRole("button", { name: "Your account" }).first().click();
	await page.getByRole("menuitem", { name: "Sign out" }).click();
	await page.waitForURL("**/login");
	expect((await page.request.get("/v1/jobs")).status()).toBe(401);
	await context.close();
});

test("the first visitor creates the first account and is signed in", core, async ({ browser }) => {
	const empty = await startBrowserDashboard({ bootstrap: false });
	const [, code = ""] = /enter the code (\S+)\./.exec(empty.lastLines()) ?? [];
	const context = await browser.newContext({ ...signedOut, baseURL: empty.url });
	const page = await context.newPage();
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
		await context.close();
		await empty.stop();
	}
});
