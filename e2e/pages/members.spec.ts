/** Who belongs to an organization, as people live it: invited, signed up, given another role, removed. */
import { invite, newBrowser, PASSWORD, signIn, signUp } from "../../test/pages/people.ts";
import { expect, test } from "../../test/tapedeck.ts";

test("an invited stranger signs up, changes role before their eyes, and the link is used up", async ({
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

	const late = await newBrowser(browser, tapedeck.url);
	await late.goto(link);
	await expect(late.getByText("It has been used.")).toBeVisible();
	await guest.context().close();
	await late.context().close();
});

test("who is removed is out at once, and joins again by a new link with the same account", async ({
	page,
	browser,
	tapedeck,
}) => {
	const guest = await newBrowser(browser, tapedeck.url);
	await signUp(guest, await invite(page, "member"), "Hedy");
	await page.getByRole("button", { name: "Remove Hedy" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
	await guest.waitForURL("**/login");
	await expect(guest.getByText(/belong to no organization/)).toBeVisible();
	expect((await guest.request.get("/v1/jobs")).status()).toBe(403);

	await guest.goto(await invite(page, "admin"));
	await guest.getByRole("button", { name: "Join", exact: true }).click();
	await guest.waitForURL("**/jobs");
	await expect(guest.getByRole("button", { name: "New job" }).first()).toBeVisible();
	await guest.context().close();
});

test("an invitation that is not whole, or was revoked, tells a stranger so and nothing else", async ({
	page,
	browser,
	tapedeck,
}) => {
	const link = await invite(page, "viewer", "mary@example.com");
	const stranger = await newBrowser(browser, tapedeck.url);
	await stranger.goto("/invite");
	await expect(stranger.getByText("This address lacks the end of the link.")).toBeVisible();
	await page.getByRole("button", { name: "Revoke invitation of mary@example.com" }).click();
	await expect(page.getByText("Revoked the invitation.")).toBeVisible();
	await stranger.goto(link);
	await expect(stranger.getByText("It was revoked.")).toBeVisible();
	await expect(stranger.getByLabel("Password")).toHaveCount(0);
	await expect(stranger.getByText(tapedeck.email)).toHaveCount(0);
	await stranger.context().close();
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
	await signIn(elsewhere, "ada@example.com", "another long password");
	await guest.context().close();
	await elsewhere.context().close();
});

test("a session that is revoked in one browser is over in the other at once", async ({ page, browser, tapedeck }) => {
	const here = await newBrowser(browser, tapedeck.url);
	await signUp(here, await invite(page, "viewer"), "Radia");
	const elsewhere = await newBrowser(browser, tapedeck.url);
	await signIn(elsewhere, "radia@example.com", PASSWORD);
	await here.goto("/settings/account");
	await here.getByRole("button", { name: /^Revoke session Chrome/ }).click();
	await elsewhere.waitForURL(/\/login/);
	await expect(here.getByText("(this one)")).toBeVisible();
	await here.context().close();
	await elsewhere.context().close();
});

test("one's own password is changed with the current one, and the other browsers are signed out", async ({
	page,
	browser,
	tapedeck,
}) => {
	const here = await newBrowser(browser, tapedeck.url);
	await signUp(here, await invite(page, "viewer"), "Karen");
	const elsewhere = await newBrowser(browser, tapedeck.url);
	await signIn(elsewhere, "karen@example.com", PASSWORD);
	await here.goto("/settings/account");
	const change = async (current: string) => {
		await here.getByLabel("Current password").fill(current);
		await here.getByLabel("New password").fill("yet another long password");
		await here.getByRole("button", { name: "Change password" }).click();
	};
	await change("not the password");
	await expect(here.getByLabel("Current password")).toHaveAttribute("aria-invalid", "true");
	expect((await elsewhere.request.get("/v1/me")).status()).toBe(200);
	await change(PASSWORD);
	await expect(here.getByText("Changed your password.")).toBeVisible();
	await elsewhere.waitForURL(/\/login/);
	expect((await here.request.get("/v1/me")).status()).toBe(200);
	await signIn(elsewhere, "karen@example.com", "yet another long password");
	await here.context().close();
	await elsewhere.context().close();
});
