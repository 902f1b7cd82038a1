/** The command palette, and the title of the tab. */
import { inExplore } from "#test/in-explore.ts";
import { createInterruptJob, NO_DISPLAY, recordShortly } from "#test/jobs.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { expect, test } from "#test/tapedeck.ts";

const palette = "Command palette";

test("keys typed right after Ctrl K go to the palette while it loads, and nowhere else", async ({ page, tapedeck }) => {
	const { id } = await createInterruptJob(tapedeck, "Junk knockout", NO_DISPLAY);
	let release = () => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	await page.goto("/jobs");
	await expect(page.getByRole("link", { name: "Junk knockout" })).toBeVisible();
	await page.route("**/_next/static/chunks/**", async (route) => {
		await held;
		await route.continue();
	});
	await page.keyboard.press("Control+k");
	// J, K and N are keys of the list.
	await page.keyboard.type("junk");
	release();
	const field = page.getByRole("dialog", { name: palette }).getByRole("combobox");
	await expect(field).toHaveValue("junk");
	await expect(field).toBeFocused();
	await page.keyboard.type(" kn");
	await expect(field).toHaveValue("junk kn");
	await expect(page.getByRole("dialog", { name: "New job" })).toHaveCount(0);
	await page.keyboard.press("Enter");
	await expect(page).toHaveURL(new RegExp(`/jobs/${id}$`));
	await expect(page.getByRole("dialog", { name: "Junk knockout" })).toBeVisible();
});

test("the palette finds jobs, recordings, runners and actions on every page, and Escape returns the focus", async ({
	page,
	tapedeck,
}) => {
	const job = await recordShortly(tapedeck, "Palette needle");
	const dialog = page.getByRole("dialog", { name: palette });
	const field = dialog.getByRole("combobox");

	// The settings page has no list of jobs in the cache, so the server is asked.
	await page.goto("/settings");
	const button = page.getByRole("button", { name: "Search…" }).locator("visible=true");
	await button.click();
	await field.fill("needle");
	await expect(dialog.getByRole("option", { name: /Palette needle.*Completed/ })).toBeVisible();
	await dialog.getByRole("group", { name: "Recordings" }).getByRole("option").click();
	await expect(page).toHaveURL(new RegExp(`/recordings/${job.recording?.id}$`));

	await page.keyboard.press("Control+k");
	await field.fill("test-run");
	await expect(dialog.getByRole("group", { name: "Runners" })).toBeVisible();
	await page.keyboard.press("Enter");
	await expect(page).toHaveURL(new RegExp(`/runners#runner-${tapedeck.runnerId}$`));

	await button.focus();
	await page.keyboard.press("Control+k");
	await field.fill("nothing is called so");
	await expect(dialog.getByText("No results for")).toBeVisible();
	await page.keyboard.press("Escape");
	await expect(dialog).toBeHidden();
	await expect(button).toBeFocused();

	await page.keyboard.press("Control+k");
	await field.fill("keyboard");
	await page.keyboard.press("Enter");
	await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
	await page.keyboard.press("Escape");
	await expect(button).toBeFocused();

	await page.keyboard.press("Control+k");
	await field.fill("new job");
	await page.keyboard.press("Enter");
	await expect(page.getByRole("dialog", { name: "New job" })).toBeVisible();
});

test("the palette finds builds by name, and what a search's filters find", async ({ page, tapedeck }) => {
	const job = await recordShortly(tapedeck, "Of a palette build");
	await tapedeck.api.call("PATCH", `/v1/jobs/${job.id}`, { labels: { build: "palette / nightly #7" } });
	const dialog = page.getByRole("dialog", { name: palette });
	const field = dialog.getByRole("combobox");
	await page.goto("/settings");
	await page.keyboard.press("Control+k");
	await field.fill('"nightly #7" palette');
	const build = dialog.getByRole("group", { name: "Builds" }).getByRole("option");
	await expect(build).toHaveText(/palette \/ nightly #7\s*No result · 1 recording/);
	await build.click();
	await expect(page.getByRole("heading", { name: "Build palette / nightly #7" })).toBeVisible();

	await page.keyboard.press("Control+k");
	await field.fill('build:"palette / nightly #7" -status:failed');
	await expect(dialog.getByRole("group", { name: "Jobs" }).getByRole("option")).toHaveText(/Of a palette build/);
	await expect(dialog.getByRole("group", { name: "Recordings" }).getByRole("option")).toHaveText(/Of a palette build/);
	await expect(dialog.getByRole("group", { name: "Actions" })).toHaveCount(0);
});

test("the tab's title names the page and counts recording jobs, and Back restores the previous title", async ({
	page,
	tapedeck,
}) => {
	await page.goto("/recordings");
	await expect(page).toHaveTitle("Recordings · Tapedeck");
	const usual = await page.locator('link[rel="icon"]').first().getAttribute("href");
	const { id } = await createInterruptJob(tapedeck, "In the title");
	await expect(page).toHaveTitle("● 1 recording · Recordings · Tapedeck");
	await expect(page.locator('link[rel="icon"]').first()).toHaveAttribute("href", /recording/);
	await page.getByRole("link", { name: "Jobs", exact: true }).click();
	// The card of its recording has the same name, but leads elsewhere.
	await expect(page).toHaveTitle("● 1 recording · Jobs · Tapedeck");
	await page.getByRole("link", { name: "In the title" }).click();
	await expect(page).toHaveTitle("● 1 recording · In the title · Tapedeck");
	await page.goBack();
	await expect(page).toHaveTitle("● 1 recording · Jobs · Tapedeck");
	await page.goBack();
	await expect(page).toHaveTitle("● 1 recording · Recordings · Tapedeck");
	await tapedeck.api.cancelJob(id);
	await expect(page).toHaveTitle("Recordings · Tapedeck");
	await expect(page.locator('link[rel="icon"]').first()).toHaveAttribute("href", usual ?? "");
});

inExplore(test)(
	"a job opened from the palette closes with one step back, and leaves no second step to the same page",
	async ({ page, tapedeck }) => {
		const { id } = await createInterruptJob(tapedeck, "Opened by palette", NO_DISPLAY);
		await page.goto("/recordings");
		await page.getByRole("link", { name: "Jobs", exact: true }).click();
		await expect(page.getByRole("link", { name: "Opened by palette" })).toBeVisible();
		await page.keyboard.press("Control+k");
		await page.getByRole("dialog", { name: palette }).getByRole("combobox").fill(`#${id}`);
		await page.keyboard.press("Enter");
		const drawer = page.getByRole("dialog", { name: "Opened by palette" });
		await expect(drawer).toBeVisible();
		await page.keyboard.press("Escape");
		await expect(drawer).toBeHidden();
		await expect(page).toHaveURL(/\/jobs$/);
		await page.goBack();
		await expect(page).toHaveURL(/\/recordings$/);
	},
);

inExplore(test)(
	"a runner chosen in the palette is highlighted, also when the page of runners is open already",
	async ({ page, tapedeck }) => {
		const name = "Second in the palette";
		const other = await scriptRunner(tapedeck, name);
		await page.goto(`/runners#runner-${tapedeck.runnerId}`);
		const highlighted = page.locator("li[aria-current]");
		await expect(highlighted).toHaveAttribute("id", `runner-${tapedeck.runnerId}`);
		await page.keyboard.press("Control+k");
		await page.getByRole("dialog", { name: palette }).getByRole("combobox").fill(name);
		await page.keyboard.press("Enter");
		await expect(page).toHaveURL(new RegExp(`/runners#runner-${other.runnerId}$`));
		await expect(highlighted).toHaveAttribute("id", `runner-${other.runnerId}`);
		await other.stop();
	},
);

inExplore(test)(
	"the tab counts what the first page of recording jobs does not hold, too",
	async ({ page, tapedeck }) => {
		const { id } = await createInterruptJob(tapedeck, "One of many");
		const job = await tapedeck.api.waitFor(id, "recording");
		await page.route("**/v1/jobs?*status=recording*", (route) =>
			route.fulfill({ json: { data: [job], nextCursor: "another page" } }),
		);
		await page.goto("/recordings");
		await expect(page).toHaveTitle("● 1+ recording · Recordings · Tapedeck");
		await tapedeck.api.cancelJob(id);
	},
);
