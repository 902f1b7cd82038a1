/** The API reference at /docs. */
import type { Page } from "playwright/test";
import { expect, signedOut, dashboardTest as test } from "#test/tapedeck.ts";

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name });
const contents = (page: Page) => page.getByRole("complementary", { name: "Sidebar for Tapedeck" });

/** Opens the dialog that tries `GET /v1/jobs`. */
async function tryListJobs(page: Page): Promise<void> {
	await page.goto("/docs#tag/jobs/listJobs");
	await expect(heading(page, "List jobs, newest first")).toBeInViewport();
	await page.getByRole("button", { name: "Test Request (get /v1/jobs)", exact: true }).click();
}

/** Sends the call of the dialog. @returns the response. */
async function send(page: Page) {
	const answer = page.waitForResponse((response) => new URL(response.url()).pathname === "/v1/jobs");
	await page.getByRole("button", { name: /^Send get request/ }).click();
	return answer;
}

test("the contents and the search lead to an operation, whose address can be shared", async ({ page }) => {
	await page.goto("/docs");
	await contents(page)
		.getByRole("link", { name: /^Cancel a job/ })
		.click();
	await expect(page).toHaveURL(/\/docs#tag\/jobs\/cancelJob$/);
	await expect(heading(page, /^Cancel a job/)).toBeInViewport();

	await page.keyboard.press("Control+k");
	await page.getByRole("combobox", { name: "Enter search query" }).fill("revoke share link");
	await page.getByRole("option", { name: /Revoke a share link/ }).click();
	await expect(page).toHaveURL(/#tag\/recordings\/revokeShareLink$/);
	await expect(heading(page, "Revoke a share link")).toBeInViewport();

	await page.reload();
	await expect(heading(page, "Revoke a share link")).toBeInViewport();
});

test("a call that is tried is sent as the signed-in user, with no filter, and its answer is shown", async ({
	page,
}) => {
	await tryListJobs(page);
	const answer = await send(page);
	expect(answer.status()).toBe(200);
	expect(answer.request().headers().authorization).toBeUndefined();
	expect(new URL(answer.url()).searchParams.has("stopCondition")).toBe(false);
	await expect(page.getByRole("dialog", { name: "API Client" }).getByText('"nextCursor"')).toBeVisible();
});

test("a change that is tried passes the check of its origin", async ({ page }) => {
	await page.goto("/docs#tag/account/renameAccount");
	await page.getByRole("button", { name: "Test Request (patch /v1/me)", exact: true }).click();
	const answer = page.waitForResponse((response) => new URL(response.url()).pathname === "/v1/me");
	await page.getByRole("button", { name: /^Send patch request/ }).click();
	// The viewer's example is not a valid name. Without its origin, the call would be refused before its body is read.
	expect([200, 422]).toContain((await answer).status());
});

test("the reader chooses the language of a call's sample", async ({ page }) => {
	await page.goto("/docs#tag/jobs/cancelJob");
	const section = page.getByRole("region", { name: /^Cancel a job/ });
	await expect(section).toContainText("curl");
	await section.getByRole("button", { name: "Shell Curl" }).click();
	await page.getByRole("option", { name: "Requests", exact: true }).click();
	await expect(section).toContainText("requests.post(");
});

test("the reference follows the color scheme, also when it changes", async ({ page }) => {
	await page.emulateMedia({ colorScheme: "light" });
	await page.goto("/docs");
	const background = () => contents(page).evaluate((aside) => getComputedStyle(aside).backgroundColor);
	await expect(contents(page)).toBeVisible();
	expect(await background()).toBe("rgb(255, 255, 255)");
	await page.emulateMedia({ colorScheme: "dark" });
	await expect.poll(background).toBe("rgb(21, 22, 26)");
});

test("on a phone the reference is no wider than the screen, and its contents are behind a button", async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto("/docs#tag/jobs/createJob");
	await expect(heading(page, /^Create a job/)).toBeInViewport();
	const overflow = () =>
		page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
	expect(await overflow()).toBe(0);
	await page.getByRole("button", { name: "Open Menu" }).click();
	await contents(page)
		.getByRole("link", { name: /^Cancel a job/ })
		.click();
	await expect(heading(page, /^Cancel a job/)).toBeInViewport();
	expect(await overflow()).toBe(0);
});

test.describe("without a session", () => {
	test.use(signedOut);

	test("a call is tried with an API key, which is not kept", async ({ page, tapedeck }) => {
		await tryListJobs(page);
		expect((await send(page)).status()).toBe(401);
		await page.getByRole("dialog").getByRole("textbox", { name: "Bearer Token" }).fill(tapedeck.apiKey);
		expect((await send(page)).status()).toBe(200);
		expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
			tapedeck.apiKey,
		);
		await page.reload();
		await expect(heading(page, "List jobs, newest first")).toBeInViewport();
		await expect(page.getByRole("textbox", { name: "Bearer Token" }).first()).toHaveValue("");
	});
});
