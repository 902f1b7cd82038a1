/** The browser that takes pictures, and the session of the scene's owner. */
import { type Browser, type BrowserContext, chromium } from "playwright";
import type { Scene } from "./scene.ts";

export const launchBrowser = (): Promise<Browser> =>
	chromium.launch({
		executablePath: process.env.TAPEDECK_TEST_CHROMIUM ?? "/usr/bin/chromium",
		args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-dev-shm-usage"],
	});

/** @returns the cookies of the owner's session. */
export async function signIn(browser: Browser, { dashboard }: Scene): ReturnType<BrowserContext["storageState"]> {
	const context = await browser.newContext({ baseURL: dashboard.url });
	const page = await context.newPage();
	await page.goto("/login");
	await page.getByLabel("Email").fill(dashboard.email);
	await page.getByLabel("Password").fill(dashboard.password);
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.waitForURL("**/jobs");
	const state = await context.storageState();
	await context.close();
	return state;
}
