/** The command palette, and what the tab says. */
import { createEndless, NO_DISPLAY, recordShortly } from "../test/jobs.ts";
import { expect, test } from "../test/tapedeck.ts";

const palette = "Command palette";

test("what is typed right after Ctrl K is kept while the palette is fetched, and pressed keys do nothing else", async ({
	page,
	tapedeck,
}) => {
	const { id } = await createEndless(tapedeck, "Junk knockout", NO_DISPLAY);
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

test("jobs, recordings, runners and actions are found by name from every page, and Escape gives the focus back", async ({
	page,
	tapedeck,
}) => {
	const job = await recordShortly(tapedeck, "Palette needle");
	const dialog = page.getByRole("dialog", { name: palette });
	const field = dialog.getByRole("combobox");

	// The settings hold no list of jobs: the server is asked.
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
	await expect(dialog.getByText("Nothing is called")).toBeVisible();
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

test("the tab says what it shows and how many jobs record, and going back brings the old title back", async ({
	page,
	tapedeck,
}) => {
	await page.goto("/recordings");
	await expect(page).toHaveTitle("Recordings · Tapedeck");
	const usual = await page.locator('link[rel="icon"]').first().getAttribute("href");
	const { id } = await createEndless(tapedeck, "In the title");
	await expect(page).toHaveTitle("● 1 recording · Recordings · Tapedeck");
	await expect(page.locator('link[rel="icon"]').first()).toHaveAttribute("href", /recording/);
	await page.getByRole("link", { name: "Jobs", exact: true }).click();
	// Its recording's card has that name, too, and leads elsewhere.
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
