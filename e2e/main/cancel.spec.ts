/** Cancelling as the specification describes it: jobs list, action menu, drawer, the button at its top. */
import { beginRecording, recordShortly } from "#test/jobs.ts";
import { actionsButton, createByForm, openDrawer, rowOf } from "#test/pages/jobs-page.ts";
import { expect, test } from "#test/tapedeck.ts";
import { expectPlaying } from "#test/videos/expect-playing.ts";

test("Cancel in the drawer ends an interrupt job, and its video then plays there", async ({ page, tapedeck }) => {
	const name = "Cancelled in the drawer";
	await page.goto("/jobs");
	const { id } = await createByForm(page, "interrupt", { Name: name, Display: tapedeck.displayId });
	await expect(rowOf(page, name).getByText("Recording")).toBeVisible();
	const drawer = await openDrawer(page, name);
	await expect(page).toHaveURL(new RegExp(`/jobs/${id}$`));

	// The picture is live during the recording.
	await expectPlaying(drawer.locator("video"));

	const cancel = drawer.getByRole("button", { name: "Cancel job" });
	const heading = await drawer.getByRole("heading", { name }).boundingBox();
	const button = await cancel.boundingBox();
	const video = await drawer.locator("video").boundingBox();
	expect(button?.y).toBeLessThan((heading?.y ?? 0) + (heading?.height ?? 0) + 1);
	expect(button?.y).toBeLessThan(video?.y ?? 0);

	await cancel.click();
	await expect(drawer.getByText("Completed").first()).toBeVisible();
	await expect(cancel).toHaveCount(0);
	await expect(drawer.getByRole("button", { name: "Cancelling…" })).toHaveCount(0);
	expect(await tapedeck.api.readJob(id)).toMatchObject({ status: "completed", stopReason: "cancelled" });
	await expectPlaying(drawer.locator("video"));
	await page.keyboard.press("Escape");
	await expect(rowOf(page, name).getByText("Completed")).toBeVisible();
});

test("Cancel job in the menu ends the recording too, and is gone afterwards", async ({ page, tapedeck }) => {
	const name = "Cancelled in the menu";
	const { id } = await beginRecording(tapedeck, name);
	await page.goto("/jobs");
	await actionsButton(page, name).click();
	await page.getByRole("menuitem", { name: "Cancel job" }).click();
	await tapedeck.api.waitFor(id, "ended");
	await expect(rowOf(page, name).getByText("Completed")).toBeVisible();
	await actionsButton(page, name).click();
	await expect(page.getByRole("menuitem", { name: "View details" })).toBeVisible();
	await expect(page.getByRole("menuitem", { name: "Cancel job" })).toHaveCount(0);
});

test("the drawer opens and closes by keyboard alone, and returns the focus", async ({ page, tapedeck }) => {
	const name = "Only keys";
	const { id } = await recordShortly(tapedeck, name);
	await page.goto("/jobs");
	await actionsButton(page, name).focus();
	await page.keyboard.press("Enter");
	await expect(page.getByRole("menuitem", { name: "View details" })).toBeFocused();
	await page.keyboard.press("Enter");
	const drawer = page.getByRole("dialog", { name });
	await expect(drawer).toBeVisible();
	await expect(page).toHaveURL(new RegExp(`/jobs/${id}$`));
	expect(await drawer.evaluate((element) => element.contains(document.activeElement))).toBe(true);
	await page.keyboard.press("Escape");
	await expect(drawer).toBeHidden();
	await expect(actionsButton(page, name)).toBeFocused();
	await expect(page).toHaveURL(/\/jobs$/);
});

test("a drawer's address can be reloaded and shared", async ({ page, tapedeck }) => {
	const name = "Shared by its address";
	const { id } = await recordShortly(tapedeck, name);
	await page.goto(`/jobs/${id}`);
	await expect(page.getByRole("dialog", { name })).toBeVisible();
	await page.reload();
	await expect(page.getByRole("dialog", { name })).toBeVisible();
	await page.goto("/jobs/999999");
	await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
});
