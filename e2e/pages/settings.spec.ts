/** API keys and runner tokens: created, used, rotated, revoked. */

import { readFile } from "node:fs/promises";
import { inExplore } from "#test/in-explore.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { recordTests } from "#test/pages/test-results.ts";
import { scriptRunner, signInMachine } from "#test/runners/scripted-runner.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { makeVideo } from "#test/videos/make-video.ts";

const DAY_MS = 86_400_000;

test("an API key has the chosen scopes, and is refused once it is revoked", async ({ page, tapedeck }) => {
	await page.goto("/settings");
	await page.getByRole("button", { name: "Create API key" }).click();
	const form = page.getByRole("dialog", { name: "Create API key" });
	await form.getByLabel("Name").fill("For a script");
	await expect(form.getByLabel("What for")).toHaveValue("Record and report tests");
	for (const [use, scopes] of [
		["Collect metrics", 1],
		["Everything", 8],
	] as const) {
		await form.getByLabel("What for").selectOption(use);
		await expect(form.getByRole("checkbox", { checked: true })).toHaveCount(scopes);
	}
	for (const scope of await form.getByRole("checkbox").all()) await scope.uncheck();
	await expect(form.getByLabel("What for").locator("option:checked")).toHaveText("Something else");
	await form.getByRole("button", { name: "Create key" }).click();
	await expect(form.getByText("Choose at least one scope.")).toBeVisible();
	await form.getByLabel("jobs:read").check();
	await form.getByText("Limits", { exact: true }).click();
	const allowed = form.getByRole("group", { name: "Allowed to" });
	for (const label of ["Make recordings", "Take screenshots", "Upload files"])
		await allowed.getByLabel(label).uncheck();
	await form.getByRole("button", { name: "Create key" }).click();
	await expect(allowed.getByText("Choose at least one.")).toBeVisible();
	await allowed.getByLabel("Take screenshots").check();
	expect(await violationsOf(page)).toEqual([]);
	await form.getByLabel("Expires").selectOption("In 30 days");
	await form.getByRole("button", { name: "Create key" }).click();
	const secret = (await form.getByText(/^tdk_\w{20,}$/).textContent()) ?? "";
	await form.getByRole("button", { name: "Done" }).click();

	const row = page.getByRole("list", { name: "API keys" }).getByRole("listitem").filter({ hasText: "For a script" });
	await expect(row.getByRole("list", { name: "Scopes" })).toHaveText("jobs:read");
	await expect(row).toContainText("May only screenshot");
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
	// Until the response the dialog is open, and elements behind it have no role.
	await expect(page.getByText("Revoked “For a script”.")).toBeVisible();
	await expect(page.getByRole("button", { name: "Revoke For a script" })).toHaveCount(0);
	expect(await ask("/v1/jobs")).toBe(401);
});

test("rotating a runner token shows the new one once, and the list says when the old one expires", async ({ page }) => {
	await page.goto("/settings");
	await page.getByRole("button", { name: "Create runner token" }).click();
	const creating = page.getByRole("dialog", { name: "Create runner token" });
	await creating.getByLabel("Name", { exact: true }).fill("Fleet");
	await creating.getByRole("button", { name: "Create token" }).click();
	const first = (await creating.getByText(/^tdr_\w{20,}$/).textContent()) ?? "";
	await creating.getByRole("button", { name: "Done" }).click();
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

test("a runner token with limits refuses what does not fit, and the list shows how much of it is used", async ({
	page,
	tapedeck,
}) => {
	await page.goto("/settings");
	await page.getByRole("button", { name: "Create runner token" }).click();
	const dialog = page.getByRole("dialog", { name: "Create runner token" });
	await dialog.getByLabel("Name", { exact: true }).fill("Limited fleet");
	await dialog.getByText("Limits", { exact: true }).click();
	await dialog.getByLabel("Number of runners").fill("1");
	await dialog.getByLabel("New runners can sign in").selectOption("For 24 hours");
	await dialog.getByLabel("Runner names").fill("limited-*");
	await dialog.getByLabel("Labels").fill("BAD=1");
	await dialog.getByLabel("Displays").fill(":7");
	await dialog.getByLabel("Grids").fill("ftp://grid");
	await dialog.getByLabel("Upload files").uncheck();
	await dialog.getByRole("button", { name: "Create token" }).click();
	await expect(dialog.getByText(/Use a label key/)).toBeVisible();
	await expect(dialog.getByText(/Send a grid such as/)).toBeVisible();
	await dialog.getByLabel("Labels").fill("pool=limited");
	await dialog.getByLabel("Grids").fill("http://selenium:4444");
	await dialog.getByRole("button", { name: "Create token" }).click();
	const secret = (await dialog.getByText(/^tdr_\w{20,}$/).textContent()) ?? "";
	await dialog.getByRole("button", { name: "Done" }).click();

	const row = page
		.getByRole("list", { name: "Runner tokens" })
		.getByRole("listitem")
		.filter({ hasText: "Limited fleet" });
	await expect(row).toContainText("0 of 1 runner · new runners until ");
	await expect(row).toContainText(
		"named limited-* · labels pool=limited · only :7 · only grids http://selenium:4444 · may only record, screenshot",
	);

	await signInMachine({ url: tapedeck.url, runnerToken: secret }, "limited-1");
	await expect(signInMachine({ url: tapedeck.url, runnerToken: secret }, "limited-2")).rejects.toThrow(
		/token_limit|409/,
	);
	await page.reload();
	await expect(row).toContainText("1 of 1 runner, used up");
});

inExplore(test)(
	"commits of a host of one's own are linked by a template, which is refused where it makes no address",
	async ({ page, tapedeck }) => {
		const runner = await scriptRunner(tapedeck, "runner of source links");
		const commit = "c0ffee12".repeat(5);
		const { recordingId } = await recordTests(tapedeck, runner, "From elsewhere", {
			labels: { build: "source links", commit, repository: "acme/shop" },
			video: await readFile(await makeVideo("recorder.mp4", 4)),
			tests: [{ test: "Is somewhere", outcome: "failed", message: "no" }],
		});
		await runner.stop();
		await page.goto("/settings");
		const section = page.getByRole("region", { name: "Source links" });
		const field = section.getByLabel("Address of a commit");
		await field.fill("https://{repository}/{commit}");
		await section.getByRole("button", { name: "Save source links" }).click();
		await expect(section.getByText(/Use an address that begins with https/)).toBeVisible();
		expect(await violationsOf(page)).toEqual([]);
		await field.fill("https://git.example.com/{repository}/commit/{commit}");
		await section.getByRole("button", { name: "Save source links" }).click();
		await expect(page.getByText("Source links saved.")).toBeVisible();
		const href = `https://git.example.com/acme/shop/commit/${commit}`;
		await page.goto(`/recordings/${recordingId}`);
		await expect(
			page.getByRole("list", { name: "Build and source" }).getByRole("link", { name: /^c0ffee/ }),
		).toHaveAttribute("href", href);
		await page.goto("/builds/source%20links");
		await expect(page.getByRole("main").getByRole("link", { name: /^c0ffee/ })).toHaveAttribute("href", href);
		// The other settings leave it as it is.
		await page.goto("/settings");
		await page.getByRole("region", { name: "New recordings" }).getByRole("button", { name: "Save settings" }).click();
		await expect(page.getByText("Settings for new recordings saved.")).toBeVisible();
		await page.reload();
		await expect(field).toHaveValue("https://git.example.com/{repository}/commit/{commit}");
		await field.fill("");
		await section.getByRole("button", { name: "Save source links" }).click();
		await page.goto("/builds/source%20links");
		await expect(page.getByText("c0ffee12c0")).toBeVisible();
		await expect(page.getByRole("main").getByRole("link", { name: /^c0ffee/ })).toHaveCount(0);
	},
);

test("the keep policy, the grace time and the cap of new jobs are set on the page, and bad values are refused there", async ({
	page,
	tapedeck,
}) => {
	await page.goto("/settings");
	const section = page.getByRole("region", { name: "New recordings" });
	const grace = section.getByLabel("Delete recordings of passed tests after (minutes)");
	const cap = section.getByLabel("Maximum length (minutes)");
	await expect(section.getByLabel("Keep videos")).toHaveValue("always");
	await expect(grace).toHaveCount(0);
	await section.getByLabel("Keep videos").selectOption("Unless the test passed");
	await expect(grace).toHaveValue("60");
	await grace.fill("-1");
	await cap.fill("0");
	await section.getByRole("button", { name: "Save settings" }).click();
	await expect(section.getByText("Use 0 or more seconds.")).toBeVisible();
	await expect(cap).toHaveAttribute("aria-invalid", "true");
	await grace.fill("1.5");
	await cap.fill("120");
	await section.getByRole("button", { name: "Save settings" }).click();
	await expect(page.getByText("Settings for new recordings saved.")).toBeVisible();
	const saved = () => tapedeck.api.call("GET", "/v1/recording-settings");
	expect(await saved()).toEqual({
		keep: "failed",
		graceSeconds: 90,
		maxDurationSeconds: 7_200,
		commitUrlTemplate: null,
		video: {},
	});
	await page.reload();
	await expect(grace).toHaveValue("1.5");
	await cap.fill("");
	await section.getByLabel("Keep videos").selectOption("Always");
	await section.getByRole("button", { name: "Save settings" }).click();
	await expect
		.poll(saved)
		.toEqual({ keep: "always", graceSeconds: 90, maxDurationSeconds: null, commitUrlTemplate: null, video: {} });
});

inExplore(test)("on a phone, the current section of the settings is in sight among their links", async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 });
	for (const [address, name] of [
		["/settings/account", "Your account"],
		["/settings", "General"],
	] as const) {
		await page.goto(address);
		const link = page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name });
		await expect(link).toHaveAttribute("aria-current", "page");
		await expect(link).toBeInViewport({ ratio: 1 });
	}
});
