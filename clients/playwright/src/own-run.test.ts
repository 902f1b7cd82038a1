/** Runs of Playwright Test without a display, with the installed package and a real dashboard: test runs. */

import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn } from "../../../test/api-people.ts";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../../test/api-server.ts";
import { browsersFolder, installPlaywright, type PlaywrightFolder } from "../../../test/clients/playwright-project.ts";
import { inExplore } from "../../../test/in-explore.ts";
import { startChild } from "../../../test/processes/child.ts";
import { freePort } from "../../../test/processes/free-port.ts";
import { requireProgram } from "../../../test/processes/programs.ts";
import { Tapedeck, type TestResult } from "../../typescript/src/index.ts";

let api: TestApi;
let client: Tapedeck;
let project: PlaywrightFolder;
beforeAll(async () => {
	api = await startTestApi();
	client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
	project = await installPlaywright(api.url, {});
	await writeFile(
		join(project.folder, "shop.spec.ts"),
		`import { expect, test } from "playwright/test";
		test("pays", async () => { await test.step("Pay is clicked", () => {}); });
		test("shows the total", () => { expect(process.env.SHOP_TOKEN, "the total").toBe("42"); });
		test("succeeds in the end", ({}, { retry }) => { expect(retry, "the attempt").toBe(1); });
		test.skip("is written later", () => {});`,
	);
}, 120_000);
afterAll(async () => {
	await Promise.all([api.stop(), rm(project.folder, { recursive: true })]);
});

const CI = { BUILDKITE: "true", BUILDKITE_BRANCH: "main", BUILDKITE_COMMIT: "3f2a1b0c" };
const resultsOf = (build: string): Promise<TestResult[]> => client.tests.list({ q: `build:"${build}"` }).toArray();
const lineOf = ({ outcome, test, project, attempt, flaky }: TestResult): string =>
	`${outcome} ${test.replace(/^\w+\.spec\.ts › /, "")} ${project} ${attempt}${flaky ? " flaky" : ""}`;

test("a run without a display is a test run of its build, with its attempts, projects and links to its failures", async () => {
	const summary = join(project.folder, "summary.md");
	const env = { ...CI, BUILDKITE_BUILD_NUMBER: "8", SHOP_TOKEN: "s3cr3t-of-shop", GITHUB_STEP_SUMMARY: summary };
	const config = { retries: 1, projects: [{ name: "desktop" }, { name: "phone" }] };
	const { status, said } = await project.run(["shop"], { name: "Nightly" }, env, config);
	expect(status).toBe(1);
	const results = await resultsOf("8");
	const expected = (name: string) => [
		`failed shows the total ${name} 1`,
		`failed shows the total ${name} 2`,
		`failed succeeds in the end ${name} 1 flaky`,
		`passed pays ${name} 1`,
		`passed succeeds in the end ${name} 2 flaky`,
		`skipped is written later ${name} 1`,
	];
	expect(results.map(lineOf).sort()).toEqual([...expected("desktop"), ...expected("phone")].sort());
	const [run, ...others] = await client.testRuns.list({ build: "8" }).toArray();
	expect(others).toEqual([]);
	expect(run).toMatchObject({
		...{ name: "Nightly", source: "playwright", outcome: "failed", isAbandoned: false },
		...{ labels: { build: "8", branch: "main", commit: "3f2a1b0c" }, results: { all: 12, failed: 6, running: 0 } },
	});
	const failed = results.find((result) => lineOf(result) === "failed shows the total phone 2");
	expect(failed).toMatchObject({ file: "shop.spec.ts", line: 3, message: expect.stringContaining('Received: "***"') });
	const link = `${api.url}/tests/${failed?.testId}?result=${failed?.id}`;
	expect(said[0]).toBe(`tapedeck: Results of this run: ${run?.url}`);
	expect(said).toContain(`tapedeck:   shop.spec.ts › shows the total [phone] (attempt 2): ${link}`);
	expect(said).toHaveLength(7);
	expect(await readFile(join(project.folder, "report.json"), "utf8")).toContain(JSON.stringify(link));
	expect(await readFile(summary, "utf8")).toContain(
		`| Test run | Outcome |\n|---|---|\n| [Nightly](${run?.url}) | failed |`,
	);
	expect(await client.jobs.list().toArray()).toEqual([]);
});

inExplore(test)("each shard is a run of its own, and each repetition a result of its own, in one build", async () => {
	const env = { ...CI, BUILDKITE_BUILD_NUMBER: "9", SHOP_TOKEN: "42" };
	const config = { retries: 1, repeatEach: 2, fullyParallel: true, workers: 1 };
	const shards = await Promise.all(
		["1/2", "2/2"].map((shard) => project.run(["shop", "--shard", shard], { name: "Sharded" }, env, config)),
	);
	expect(shards.map(({ status }) => status)).toEqual([0, 0]);
	const runs = await client.testRuns.list({ build: "9" }).toArray();
	expect(runs.map(({ name, outcome }) => `${name} ${outcome}`).sort()).toEqual([
		"Sharded (1/2) passed",
		"Sharded (2/2) passed",
	]);
	const lines = (await resultsOf("9")).map(lineOf);
	const twice = (line: string): string[] => [line, line];
	expect(lines.sort()).toEqual([
		...twice("failed succeeds in the end null 1 flaky"),
		...twice("passed pays null 1"),
		...twice("passed shows the total null 1"),
		...twice("passed succeeds in the end null 2 flaky"),
		...twice("skipped is written later null 1"),
	]);
});

/** Runs a project in two shards, and merges their blobs with the reporter. @param reporters of the shards. */
async function sharded(build: string, reporters: string[]) {
	await writeFile(
		join(project.folder, "sharded.spec.ts"),
		`import { test } from "playwright/test";
		for (const name of ["pays", "ships"]) test(name, async ({}, info) => {
			await info.attach("receipt", { body: name, contentType: "text/plain" });
			throw new Error(name);
		});`,
	);
	const env = { ...CI, BUILDKITE_BUILD_NUMBER: build };
	const blobs = join(project.folder, `blobs-${build}`);
	for (const shard of [1, 2]) {
		const config = { fullyParallel: true, reporter: reporters.map((reporter) => [reporter, { name: "Shard" }]) };
		const blob = { PLAYWRIGHT_BLOB_OUTPUT_FILE: join(blobs, `${shard}.zip`) };
		await project.run(["sharded", "--shard", `${shard}/2`], {}, { ...env, ...blob }, config);
	}
	const stored = async () => {
		const runs = await client.testRuns.list({ build }).toArray();
		const results = await resultsOf(build);
		const lines = results.map((each) => `${lineOf(each)} ${each.attachmentCount} ${each.startedAt}`);
		return { runs: runs.map(({ name, outcome }) => `${name} ${outcome}`).sort(), results: lines.sort() };
	};
	const before = await stored();
	await writeFile(
		join(project.folder, "merge.config.mjs"),
		`export default { reporter: [["@tapedeck/playwright", { name: "Merged" }], ["json", { outputFile: "merged.json" }]] };`,
	);
	const cli = join(project.folder, "node_modules/playwright/cli.js");
	const words = ["merge-reports", "--config", "merge.config.mjs", blobs];
	const merging = startChild(process.execPath, [cli, ...words], {
		cwd: project.folder,
		env: { ...process.env, ...env, TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY },
	});
	expect(await merging.exited, merging.output()).toBe(0);
	const merged = JSON.parse(await readFile(join(project.folder, "merged.json"), "utf8"));
	expect(merged.stats).toMatchObject({ unexpected: 2 });
	return { before, after: await stored(), output: merging.output(), merged };
}

inExplore(test).each([
	["before", ["@tapedeck/playwright", "blob"]],
	["after", ["blob", "@tapedeck/playwright"]],
])(
	"shards whose reporter is %s the blob reporter have sent their results, which a merge does not send again",
	async (at, reporters) => {
		const { before, after, output } = await sharded(`16-${at}`, reporters);
		expect([before.runs, before.results.length]).toEqual([["Shard (1/2) failed", "Shard (2/2) failed"], 2]);
		expect(output).not.toContain("tapedeck:");
		expect(after).toEqual(before);
	},
	120_000,
);

inExplore(test)(
	"shards with the blob reporter alone send their results and files when they are merged, with their own times",
	async () => {
		const { before, after, output, merged } = await sharded("17", ["blob"]);
		expect(before).toEqual({ runs: [], results: [] });
		expect(output).toContain(`tapedeck: Results of this run: ${api.url}/builds/17`);
		expect(after.runs).toEqual(["Merged failed"]);
		const began = Object.fromEntries(
			merged.suites[0].specs.map((spec: { title: string; tests: { results: { startTime: string }[] }[] }) => [
				spec.title,
				spec.tests[0]?.results[0]?.startTime,
			]),
		);
		expect(after.results).toEqual(["pays", "ships"].map((name) => `failed ${name} null 1 2 ${began[name]}`));
	},
	120_000,
);

inExplore(test)("browsers that are shown on a display which no runner has are in a test run", async () => {
	const env = { ...CI, BUILDKITE_BUILD_NUMBER: "10", DISPLAY: ":97" };
	const { status, said } = await project.run(["shop", "--grep", "pays", "--headed"], {}, env);
	expect([status, said]).toEqual([0, [`tapedeck: Results of this run: ${api.url}/builds/10`]]);
	expect((await resultsOf("10")).map(lineOf)).toEqual(["passed pays null 1"]);
});

inExplore(test)(
	"with gate, a run passes if each failure is let through, and one new failure keeps it failed",
	async () => {
		const env = (build: number) => ({ ...CI, BUILDKITE_BUILD_NUMBER: `${build}`, SHOP_TOKEN: "s3cr3t-of-shop" });
		const gated = (build: number, retries: number, words: string[] = []) =>
			project.run(["shop", ...words], { gate: true }, env(build), { retries });
		const first = await gated(11, 1);
		expect([first.status, first.said.at(-1)]).toEqual([
			1,
			expect.stringContaining("tapedeck: 1 cause: 1 new: shop.spec.ts › shows the total, since "),
		]);
		const [failed] = await client.tests.list({ q: 'build:"11" total outcome:failed' }).toArray();
		const owner = await signIn(api);
		const mute = { letsPass: true, mutedUntil: new Date(Date.now() + 86_400_000).toISOString(), reason: "TAP-7" };
		const body = { cause: failed?.cause, assigneeUserId: owner.userId, ...mute };
		expect((await owner.call("PUT", "/v1/failure-triage", { body })).status).toBe(200);
		const known = await gated(12, 1);
		expect([known.status, known.said.slice(-2)]).toEqual([
			0,
			[
				expect.stringContaining(`tapedeck: 1 cause: 1 known (let through by ${owner.name} until `),
				"tapedeck: CI passes: every failure is known.",
			],
		]);
		expect((await client.builds.get("12")).letThrough).toBe(1);
		const both = await gated(13, 0);
		expect([both.status, both.said.at(-1)]).toEqual([
			1,
			expect.stringMatching(/2 causes: 1 known \(.+\), 1 new: shop\.spec\.ts › succeeds in the end, since .+\.$/),
		]);
		const early = await gated(14, 0, ["--max-failures", "1"]);
		expect([early.status, early.said.at(-1)]).toEqual([1, "tapedeck: The gate stays shut: the run stopped early."]);
		const passed = await gated(15, 1, ["--grep", "pays"]);
		expect([passed.status, passed.said]).toEqual([0, [`tapedeck: Results of this run: ${api.url}/builds/15`]]);
	},
);

inExplore(test)("a dashboard that cannot be reached is one warning and fails no test", async () => {
	const gone = await project.run(["shop", "--grep", "pays"], { url: `http://127.0.0.1:${await freePort()}` });
	expect([gone.status, gone.said]).toEqual([
		0,
		[
			expect.stringMatching(
				/^tapedeck: The dashboard at .+ can't be reached: .+ The results of this run are not kept\.$/,
			),
		],
	]);
});

test("a headless browser's trace, screenshot and video, and what its test attaches, belong to the result", async () => {
	await writeFile(
		join(project.folder, "browser.spec.ts"),
		`import { expect, test } from "playwright/test";
		test("is red", async ({ page }, info) => {
			await page.setContent("<body style='background: #00f'>");
			await info.attach("cart", { body: "paid with " + process.env.SHOP_TOKEN, contentType: "text/plain" });
			await page.evaluate(() => { document.body.style.background = "#f00"; });
			await expect(page.locator("body"), "the color").toHaveCSS("background-color", "rgb(0, 255, 0)", { timeout: 500 });
		});`,
	);
	const launchOptions = {
		executablePath: requireProgram("chromium"),
		args: ["--no-sandbox", "--disable-dev-shm-usage"],
	};
	const use = { trace: "on", screenshot: "on", video: "on", launchOptions };
	const env = { ...CI, BUILDKITE_BUILD_NUMBER: "11", SHOP_TOKEN: "s3cr3t-of-shop" };
	const browsers = { PLAYWRIGHT_BROWSERS_PATH: await browsersFolder(project.folder) };
	const { status, said } = await project.run(["browser"], {}, { ...env, ...browsers }, { use });
	const [listed] = await resultsOf("11");
	const result = await client.tests.get(listed?.id ?? 0);
	expect([status, said]).toEqual([
		1,
		[
			`tapedeck: Results of this run: ${api.url}/builds/11`,
			`tapedeck:   browser.spec.ts › is red: ${api.url}/tests/${result.testId}?result=${result.id}`,
		],
	]);
	const files = result.attachments.map(({ name, contentType }) => `${name} ${contentType}`);
	expect(files.sort()).toEqual([
		"cart.txt text/plain",
		"error-context.md text/markdown",
		"screenshot.png image/png",
		"trace.zip application/zip",
	]);
	const cart = result.attachments.find(({ name }) => name === "cart.txt");
	expect(await (await client.open("GET", new URL(cart?.url ?? "", api.url).pathname)).text()).toBe("paid with ***");
	expect(result).toMatchObject({ outcome: "failed", recordingId: expect.any(Number) });
	const recording = await client.recordings.get(result.recordingId ?? 0);
	expect(recording).toMatchObject({ name: "browser.spec.ts › is red", state: "ready", contentType: "video/webm" });
	expect(result.failureOffsetSeconds).toBeGreaterThan(0);
	expect(result.failureOffsetSeconds).toBeLessThan(recording.durationSeconds ?? 0);
}, 120_000);
