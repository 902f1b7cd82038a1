/** `tapedeck login`: a terminal that shows a code, and the page where a person confirms it. */

import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inExplore } from "#test/in-explore.ts";
import { withRole } from "#test/pages/people.ts";
import { tapedeck as command, startCommand } from "#test/processes/tapedeck-command.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { until } from "#test/wait.ts";

let folder = "";
test.beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-login-"));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts the command. @returns it, and the page that it names. */
async function login(url: string) {
	const child = startCommand(["login", url, "--name", "my laptop", "--no-browser"], { XDG_CONFIG_HOME: folder });
	const addressIn = (text: string) => /at (http\S+\/device\?code=\S+)/.exec(text)?.[1];
	await until(
		() => addressIn(child.output()) !== undefined,
		() => child.output(),
	);
	return { child, page: new URL(addressIn(child.output()) ?? "") };
}

test("a terminal is signed in once its code is confirmed, calls the API with the chosen scopes, and signs out", async ({
	page,
	tapedeck,
}) => {
	const { child, page: address } = await login(tapedeck.url);
	await page.goto(`${address.pathname}${address.search}`);
	await expect(page.getByLabel("Code")).toHaveValue(/^[A-Z]{4}-[A-Z]{4}$/);
	await page.getByRole("button", { name: "Continue" }).click();
	await expect(page.getByText(/my laptop .*requests an API key for .* in your name/)).toBeVisible();
	for (const scope of await page.getByRole("checkbox").all()) await scope.uncheck();
	await page.getByRole("button", { name: "Confirm" }).click();
	await expect(page.getByText("Choose at least one scope.")).toBeVisible();
	await page.getByRole("checkbox", { name: /jobs:read/ }).check();
	await page.getByRole("button", { name: "Confirm" }).click();
	await expect(page.getByRole("heading", { name: "Signed in" })).toBeVisible();
	expect(await child.exited, child.output()).toBe(0);
	expect(child.output()).toContain(`Signed in to ${tapedeck.url}`);

	const file = join(folder, "tapedeck", "sign-in.json");
	expect((await stat(file)).mode & 0o777).toBe(0o600);
	const { apiKey } = JSON.parse(await readFile(file, "utf8"));
	expect(child.output()).not.toContain(apiKey);
	const env = { XDG_CONFIG_HOME: folder };
	expect((await command(["jobs", "list"], env)).status).toBe(0);
	expect(await command(["runners"], env)).toMatchObject({ status: 1, text: expect.stringContaining("runners:read") });
	// The key is not sent to any other dashboard.
	const other = await command(["jobs", "list"], { ...env, TAPEDECK_URL: "http://127.0.0.1:9" });
	expect(other).toMatchObject({ status: 2, text: expect.stringContaining(`signed in to ${tapedeck.url}`) });

	await page.getByRole("link", { name: "Settings" }).click();
	const row = page.getByRole("list", { name: "API keys" }).getByRole("listitem").filter({ hasText: "my laptop" });
	await expect(row.getByRole("list", { name: "Scopes" })).toHaveText("jobs:read");
	await page.getByRole("button", { name: "Revoke my laptop" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
	// Until the response the dialog is open, and elements behind it have no role.
	await expect(page.getByText("Revoked “my laptop”.")).toBeVisible();
	await expect(row).toHaveCount(0);
	expect(await command(["jobs", "list"], env)).toMatchObject({
		status: 1,
		text: expect.stringContaining("tapedeck login"),
	});

	expect((await command(["logout"], env)).text).toContain(`Signed out of ${tapedeck.url}`);
	expect((await command(["jobs", "list"], env)).status).toBe(2);
	expect((await command(["logout"], env)).text).toContain("Nobody was signed in.");
});

inExplore(test)("a denied sign-in ends with a sentence, and a wrong code is refused", async ({ page, tapedeck }) => {
	const { child, page: address } = await login(tapedeck.url);
	await page.goto("/device?code=BBBB-BBBB");
	await page.getByRole("button", { name: "Continue" }).click();
	await expect(page.getByText("No sign-in waits with this code.")).toBeVisible();
	await page.getByLabel("Code").fill((address.searchParams.get("code") ?? "").toLowerCase().replace("-", ""));
	await page.getByRole("button", { name: "Continue" }).click();
	await page.getByRole("button", { name: "Deny" }).click();
	await expect(page.getByRole("heading", { name: "Denied" })).toBeVisible();
	expect(await child.exited).toBe(1);
	expect(child.output()).toContain("was denied or has expired");
});

inExplore(test)("a member sees who can confirm it", async ({ page, tapedeck }) => {
	await withRole(page, tapedeck, "member", async () => {
		await page.goto("/device?code=BBBB-BBBB");
		await expect(page.getByText(/only owners and admins can/)).toBeVisible();
	});
});
