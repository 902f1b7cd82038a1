/** Limits for pages before the first interaction: script, requests to other hosts, and layout shifts. No timings. */

import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { recordShortly } from "#test/jobs.ts";
import { firstLoad, SCRIPT_BUDGETS_KIB } from "#test/pages/first-load.ts";
import { expect, test } from "#test/tapedeck.ts";

const KIB = 1_024;
/** Browsers call less than 0.1 good; a tenth of that is not seen. */
const MOST_SHIFT = 0.01;

/** The region of a page that appears last. */
const SHOWN_LAST: Record<string, string | undefined> = {
	"/jobs/{id}": "Player controls",
	"/recordings/{id}": "Player controls",
	"/tests/{id}": "Last failure",
};

test("no page loads more script than its budget, calls another host, or shifts while it loads", async ({
	browser,
	ownerState,
	tapedeck,
}) => {
	const job = await recordShortly(tapedeck, "For the budget");
	await tapedeck.api.call("PATCH", `/v1/jobs/${job.id}`, { labels: { build: "7" }, outcome: "failed" });
	const { data } = await tapedeck.api.call<{ data: TestResult[] }>("GET", `/v1/tests?jobId=${job.id}`);
	const paths: Record<string, string> = {
		"/jobs/{id}": `/jobs/${job.id}`,
		"/builds/{id}": "/builds/7",
		"/tests/{id}": `/tests/${data[0]?.testId}`,
		"/recordings/{id}": `/recordings/${job.recording?.id}`,
	};
	const measured: Record<string, { kib: number; shift: number }> = {};
	for (const path of Object.keys(SCRIPT_BUDGETS_KIB)) {
		const context = await browser.newContext({ baseURL: tapedeck.url, storageState: ownerState });
		const shownLast = SHOWN_LAST[path];
		const { scriptBytes, layoutShift, foreign } = await firstLoad(context, paths[path] ?? path, shownLast);
		await context.close();
		expect(foreign, `other hosts that ${path} asks`).toEqual([]);
		measured[path] = { kib: Math.ceil(scriptBytes / KIB), shift: layoutShift };
	}
	console.log(measured);
	for (const [path, most] of Object.entries(SCRIPT_BUDGETS_KIB)) {
		expect.soft(measured[path]?.kib, `KiB of gzipped script of ${path}`).toBeLessThanOrEqual(most);
		expect.soft(measured[path]?.shift, `layout shift of ${path}`).toBeLessThanOrEqual(MOST_SHIFT);
	}
});
