/** Who belongs to an organization, as people live it: invited, signed up, given another role, removed. */
import type { Browser, Page } from "playwright/test";
import { expect, signedOut, test } from "./fixtures/tapedeck.ts";

const PASSWORD = "a long enough password";

/** Another person's browser. */
async function newBrowser(browser: Browser, baseURL: string): Promise<Page> {
	const context = await browser.newContext({ ...signedOut, baseURL });
	return context.newPage();
}

/** Makes a link on the owner's page. */
async function invite(page: Page, role: string): Promise<string> {
	await page.goto("/settings/members");
	await page.getByLabel("Role", { exact: true }).selectOption(role);
	await page.getByRole("button", { name: "Invite" }).click();
	return (await page.getByText(/\/invite#/).textContent()) ?? "";
}

async function signUp(page: Page, link: string, name: string): Promise<void> {
	await page.goto(link);
	await expect(page.getByRole("heading", { name: /^Join / })).toBeVisible();
	await page.getByLabel("Your name").fill(name);
	await page.getByLabel("E-mail").fill(`${name.toLowerCase()}@example.com`);
	await page.getByLabel("Password").fill(PASSWORD);
	await page.getByRole("button", { name: "Create account and join" }).click();
	await page.waitForURL("**/jobs");
}

test("an invited person signs up, changes role before their eyes, and is out at once when removed", async ({
	page,
	browser,
	tapedeck,
}) => {
	const link = await invite(page, "viewer");
	const guest = await newBrowser(browser, tapedeck.url);
	await signUp(guest, link, "Grace");
	await expect(guest.getByRole("heading", { name: "Jobs" })).toBeVisible();
	await expect(guest.getByRole("button", { name: "New job" })).toHaveCount(0);

	await expect(page.getByText(/used by Grace/)).toBeVisible();
	await page.getByLabel("Role of Grace").selectOption("member");
	await expect(guest.getByRole("button", { name: "New job" }).first()).toBeVisible();
	await guest.goto("/settings/members");
	await expect(guest.getByRole("list", { name: "Members" }).getByText("grace@example.com")).toBeVisible();
	await expect(guest.getByRole("button", { name: "Invite" })).toHaveCount(0);

	await page.getByRole("button", { name: "Remove Grace" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
	await guest.waitForURL("**/login");
	await expect(guest.getByText(/belong to no organization/)).toBeVisible();
	expect((await guest.request.get("/v1/jobs")).status()).toBe(403);

	const used = await newBrowser(browser, tapedeck.url);
	await used.goto(link);
	await expect(used.getByText("It has been used.")).toBeVisible();

	await page.getByLabel("Role", { exact: true }).selectOption("admin");
	await page.getByRole("button", { name: "Invite" }).click();
	const newLink = page.getByText(/\/invite#/);
	await expect(newLink).toBeVisible();
	await guest.goto((await newLink.textContent()) ?? "");
	await guest.getByRole("button", { name: "Join", exact: true }).click();
	await guest.waitForURL("**/jobs");
	await expect(guest.getByRole("button", { name: "New job" }).first()).toBeVisible();
	await guest.context().close();
	await used.context().close();
});

test("a forgotten password is set anew with an admin's link, and other browsers are signed out", async ({
	page,
	browser,
	tapedeck,
}) => {
	const guest = await newBrowser(browser, tapedeck.url);
	await signUp(guest, await invite(page, "member"), "Ada");
	await page.getByRole("button", { name: "Reset password of Ada" }).click();
	const link = await page
		.getByRole("dialog")
		.getByText(/\/reset-password#/)
		.textContent();
	const elsewhere = await newBrowser(browser, tapedeck.url);
	await elsewhere.goto(link ?? "");
	await elsewhere.getByLabel("New password").fill("short");
	await elsewhere.getByRole("button", { name: "Set password" }).click();
	await expect(elsewhere.getByLabel("New password")).toBeFocused();
	await elsewhere.getByLabel("New password").fill("another long password");
	await elsewhere.getByRole("button", { name: "Set password" }).click();
	await elsewhere.getByRole("link", { name: "Go to sign-in" }).click();
	await guest.waitForURL(/\/login/);
	await elsewhere.getByLabel("E-mail").fill("ada@example.com");
	await elsewhere.getByLabel("Password").fill("another long password");
	await elsewhere.getByRole("button", { name: "Sign in" }).click();
	await elsewhere.waitForURL("**/jobs");

	await guest.goto("/login");
	await guest.getByLabel("E-mail").fill("ada@example.com");
	await guest.getByLabel("Password").fill("another long password");
	await guest.getByRole("button", { name: "Sign in" }).click();
	await guest.waitForURL("**/jobs");
	await guest.goto("/settings/account");
	await guest.getByRole("button", { name: /^Revoke session Chrome/ }).click();
	await elsewhere.waitForURL(/\/login/);
	await expect(guest.getByText("(this one)")).toBeVisible();
	await guest.context().close();
	await elsewhere.context().close();
});
