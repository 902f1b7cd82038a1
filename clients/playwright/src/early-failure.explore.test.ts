/** Runs of Playwright Test that fail before their first test, with the installed package and a simulated runner. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "../../../test/api-server.ts";
import { installPlaywright, type PlaywrightFolder } from "../../../test/clients/playwright-project.ts";
import { SimulatedRecorder } from "../../../test/runners/simulated-recorder.ts";
import { makeVideo, removeTestFolder } from "../../../test/videos/make-video.ts";
import { readPieces } from "../../../test/videos/read-pieces.ts";
import { Tapedeck } from "../../typescript/src/index.ts";

let api: TestApi;
let client: Tapedeck;
let project: PlaywrightFolder;
let runner: SimulatedRecorder;
beforeAll(async () => {
	api = await startTestApi();
	client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
	const pieces = readPieces(await makeVideo("recorder.mp4"));
	runner = new SimulatedRecorder({ url: api.url, runnerToken: TEST_RUNNER_TOKEN }, "simulated", pieces, {}, 1_000);
	await runner.start();
	project = await installPlaywright(api.url, { runner: "simulated", displayId: ":99" });
	await writeFile(
		join(project.folder, "fine.spec.ts"),
		`import { test } from "playwright/test"; test("fine", () => {});`,
	);
	await writeFile(join(project.folder, "broken.spec.ts"), "const sum = ;");
	await writeFile(
		join(project.folder, "setup.mjs"),
		'export default () => { throw new Error("The database has no table of users"); };',
	);
	await writeFile(
		join(project.folder, "server.mjs"),
		'console.error("EADDRINUSE: the shop cannot listen"); process.exitCode = 3;',
	);
}, 120_000);
afterAll(async () => {
	await runner.stop();
	await Promise.all([api.stop(), rm(project.folder, { recursive: true }), removeTestFolder()]);
});

/** Runs Playwright. @returns the only job of this name, with its results, its failure markers and its log. */
async function recorded(name: string, words: string[], config: object = {}) {
	const { status, said } = await project.run(words, { name }, {}, config);
	const jobs = (await client.jobs.list().toArray()).filter((job) => job.name === name);
	expect(jobs).toHaveLength(1);
	const [job] = jobs;
	if (job === undefined) throw new Error("There is no job.");
	const results = await client.tests.list({ jobId: job.id }).toArray();
	const markers = await client.jobs.markers(job.id).toArray();
	const log = await client.jobs
		.track(job.id, "log.playwright")
		.toArray()
		.catch(() => []);
	return { status, said, job, results, markers, log: log.map(({ text }) => text) };
}

test.each([
	["the global setup throws", ["fine"], { globalSetup: "./setup.mjs" }, /^Error: The database has no table of users/],
	[
		"the web server does not start",
		["fine"],
		{ webServer: { command: "node server.mjs", url: "http://127.0.0.1:9" } },
		/^Error: Process from config\.webServer was not able to start\. Exit code: 3/,
	],
	["a spec has a syntax error", ["broken"], {}, /^SyntaxError: .*broken\.spec\.ts: Unexpected token/],
	["no test is found", ["nothing-of-this-name"], {}, /^Error: No tests found/],
] as const)("a run leaves the outcome error and a sentence in its recording when %s", async (name, words, config, message) => {
	const { status, said, job, results, markers, log } = await recorded(name, [...words], config);
	expect(status).toBe(1);
	expect(job).toMatchObject({ status: "completed", outcome: "error", recording: { state: "ready" } });
	// After a syntax error, Playwright also says that there are no tests.
	for (const result of results)
		expect(result).toMatchObject({ test: "Playwright › outside of tests", outcome: "error" });
	const told = results.find((result) => message.test(result.message ?? ""));
	expect(told).toBeDefined();
	expect(markers).toContainEqual(expect.objectContaining({ kind: "fail", message: expect.stringMatching(message) }));
	expect(said[0]).toBe(`tapedeck: Recording of this run: ${job.recording?.url}`);
	expect(said).toContain(`tapedeck:   Playwright › outside of tests: ${job.recording?.url}?result=${told?.id}`);
	if ("webServer" in config) expect(log.join("\n")).toContain("EADDRINUSE: the shop cannot listen");
});

test("a run records nothing when it is allowed to have no tests", async () => {
	const { status, said } = await project.run(["nothing-of-this-name", "--pass-with-no-tests"], { name: "Empty" });
	expect([status, said]).toEqual([0, []]);
	const jobs = await client.jobs.list().toArray();
	expect(jobs.filter(({ name }) => name === "Empty")).toEqual([]);
});

test("a misspelled variable is named before the warning that nothing is recorded", async () => {
	const { said } = await project.run(["fine"], {}, { TAPEDECK_URL: "", TAPEDECK_ULR: api.url });
	expect(said).toEqual([
		"tapedeck: TAPEDECK_ULR is not a variable of Tapedeck. Did you mean TAPEDECK_URL?",
		expect.stringMatching(/^tapedeck: Set the dashboard's address.* The tests run without a recording\.$/),
	]);
});
