/** Conclusions of the page Compare about real recordings of tests that pass in one build and fail in the next, at moments that they note. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Job, Tapedeck, type TestResult } from "@tapedeck/client-source/index.ts";
import { installPlaywright } from "#test/clients/playwright-project.ts";
import { startXvfb } from "#test/displays/xvfb.ts";
import { areLoaded, positions } from "#test/pages/compare-page.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { newFolder, removeFolder, startRunner } from "#test/runners/runner-process.ts";
import { expect, ownDashboardTest } from "#test/tapedeck.ts";

const test = ownDashboardTest();

const RUNNER = "the machine of the tests";
/** By which a noted moment and its frame may differ, in seconds. */
const NEAR = 0.4;

/** In build 2, the card is refused, the invoice never comes, and the total was wrong long before it is checked. */
const SPEC = `
import { appendFileSync } from "node:fs";
import { test } from "@tapedeck/playwright";
const isBroken = process.env.BUILD === "2";
const note = (title, name, before) =>
	appendFileSync(process.env.TRUTH, JSON.stringify({ title, name, before, after: Date.now() }) + "\\n");
const show = async (page, title, name, text, color) => {
	const before = Date.now();
	await page.evaluate(([text, color]) => new Promise((done) => {
		const box = document.createElement("div");
		box.textContent = text;
		box.style.cssText = "font: 48px sans-serif; padding: 20px; margin: 10px; background: " + color;
		document.body.append(box);
		requestAnimationFrame(() => requestAnimationFrame(() => done(null)));
	}), [text, color]);
	note(title, name, before);
	await page.waitForTimeout(1_200);
};
// Before the first step, the browser's window is there.
test.beforeEach(({ page }) => page.waitForTimeout(3_000));
test("pays", async ({ page }) => {
	await test.step("open the cart", () => show(page, "pays", "cart", "Cart", "silver"));
	await test.step("pay", async () => {
		if (isBroken) await show(page, "pays", "difference", "Card refused", "tomato");
		else await show(page, "pays", "difference", "Paid", "palegreen");
		if (isBroken) throw new Error("The card was refused");
	});
	await test.step("read the receipt", () => show(page, "pays", "receipt", "Receipt", "silver"));
});
test("waits for its invoice", async ({ page }) => {
	await test.step("order", () => show(page, "waits for its invoice", "order", "Ordered", "silver"));
	await test.step("wait for the invoice", async () => {
		const before = Date.now();
		await page.evaluate((isBroken) => {
			const box = document.createElement("div");
			box.textContent = "Invoice 7";
			box.style.cssText = "font: 48px sans-serif; padding: 20px; margin: 10px; background: gold";
			if (!isBroken) setTimeout(() => document.body.append(box), 800);
		}, isBroken);
		note("waits for its invoice", "wait", before);
		await page.getByText("Invoice 7").waitFor({ timeout: 5_000 });
	});
	await test.step("close the order", () => show(page, "waits for its invoice", "closed", "Closed", "silver"));
});
test("adds up its total", async ({ page }) => {
	await test.step("show the total", () =>
		show(page, "adds up its total", "difference", isBroken ? "Total 80.11" : "Total 80.10", "silver"));
	await test.step("enter an address", () => show(page, "adds up its total", "address", "Address", "silver"));
	await test.step("check the total", async () => {
		if (isBroken) throw new Error("expected 80.10, received 80.11");
	});
});
`;

interface Noted {
	title: string;
	name: string;
	/** Milliseconds since 1970. */
	before: number;
	after: number;
}

/** The title of the test's own step that a second of its video shows. */
const stepAt = ({ steps }: TestResult, second: number): string | undefined =>
	steps
		.filter(({ category }) => category === "test.step")
		.findLast(({ offsetSeconds }) => offsetSeconds !== null && offsetSeconds <= second)?.title;

/** The failing step, and seconds by which what is noted under a name comes before the first difference. */
const PLANTED: Record<string, { step: string; noted: string; later: number }> = {
	pays: { step: "pay", noted: "difference", later: 0 },
	"waits for its invoice": { step: "wait for the invoice", noted: "wait", later: 0.8 },
	"adds up its total": { step: "check the total", noted: "difference", later: 0 },
};

test("Compare shows the same step of the last pass, and jumps to where the videos begin to differ", async ({
	page,
	tapedeck,
}) => {
	test.setTimeout(600_000);
	page.setDefaultTimeout(60_000);
	const [dataDir, display] = await Promise.all([newFolder(), startXvfb()]);
	const project = await installPlaywright(tapedeck.url, { runner: RUNNER });
	const env = { TAPEDECK_TOKEN: tapedeck.runnerToken, TAPEDECK_RUNNER_NAME: RUNNER, TAPEDECK_VIRTUAL_DISPLAYS: "2" };
	const runner = startRunner({ url: tapedeck.url, dataDir, display: display.id, env });
	try {
		await runner.says("Connected to", 60_000);
		await writeFile(join(project.folder, "shop.spec.ts"), SPEC);
		const truth = (build: number) => join(project.folder, `${build}.jsonl`);
		const args = ["--no-sandbox", "--disable-dev-shm-usage", "--no-first-run"];
		const config = {
			...{ workers: 1, retries: 0 },
			use: { tapedeckDisplay: "worker", launchOptions: { executablePath: requireProgram("chromium"), args } },
		};
		for (const build of [1, 2]) {
			const options = { name: `Shop ${build}`, labels: { build: `shop-${build}` }, displayId: undefined };
			const own = { TAPEDECK_API_KEY: tapedeck.apiKey, TAPEDECK_DATA_DIR: dataDir };
			const more = { ...own, BUILD: `${build}`, TRUTH: truth(build) };
			// A browser of its own for each test: after a failure, Playwright starts another one, whose window looks different.
			for (const title of Object.keys(PLANTED)) {
				const { status, output } = await project.run(["shop", "-g", title], options, more, config);
				expect(status, output).toBe(build === 1 ? 0 : 1);
			}
		}
		const client = new Tapedeck({ url: tapedeck.url, apiKey: tapedeck.apiKey });
		const noted: Noted[] = (await readFile(truth(2), "utf8"))
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		for (const [title, { step, noted: name, later }] of Object.entries(PLANTED)) {
			const resultOf = async (build: number): Promise<TestResult> => {
				const found = await client.tests.list({ q: `build:shop-${build}` }).toArray();
				return client.tests.get(found.find((one) => one.test.endsWith(title))?.id ?? 0);
			};
			const [passed, failed] = [await resultOf(1), await resultOf(2)];
			expect([passed.outcome, failed.outcome], title).toEqual(["passed", "failed"]);
			const job: Job = await client.jobs.get(failed.jobId ?? 0);
			const moment = noted.find((one) => one.title === title && one.name === name);
			const inFilm = (at = Number.NaN) => (at - Date.parse(job.startedAt ?? "")) / 1_000;

			await page.goto(`/recordings/${failed.recordingId}?result=${failed.id}`);
			await page.getByRole("link", { name: "Compare with last passed" }).click();
			await expect(page).toHaveURL(new RegExp(`/compare\\?result=${failed.id}$`));
			await expect(page.getByRole("main")).toContainText(`Build shop-1`);
			await expect.poll(() => areLoaded(page), { timeout: 60_000 }).toBe(true);

			const failedAt = failed.failureOffsetSeconds ?? Number.NaN;
			expect(stepAt(failed, failedAt), title).toBe(step);
			await page.getByRole("slider", { name: "Seek" }).fill(String(failedAt));
			await expect.poll(async () => Math.abs(((await positions(page))[0] ?? 0) - failedAt), title).toBeLessThan(0.2);
			await expect
				.poll(async () => stepAt(passed, (await positions(page))[1] ?? 0), `${title}: the step of the last pass`)
				.toBe(step);

			await page.locator("body").press("d");
			await expect(page.getByRole("button", { name: "Jump to the first difference" })).toBeVisible();
			await expect
				.poll(
					async () => {
						const at = ((await positions(page))[0] ?? 0) - later;
						return at >= inFilm(moment?.before) - NEAR && at <= inFilm(moment?.after) + NEAR ? "there" : at;
					},
					`${title}: the first difference, at ${inFilm(moment?.after) + later} s`,
				)
				.toBe("there");
		}
	} finally {
		await runner.stop(10_000);
		await Promise.all([display.stop(), removeFolder(dataDir), rm(project.folder, { recursive: true })]);
	}
});
