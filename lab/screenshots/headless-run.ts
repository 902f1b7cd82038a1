/** A test of a headless browser that failed in a test run: with its trace, a comparison of pictures and its output. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { chromium } from "playwright";
import type { Dashboard } from "#test/stack.ts";

/** The address of the shop in the browser, which traces show. */
const SHOP = "https://shop.example.com/catalog";
const LABELS = { build: "4187", branch: "main", commit: "7be90d1", suite: "browser" };
const FAILURE = {
	...{ key: "a", test: "catalog.spec.ts › Catalog › looks as designed", suite: "catalog.spec.ts › Catalog" },
	...{ file: "catalog.spec.ts", line: 14, project: "chromium", outcome: "failed" },
	message:
		"Error: expect(page).toHaveScreenshot(expected) failed\n\n  3109 pixels (ratio 0.01 of all image pixels) are different.",
	stack: "    at catalog.spec.ts:17:20",
};
const OUTPUT = "GET /catalog 200 in 41 ms\nGET /prices?currency=EUR 200 in 12 ms\nstyles: theme “autumn” is active\n";

/** The places in the dashboard that the pictures of the guide show. */
export interface HeadlessRun {
	/** The page of the result. */
	path: string;
	/** The attachment that is the trace. */
	traceId: number;
}

/** Opens the shop in a headless browser, and reports what is left of it as a test. */
export async function addHeadlessRun({ url, apiKey, api }: Dashboard): Promise<HeadlessRun> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-headless-run-"));
	const browser = await chromium.launch({
		executablePath: process.env.TAPEDECK_TEST_CHROMIUM ?? "/usr/bin/chromium",
		args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-dev-shm-usage"],
	});
	try {
		const startedAt = new Date().toISOString();
		const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, reducedMotion: "reduce" });
		await context.tracing.start({ screenshots: true, snapshots: true });
		const page = await context.newPage();
		// The shop would click through itself.
		await page.addInitScript(() => Object.assign(window, { setTimeout: () => 0 }));
		await page.route(SHOP, (route) => route.fulfill({ path: join(import.meta.dirname, "shop.html") }));
		await page.goto(SHOP);
		const catalog = page.locator("#goods");
		const expected = await catalog.screenshot();
		await page.getByText("Ridge tent, two persons").hover();
		await page.addStyleTag({
			content: ".goods div { border-radius: 0 } .goods div:nth-child(2) u { filter: hue-rotate(120deg) }",
		});
		await page.getByText("Trail boots").hover();
		const actual = await catalog.screenshot();
		await context.tracing.stop({ path: join(folder, "trace.zip") });
		const run = await api.call<{ id: number }>("POST", "/v1/test-runs", { name: "Playwright", labels: LABELS });
		const failed = { ...FAILURE, startedAt, endedAt: new Date().toISOString() };
		const { data } = await api.call<{ data: TestResult[] }>("POST", `/v1/test-runs/${run.id}/tests`, [failed]);
		const { id, testId } = data[0] as TestResult;
		const attach = async (name: string, type: string, body: Buffer): Promise<{ id: number }> => {
			const headers = { authorization: `Bearer ${apiKey}`, "content-type": type };
			const answer = await fetch(`${url}/v1/tests/${id}/attachments?name=${name}`, {
				...{ method: "POST", headers, body: new Uint8Array(body) },
			});
			if (!answer.ok) throw new Error(await answer.text());
			return answer.json();
		};
		const trace = await attach("trace.zip", "application/zip", await readFile(join(folder, "trace.zip")));
		await attach("catalog-expected.png", "image/png", expected);
		await attach("catalog-actual.png", "image/png", actual);
		await attach("stdout.txt", "text/plain", Buffer.from(OUTPUT));
		await api.call("POST", `/v1/test-runs/${run.id}/end`, { outcome: "failed" });
		return { path: `/tests/${testId}?result=${id}`, traceId: trace.id };
	} finally {
		await browser.close();
		await rm(folder, { recursive: true, force: true });
	}
}
