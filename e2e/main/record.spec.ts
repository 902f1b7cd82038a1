/** Records from a form or a call to a playable video, for each stop condition. */

import type { CreateJobBody, Job } from "@tapedeck/contract/job.ts";
import type { Page } from "playwright/test";
import { startFakeGrid } from "#test/grids/fake-grid.ts";
import { variants } from "#test/in-explore.ts";
import { createByForm, openDrawer } from "#test/pages/jobs-page.ts";
import type { Stack } from "#test/stack.ts";
import { expect, test } from "#test/tapedeck.ts";
import { expectPlaying, expectSeek } from "#test/videos/expect-playing.ts";

/** Sees the finished job's video play in its drawer and on its own page. */
async function expectPlayable(page: Page, job: Job): Promise<void> {
	await page.goto("/jobs");
	const drawer = await openDrawer(page, job.name);
	await expect(drawer.getByText("Completed").first()).toBeVisible();
	await expectPlaying(drawer.locator("video"));
	await page.goto(new URL(job.recording?.url ?? "").pathname);
	await expectPlaying(page.locator("video"));
	await expectSeek(page.locator("video"), Math.min(1.5, (job.recording?.durationSeconds ?? 0) / 2));
}

/** A body that is complete but for its stop rule. */
const bodyOf = ({ runnerId, displayId }: Stack, name: string) =>
	({ runnerId, type: "recording", displayId, name }) as const;

for (const way of variants(["form", "API"], (way) => way === "form")) {
	/** Creates the job by the form or the API. */
	const create = async (
		page: Page,
		tapedeck: Stack,
		body: CreateJobBody,
		fields: Record<string, string>,
	): Promise<Job> => {
		if (way === "API") return tapedeck.api.createJob(body);
		await page.goto("/jobs");
		return createByForm(page, body.stopCondition, { Name: body.name ?? "", Display: body.displayId, ...fields });
	};

	test(`duration, created by ${way}: stops by itself on the frame and plays`, async ({ page, tapedeck }) => {
		const body: CreateJobBody = {
			...bodyOf(tapedeck, `Three seconds by ${way}`),
			stopCondition: "duration",
			stopConditionConfig: { durationSeconds: 3 },
		};
		const { id } = await create(page, tapedeck, body, { "Duration (seconds)": "3" });
		const job = await tapedeck.api.waitFor(id, "playable");
		expect(job).toMatchObject({ status: "completed", stopReason: "duration_elapsed", error: null });
		expect(job.recording?.durationSeconds).toBe(3);
		await expectPlayable(page, job);
	});

	test(`interrupt, created by ${way}: records until it is cancelled and plays`, async ({ page, tapedeck }) => {
		const body: CreateJobBody = { ...bodyOf(tapedeck, `Until cancelled by ${way}`), stopCondition: "interrupt" };
		const { id } = await create(page, tapedeck, body, {});
		const recording = await tapedeck.api.waitFor(id, "recording");
		expect(recording.status).toBe("recording");
		await expect
			.poll(async () => (await tapedeck.api.readJob(id)).recording?.durationSeconds ?? 0)
			.toBeGreaterThan(1.5);
		await tapedeck.api.cancelJob(id);
		const job = await tapedeck.api.waitFor(id, "playable");
		expect(job).toMatchObject({ status: "completed", stopReason: "cancelled", error: null });
		await expectPlayable(page, job);
	});

	test(`selenium_idle, created by ${way}: stops when the grid has been idle for 5 seconds and plays`, async ({
		page,
		tapedeck,
	}) => {
		const grid = await startFakeGrid({ flavour: "grid4" });
		const password = "never shown again";
		grid.credentials = { username: "watcher", password };
		grid.respondWith({ kind: "sessions", count: 1 });
		const body: CreateJobBody = {
			...bodyOf(tapedeck, `Until the grid is idle by ${way}`),
			stopCondition: "selenium_idle",
			stopConditionConfig: { gridUrl: grid.url, gridUsername: "watcher", gridPassword: password },
		};
		const { id } = await create(page, tapedeck, body, {
			"Grid URL": grid.url,
			"Grid username": "watcher",
			"Grid password": password,
		});
		await tapedeck.api.waitFor(id, "recording");
		await expect.poll(() => grid.requests.length).toBeGreaterThan(2);
		const idleSince = Date.now();
		const polls = grid.requests.length;
		grid.respondWith({ kind: "sessions", count: 0 });
		const job = await tapedeck.api.waitFor(id, "playable");
		const pollsWhileIdle = grid.requests.length - polls;
		await grid.stop();
		expect(job).toMatchObject({ status: "completed", stopReason: "selenium_idle", error: null });
		// The runner polls every half second, and the last poll before the change still returned "busy".
		expect(Date.parse(job.stoppedAt ?? "") - idleSince).toBeGreaterThanOrEqual(5_000);
		// Counts polls, because a busy machine delays them and thus the end.
		expect(pollsWhileIdle).toBeLessThanOrEqual(14);
		expect(grid.requests.every(({ path }) => path === "/wd/hub/status")).toBe(true);
		expect(JSON.stringify([job, await tapedeck.api.events(id)])).not.toContain(password);
		await expectPlayable(page, job);
		expect(await page.content()).not.toContain(password);
	});
}
