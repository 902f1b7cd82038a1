/** The first visit, signing in and signing out. */
import { violationsOf } from "#test/pages/axe.ts";
import { newBrowser, signIn } from "#test/pages/people.ts";
import { signInMachine } from "#test/runners/scripted-runner.ts";
import { startBrowserDashboard } from "#test/stack.ts";
import { expect, signedOut, dashboardTest as test } from "#test/tapedeck.ts";

test.describe("signed out", () => {
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

test("signing out ends the session", async ({ browser, tapedeck }) => {
	const page = await newBrowser(browser, tapedeck.url);
	await signIn(page, tapedeck.email, tapedeck.password);
	await page.getByRole("button", { name: "Your account" }).first().click();
	await page.getByRole("menuitem", { name: "Sign out" }).click();
	await page.waitForURL("**/login");
	expect((await page.request.get("/v1/jobs")).status()).toBe(401);
	await page.context().close();
});

test("the first visitor creates the first account and is signed in", async ({ browser }) => {
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
		await expect(page.getByRole("heading", { name: "Your first result" })).toBeVisible();
		expect(new URL(page.url()).pathname).toBe("/");
	} finally {
		await page.context().close();
		await empty.stop();
	}
});
