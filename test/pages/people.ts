/** People in the browser, each with their own cookies. */
import type { Role } from "@tapedeck/contract/permissions.ts";
import type { Browser, Page } from "playwright/test";
import { runSql } from "../databases/database.ts";
import type { Dashboard } from "../stack.ts";
import { signedOut } from "../tapedeck.ts";
import { until } from "../wait.ts";
import { awaitHydration } from "./hydration.ts";

export const PASSWORD = "a long enough password";

/** Another person's browser. */
export async function newBrowser(browser: Browser, baseURL: string): Promise<Page> {
	const context = await browser.newContext({ ...signedOut, baseURL });
	await awaitHydration(context);
	return context.newPage();
}

/** Creates an invitation on an owner's or admin's page. @param email the only address that may accept it. */
export async function invite(page: Page, role: string, email?: string): Promise<string> {
	await page.goto("/settings/members");
	await page.getByLabel("Role", { exact: true }).selectOption(role);
	if (email !== undefined) await page.getByLabel("Email (optional)").fill(email);
	await page.getByRole("button", { name: "Invite" }).click();
	return (await page.getByText(/\/invite#/).textContent()) ?? "";
}

/** Opens the link signed out and creates an account; the email is the name at example.com. */
export async function signUp(page: Page, link: string, name: string): Promise<void> {
	await page.goto(link);
	await page.getByRole("heading", { name: /^Join / }).waitFor();
	await page.getByLabel("Your name").fill(name);
	await page.getByLabel("Email").fill(`${name.toLowerCase()}@example.com`);
	await page.getByLabel("Password").fill(PASSWORD);
	await page.getByRole("button", { name: "Create account and join" }).click();
	await page.waitForURL("**/jobs");
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
	await page.goto("/login");
	await page.getByLabel("Email").fill(email);
	await page.getByLabel("Password").fill(password);
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.waitForURL("**/jobs");
}

/** Acts while everyone has another role, which is written to the database: alone, an owner can't give it up. */
export async function withRole(page: Page, dashboard: Dashboard, role: Role, act: () => Promise<void>): Promise<void> {
	await giveRole(page, dashboard, role);
	try {
		await act();
	} finally {
		await giveRole(page, dashboard, "owner");
	}
}

async function giveRole(page: Page, dashboard: Dashboard, role: Role): Promise<void> {
	await runSql(dashboard, `update member set role = '${role}'`);
	const isGiven = async () => (await (await page.request.get("/v1/me")).json()).role === role;
	// Dashboards cache a caller for two seconds, and a balancer uses two of them in turn.
	await until(async () => (await isGiven()) && (await isGiven()), `everyone is ${role}`);
}
