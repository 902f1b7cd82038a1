/** Runs of Playwright Test with the reporter that meet a wrong clock, no dashboard, signals, or shards. */
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type PlaywrightProject, startPlaywrightProject, summaryOf } from "../../../test/clients/playwright-project.ts";
import { settableClock } from "../../../test/displays/clock.ts";
import type { Child } from "../../../test/processes/child.ts";
import { freePort } from "../../../test/processes/free-port.ts";
import { startTcpProxy } from "../../../test/servers/tcp-proxy.ts";
import { until } from "../../../test/wait.ts";
import type { Tapedeck } from "../../typescript/src/index.ts";

let project: PlaywrightProject;
let folder: string;
let client: Tapedeck;
beforeAll(async () => {
	project = await startPlaywrightProject();
	({ folder, client } = project);
	await writeFile(join(folder, "checkout.spec.ts"), SPEC);
});
afterAll(() => project.stop());

/** The test that fails writes down the moment at which it does. */
const SPEC = `
import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "playwright/test";

test("pays with a card", () => {});
test("fails", async () => {
	await pause(1_200);
	writeFileSync("moment", String(Date.now()));
	throw new Error("The total is wrong");
});
test.skip("is written later", () => {});
test("waits", async () => {
	writeFileSync("started", "");
	await expect.poll(() => existsSync("go")).toBe(true);
});
`;

interface Report {
	suites: { specs: { title: string; tests: { results: { annotations: { description?: string }[] }[] }[] }[] }[];
}

/** The links in the results of a test, in the JSON report. */
async function linksOf(title: string): Promise<(string | undefined)[]> {
	const { suites }: Report = JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
	const specs = suites.flatMap((file) => file.specs);
	const results = specs.find((spec) => spec.title === title)?.tests.flatMap((each) => each.results) ?? [];
	return results.flatMap(({ annotations }) => annotations.map(({ description }) => description));
}

test.each([
	["30 s ahead, in a recording of its own", 30],
	["30 s behind, in a job that records already", -30],
])("on a machine whose clock is %s, a failure and its link are at the true moment", async (what, seconds) => {
	const clock = await settableClock(folder);
	await clock.set(seconds);
	await using around = seconds > 0 ? null : await client.record({ displayId: project.display.id, name: what });
	const env = around === null ? clock.env : { ...clock.env, TAPEDECK_JOB_ID: String(around.job.id) };
	const { status } = await project.run(["--grep", "fails"], { name: what }, env);
	expect(status).toBe(1);
	const job = await project.jobNamed(what);
	const markers = await project.markersOf(job);
	const failure = markers.find(({ kind }) => kind === "fail");
	const moment = Number(await readFile(join(folder, "moment"), "utf8")) - seconds * 1_000;
	expect(Math.abs(Date.parse(failure?.at ?? "") - moment)).toBeLessThan(1_000);
	expect(markers).toHaveLength(1);
	const [stored] = await project.storedResults(job);
	const shown = Date.parse(job.startedAt ?? "") + (stored?.failureOffsetSeconds ?? 0) * 1_000;
	expect(Math.abs(shown - moment)).toBeLessThan(1_000);
	expect(await linksOf("fails")).toEqual([expect.stringMatching(new RegExp(`\\?result=${stored?.id}$`))]);
});

test("output on standard output loses no recording, and a run that only skips is skipped", async () => {
	await writeFile(join(folder, "noisy.cjs"), 'console.log("[a module] {} is loaded"); process.stderr.write("really");');
	const env = { NODE_OPTIONS: "--require ./noisy.cjs", NODE_EXTRA_CA_CERTS: "/nowhere.pem" };
	const { status, said } = await project.run(["--grep", "written later"], { name: "Noise" }, env);
	expect([status, said]).toEqual([
		0,
		[expect.stringMatching(/^tapedeck: Recording of this run: .+\/recordings\/\d+$/)],
	]);
	expect(await project.jobNamed("Noise")).toMatchObject({ status: "completed", outcome: "skipped" });
});

test("listing tests records nothing", async () => {
	const { status, said } = await project.run(["--list"], { name: "Only listed" });
	expect([status, said]).toEqual([0, []]);
	await expect(project.jobNamed("Only listed")).rejects.toThrow("There is no job");
});

describe("the tests run without a recording, after one warning", () => {
	const without = async (options: object, env: Record<string, string> = {}) => {
		const { status, said } = await project.run(["--grep", "card"], options, env);
		expect(status).toBe(0);
		expect(said).toHaveLength(1);
		return said[0];
	};

	test("when the dashboard cannot be reached", async () => {
		expect(await without({ url: `http://127.0.0.1:${await freePort()}` })).toMatch(
			/^tapedeck: The dashboard at http:\/\/127\.0\.0\.1:\d+ can't be reached: .+ is running\. The tests run without a recording\.$/,
		);
	});

	test("when it refuses the key, or there is none", async () => {
		expect(await without({ apiKey: "tdk_unknown" })).toMatch(
			/^tapedeck: Send a valid API key .+ without a recording\.$/,
		);
		expect(await without({}, { TAPEDECK_API_KEY: "" })).toMatch(/^tapedeck: Set an API key, .+ without a recording\.$/);
	});

	test("when there is no display, no such runner, or no frame", async () => {
		expect(await without({ displayId: undefined })).toBe(
			"tapedeck: There is no display to record: set displayId, or DISPLAY. The tests run without a recording.",
		);
		expect(await without({ runner: "nobody" })).toBe(
			'tapedeck: There is no runner "nobody". The dashboard lists them under Runners. The tests run without a recording.',
		);
		expect(await without({ displayId: ":9876", startTimeoutSeconds: 1, name: "No frame" })).toBe(
			`tapedeck: Nothing was recorded within 1 s. Check that the runner is online, and that ${project.api.url} responds. The tests run without a recording.`,
		);
		// The second may be over before there is a job.
		const jobs = (await client.jobs.list().toArray()).filter(({ name }) => name === "No frame");
		for (const { id } of jobs) expect((await client.jobs.wait(id, "ended")).recording).toBeNull();
	});
});

/** Starts a run whose test waits, and returns when it does. */
async function startWaiting(options: object): Promise<Child> {
	for (const name of ["started", "go"]) await rm(join(folder, name), { force: true });
	const child = await project.start(["--grep", "waits"], options);
	await until(() => existsSync(join(folder, "started")), "the test runs");
	return child;
}

test.each([
	["SIGINT", 130, "skipped"],
	["SIGTERM", "SIGTERM", "error"],
	["SIGKILL", "SIGKILL", "error"],
] as const)("a run that gets %s ends its recording, with the outcome error, and has no failure", async (signal, status, result) => {
	const child = await startWaiting({ name: `Ended by ${signal}` });
	const live = await project.jobNamed(`Ended by ${signal}`);
	await until(async () => (await project.storedResults(live)).length > 0, "the dashboard knows what runs");
	child.process.kill(signal);
	expect(await child.exited).toBe(status);
	const { id } = live;
	const job = await client.jobs.wait(id, "ended", { timeoutSeconds: 60 });
	expect(job).toMatchObject({ status: "completed", outcome: "error" });
	expect((await project.markersOf(job)).filter(({ kind }) => kind === "fail")).toEqual([]);
	// Playwright reports a test that Ctrl-C interrupts, which is no failure of it. A test that is never reported has no outcome
	// until its job has ended.
	expect((await project.storedResults(job)).map(summaryOf)).toEqual([`${result} waits 1`]);
});

test("a dashboard that goes away in the middle fails no test, is one warning, and gets the end when it is back", async () => {
	const proxy = await startTcpProxy(project.api.url);
	onTestFinished(() => proxy.stop());
	const child = await startWaiting({ url: proxy.url, name: "Left alone" });
	proxy.drop();
	await writeFile(join(folder, "go"), "");
	expect(await child.exited).toBe(0);
	const said = child
		.output()
		.split("\n")
		.filter((line) => line.startsWith("tapedeck:"));
	expect(said).toEqual([
		expect.stringMatching(
			/^tapedeck: The recording may continue until its longest duration: The dashboard at .+ can't be/,
		),
		expect.stringMatching(/^tapedeck: Recording of this run: /),
	]);
	proxy.resume();
	const { id } = await project.jobNamed("Left alone");
	expect(await client.jobs.wait(id, "ended", { timeoutSeconds: 60 })).toMatchObject({
		...{ status: "completed", outcome: "passed" },
	});
}, 120_000);

test("shards that add to one recording at once each have a log of their own, and lose no line", async () => {
	await writeFile(
		join(folder, "sharded.spec.ts"),
		`import { test } from "playwright/test";
		for (const name of ["one", "two"]) test(name, async () => {
			for (let line = 0; line < 20; line++) {
				console.log(name + line);
				await new Promise((resolve) => setTimeout(resolve, 100));
			}
		});`,
	);
	await using recording = await client.record({ displayId: project.display.id, name: "Shards" });
	const jobId = recording.job.id;
	const config = { fullyParallel: true };
	const shards = ["1/2", "2/2"].map((shard) =>
		project.run(["sharded.spec.ts", "--shard", shard], {}, { TAPEDECK_JOB_ID: String(jobId) }, config),
	);
	expect((await Promise.all(shards)).map(({ status }) => status)).toEqual([0, 0]);
	const logs = ["log.playwright.1", "log.playwright.2"].map((name) => client.jobs.track(jobId, name).toArray());
	const lines = (await Promise.all(logs)).map((log) => log.map(({ text }) => text));
	const expected = ["one", "two"].map((name) => Array.from({ length: 20 }, (_, line) => name + line));
	expect(lines).toEqual(expected);
});
