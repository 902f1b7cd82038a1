/** A video that was made elsewhere, from its upload to its deletion. */
import { readFile } from "node:fs/promises";
import { cardOf, chooseFiles, confirmUpload, expectStored, tray } from "#test/pages/recordings-page.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { expectPlaying, expectSeek } from "#test/videos/expect-playing.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";

test("an uploaded video becomes a recording that plays, seeks, opens at ?t= and can be deleted", async ({
	page,
	tapedeck,
}) => {
	const bytes = await makeExternalVideo();
	await page.goto("/recordings");
	await chooseFiles(page, [{ name: "Filmed elsewhere.mp4", mimeType: "video/mp4", buffer: bytes }]);
	await confirmUpload(page);
	await expect(tray(page).getByText("Uploaded")).toBeVisible();
	const id = await expectStored(tapedeck, "Filmed elsewhere", bytes);
	await expect(tray(page).getByRole("link", { name: "Filmed elsewhere.mp4" })).toHaveAttribute(
		"href",
		`/recordings/${id}`,
	);

	await cardOf(page, "Filmed elsewhere").getByRole("link").click();
	await expect(page).toHaveURL(new RegExp(`/recordings/${id}`));
	const video = page.locator("video");
	await expectPlaying(video, { width: 640, height: 360 });
	await expectSeek(video, 4);
	await expectSeek(video, 1);

	await page.goto(`/recordings/${id}?t=3.5`);
	await expect
		.poll(() => page.locator("video").evaluate((element: HTMLVideoElement) => element.currentTime))
		.toBeCloseTo(3.5, 0);

	const download = page.waitForEvent("download");
	await page
		.getByRole("link", { name: /Download/ })
		.first()
		.click();
	const saved = await download;
	expect(saved.suggestedFilename()).toMatch(/Filmed elsewhere.*\.mp4$/);
	expect(await readFile((await saved.path()) ?? "")).toEqual(bytes);

	await page.getByRole("button", { name: "More" }).click();
	await page.getByRole("menuitem", { name: "Delete recording" }).click();
	await expect(page).toHaveURL(/\/recordings$/);
	await expect(cardOf(page, "Filmed elsewhere")).toHaveCount(0);
	await expect.poll(async () => (await tapedeck.api.recordings()).some((one) => one.id === id)).toBe(false);
});
