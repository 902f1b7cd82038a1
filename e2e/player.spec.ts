/** The player by keyboard. */
import { expect, test } from "./fixtures/tapedeck.ts";
import { expectPlaying } from "./fixtures/video.ts";

test("space, J, L, the arrows, comma and full stop drive the player", async ({ page, tapedeck }) => {
	const { id } = await tapedeck.api.createJob({
		runnerId: tapedeck.runnerId,
		displayId: tapedeck.displayId,
		name: "For the keys",
		stopCondition: "duration",
		stopConditionConfig: { durationSeconds: 8 },
	});
	const job = await tapedeck.api.waitFor(id, "playable");
	await page.goto(`/recordings/${job.recording?.id}`);
	const video = page.locator("video");
	await expectPlaying(video);
	const paused = () => video.evaluate((element: HTMLVideoElement) => element.paused);
	const time = () => video.evaluate((element: HTMLVideoElement) => element.currentTime);

	await page.getByRole("heading").first().click();
	await page.keyboard.press("Space");
	expect(await paused()).toBe(true);
	await page.keyboard.press("j");
	await expect.poll(time).toBe(0);
	await page.keyboard.press("ArrowRight");
	await expect.poll(time).toBeCloseTo(5, 1);
	await page.keyboard.press("ArrowLeft");
	await expect.poll(time).toBeCloseTo(0, 1);
	// At 15 pictures a second, three steps forward and one back are two fifteenths.
	for (const key of [".", ".", ".", ","]) {
		const before = await time();
		await page.keyboard.press(key);
		await expect.poll(time).not.toBe(before);
	}
	expect(await time()).toBeGreaterThan(0.05);
	expect(await time()).toBeLessThan(0.3);
	await page.keyboard.press("k");
	expect(await paused()).toBe(false);
});
