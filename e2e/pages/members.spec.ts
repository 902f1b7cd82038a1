/** Members: invited, signed up, given another role, removed. */
import { inExplore } from "#test/in-explore.ts";
import { invite, newBrowser, PASSWORD, signIn, signUp } from "#test/pages/people.ts";
import { startBrowserDashboard } from "#test/stack.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";

test("an invited person signs up, sees a change of role at once, and the link is used up", async ({
	page,
	browser,
	tapedeck,
}) => {
	const link = await invite(page, "viewer");
	const guest = await newBrowser(browser, tapedeck.url);
	await signUp(guest, link, "Grace");
	await expect(guest.getByRole("heading", { name: "Jobs", exact: true })).toBeVisible();
	await expect(guest.getByRole("button", { name: "New job" })).toHaveCount(0);

	await expect(page.getByText(/Accepted by Grace/)).toBeVisible();
	await page.getByLabel("Role of Grace").selectOption("member");
	await expect(guest.getByRole("button", { name: "New job" }).first()).toBeVisible();
	await guest.goto("/settings/members");
	await expect(guest.getByRole("list", { name: "Members" }).getByText("grace@example.com")).toBeVisible();
	await expect(guest.getByRole("button", { name: "Invite" })).toHaveCount(0);

	const late = await newBrowser(browser, tapedeck.url);
	await late.goto(link);
	await expect(late.getByText(/already been used/)).toBeVisible();
	await guest.context().close();
	await late.context().close();
});

test("a removed member loses access at once, and joins again by a new link with the same account", async ({
	page,
	browser,
	tapedeck,
}) => {
	const guest = await newBrowser(browser, tapedeck.url);
	await signUp(guest, await invite(page, "member"), "Hedy");
	await page.getByRole("button", { name: "Remove Hedy" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
	await guest.waitForURL("**/login");
	await expect(guest.getByText(/don't belong to an organization/)).toBeVisible();
	expect((await guest.request.get("/v1/jobs")).status()).toBe(403);

	await guest.goto(await invite(page, "admin"));
	await guest.getByRole("button", { name: "Join", exact: true }).click();
	await guest.waitForURL("**/jobs");
	await expect(guest.getByRole("button", { name: "New job" }).first()).toBeVisible();
	await guest.context().close();
});

inExplore(test)(
	"an incomplete or revoked invitation says so and reveals nothing else",
	async ({ page, browser, tapedeck }) => {
		const link = await invite(page, "viewer", "mary@example.com");
		const visitor = await newBrowser(browser, tapedeck.url);
		await visitor.goto("/invite");
		await expect(visitor.getByText("This link is incomplete.")).toBeVisible();
		await page.getByRole("button", { name: "Revoke invitation of mary@example.com" }).click();
		await expect(page.getByText("Revoked the invitation.")).toBeVisible();
		await visitor.goto(link);
		await expect(visitor.getByText("This invitation was revoked.")).toBeVisible();
		await expect(visitor.getByLabel("Password")).toHaveCount(0);
		await expect(visitor.getByText(tapedeck.email)).toHaveCount(0);
		await visitor.context().close();
	},
);

test("a forgotten password is reset with an admin's link, and other browsers are signed out", async ({
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

inExplore(test)(
	"a session that is revoked in one browser ends in the other at once",
	async ({ page, browser, tapedeck }) => {
		const here = await newBrowser(browser, tapedeck.url);
		await signUp(here, await invite(page, "viewer"), "Radia");
		const elsewhere = await newBrowser(browser, tapedeck.url);
		await signIn(elsewhere, "radia@example.com", PASSWORD);
		await here.goto("/settings/account");
		await here.getByRole("button", { name: /^Revoke session Chrome/ }).click();
		await elsewhere.waitForURL(/\/login/);
		await expect(here.getByText("(this browser)")).toBeVisible();
		await here.context().close();
		await elsewhere.context().close();
	},
);

test("changing one's password takes the current one, and signs the other browsers out", async ({
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
	await expect(here.getByText("Password changed.")).toBeVisible();
	await elsewhere.waitForURL(/\/login/);
	expect((await here.request.get("/v1/me")).status()).toBe(200);
	await signIn(elsewhere, "karen@example.com", "yet another long password");
	await here.context().close();
	await elsewhere.context().close();
});

inExplore(test)(
	"the only owner is not offered to leave or to change role, and sees why; with a second owner both work",
	async ({ browser }) => {
		const dashboard = await startBrowserDashboard();
		const owner = await newBrowser(browser, dashboard.url);
		try {
			await signIn(owner, dashboard.email, dashboard.password);
			await owner.goto("/settings/members");
			const members = owner.getByRole("list", { name: "Members" });
			await expect(members.getByText("(you)")).toBeVisible();
			await expect(owner.getByText("You are the only owner, so you can't leave or change your role.")).toBeVisible();
			await expect(owner.getByRole("button", { name: "Leave organization" })).toHaveCount(0);
			await expect(owner.getByLabel(/^Role of/)).toHaveCount(0);

			const second = await newBrowser(browser, dashboard.url);
			await signUp(second, await invite(owner, "owner"), "Grace");
			await expect(owner.getByRole("button", { name: "Leave organization" })).toBeVisible();
			await expect(owner.getByLabel(/^Role of/)).toHaveCount(2);
			await owner.getByRole("button", { name: "Leave organization" }).click();
			await owner.getByRole("dialog").getByRole("button", { name: "Leave organization" }).click();
			await expect(owner.getByText(/don't belong to an organization/)).toBeVisible();
			await second.goto("/settings/members");
			await expect(second.getByRole("button", { name: "Transfer ownership" })).toHaveCount(0);
			await expect(second.getByRole("button", { name: "Leave organization" })).toHaveCount(0);
			await second.context().close();
		} finally {
			await owner.context().close();
			await dashboard.stop();
		}
	},
);
