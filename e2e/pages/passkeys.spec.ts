import type { CDPSession } from "playwright/test";
import { violationsOf } from "#test/pages/axe.ts";
import { freePort } from "#test/processes/free-port.ts";
import { type Dashboard, startTestDashboard } from "#test/stack.ts";
import { dashboardTest, expect } from "#test/tapedeck.ts";

/** Browsers take passkeys for host names only, and without https for localhost only. */
const test = dashboardTest.extend<object, { tapedeck: Dashboard }>({
	tapedeck: [
		// biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
		async ({}, use) => {
			const port = await freePort();
			const url = `http://localhost:${port}`;
			const dashboard = await startTestDashboard({ port, variables: { TAPEDECK_URL: url } });
			await use({ ...dashboard, url });
			await dashboard.stop();
		},
		{ scope: "worker", timeout: 180_000 },
	],
});

/** A device of Chromium's own. */
async function plugIn(cdp: CDPSession): Promise<string> {
	const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
		options: {
			protocol: "ctap2",
			transport: "usb",
			hasResidentKey: true,
			hasUserVerification: true,
			isUserVerified: true,
			automaticPresenceSimulation: true,
		},
	});
	return authenticatorId;
}

test("a person adds a passkey, signs in with it, and removes it; a device that does not verify its user is refused", async ({
	page,
	tapedeck,
}) => {
	const cdp = await page.context().newCDPSession(page);
	await cdp.send("WebAuthn.enable");
	const device = await plugIn(cdp);
	const setVerified = (isUserVerified: boolean) =>
		cdp.send("WebAuthn.setUserVerified", { authenticatorId: device, isUserVerified });
	const section = page.getByRole("region", { name: "Passkeys" });
	const add = async (name: string) => {
		await section.getByLabel("Name of the passkey").fill(name);
		await section.getByLabel("Your password").fill(tapedeck.password);
		await section.getByRole("button", { name: "Continue" }).click();
	};
	const signIn = page.getByRole("button", { name: "Use a passkey" });
	const signOut = async () => {
		await page.goto("/settings/account");
		await page.getByRole("button", { name: "Sign out", exact: true }).click();
		await page.waitForURL("**/login");
	};

	await page.goto("/settings/account");
	await expect(section.getByText("You have no passkeys.")).toBeVisible();
	await section.getByRole("button", { name: "Add passkey" }).click();
	expect(await violationsOf(page)).toEqual([]);
	await setVerified(false);
	await add("Unverified");
	await expect(section.getByText("No passkey was used.")).toBeVisible();
	await setVerified(true);
	await add("Laptop");
	await expect(section.getByRole("listitem").getByText("Laptop")).toBeVisible();
	expect(await violationsOf(page)).toEqual([]);

	await signOut();
	expect(await violationsOf(page)).toEqual([]);
	await setVerified(false);
	await signIn.click();
	await expect(page.getByText("No passkey was used.")).toBeVisible();
	await setVerified(true);
	await signIn.click();
	await page.waitForURL("**/jobs");

	await page.goto("/settings/account");
	await section.getByRole("button", { name: "Remove passkey Laptop" }).click();
	await expect(section.getByText("You have no passkeys.")).toBeVisible();
});
