/** Runs of Playwright Test with the installed package, against a real dashboard, runner and display. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PlaywrightProject, startPlaywrightProject, summaryOf } from "../../../test/clients/playwright-project.ts";
import type { VirtualDisplay } from "../../../test/displays/xvfb.ts";
import { inExplore } from "../../../test/in-explore.ts";
import type { Job, Marker, Tapedeck, TestResult, TestStep } from "../../typescript/src/index.ts";

let project: PlaywrightProject;
let folder: string;
let client: Tapedeck;
let display: VirtualDisplay;
beforeAll(async () => {
	project = await startPlaywrightProject();
	({ folder, client, display } = project);
	await writeFile(join(folder, "checkout.spec.ts"), SPEC);
	await writeFile(join(folder, "kinds.spec.ts"), KINDS);
});
afterAll(() => project.stop());

const SPEC = `
import { expect, test } from "playwright/test";

test.describe("Checkout", () => {
	test("pays with a card", async () => {
		await test.step("Pay is clicked", async () => {});
	});
	test("shows the total @fails", async () => {
		await test.step("The cart is opened", async () => {});
		await test.step("The total is read", async () => {
			expect("41.99 €", "the total").toBe("42.00 €");
		});
	});
	test.skip("is written later", () => {});
	test("succeeds in the end @flaky", ({}, { retry }) => {
		expect(retry).toBe(1);
	});
});
`;

/** Each test writes down the moment at which it fails. */
const KINDS = `
import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "playwright/test";

const now = Date.now;
const failsNow = (name) => writeFileSync(name + ".moment", String(now()));
const failsIn = async (name, ms) => { await pause(ms); failsNow(name); };

test.describe("hooks", () => {
	test.beforeAll(() => pause(1_500));
	test.afterEach(async () => {
		await pause(1_500);
		await test.step("Sign out", async () => { throw new Error("The menu is gone"); });
	});
	test("step", async () => {
		await test.step("Read the sum", async () => {
			await failsIn("step", 300);
			expect("1", "the sum").toBe("2");
		});
	});
	test("body", async () => {
		try { expect(1, "what was caught").toBe(2); } catch {}
		await failsIn("body", 1_200);
		throw new Error("thrown outside of steps\\nin two lines", { cause: new Error("the cause") });
	});
});
test("soft", async () => {
	failsNow("soft");
	expect.soft(1, "the first").toBe(2);
	await pause(1_200);
	expect.soft(1, "the second").toBe(3);
});
test("repeated", async () => {
	for (const last of [false, true]) {
		try {
			if (last) failsNow("repeated");
			expect(1, "the same").toBe(2);
		} catch (error) {
			if (last) throw error;
			await pause(1_200);
		}
	}
});
test("late", async () => {
	test.setTimeout(1_500);
	const began = now();
	await test.step("Waits", async () => {
		// Until its time is over: what came before this step has used some of it.
		do await failsIn("late", 50); while (now() - began < 1_450);
		await pause(60_000);
	});
});
test("clock", async () => {
	const RealDate = Date;
	globalThis.Date = class extends RealDate {
		constructor(...values) { super(...(values.length > 0 ? values : [Date.now()])); }
		static now() { return now() + 10_000_000; }
	};
	await failsIn("clock", 300);
	expect(1, "years later").toBe(2);
});
test("value", async () => { await failsIn("value", 300); throw "no error at all"; });
test("long", async () => {
	failsNow("long");
	throw new Error("\\u001b[31mred\\u001b[39m\\n" + "ä€💥".repeat(4_000));
});
test("crash", async () => { await failsIn("crash", 300); process.exit(7); });
test("unexpected pass", async () => { test.fail(); await failsIn("unexpected pass", 300); });
test("expected failure", async () => { test.fail(); expect(1).toBe(2); });
test.skip("skipped", () => {});
`;

interface Report {
	suites: { suites: { specs: { title: string; tests: { results: Result[] }[] }[] }[] }[];
}
interface Result {
	status: string;
	startTime: string;
	annotations: { type: string; description?: string }[];
	attachments: { name: string; contentType: string; body?: string }[];
}

/** The results of a test in the JSON report. */
async function resultsOf(title: string): Promise<Result[]> {
	const { suites }: Report = JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
	const specs = suites.flatMap((file) => file.suites.flatMap((suite) => suite.specs));
	return specs.find((spec) => spec.title === title)?.tests.flatMap(({ results }) => results) ?? [];
}

/** `  failed expect "the total"`: a line for each step, indented. */
const stepLines = (steps: TestStep[], indent = ""): string[] =>
	steps.flatMap(({ outcome, category, title, steps }) => [
		`${indent}${outcome} ${category} ${title}`,
		...stepLines(steps, `${indent}  `),
	]);
const CHECKOUT = "Checkout ›";

describe("a run with failures", () => {
	let job: Job;
	let ran: Awaited<ReturnType<PlaywrightProject["run"]>>;
	beforeAll(async () => {
		const options = { name: "Night of failures", labels: { build: "123" } };
		const ci = { BUILDKITE: "true", BUILDKITE_BUILD_NUMBER: "122", BUILDKITE_BRANCH: "main" };
		const github = { GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
		ran = await project.run(["checkout", "--retries", "1"], options, { ...ci, ...github });
		job = await project.jobNamed("Night of failures");
	}, 120_000);

	test("keeps its exit status, and its recording plays with the outcome, and the labels of CI under its own", () => {
		expect(ran.status).toBe(1);
		expect(job).toMatchObject({
			...{ status: "completed", outcome: "failed", labels: { build: "123", branch: "main" }, displayId: display.id },
			...{ maxDurationSeconds: 14_400, recording: { state: "ready" } },
		});
	});

	test("has the results of its tests, retries as attempts, with their steps, and their failures as markers", async () => {
		const results = await project.storedResults(job);
		expect(results.map(summaryOf).sort()).toEqual([
			"failed shows the total @fails 1",
			"failed shows the total @fails 2",
			"failed succeeds in the end @flaky 1",
			"passed pays with a card 1",
			"passed succeeds in the end @flaky 2",
			"skipped is written later 1",
		]);
		expect(results.filter(({ flaky }) => flaky).map(summaryOf)).toEqual([
			"failed succeeds in the end @flaky 1",
			"passed succeeds in the end @flaky 2",
		]);
		const failed = results.find((each) => summaryOf(each) === "failed shows the total @fails 2");
		if (failed === undefined) throw new Error("There is no result.");
		expect(failed).toMatchObject({
			...{ test: "checkout.spec.ts › Checkout › shows the total @fails", suite: "checkout.spec.ts › Checkout" },
			...{ file: "checkout.spec.ts", line: 8, project: null, labels: { build: "123", branch: "main" } },
			message: expect.stringMatching(/^Error: the total\n\nexpect\(received\).*Received: "41\.99 €"$/s),
			stack: expect.stringContaining("checkout.spec.ts:11:"),
		});
		expect(stepLines(failed.steps)).toEqual([
			"passed test.step The cart is opened",
			"failed test.step The total is read",
			"  failed expect the total",
		]);
		const markers = await project.markersOf(job);
		expect(markers.map(({ kind, label }) => `${kind} ${label}`).sort()).toEqual([
			"fail expect(received).toBe(expected) // Object.is equality",
			"fail the total",
			"fail the total",
		]);
		const moments = markers.filter(({ label }) => label === "the total").map(({ offsetSeconds }) => offsetSeconds ?? 0);
		// The failure has the marker's time to the millisecond.
		expect(Math.abs((failed.failureOffsetSeconds ?? 0) - Math.max(...moments))).toBeLessThan(0.01);
		for (const { offsetSeconds } of [...markers, ...results]) {
			expect(offsetSeconds).toBeGreaterThanOrEqual(0);
			expect(offsetSeconds).toBeLessThanOrEqual(job.recording?.durationSeconds ?? 0);
		}
	});

	test("has the link to each failure in the results of its test, and prints it", async () => {
		const results = await resultsOf("shows the total @fails");
		const links = results.map(({ annotations }) => annotations.find(({ type }) => type === "tapedeck")?.description);
		const stored = (await project.storedResults(job)).filter(({ test }) => test.endsWith("shows the total @fails"));
		expect(links).toEqual(
			stored.sort((a, b) => a.attempt - b.attempt).map(({ id }) => `${job.recording?.url}?result=${id}`),
		);
		const attached = results.map(({ attachments }) => attachments.find(({ name }) => name === "tapedeck"));
		expect(attached.map((each) => atob(each?.body ?? ""))).toEqual(links);
		expect(ran.said).toEqual([
			`tapedeck: Recording of this run: ${job.recording?.url}`,
			...[0, 1, 2].map(() => expect.stringContaining(`tapedeck:   checkout.spec.ts › ${CHECKOUT} `)),
		]);
		expect(ran.said).toContain(
			`tapedeck:   checkout.spec.ts › ${CHECKOUT} shows the total @fails (attempt 2): ${links[1]}`,
		);
		const [passed] = await resultsOf("pays with a card");
		expect(passed).toMatchObject({ annotations: [], attachments: [] });
	});

	test("is in the summary of its step of GitHub Actions, with its failed tests", async () => {
		const [first, , third, fourth, title, empty, ...tests] = (await readFile(join(folder, "summary.md"), "utf8")).split(
			"\n",
		);
		expect([first, third, fourth, title, empty]).toEqual([
			"| Recording | Outcome |",
			`| [Night of failures](${job.recording?.url}) | failed |`,
			"",
			"Failed tests:",
			"",
		]);
		const [, retried] = await resultsOf("shows the total @fails");
		const link = retried?.annotations.find(({ type }) => type === "tapedeck")?.description;
		expect(tests).toContain(`- [checkout.spec.ts › ${CHECKOUT} shows the total @fails (attempt 2)](${link})`);
		expect(tests.filter((line) => line.startsWith("- ["))).toHaveLength(3);
	});
});

describe("a test that fails is shown where it failed, with its first error", () => {
	let job: Job;
	let failures: Marker[];
	let markers: Marker[];
	let results: TestResult[];
	beforeAll(async () => {
		const { status } = await project.run(["kinds"], { name: "Kinds", steps: "none" }, {});
		expect(status).toBe(1);
		job = await project.jobNamed("Kinds");
		markers = await project.markersOf(job);
		failures = markers.filter(({ kind }) => kind === "fail");
		results = await project.storedResults(job);
	}, 120_000);

	const sum = 'Error: the sum\n\nexpect(received).toBe(expected) // Object.is equality\n\nExpected: "2"\nReceived: "1"';
	test.each([
		["step", "the sum", `${sum}\n\nkinds.spec.ts:16:2 › hooks › step`],
		[
			"body",
			"thrown outside of steps",
			/^Error: thrown outside of steps\nin two lines\n\n\[cause\]: Error: the cause\n\n/,
		],
		["soft", "the first", /^Error: the first\n.*Expected: 2\n/s],
		["repeated", "the same", /^Error: the same\n/],
		["late", "Test timeout of 1500ms exceeded.", /^Test timeout of 1500ms exceeded\./],
		["clock", "years later", /^Error: years later\n/],
		["value", "'no error at all'", /^'no error at all'\n/],
		["long", "red", /^Error: red\nä€💥.*\n… \(cut: [\d,]+ more characters\)\n\nkinds\.spec\.ts:\d+:\d+ › long$/s],
		["crash", "worker process exited unexpectedly (code=7, signal=null)", /^Error: worker process exited/],
		["unexpected pass", "Expected to fail, but passed.", /^Expected to fail, but passed\.\n/],
	])("%s", async (name, label, message) => {
		const [failure, ...others] = failures.filter((each) => each.message?.endsWith(` › ${name}`));
		expect(others).toEqual([]);
		if (failure === undefined) throw new Error("There is no marker.");
		const expected = typeof message === "string" ? message : expect.stringMatching(message);
		expect(failure).toMatchObject({ label, message: expected, clampedTo: null });
		expect(Buffer.byteLength(failure.message ?? "")).toBeLessThanOrEqual(8_192);
		const moment = Number(await readFile(join(folder, `${name}.moment`), "utf8"));
		// All other events of the test are at least 1.2 s away.
		expect(Math.abs(Date.parse(failure.at ?? "") - moment)).toBeLessThan(1_000);
		const result = results.find(({ test }) => test.endsWith(` › ${name}`));
		expect(result).toMatchObject({ outcome: "failed", message: expect.stringContaining(label) });
		const shown = Date.parse(job.startedAt ?? "") + (result?.failureOffsetSeconds ?? 0) * 1_000;
		expect(Math.abs(shown - moment)).toBeLessThan(1_000);
	});

	test("nothing else is a failure", () => {
		expect(failures).toHaveLength(10);
		expect(markers).toHaveLength(10);
		const others = results.filter(({ outcome }) => outcome !== "failed").map(summaryOf);
		expect(others.sort()).toEqual(["passed expected failure 1", "skipped skipped 1"]);
	});
});

inExplore(test)("a run that passes has the outcome passed, and all that its tests do as steps if wanted", async () => {
	const { status, said } = await project.run(["--grep", "@flaky", "--retries", "1"], { name: "Flaky", steps: "all" });
	const job = await project.jobNamed("Flaky");
	expect(status).toBe(0);
	expect(said[0]).toBe(`tapedeck: Recording of this run: ${job.recording?.url}`);
	expect(job).toMatchObject({ status: "completed", outcome: "passed" });
	const passed = (await project.storedResults(job)).find(({ outcome }) => outcome === "passed");
	const lines = stepLines(passed?.steps ?? []);
	expect(lines).toEqual(expect.arrayContaining(['passed expect Expect "toBe"', "passed hook Before Hooks"]));
});

inExplore(test)(
	"a run that --max-failures ends has one failure: what it interrupted and its end are none",
	async () => {
		await writeFile(
			join(folder, "long.spec.ts"),
			`import { existsSync, writeFileSync } from "node:fs";
		import { expect, test } from "playwright/test";
		test("innocent", async () => { writeFileSync("innocent", ""); await new Promise(() => {}); });`,
		);
		await writeFile(
			join(folder, "culprit.spec.ts"),
			`import { existsSync } from "node:fs";
		import { expect, test } from "playwright/test";
		test("culprit", async () => {
			await expect.poll(() => existsSync("innocent")).toBe(true);
			expect(1, "the culprit").toBe(2);
		});`,
		);
		const { status } = await project.run(["--max-failures", "1", "long", "culprit"], { name: "Stopped early" });
		expect(status).toBe(1);
		const job = await project.jobNamed("Stopped early");
		expect((await project.storedResults(job)).map(summaryOf).sort()).toEqual([
			"failed culprit 1",
			"skipped innocent 1",
		]);
		const failures = (await project.markersOf(job)).filter(({ kind }) => kind === "fail");
		expect(failures.map(({ label }) => label)).toEqual(["the culprit"]);
		expect(job.outcome).toBe("failed");
	},
);

inExplore(test)("within a job that records already, it adds its results and leaves the job alone", async () => {
	await using recording = await client.record({ displayId: display.id, name: "Around the run" });
	const { status, said } = await project.run(["--grep", "card"], {}, { TAPEDECK_JOB_ID: String(recording.job.id) });
	expect(status).toBe(0);
	expect(said).toEqual([expect.stringMatching(/^tapedeck: Recording of this run: .+\/recordings\/\d+$/)]);
	const job = await client.jobs.get(recording.job.id);
	expect(job).toMatchObject({ status: "recording", outcome: null });
	const [result] = await project.storedResults(job);
	expect(result && [summaryOf(result), ...stepLines(result.steps)]).toEqual([
		...["passed pays with a card 1", "passed test.step Pay is clicked"],
	]);
});

inExplore(test)("the recording's log has the output of tests, without secrets", async () => {
	await writeFile(
		join(folder, "prints.spec.ts"),
		`import { test } from "playwright/test";
		test("prints", () => { console.log("paid with " + process.env.SHOP_TOKEN); console.error("not found"); });`,
	);
	const { status } = await project.run(["prints.spec.ts"], { name: "prints" }, { SHOP_TOKEN: "tok-0123456789" });
	expect(status).toBe(0);
	const lines = await client.jobs.track((await project.jobNamed("prints")).id, "log.playwright").toArray();
	expect(lines.map(({ level, text }) => [level, text]).sort()).toEqual([
		["error", "not found"],
		["info", "paid with ***"],
	]);
	for (const { offsetSeconds } of lines) expect(offsetSeconds).toBeGreaterThan(0);
});

test("no secret is in results, markers and the step's summary, also where the message is cut", async () => {
	await writeFile(
		join(folder, "secrets.spec.ts"),
		`import { expect, test } from "playwright/test";
		const token = process.env.SHOP_TOKEN ?? "";
		test("pays with " + token, async () => {
			await test.step("signs in with " + token, () => { throw new Error(token + "\\nCookie: only=in-a-header"); });
		});
		test("differs", () => expect(token).toBe(token.replace("5", "6")));
		test("long", () => { throw new Error("x".repeat(${8 * 1024 - 70}) + token.repeat(9)); });`,
	);
	const secret = "tok-0123456789";
	const summary = join(folder, "secrets.md");
	await project.run(["secrets.spec.ts"], { name: "secrets" }, { SHOP_TOKEN: secret, GITHUB_STEP_SUMMARY: summary });
	const job = await project.jobNamed("secrets");
	const results = await project.storedResults(job);
	const markers = await project.markersOf(job);
	expect(JSON.stringify([results, markers])).not.toMatch(/tok-0123456789|tok-0123456\b|tok-01$|only=in/);
	expect(results.map(({ test }) => test)).toContain("secrets.spec.ts › pays with ***");
	expect(JSON.stringify(results)).toContain('"signs in with ***"');
	expect(markers.map(({ label }) => label)).toContain("***");
	const lines = await readFile(summary, "utf8");
	expect(lines).toContain("- [secrets.spec.ts › pays with \\*\\*\\*](");
	expect(lines).not.toContain(secret);
	expect(markers.length).toBe(3);
});
