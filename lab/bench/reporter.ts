/**
 * The cost of `@tapedeck/playwright` without a display: pairs of runs of the same tests in real browsers, with and without the
 * reporter. The dashboard runs on the same machine, which counts against the reporter.
 */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Tapedeck } from "@tapedeck/client-source/index.ts";
import { installPlaywright, type PlaywrightFolder } from "#test/clients/playwright-project.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { median, type Results } from "./figures.ts";
import { openFilled, TOKEN } from "./filled-database.ts";
import { samples } from "./samples.ts";
import { startProcess } from "./server-process.ts";

const SERVERS = join(import.meta.dirname, "servers.ts");
/**
 * Few tests and many pairs: a machine's speed varies by more than the wanted bound from one minute to the next. What a run costs once,
 * at its start and end, weighs five times as much as in a run of 200 tests.
 */
const TESTS = samples(40);
const PAIRS = samples(12);
/** As many as workers. */
const FILES = 2;
/** Each of these fails and has a screenshot. */
const FAILS_EVERY = 20;
const PROMISED_PERCENT = 2;
const JOBS = 1_000;

export const figures = {
	own: {
		what: `a Playwright run of ${TESTS} tests, headless: its wall time with the reporter, against that without`,
		promise: `< ${PROMISED_PERCENT} % more, median of ${PAIRS} pairs`,
		plausible: [-50, 200],
	},
} as const;

export async function run(): Promise<Results<typeof figures>> {
	const { variables, close } = await openFilled("SQLite", JOBS);
	const server = await startProcess([SERVERS, "dashboard"], variables);
	const url = `http://127.0.0.1:${server.port}`;
	const project = await installPlaywright(url, {});
	try {
		await writeTests(project.folder);
		// Warms up the browser and the caches of both.
		await secondsOf(project, "warm-up");
		await secondsOf(project, null);
		const pairs: { without: number; own: number }[] = [];
		for (let pair = 0; pair < PAIRS; pair += 1) {
			// Each is first in turn, so that a machine that becomes slower favours neither.
			const own = pair % 2 === 0 ? await secondsOf(project, `pair ${pair}`) : null;
			const without = await secondsOf(project, null);
			pairs.push({ without, own: own ?? (await secondsOf(project, `pair ${pair}`)) });
		}
		await assertStored(url);
		const percents = pairs.map(({ without, own }) => (own / without - 1) * 100);
		const percent = median(percents);
		const shown = percents.map((one) => one.toFixed(1)).join(", ");
		return {
			own: {
				...{ values: percents, measured: `${percent.toFixed(1)} % (pairs: ${shown})` },
				against: `${median(pairs.map(({ without }) => without)).toFixed(1)} s`,
				holds: percent < PROMISED_PERCENT,
			},
		};
	} finally {
		await server.stop();
		await close();
		await rm(project.folder, { recursive: true, force: true });
	}
}

/** Short tests as in a shop: a page with a form, a few actions and an assertion. */
async function writeTests(folder: string): Promise<void> {
	const spec = `import { expect, test } from "playwright/test";
	const page = \`<h1>Cart</h1><label>Coupon <input></label><button onclick="document.querySelector('output').value = 'Paid'">Pay</button><output></output>\`;
	for (let index = 0; index < ${Math.ceil(TESTS / FILES)}; index += 1) test("pays cart " + index, async ({ page: shop }) => {
		await test.step("The cart is opened", () => shop.setContent(page));
		await test.step("A coupon is entered", () => shop.getByLabel("Coupon").fill("10 %"));
		await shop.waitForTimeout(50);
		await shop.getByRole("button", { name: "Pay" }).click();
		await expect(shop.locator("output")).toHaveText("Paid");
		expect(index % ${FAILS_EVERY}, "the bank's answer").not.toBe(${FAILS_EVERY - 1});
	});`;
	for (let index = 0; index < FILES; index += 1) await writeFile(join(folder, `shop-${index}.spec.mjs`), spec);
}

/** @param name of the test run; null without the reporter. */
async function secondsOf(project: PlaywrightFolder, name: string | null): Promise<number> {
	const reporter = [
		["json", { outputFile: "report.json" }],
		...(name === null ? [] : [["@tapedeck/playwright", { record: "own", name }]]),
	];
	const args = ["--no-sandbox", "--disable-dev-shm-usage"];
	const use = {
		screenshot: "only-on-failure",
		launchOptions: { executablePath: requireProgram("chromium-headless-shell"), args },
	};
	const began = performance.now();
	const { status, output } = await project.run(
		["shop-"],
		{},
		{ TAPEDECK_API_KEY: TOKEN },
		{ reporter, use, workers: FILES },
	);
	if (status !== 1 && status !== 0) throw new Error(`Playwright ended with ${status}:\n${output}`);
	return (performance.now() - began) / 1_000;
}

/** A reporter that sends nothing costs nothing. */
async function assertStored(url: string): Promise<void> {
	const client = new Tapedeck({ url, apiKey: TOKEN });
	const runs = (await client.testRuns.list({}).toArray()).filter(({ name }) => name.startsWith("pair "));
	const results = runs.reduce((sum, each) => sum + each.results.all, 0);
	if (runs.length !== PAIRS || results !== PAIRS * TESTS)
		throw new Error(
			`${runs.length} runs with ${results} results are stored, instead of ${PAIRS} with ${PAIRS * TESTS}.`,
		);
}
