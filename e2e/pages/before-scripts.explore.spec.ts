/** Input from before the page's scripts have arrived, as on a slow machine or network, is not lost. */
import type { Page } from "playwright/test";
import { newBrowser } from "#test/pages/people.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";

/** Holds back the scripts of pages. @returns a function that lets them pass. */
async function holdScripts(page: Page): Promise<() => void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	await page.route("**/_next/static/**/*.js", async (route) => {
		await promise;
		await route.continue();
	});
	return resolve;
}

for (const [path, button] of [
	["/jobs?status=failed", "New job"],
	["/runners", "Add runner"],
] as const) {
	for (const press of ["click", "Enter"] as const) {
		test(`${button} opens its form by ${press === "click" ? "a click" : press} before the page's scripts have arrived`, async ({
			page,
		}) => {
			const release = await holdScripts(page);
			await page.goto(path, { waitUntil: "commit" });
			const opener = page.getByRole("button", { name: button }).first();
			await (press === "click" ? opener.click() : opener.press(press));
			release();
			const form = page.getByRole("dialog", { name: button });
			await expect(form).toBeVisible();
			await page.keyboard.press("Escape");
			await expect(form).toBeHidden();
			await expect(page).toHaveURL((url) => url.pathname + url.search === path);
		});
	}

	test(`${button} opens its form by a click, Enter and Space, without loading the page again, and gets the focus back`, async ({
		page,
	}) => {
		await page.goto(path);
		const opener = page.getByRole("button", { name: button }).first();
		const form = page.getByRole("dialog", { name: button });
		await opener.click();
		await expect(form).toBeVisible();
		await page.keyboard.press("Escape");
		await expect(opener).toBeFocused();
		let loads = 0;
		page.on("domcontentloaded", () => {
			loads += 1;
		});
		for (const key of ["Enter", "Space"]) {
			await page.keyboard.press(key);
			await expect(form, key).toBeVisible();
			await page.keyboard.press("Escape");
			await expect(form, key).toBeHidden();
			await expect(opener, key).toBeFocused();
		}
		expect(loads).toBe(0);
	});
}

for (const [path, label] of [
	["/jobs", "Search jobs"],
	["/recordings", "Search recordings"],
] as const) {
	test(`text that is typed into ${label} before the page's scripts have arrived is searched for`, async ({ page }) => {
		const release = await holdScripts(page);
		await page.goto(path, { waitUntil: "commit" });
		const field = page.getByRole("searchbox", { name: label });
		await field.pressSequentially("typed early");
		release();
		await expect(page).toHaveURL((url) => url.searchParams.get("q") === "typed early");
		await expect(field).toHaveValue("typed early");
		await field.press("End");
		await field.pressSequentially("!");
		await expect(page).toHaveURL((url) => url.searchParams.get("q") === "typed early!");
	});
}

test("a form sends text that was entered before the page's scripts arrived", async ({ page }) => {
	const release = await holdScripts(page);
	await page.goto("/settings/members", { waitUntil: "commit" });
	const role = page.getByLabel("Role", { exact: true });
	await expect(role).toHaveValue("member");
	await role.selectOption("owner");
	await page.getByLabel("Email (optional)").fill("early@example.com");
	release();
	await page.getByRole("button", { name: "Invite" }).click();
	await expect(page.getByRole("list", { name: "Invitations" }).getByText("early@example.com")).toBeVisible();
	const { data } = await (await page.request.get("/v1/invitations")).json();
	expect(data[0]).toMatchObject({ email: "early@example.com", role: "owner" });
});

test("a checkbox that is cleared before the page's scripts have arrived stays so", async ({ page }) => {
	const release = await holdScripts(page);
	await page.goto("/settings/account", { waitUntil: "commit" });
	const box = page.getByLabel("Also sign out my other browsers");
	await expect(box).toBeChecked();
	await box.uncheck();
	release();
	await expect(page.getByRole("button", { name: "Change password" })).toBeEnabled();
	await expect(box).not.toBeChecked();
});

test("Enter in the form to sign in before the page's scripts have arrived does not put the password into the address", async ({
	browser,
	tapedeck,
}) => {
	const page = await newBrowser(browser, tapedeck.url);
	const release = await holdScripts(page);
	const asked: string[] = [];
	page.on("request", (request) => asked.push(request.url()));
	await page.goto("/login", { waitUntil: "commit" });
	await page.getByLabel("Email").fill(tapedeck.email);
	const password = page.getByLabel("Password");
	await password.fill(tapedeck.password);
	await password.press("Enter");
	release();
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.waitForURL("**/jobs");
	expect(asked.filter((url) => url.includes("password="))).toEqual([]);
	await page.context().close();
});
