/** Pages of a grid's sessions. */

import { readFile } from "node:fs/promises";
import { inExplore } from "#test/in-explore.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { makeVideo } from "#test/videos/make-video.ts";

const started = (sessionId: string, name: string | null) => ({
	...{ type: "session_started" as const, message: "It began." },
	session: { sessionId, name, capabilities: { browserName: "chrome" }, labels: {} },
});

test("the address of a session waits for its recording, and opens it at the session's beginning", async ({
	page,
	tapedeck,
}) => {
	const runner = await scriptRunner(tapedeck, "runner of a page");
	const sessionId = "one/of a kind";
	await page.goto(`/sessions/${encodeURIComponent(sessionId)}`);
	await expect(page.getByRole("heading", { name: "Waiting for the recording" })).toBeVisible();
	const jobId = await runner.record("With sessions");
	await runner.report(jobId, started("before", "the first test"));
	await runner.report(jobId, started(sessionId, "the second test"));
	await expect(page.getByText("The session is being recorded.")).toBeVisible();
	const video = await readFile(await makeVideo("recorder.mp4", 4));
	await runner.send(jobId, 0, video, video.length);
	await runner.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
	await page.waitForURL(/\/recordings\/\d+\?(t=[\d.]+|result=\d+)$/);
	const chapters = page.getByRole("list", { name: "Markers" });
	await expect(chapters.getByRole("button", { name: /^Session: the first test/ })).toBeVisible();
	await expect(chapters.getByRole("button", { name: /^Session: the second test/ })).toBeVisible();
	await expect(chapters.getByRole("button", { name: /Delete marker/ })).toHaveCount(0);
	await runner.stop();
});

inExplore(test)("sessions that nobody recorded are counted, and listed with the reason", async ({ page, tapedeck }) => {
	await page.goto("/coverage");
	await expect(page.getByRole("heading", { name: "Coverage" })).toBeVisible();
	const runner = await scriptRunner(tapedeck, "runner of coverage");
	const startedAt = new Date().toISOString();
	await runner.saw([
		{ sessionId: "missed", name: "login works", node: "http://node-2:5555", startedAt, endedAt: null, reason: null },
	]);
	await page.goto("/runners");
	await page.getByRole("link", { name: "Coverage" }).click();
	const missed = page.getByRole("list", { name: "Sessions that were not recorded" });
	await expect(missed.getByRole("listitem")).toHaveText(
		/login works.*No runner is assigned to this node.*http:\/\/node-2:5555/,
	);
	await page.goto("/sessions/missed");
	await expect(page.getByRole("heading", { name: "This session was not recorded" })).toBeVisible();
	await runner.stop();
});
