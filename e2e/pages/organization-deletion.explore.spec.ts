import { violationsOf } from "#test/pages/axe.ts";
import { invite, newBrowser, signUp } from "#test/pages/people.ts";
import { expect, ownDashboardTest } from "#test/tapedeck.ts";

/** The other tests need a dashboard with one organization. */
const test = ownDashboardTest();

test("an owner deletes an organization after two questions, and keeps it within the grace time", async ({
	page,
	browser,
	tapedeck,
}) => {
	const section = page.getByRole("region", { name: "Delete organization" });
	const dialog = page.getByRole("dialog");
	const banner = page.getByRole("status").filter({ hasText: "will be deleted on" });
	const open = () => section.getByRole("button", { name: "Delete organization…" }).click();
	const confirm = async (name: string) => {
		await dialog.getByLabel(/^Type .* to confirm$/).fill(name);
		await dialog.getByRole("button", { name: "Delete organization" }).click();
	};

	await page.goto("/settings/members");
	const { organizationName: only } = await (await page.request.get("/v1/me")).json();
	await open();
	await confirm(only);
	await expect(dialog.getByText(/the dashboard's only organization/)).toBeVisible();
	await dialog.getByRole("button", { name: "Cancel" }).click();
	await expect(dialog).toBeHidden();

	await page.getByLabel("Name of the new organization").fill("Short-lived");
	await page.getByRole("button", { name: "Create organization" }).click();
	// The page loads again.
	await expect(page.getByRole("button", { name: /^Your account: .* Short-lived$/ })).toBeVisible();
	const link = await invite(page, "member");
	const member = await newBrowser(browser, tapedeck.url);
	await signUp(member, link, "Marie");

	await open();
	await expect(dialog.getByRole("heading", { name: "Delete Short-lived?" })).toBeVisible();
	expect(await violationsOf(page)).toEqual([]);
	await confirm(only);
	await expect(dialog.getByText(/Send the organization's name, "Short-lived"/)).toBeVisible();
	await expect(banner).toBeHidden();
	await confirm("Short-lived");
	await expect(banner).toContainText("Short-lived will be deleted on");
	expect(await violationsOf(page)).toEqual([]);
	await member.goto("/jobs");
	await expect(member.getByText("An owner can cancel it until then.")).toBeVisible();

	await page.goto("/jobs");
	await banner.getByRole("link", { name: "Cancel the deletion" }).click();
	await page.waitForURL("**/settings/members");
	await section.getByRole("button", { name: "Keep organization" }).click();
	await expect(section.getByRole("button", { name: "Delete organization…" })).toBeVisible();
	await expect(banner).toBeHidden();

	await member.reload();
	await expect(member.getByText("An owner can cancel it until then.")).toBeHidden();
	await member.context().close();
});
