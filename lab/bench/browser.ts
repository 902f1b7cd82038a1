/** A signed-in browser for benches: Debian's Chromium, which plays H.264. */
import { chromium, type Page } from "playwright";
import type { Dashboard } from "#test/stack.ts";

/** @returns a page of the dashboard's origin that is signed in, and how to close the browser. */
export async function openBrowser(dashboard: Dashboard): Promise<{ page: Page; close: () => Promise<void> }> {
	const browser = await chromium.launch({
		executablePath: process.env.TAPEDECK_TEST_CHROMIUM ?? "/usr/bin/chromium",
		args: [
			...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
			"--disable-dev-shm-usage",
			"--autoplay-policy=no-user-gesture-required",
		],
	});
	const page = await browser.newPage({ baseURL: dashboard.url });
	await page.goto("/login");
	const status = await page.evaluate(
		async ({ email, password }) => {
			const headers = { "content-type": "application/json" };
			const answer = await fetch("/api/auth/sign-in/email", {
				method: "POST",
				headers,
				body: JSON.stringify({ email, password }),
			});
			return answer.status;
		},
		{ email: dashboard.email, password: dashboard.password },
	);
	if (status !== 200) throw new Error(`the sign-in was answered ${status}`);
	return { page, close: () => browser.close() };
}
