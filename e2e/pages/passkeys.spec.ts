import type { CDPSession, Page } from "playwright/test";
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
async function plugIn(cdp: CDPSession, verifies: boolean): Promise<string> {
	const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
		options: {
			protocol: "ctap2",
			transport: "usb",
			hasResidentKey: true,
			hasUserVerification: verifies,
			isUserVerified: verifies,
			automaticPresenceSimulation: true,
		},
	});
	return authenticatorId;
}

/** Makes the page ask for a verified user only if the device can, as somebody with a key that they have found would. */
const askForLess = (page: Page) =>
	page.route(/passkeys\/options$|generate-authenticate-options$/, async (route) => {
		const response = await route.fetch();
		const options = await response.json();
		const authenticatorSelection = { ...options.authenticatorSelection, userVerification: "preferred" };
		await route.fulfill({ response, json: { ...options, userVerification: "preferred", authenticatorSelection } });
	});

test("a person adds a passkey, signs in with it, and removes it; keys that do not verify their user are refused", async ({
	page,
	tapedeck,
}) => {
	const cdp = await page.context().newCDPSession(page);
	await cdp.send("WebAuthn.enable");
	const device = await plugIn(cdp, true);
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

	// The same key on a device without a PIN.
	const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId: device });
	await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: device });
	const found = await plugIn(cdp, false);
	await askForLess(page);
	await page.goto("/settings/account");
	await section.getByRole("button", { name: "Add passkey" }).click();
	await add("Found");
	await expect(section.getByText("This device did not verify you.")).toBeVisible();
	for (const credential of credentials) {
		await cdp.send("WebAuthn.addCredential", { authenticatorId: found, credential });
	}
	await signOut();
	await signIn.click();
	await expect(page.getByText("This device did not verify you.")).toBeVisible();
	expect((await page.request.get("/v1/me")).status()).toBe(401);

	await page.getByLabel("Email").fill(tapedeck.email);
	await page.getByLabel("Password").fill(tapedeck.password);
	await page.getByRole("button", { name: "Sign in", exact: true }).click();
	await page.waitForURL("**/jobs");
	await page.goto("/settings/account");
	await section.getByRole("button", { name: "Remove passkey Laptop" }).click();
	await expect(section.getByText("You have no passkeys.")).toBeVisible();
});
