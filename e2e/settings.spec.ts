/** Keys: made, used, revoked. */
import { expect, test } from "./fixtures/tapedeck.ts";

test("an API key that was made here works, and is turned away once it is revoked", async ({ page, tapedeck }) => {
	await page.goto("/settings");
	await page.getByLabel("Name of the new API key").fill("For a script");
	await page.getByRole("button", { name: "Create API key" }).click();
	const secret = (await page.getByText(/^tdk_\w{20,}$/).textContent()) ?? "";
	const ask = async () =>
		(await fetch(`${tapedeck.url}/v1/jobs`, { headers: { authorization: `Bearer ${secret}` } })).status;
	expect(await ask()).toBe(200);

	await page.reload();
	await expect(page.getByText(secret)).toHaveCount(0);
	await page.getByRole("button", { name: "Revoke For a script" }).click();
	await page.getByRole("alertdialog").or(page.getByRole("dialog")).getByRole("button", { name: "Revoke" }).click();
	await expect(page.getByRole("button", { name: "Revoke For a script" })).toHaveCount(0);
	expect(await ask()).toBe(401);
});
