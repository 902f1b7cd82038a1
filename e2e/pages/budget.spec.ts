/** Limits for pages before the first interaction: script, requests to other hosts, and layout shifts. No timings. */

import { readFile } from "node:fs/promises";
import { resultPath } from "@tapedeck/contract/result-path.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { recordShortly } from "#test/jobs.ts";
import { firstLoad, SCRIPT_BUDGETS_KIB } from "#test/pages/first-load.ts";
import { recordTests } from "#test/pages/test-results.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { expect, test } from "#test/tapedeck.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

test.afterAll(removeTestFolder);

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

test("a result with a video, a trace and ten pictures keeps the budget of a recording's page on the page of its test, adds 3 KiB to the recording's, and shifts nothing", async ({
	browser,
	ownerState,
	tapedeck,
}) => {
	const runner = await scriptRunner(tapedeck, "runner of the pictures");
	const { results } = await recordTests(tapedeck, runner, "With pictures", {
		video: await readFile(await makeVideo("recorder.mp4", 4)),
		tests: [{ test: "Shop › pays", outcome: "failed", message: "The bank is closed" }],
	});
	await runner.stop();
	const [result] = results as [TestResult];
	const drawing = await browser.newContext({ viewport: { width: 1_280, height: 720 } });
	const page = await drawing.newPage();
	const attach = async (name: string, type: string, body: Buffer) => {
		const answer = await fetch(`${tapedeck.url}/v1/tests/${result.id}/attachments?name=${name}`, {
			method: "POST",
			headers: { authorization: `Bearer ${tapedeck.apiKey}`, "content-type": type },
			body: new Uint8Array(body),
		});
		expect(answer.status, await answer.text()).toBe(201);
	};
	await attach("trace.zip", "application/zip", Buffer.from("PK"));
	for (let count = 1; count <= 10; count += 1) {
		await page.setContent(`<h1>Picture ${count}</h1>`);
		const name = ["home-expected", "home-actual", "home-diff"][count - 1] ?? `page-${count}`;
		await attach(`${name}.png`, "image/png", await page.screenshot());
	}
	await drawing.close();
	const budgetKiB = SCRIPT_BUDGETS_KIB["/recordings/{id}"];
	const budgets: [path: string, kib: number][] = [
		// The list of attachments, in addition to what every recording's page has.
		[resultPath(result), budgetKiB + 3],
		[`/tests/${result.testId}?result=${result.id}`, budgetKiB],
	];
	for (const [path, kib] of budgets) {
		const context = await browser.newContext({ baseURL: tapedeck.url, storageState: ownerState });
		const { scriptBytes, layoutShift, foreign } = await firstLoad(context, path, "Attachments");
		expect(foreign, `other hosts that ${path} asks`).toEqual([]);
		expect(Math.ceil(scriptBytes / KIB), `KiB of gzipped script of ${path}`).toBeLessThanOrEqual(kib);
		expect(layoutShift, `layout shift of ${path}`).toBeLessThanOrEqual(MOST_SHIFT);
		const opened = await context.newPage();
		await opened.goto(path);
		await opened.getByRole("region", { name: "Attachments" }).scrollIntoViewIfNeeded();
		await expect(opened.getByRole("img", { name: "page-10.png" })).toBeAttached();
		await context.close();
	}
});
