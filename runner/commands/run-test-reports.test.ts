import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { expect, onTestFinished, test } from "vitest";
import type { LocalRecording } from "../control/messages.ts";
import type { Call } from "./command.ts";
import { testReports } from "./test-reports.ts";

test("reports that are huge or broken cost no other report, and are never said to be missing", async () => {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-reports-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	const startedAt = Date.now() - 3_000;
	for (let index = 0; index < 20; index++) {
		const file = join(folder, `huge${index}.xml`);
		await writeFile(file, "<testsuite>");
		await truncate(file, 44_000_000);
	}
	await writeFile(join(folder, "broken.xml"), "<testsuite><testcase>");
	const failure = '<failure message="&#x1B;[31mred">at line 7</failure>';
	const cases = `<testcase name="pays" time="1">${failure}</testcase><testcase name="never" timestamp="2001-01-01T00:00:00Z"><failure/></testcase>`;
	await writeFile(join(folder, "good.xml"), `<testsuite time="1">${cases}</testsuite>`);
	const remarks: string[] = [];
	const call = { values: { junit: [join(folder, "*.xml")] }, remark: (text: string) => remarks.push(text) };
	const begun = { startedAt: new Date(startedAt).toISOString() };
	const { markers, tests } = await testReports(call as unknown as Call, begun as LocalRecording, {
		...{ startedAt, mask: new SecretMask({}) },
	});
	expect(markers).toMatchObject([{ label: "pays", kind: "fail", message: "red\nat line 7" }]);
	expect(tests).toMatchObject([
		{ test: "pays", attempt: 1, outcome: "failed", message: "red", stack: "red\nat line 7", durationSeconds: 1 },
		{ test: "never", outcome: "failed", offsetSeconds: null },
	]);
	const text = remarks.join("\n");
	expect(text).toMatch(/^tapedeck: 21 reports were not read: .*broken\.xml, .*huge0\.xml, .* more\)/m);
	expect(text).toMatch(/1 test has no time within the recording\. Failed: never\./);
	expect(text).not.toContain("wrote no JUnit report");
});

test("a test whose time is not exact says so in its marker, in its result and by a link without a second", async () => {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-reports-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	const startedAt = Date.now() - 30_000;
	const cases = `<testcase name="pays" time="1"><failure message="no total"/></testcase><testcase name="adds" time="1"/>`;
	await writeFile(join(folder, "pauses.xml"), `<testsuite time="9">${cases}</testsuite>`);
	const call = { values: { junit: [join(folder, "*.xml")] }, remark: () => undefined };
	const begun = { startedAt: new Date(startedAt).toISOString() };
	const { markers, tests, failed } = await testReports(call as unknown as Call, begun as LocalRecording, {
		...{ startedAt, mask: new SecretMask({}) },
	});
	expect(markers.map(({ label }) => label)).toEqual(["about: pays"]);
	expect(tests.map(({ isApproximate }) => isApproximate)).toEqual([true, true]);
	const [pays] = failed;
	expect(pays?.linkAt("https://td/jobs/1", new Map())).toBe("https://td/jobs/1");
	expect(pays?.linkAt("https://td/jobs/1", new Map([["pays#1", 7]]))).toBe("https://td/jobs/1?result=7");
});
