import { violationsOf } from "#test/pages/axe.ts";
import { invite, newBrowser, PASSWORD, signUp } from "#test/pages/people.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { nextTotpOf, totpOf } from "#test/totp.ts";

test("a person sets up a second factor, signs in with a code and then with a backup code, and removes it", async ({
	page,
	browser,
	tapedeck,
}) => {
	const person = await newBrowser(browser, tapedeck.url);
	await signUp(person, await invite(page, "member"), "Rosalind");
	await person.goto("/settings/account");
	const section = person.getByRole("region", { name: "Second factor" });
	await section.getByRole("button", { name: "Set up second factor" }).click();
	await section.getByLabel("Your password").fill("not the password");
	await section.getByRole("button", { name: "Continue" }).click();
	await expect(section.getByText("This is not your current password.")).toBeVisible();
	await section.getByLabel("Your password").fill(PASSWORD);
	await section.getByRole("button", { name: "Continue" }).click();
	await expect(section.getByRole("img", { name: "QR code for the authenticator app" }).locator("path")).toHaveAttribute(
		"d",
		/^(M\d+ \d+h1v1h-1z)+$/,
	);
	expect(await violationsOf(person)).toEqual([]);
	const secret = (await section.locator("pre").first().textContent()) ?? "";
	const backupCode = (await section.locator("pre").last().textContent())?.split("\n")[0] ?? "";
	const uri = `otpauth://totp/x?secret=${secret}`;
	await section.getByLabel("Code that the app shows now").fill("000000");
	await section.getByRole("button", { name: "Confirm" }).click();
	await expect(section.getByText(/not the app's current code/)).toBeVisible();
	await section.getByLabel("Code that the app shows now").fill(totpOf(uri));
	await section.getByRole("button", { name: "Confirm" }).click();
	await expect(section.getByRole("button", { name: "Remove second factor" })).toBeVisible();

	const signOut = async () => {
		await person.goto("/settings/account");
		await person.getByRole("button", { name: "Sign out", exact: true }).click();
		await person.waitForURL("**/login");
		await person.getByLabel("Email").fill("rosalind@example.com");
		await person.getByLabel("Password").fill(PASSWORD);
		await person.getByRole("button", { name: "Sign in" }).click();
	};
	await signOut();
	await person.getByLabel("Code from your authenticator app").fill("000000");
	await person.getByRole("button", { name: "Sign in" }).click();
	await expect(person.getByText("This is not the app's current code.")).toBeVisible();
	expect(await violationsOf(person)).toEqual([]);
	await person.getByLabel("Code from your authenticator app").fill(nextTotpOf(uri));
	await person.getByRole("button", { name: "Sign in" }).click();
	await person.waitForURL("**/jobs");

	await signOut();
	await person.getByRole("button", { name: "Use a backup code" }).click();
	await person.getByLabel("Backup code").fill(backupCode);
	await person.getByLabel("Don't ask this browser for 30 days").check();
	await person.getByRole("button", { name: "Sign in" }).click();
	await person.waitForURL("**/jobs");

	await signOut();
	await person.waitForURL("**/jobs");
	await person.goto("/settings/account");
	await section.getByRole("button", { name: "Remove second factor" }).click();
	await section.getByLabel("Your password").fill(PASSWORD);
	await section.getByRole("button", { name: "Remove second factor" }).click();
	await expect(section.getByRole("button", { name: "Set up second factor" })).toBeVisible();
	await person.context().close();
});
