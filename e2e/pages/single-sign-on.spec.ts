/** The button of single sign-on, with a real OpenID provider behind it and a dashboard that knows it. */

import { inExplore } from "#test/in-explore.ts";
import { newBrowser, signIn } from "#test/pages/people.ts";
import { listenAsOpenIdProvider, type OpenIdProvider } from "#test/servers/openid-provider.ts";
import { type Dashboard, startBrowserDashboard } from "#test/stack.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";

let provider: OpenIdProvider;
let dashboard: Dashboard;
test.beforeAll(async () => {
	provider = await listenAsOpenIdProvider();
	dashboard = await startBrowserDashboard({
		variables: {
			TAPEDECK_OIDC_ISSUER: provider.issuer,
			TAPEDECK_OIDC_CLIENT_ID: provider.clientId,
			TAPEDECK_OIDC_CLIENT_SECRET: provider.clientSecret,
			TAPEDECK_OIDC_NAME: "Example ID",
			TAPEDECK_OIDC_DEFAULT_ROLE: "viewer",
		},
	});
	provider.start(`${dashboard.url}/api/auth/callback/oidc`);
});
test.afterAll(async () => {
	await dashboard.stop();
	await provider.stop();
});

test("the first single sign-on creates an account with the default role, and the next one finds it", async ({
	browser,
}) => {
	provider.accounts.set("barbara", { email: "barbara@example.com", email_verified: true, name: "Barbara Liskov" });
	provider.visitor = "barbara";
	for (const _visit of ["first", "later"]) {
		const page = await newBrowser(browser, dashboard.url);
		await page.goto("/recordings");
		await page.getByRole("button", { name: "Continue with Example ID" }).click();
		// Back where one wanted to go.
		await page.waitForURL("**/recordings");
		const me = await (await page.request.get("/v1/me")).json();
		expect(me).toMatchObject({ name: "Barbara Liskov", email: "barbara@example.com", role: "viewer" });
		await page.goto("/settings/account");
		await expect(page.getByLabel("Current password")).toHaveCount(0);
		await page.context().close();
	}
	const owner = await newBrowser(browser, dashboard.url);
	await signIn(owner, dashboard.email, dashboard.password);
	await owner.goto("/settings/members");
	const members = owner.getByRole("list", { name: "Members" });
	await expect(members.getByText("barbara@example.com")).toHaveCount(1);
	await owner.context().close();
});

inExplore(test)("a refused single sign-on returns to the sign-in page with the reason", async ({ browser }) => {
	provider.accounts.set("eve", { email: "eve@example.com", email_verified: false });
	provider.visitor = "eve";
	const page = await newBrowser(browser, dashboard.url);
	await page.goto("/login");
	await page.getByRole("button", { name: "Continue with Example ID" }).click();
	await expect(page.getByText("Your email is not verified with Example ID.")).toBeVisible();
	await expect(page).toHaveURL(/\/login/);
	expect((await page.request.get("/v1/me")).status()).toBe(401);
	await page.context().close();
});
