import { chmod, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { LocalRecording } from "../control/messages.ts";
import type { Call } from "./command.ts";
import { readReports } from "./read-reports.ts";
import { testReports } from "./test-reports.ts";

/** Writes the files. @returns an order for all reports among them. */
async function orderFor(files: Record<string, string>) {
	const folder = await temporaryFolder("reports");
	for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
	return { paths: [join(folder, "*.xml")], since: Date.now() - 10_000 };
}
const limits = { program: process.execPath, timeoutMs: 60_000, heapMb: 512 };
const ONE = '<testsuite><testcase name="a" time="1"/></testsuite>';

test("reports are read in a process of its own, the smallest first, and older ones and copies are left out", async () => {
	const order = await orderFor({ "b.xml": `${ONE}  `, "a.xml": ONE, "a.tapedeck.xml": ONE, "old.xml": ONE });
	const old = join(order.paths[0] ?? "", "..", "old.xml");
	await utimes(old, 1, 1);
	const { files, refused, problem } = await readReports(order, null);
	expect([refused, problem]).toEqual([[], null]);
	expect(files.map(({ file }) => file.split("/").at(-1))).toEqual(["a.xml", "b.xml"]);
	expect(files[0]).toMatchObject({ bytes: ONE.length, format: "JUnit", tests: [{ test: "a" }] });
});

test("results that a process read before it ran out of memory are kept, and the reason is reported", async () => {
	const cases = '<testcase name="a test with a long name" classname="of a class" time="1"/>'.repeat(200_000);
	const order = await orderFor({ "a.xml": ONE, "b.xml": `<testsuite>${cases}</testsuite>` });
	const { files, problem } = await readReports(order, null, { ...limits, heapMb: 24 });
	expect(files).toMatchObject([{ tests: [{ test: "a" }] }]);
	expect(problem).toBe("it took more than 24 MB of memory");
});

test("a process that takes too long is ended, and the reason is said", async () => {
	const { files, problem } = await readReports(await orderFor({ "a.xml": ONE }), null, { ...limits, timeoutMs: 1 });
	expect(files).toEqual([]);
	expect(problem).toBe("it took longer than 0.001 seconds");
});

test("a process that something else kills, or that ends by itself, is not said to be late", async () => {
	const order = await orderFor({ "a.xml": ONE });
	const run = async (script: string) => {
		const program = join(await temporaryFolder("program"), "node");
		await writeFile(program, `#!/bin/sh\n${script}\n`);
		await chmod(program, 0o755);
		return (await readReports(order, null, { ...limits, program })).problem;
	};
	expect(await run("kill -KILL $$")).toBe(
		"the process that reads them was killed, as when the machine runs out of memory",
	);
	expect(await run("exit 3")).toBe("the process that reads them ended by status 3");
	expect(await run("kill -TERM $$")).toMatch(/ended by SIGTERM$/);
	// Half a line.
	expect(await run(`printf '{"file": "a}'; kill -KILL $$`)).toMatch(/was killed/);
});

test("a process that cannot be started is a problem, never an error", async () => {
	const order = await orderFor({ "a.xml": ONE });
	const { files, problem } = await readReports(order, null, { ...limits, program: "/no/node" });
	expect(files).toEqual([]);
	expect(problem).toMatch(/^the process that reads them could not be started: .*ENOENT/);
});

const mask = new SecretMask({});

const UNKNOWN =
	"it is no test report that Tapedeck knows: JUnit, CTRF, Allure, Open Test Reporting, Robot Framework or Playwright";

/** @returns the lines that `tapedeck run` prints. */
async function remarksOn(files: Record<string, string>): Promise<string[]> {
	const { paths, since: startedAt } = await orderFor(files);
	const remarks: string[] = [];
	const call = { values: { report: paths }, remark: (text: string) => remarks.push(text) };
	const begun = { startedAt: new Date(startedAt).toISOString() };
	await testReports(call as unknown as Call, begun as LocalRecording, { startedAt, mask });
	return remarks.map((text) => text.replaceAll(/\/\S*\//g, ""));
}

test("reports that are refused are one line for each reason, however many they are", async () => {
	const broken = Array.from({ length: 9 }, (_, index): [string, string] => [`broken${index}.xml`, "<html/>"]);
	const files = { ...Object.fromEntries(broken), "deep.xml": "<testsuite>".repeat(300) };
	expect(await remarksOn(files)).toEqual([
		`tapedeck: Not read: broken0.xml, broken1.xml, broken2.xml and 6 more: ${UNKNOWN}.`,
		"tapedeck: Not read: deep.xml: its elements are nested deeper than 200.",
	]);
	const reasons = Array.from({ length: 7 }, (_, index): [string, string] => [
		`bad${index}.xml`,
		`<testsuite>${"\n".repeat(index)}</other>`,
	]);
	const lines = await remarksOn(Object.fromEntries(reasons));
	expect(lines).toHaveLength(6);
	expect(lines.at(-1)).toBe("tapedeck: Not read: 2 more reports, for other reasons.");
});

test("assumptions are one line per kind of report, however many there are", async () => {
	const stamp = new Date(Date.now() - 5_000).toISOString();
	const dated = `<testsuite timestamp="${stamp}" time="1">${'<testcase name="a" time="1"/>'.repeat(3)}</testsuite>`;
	const one = '<testsuite time="0.1"><testcase name="a" time="0.1"/></testsuite>';
	const [line, ...others] = await remarksOn({ "a.xml": dated, "b.xml": one });
	expect(others).toEqual([]);
	expect(line).toBe(
		"tapedeck: Times of tests, as assumed: " +
			"tests ran in parallel, or their times overlap (a.xml); " +
			"reports without timestamps were written when their last test ended (b.xml). " +
			'The times of 3 of 4 tests are not exact: "about".',
	);
	const many = Array.from({ length: 12 }, (_, index): [string, string] => [
		`x${index}.xml`,
		dated.replace("Z", `${index}Z`),
	]);
	expect(await remarksOn(Object.fromEntries(many))).toEqual([
		'tapedeck: Times of tests, as assumed: tests ran in parallel, or their times overlap. The times of 36 of 36 tests are not exact: "about".',
	]);
});

test("runs of a test that its report has are attempts, errors of a suite are a test of it, and the rest is cut", async () => {
	const rerun = (element: string) =>
		`<${element} message="no ${element}" type="Error"><stackTrace>Error: no ${element} at 7</stackTrace></${element}>`;
	const suite = `<testsuite name="Shop" time="4">
<testcase classname="Shop" name="flaky" time="1" file="shop.test.js">${rerun("flakyFailure")}</testcase>
<testcase classname="Shop" name="broken" time="1"><failure message="first">first at 3</failure>${rerun("rerunFailure")}</testcase>
<testcase classname="Shop" name="later" time="0"><skipped message="not today"/></testcase>
<testcase classname="Shop" name="${"x".repeat(10_000)}" time="1"/>
<testcase classname="Shop" name="flaky" time="1"/>
<error message="no database">no database at 1</error></testsuite>`;
	const { paths, since: startedAt } = await orderFor({ "a.xml": suite });
	const call = { values: { report: paths }, remark: () => undefined } as unknown as Call;
	const begun = { startedAt: new Date(startedAt).toISOString() } as LocalRecording;
	const { tests, markers } = await testReports(call, begun, { startedAt, mask });
	const summary = tests.map(({ test, attempt, outcome, message }) => [test.slice(0, 30), attempt, outcome, message]);
	expect(summary).toEqual([
		["Shop › flaky", 1, "failed", "no flakyFailure"],
		["Shop › broken", 1, "failed", "first"],
		["Shop › broken", 2, "failed", "no rerunFailure"],
		["Shop › (outside of tests)", 1, "error", "no database"],
		["Shop › flaky", 2, "passed", null],
		["Shop › later", 1, "skipped", "not today"],
		[`Shop › ${"x".repeat(23)}`, 1, "passed", null],
		["Shop › flaky", 3, "passed", null],
	]);
	expect(tests[1]).toMatchObject({ key: "Shop › broken#1", suite: "Shop", stack: "first at 3" });
	expect(tests[0]?.file).toBe("shop.test.js");
	for (const { key } of tests) expect(key.length).toBeLessThanOrEqual(500);
	expect(markers.map(({ label }) => label.replace("about: ", ""))).toEqual(
		expect.arrayContaining(["Shop › broken", "Shop › (outside of tests)"]),
	);
});

test("failed results are kept if there are too many, and their number is reported", async () => {
	const cases = [
		...Array.from({ length: 5_000 }, (_, index) => `<testcase name="passes ${index}" time="0"/>`),
		...Array.from({ length: 200 }, (_, index) => `<testcase name="fails ${index}" time="0"><failure/></testcase>`),
	];
	const { paths, since: startedAt } = await orderFor({ "a.xml": `<testsuite time="1">${cases.join("")}</testsuite>` });
	const remarks: string[] = [];
	const call = { values: { report: paths }, remark: (text: string) => remarks.push(text) } as unknown as Call;
	const begun = { startedAt: new Date(startedAt).toISOString() } as LocalRecording;
	const { tests } = await testReports(call, begun, { startedAt, mask });
	expect(tests.filter(({ outcome }) => outcome === "failed")).toHaveLength(200);
	expect(tests).toHaveLength(5_000);
	expect(remarks.join()).toContain("Of 5200 test results, 5000 were added.");
});
