/** API keys and runner tokens: created, used, rotated, revoked. */
import { expect, dashboardTest as test } from "#test/tapedeck.ts";

const DAY_MS = 86_400_000;

test("an API key has the chosen scopes, and is refused once it is revoked", async ({ page, tapedeck }) => {
	await page.goto("/settings");
	await page.getByRole("button", { name: "Create API key" }).click();
	const form = page.getByRole("dialog", { name: "Create API key" });
	await form.getByLabel("Name").fill("For a script");
	for (const scope of await form.getByRole("checkbox").all()) await scope.uncheck();
	await form.getByRole("button", { name: "Create key" }).click();
	await expect(form.getByText("Choose at least one scope.")).toBeVisible();
	await form.getByLabel("jobs:read").check();
	await form.getByLabel("Expires").selectOption("In 30 days");
	await form.getByRole("button", { name: "Create key" }).click();
	const secret = (await form.getByText(/^tdk_\w{20,}$/).textContent()) ?? "";
	await form.getByRole("button", { name: "Done" }).click();

	const row = page.getByRole("list", { name: "API keys" }).getByRole("listitem").filter({ hasText: "For a script" });
	await expect(row.getByRole("list", { name: "Scopes" })).toHaveText("jobs:read");
	const expires = (await row.getByRole("time").last().getAttribute("datetime")) ?? "";
	expect(Math.abs(Date.parse(expires) - Date.now() - 30 * DAY_MS)).toBeLessThan(DAY_MS);
	const ask = async (path: string) =>
		(await fetch(`${tapedeck.url}${path}`, { headers: { authorization: `Bearer ${secret}` } })).status;
	expect(await ask("/v1/jobs")).toBe(200);
	expect(await ask("/v1/recordings")).toBe(403);

	await page.reload();
	await expect(row).toBeVisible();
	await expect(page.getByText(secret)).toHaveCount(0);
	await page.getByRole("button", { name: "Revoke For a script" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
	await expect(page.getByRole("button", { name: "Revoke For a script" })).toHaveCount(0);
	expect(await ask("/v1/jobs")).toBe(401);
});

test("rotating a runner token shows the new one once, and the list says when the old one expires", async ({ page }) => {
	await page.goto("/settings");
	await page.getByLabel("Name of the new runner token").fill("Fleet");
	await page.getByRole("button", { name: "Create runner token" }).click();
	const first = (await page.getByText(/^tdr_\w{20,}$/).textContent()) ?? "";
	await page.getByRole("button", { name: "Rotate Fleet" }).click();
	const dialog = page.getByRole("dialog", { name: "Rotate “Fleet”" });
	await dialog.getByLabel("Old token keeps working for").selectOption("1 hour");
	await dialog.getByRole("button", { name: "Create new token" }).click();
	const second = (await dialog.getByText(/^tdr_\w{20,}$/).textContent()) ?? "";
	expect(second).not.toBe(first);
	await dialog.getByRole("button", { name: "Done" }).click();

	const rows = page.getByRole("list", { name: "Runner tokens" }).getByRole("listitem").filter({ hasText: "Fleet" });
	await expect(rows).toHaveCount(2);
	const old = rows.filter({ hasText: "Replaced. Works until" });
	await expect(old).toHaveCount(1);
	await expect(old.getByRole("button", { name: "Rotate Fleet" })).toHaveCount(0);
	await expect(rows.getByRole("button", { name: "Rotate Fleet" })).toHaveCount(1);
});
