/** Giving an organization away. On a dashboard of its own: the owner of the other tests has to stay one. */
import { invite, newBrowser, signIn, signUp } from "#test/pages/people.ts";
import { startBrowserDashboard } from "#test/stack.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";

test("an owner transfers the organization to a member, and stays as admin", async ({ browser }) => {
	const dashboard = await startBrowserDashboard();
	const owner = await newBrowser(browser, dashboard.url);
	const heir = await newBrowser(browser, dashboard.url);
	try {
		await signIn(owner, dashboard.email, dashboard.password);
		await signUp(heir, await invite(owner, "member"), "Heiress");
		await owner.reload();
		await owner.getByLabel("New owner").selectOption({ label: "Heiress (heiress@example.com)" });
		await owner.getByRole("button", { name: "Transfer ownership" }).click();
		const dialog = owner.getByRole("dialog", { name: "Make Heiress the owner?" });
		await dialog.getByRole("button", { name: "Transfer ownership" }).click();
		await expect(owner.getByText(/Heiress.? is now the owner\./)).toBeVisible();
		await expect(owner.getByRole("button", { name: "Transfer ownership" })).toHaveCount(0);
		expect((await (await owner.request.get("/v1/me")).json()).role).toBe("admin");
		await heir.goto("/settings/members");
		await expect(heir.getByRole("button", { name: "Transfer ownership" })).toBeVisible();
		expect((await (await heir.request.get("/v1/me")).json()).role).toBe("owner");
	} finally {
		await owner.context().close();
		await heir.context().close();
		await dashboard.stop();
	}
});
