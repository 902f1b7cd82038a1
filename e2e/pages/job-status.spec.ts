/**
 * Every status, the text next to it, and every outcome are completely visible in the list of jobs, however narrow it
 * is.
 */

import type { Job } from "@tapedeck/contract/job.ts";
import { FAILED_REASONS, JOB_STATUSES } from "@tapedeck/contract/job-status.ts";
import { OUTCOMES } from "@tapedeck/contract/recording-kinds.ts";
import { variants } from "#test/in-explore.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";

const AT = "2026-11-20T08:00:00.000Z";

/** Jobs of all kinds, derived from one that the server knows. */
function everyKind(known: Job): Job[] {
	const kinds: Partial<Job>[] = [
		...JOB_STATUSES.map((status) => ({ status })),
		...["starting", "recording"].map((status) => ({ status: status as Job["status"], cancelRequestedAt: AT })),
		...FAILED_REASONS.map((code) => ({
			status: "failed" as const,
			stopReason: code,
			error: { code, message: "Why." },
			startedAt: AT,
		})),
		...(["runner_shutdown", "grid_unreachable"] as const).map((stopReason) => ({
			status: "completed" as const,
			stopReason,
			startedAt: AT,
		})),
		{
			status: "completed",
			stopReason: "cancelled",
			stopCondition: "duration",
			stopConditionConfig: { durationSeconds: 9 },
		} as Partial<Job>,
		...OUTCOMES.map((outcome) => ({ status: "completed" as const, outcome, startedAt: AT })),
		// Jobs of runners that are offline: for a long time, and since the beginning.
		{ runnerId: 900_001 },
		{ runnerId: 900_002 },
	];
	return kinds.map((kind, index) => ({ ...known, ...kind, id: known.id + index, name: `Kind ${index}` }) as Job);
}

const WIDTHS = [1600, 1440, 1280, 1180, 1024, 920, 800, 768, 390];

for (const width of variants(WIDTHS, (width) => width === 1440 || width === 390)) {
	test(`no status, note or outcome is cut at ${width} pixels`, async ({ page, tapedeck }) => {
		await page.setViewportSize({ width, height: 2_400 });
		const runner = await scriptRunner(tapedeck, "Statuses");
		const known = await tapedeck.api.createJob({
			runnerId: runner.runnerId,
			displayId: ":9876",
			name: "Known",
			stopCondition: "interrupt",
		});
		const { data: runners } = await (await page.request.get("/v1/runners")).json();
		const offline = { ...runners[0], state: "offline", name: "Away", runningJobIds: [], waitingJobIds: [] };
		const longAgo = new Date(Date.now() - 59.5 * 60_000).toISOString();
		await page.route(/\/v1\/runners(\?|$)/, (route) =>
			route.fulfill({
				json: {
					data: [
						...runners,
						{ ...offline, id: 900_001, lastSeenAt: longAgo },
						{ ...offline, id: 900_002, lastSeenAt: null },
					],
					nextCursor: null,
				},
			}),
		);
		const jobs = everyKind(known);
		await page.route("**/v1/jobs?**", (route) => route.fulfill({ json: { data: jobs, nextCursor: null } }));
		await page.goto("/jobs?q=kind");
		const rows = page.locator("tr[data-row]");
		await expect(rows).toHaveCount(jobs.length);
		await expect(rows.getByText("Test error")).toHaveCount(1);
		const cut = await rows.evaluateAll((all) =>
			all.flatMap((row) => {
				const cell = row.querySelector("td:has(svg)");
				const badges = [...row.querySelectorAll("span[title^='Outcome']")];
				const within = cell === null ? [] : [cell, ...cell.querySelectorAll("span:not(.sr-only)")];
				const right = row.querySelector("a")?.closest("td")?.getBoundingClientRect().right ?? Number.POSITIVE_INFINITY;
				return [
					...within.filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 0),
					...badges.filter((one) => one.getBoundingClientRect().right > Math.min(right, innerWidth) + 0.5),
				].map((one) => one.textContent);
			}),
		);
		expect(cut).toEqual([]);
		await page.screenshot({ path: test.info().outputPath(`status-${width}.png`) });
		await tapedeck.api.cancelJob(known.id);
		await runner.stop();
	});
}
