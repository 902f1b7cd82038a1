/** Runners: what they have, and how another one comes. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "./fixtures/child.ts";
import { root } from "./fixtures/stack.ts";
import { expect, test } from "./fixtures/tapedeck.ts";

test("a runner shows its state and its displays with their sizes", async ({ page, tapedeck }) => {
	await page.goto("/runners");
	await expect(page.getByText(tapedeck.runnerName).first()).toBeVisible();
	await expect(page.getByText(/online/i).first()).toBeVisible();
	await expect(page.getByText(tapedeck.displayId, { exact: true }).first()).toBeVisible();
	await expect(page.getByText(/1280\s*×\s*720/).first()).toBeVisible();
});

test("the command that Add runner shows brings a runner that is seen at once", async ({ page, tapedeck }) => {
	await page.goto("/runners");
	await page.getByRole("button", { name: "Add runner" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel("Name").fill("pasted-runner");
	await dialog.getByRole("button", { name: "Make the command" }).click();
	const command = (await dialog.getByText("npm run runner").last().textContent()) ?? "";
	expect(command).toContain("TAPEDECK_TOKEN=");

	const dataDir = await mkdtemp(join(tmpdir(), "tapedeck-pasted-"));
	const env = { ...process.env, DISPLAY: tapedeck.displayId, TAPEDECK_DATA_DIR: dataDir };
	const runner = startChild("sh", ["-c", `exec env ${command}`], { cwd: root, env });
	try {
		await expect(dialog.getByText("pasted-runner is here and ready to record.")).toBeVisible();
	} finally {
		expect(await runner.stop(15_000), runner.output()).toBe(0);
		await rm(dataDir, { recursive: true, force: true });
	}
	await dialog.getByRole("button", { name: "Done" }).click();
	await expect(page.getByText(/offline/i).first()).toBeVisible();
});
