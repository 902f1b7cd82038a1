/** The dashboard's disk is full: the pages while uploads wait, and when they continue. */
import { readFile } from "node:fs/promises";
import { expect, test } from "playwright/test";
import { mountSmallDisk, type SmallDisk } from "#test/processes/small-disk.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { type Dashboard, startBrowserDashboard } from "#test/stack.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

const RESERVE = 6 * 2 ** 20;
let disk: SmallDisk;
let dashboard: Dashboard;
test.beforeAll(async () => {
	disk = await mountSmallDisk(64);
	dashboard = await startBrowserDashboard({ parent: disk.path });
});
test.afterAll(async () => {
	await dashboard?.stop();
	await disk?.unmount();
	await removeTestFolder();
});

test("every page says that the disk is full, the waiting job says so, and both recover by themselves", async ({
	page,
}) => {
	const bytes = await readFile(await makeVideo("recorder.mp4"));
	const half = Math.floor(bytes.length / 2);
	const runner = await scriptRunner(dashboard, "runner that waits");
	const id = await runner.record("Waits for room");
	expect(await runner.send(id, 0, bytes.subarray(0, half))).toBe(204);
	await page.goto(`${dashboard.url}/login?next=/jobs/${id}`);
	await page.getByLabel("Email").fill(dashboard.email);
	await page.getByLabel("Password").fill(dashboard.password);
	await page.getByRole("button", { name: "Sign in" }).click();
	const drawer = page.getByRole("dialog");
	await expect(drawer).toContainText("Waits for room");
	const banner = page.getByText("The dashboard's disk is full, so uploads are paused.");
	await expect(banner).toHaveCount(0);

	await disk.fill(RESERVE - 2 ** 20);
	await expect(banner).toBeVisible();
	expect(await runner.send(id, half, bytes.subarray(half))).toBe(507);
	await expect(drawer.getByText("Upload paused: the dashboard's disk is full")).toBeVisible();
	await page.goto(`${dashboard.url}/recordings`);
	await expect(banner).toBeVisible();
	await page
		.getByLabel("Files", { exact: true })
		.setInputFiles({ name: "More.mp4", mimeType: "video/mp4", buffer: bytes });
	await expect(page.getByText(/“More.mp4” is .+, but the dashboard's disk has only 0 B left for videos/)).toBeVisible();

	await disk.empty();
	await expect(banner).toHaveCount(0);
	expect(await runner.send(id, half, bytes.subarray(half), bytes.length)).toBe(204);
	await runner.report(id, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
	await page.goto(`${dashboard.url}/jobs/${id}`);
	await expect(drawer).toContainText("Completed");
	await expect(drawer.getByText("Upload paused: the dashboard's disk is full")).toHaveCount(0);
	await expect(drawer.getByRole("region", { name: "Events" })).toContainText("The upload continues.");
	await runner.stop();
});
