/** The runners page: state, displays and jobs, adding, renaming and removing runners. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Api } from "#test/api-client.ts";
import { inExplore } from "#test/in-explore.ts";
import { createInterruptJob } from "#test/jobs.ts";
import { withRole } from "#test/pages/people.ts";
import { startChild } from "#test/processes/child.ts";
import { signInMachine } from "#test/runners/scripted-runner.ts";
import { root } from "#test/stack.ts";
import { expect, test } from "#test/tapedeck.ts";

test("a runner shows its state and its displays with their sizes", async ({ page, tapedeck }) => {
	await page.goto("/runners");
	await expect(page.getByText(tapedeck.runnerName).first()).toBeVisible();
	await expect(page.getByText(/online/i).first()).toBeVisible();
	await expect(page.getByText(tapedeck.displayId, { exact: true }).first()).toBeVisible();
	await expect(page.getByText(/1280\s*×\s*720/).first()).toBeVisible();
});

test("the command of Add runner starts a runner that appears at once", async ({ page, tapedeck }) => {
	await page.goto("/runners");
	await page.getByRole("button", { name: "Add runner" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel("Name").fill("pasted-runner");
	await dialog.getByRole("button", { name: "Generate install command" }).click();
	await expect(dialog.getByText(/^curl -fsSL/)).toHaveText(
		new RegExp(`^curl -fsSL ${tapedeck.url}/install\\.sh \\| TAPEDECK_TOKEN='tdr_.+' sh -s -- --name 'pasted-runner'$`),
	);
	await dialog.getByRole("tab", { name: "One line" }).press("ArrowRight");
	await expect(dialog.getByRole("tab", { name: "Shell" })).toBeFocused();
	const command = (await dialog.getByText("npm run runner").last().textContent()) ?? "";
	expect(command).toContain("TAPEDECK_TOKEN=");

	const dataDir = await mkdtemp(join(tmpdir(), "tapedeck-pasted-"));
	const env = { ...process.env, DISPLAY: tapedeck.displayId, TAPEDECK_DATA_DIR: dataDir };
	// The other ways show too, without secrets in their steps.
	await dialog.getByRole("tab", { name: "Shell" }).press("ArrowRight");
	await expect(dialog.getByRole("tab", { name: "Docker" })).toBeFocused();
	await expect(dialog.getByText("docker run").first()).toContainText("TAPEDECK_RUNNER_NAME='pasted-runner'");
	await dialog.getByRole("tab", { name: "GitHub Actions" }).click();
	const steps = dialog.getByText("uses: YOUR-ORG/tapedeck").first();
	await expect(steps).toContainText("secrets.TAPEDECK_TOKEN");
	await expect(steps).not.toContainText("tdr_");
	await dialog.getByRole("tab", { name: "Shell" }).click();

	const runner = startChild("sh", ["-c", `exec env ${command}`], { cwd: root, env });
	try {
		await expect(dialog.getByText("pasted-runner is connected and ready to record.")).toBeVisible();
	} finally {
		expect(await runner.stop(15_000), runner.output()).toBe(0);
		await rm(dataDir, { recursive: true, force: true });
	}
	await dialog.getByRole("button", { name: "Done" }).click();
	await expect(page.getByText(/offline/i).first()).toBeVisible();
});

test("a runner's card shows its display, the running jobs with their time and the last jobs, all live", async ({
	page,
	tapedeck,
}) => {
	await page.goto("/runners");
	const card = page.getByRole("listitem", { name: tapedeck.runnerName });
	const picture = card.getByRole("img", { name: `What ${tapedeck.displayId} shows now` });
	await expect(picture).toBeVisible();
	const first = await picture.getAttribute("src");
	await expect(picture).not.toHaveAttribute("src", first ?? "");

	const job = await createInterruptJob(tapedeck, "on the card");
	const line = card.getByRole("listitem").filter({ hasText: "on the card" });
	// The time is running, and may be beyond the first seconds before the test reads it.
	await expect(line).toContainText(/on :\d+\s*(?!0:00)\d+:\d\d/);
	await tapedeck.api.cancelJob(job.id);
	await expect(line).toContainText("Completed");
	await tapedeck.api.call("PATCH", `/v1/jobs/${job.id}`, { outcome: "failed" });
	await expect(line).toContainText(/Failed test.*Completed/);
	await expect(card.getByText("Idle", { exact: true })).toBeVisible();
	await line.getByRole("link", { name: "on the card" }).click();
	await expect(page).toHaveURL(`/jobs/${job.id}`);
});

/** Other tests leave queued jobs, and the alert names the runner with the most of them. */
async function cancelAllQueued(api: Api): Promise<void> {
	const { data } = await api.call<{ data: Job[] }>("GET", "/v1/jobs?status=queued&limit=100");
	for (const { id } of data) await api.cancelJob(id);
	if (data.length > 0) await cancelAllQueued(api);
}

inExplore(test)(
	"the jobs and runners pages warn of an offline runner with queued jobs, and link to them",
	async ({ page, tapedeck }) => {
		await cancelAllQueued(tapedeck.api);
		const runnerId = await signInMachine(tapedeck, "asleep");
		const order = { runnerId, displayId: ":7", stopCondition: "interrupt" } as const;
		await page.goto("/jobs");
		const first = await tapedeck.api.createJob({ ...order, name: "waits one" });
		const second = await tapedeck.api.createJob({ ...order, name: "waits two" });
		const sentence = page.getByText(/asleep has been offline for .*; 2 jobs are waiting for it\./);
		await expect(sentence).toBeVisible();
		await page.goto(`/runners#runner-${runnerId}`);
		await expect(sentence).toBeVisible();
		const card = page.getByRole("listitem", { name: "asleep" });
		await expect(card).toBeInViewport();
		await expect(card).toHaveAttribute("aria-current", "true");
		await expect(card.getByText("No preview")).toBeVisible();
		await page.getByRole("link", { name: "Show them (the jobs that wait for asleep)" }).click();
		await expect(page).toHaveURL(/status=queued/);
		await expect(page.getByText("waits one").first()).toBeVisible();
		for (const { id } of [first, second]) await tapedeck.api.cancelJob(id);
		await expect(sentence).toBeHidden();
	},
);

test("a runner is renamed and removed from its menu, which explains the consequences first", async ({
	page,
	tapedeck,
}) => {
	const runnerId = await signInMachine(tapedeck, "short-lived");
	const order = { runnerId, displayId: ":7", stopCondition: "interrupt" } as const;
	const job = await tapedeck.api.createJob({ ...order, name: "waits for a removed one" });
	await page.goto("/runners");
	await page.getByRole("button", { name: "Actions for short-lived" }).click();
	await page.getByRole("menuitem", { name: "Rename" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel("Name").fill(tapedeck.runnerName);
	await dialog.getByRole("button", { name: "Save name" }).click();
	await expect(dialog.getByText(/Another runner is named/)).toBeVisible();
	await dialog.getByLabel("Name").fill("long-gone");
	await dialog.getByLabel("Name").press("Enter");
	await expect(dialog).toBeHidden();
	await expect(page.getByRole("listitem", { name: "long-gone" })).toBeVisible();

	await page.getByRole("button", { name: "Actions for long-gone" }).click();
	await page.getByRole("menuitem", { name: "Remove" }).click();
	await expect(dialog.getByText("1 waiting job fails.")).toBeVisible();
	await dialog.getByRole("button", { name: "Remove runner" }).click();
	await expect(page.getByRole("listitem", { name: "long-gone" })).toBeHidden();
	const ended = await tapedeck.api.readJob(job.id);
	expect([ended.status, ended.error?.code]).toEqual(["failed", "runner_removed"]);
	await page.goto(`/jobs/${job.id}`);
	await expect(page.getByRole("dialog").getByText("long-gone").first()).toBeVisible();
	await page.keyboard.press("Escape");
	await expect(page.getByRole("row").filter({ hasText: "waits for a removed one" })).toContainText("long-gone");
});

inExplore(test)(
	"an older runner has a quiet badge with its version and what to do, on wide and narrow screens",
	async ({ page, tapedeck }) => {
		await signInMachine(tapedeck, "left-behind", { version: "0.0.9" });
		for (const width of [1440, 390]) {
			await page.setViewportSize({ width, height: 900 });
			await page.goto("/runners");
			const card = page.getByRole("listitem", { name: "left-behind" });
			await card.scrollIntoViewIfNeeded();
			await expect(card.getByText("Older than the dashboard: 0.0.9", { exact: true })).toBeInViewport({ ratio: 1 });
			await expect(card.getByText("Run tapedeck upgrade on its machine.")).toBeInViewport({ ratio: 1 });
			const current = page.getByRole("listitem", { name: tapedeck.runnerName });
			await expect(current.getByText(/than the dashboard|from the dashboard/)).toHaveCount(0);
			expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
		}
	},
);

test("viewers see no button that would be refused", async ({ page, tapedeck }) => {
	await withRole(page, tapedeck, "viewer", async () => {
		await page.goto("/runners");
		await page.getByRole("button", { name: `Actions for ${tapedeck.runnerName}` }).click();
		await expect(page.getByRole("menuitem")).toHaveText(["Copy runner ID"]);
		await page.keyboard.press("Escape");
		await expect(page.getByRole("button", { name: "Add runner" })).toHaveCount(0);
	});
});
