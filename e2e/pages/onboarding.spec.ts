/** Onboarding: from no runner to the first video, in steps that complete by themselves. */
import { readFile } from "node:fs/promises";
import { expect, test } from "playwright/test";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { type Dashboard, startBrowserDashboard } from "#test/stack.ts";
import { expectPlaying } from "#test/videos/expect-playing.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

let dashboard: Dashboard;
test.beforeAll(async () => {
	dashboard = await startBrowserDashboard();
});
test.afterAll(async () => {
	await dashboard?.stop();
	await removeTestFolder();
});

test("the three onboarding steps complete from the first runner to the first video, and do not come back", async ({
	page,
}) => {
	await page.goto(`${dashboard.url}/login?next=/jobs`);
	await page.getByLabel("Email").fill(dashboard.email);
	await page.getByLabel("Password").fill(dashboard.password);
	await page.getByRole("button", { name: "Sign in" }).click();
	const steps = page.getByRole("region", { name: "Your first video in three steps" });
	const current = steps.locator('[aria-current="step"]');
	const done = (title: string) => steps.getByRole("heading", { name: `Done: ${title}` });
	await expect(current).toContainText("Connect a runner");
	await steps.getByRole("button", { name: "Generate install command" }).click();
	await expect(
		steps.getByText(/^curl -fsSL .+\/install\.sh \| TAPEDECK_TOKEN='tdr_.+' sh -s -- --name 'my-first-runner'$/),
	).toBeVisible();
	await expect(steps.getByText("Waiting for it to connect…")).toBeVisible();

	const runner = await scriptRunner(dashboard, "first runner");
	await expect(done("Connect a runner")).toBeVisible();
	await expect(steps.getByText("first runner is connected.")).toBeVisible();
	await expect(current).toContainText("Make a recording");
	await expect(current.getByText(/curl -X POST/)).toContainText(`"runnerId":${runner.runnerId},"displayId":":77"`);
	await current.getByRole("button", { name: "Create a job" }).click();
	await expect(page.getByRole("dialog", { name: "New job" }).getByLabel("Display")).toHaveValue(":77");
	await page.keyboard.press("Escape");
	await expect(current.getByRole("button", { name: "Create a job" })).toBeFocused();

	const id = await runner.record("The very first");
	await expect(done("Make a recording")).toBeVisible();
	await expect(current.getByRole("button", { name: "Watch live" })).toBeVisible();
	const bytes = await readFile(await makeVideo("recorder.mp4"));
	expect(await runner.send(id, 0, bytes, bytes.length)).toBe(204);
	await runner.report(id, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
	await expect(current.getByText("Your first video is ready.")).toBeVisible();
	await current.getByRole("button", { name: "Play video" }).click();
	const drawer = page.getByRole("dialog", { name: "The very first" });
	await expectPlaying(drawer.locator("video"), { width: 160, height: 120 });
	await page.keyboard.press("Escape");
	await expect(drawer).toBeHidden();
	await expect(steps).toHaveCount(0);
	await page.reload();
	await expect(page.getByRole("row").filter({ hasText: "The very first" })).toBeVisible();
	await expect(steps).toHaveCount(0);
	await runner.stop();
});
