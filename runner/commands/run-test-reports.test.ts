import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { LocalRecording } from "../control/messages.ts";
import type { Call } from "./command.ts";
import { testReports } from "./test-reports.ts";

test("reports that are huge or broken cost no other report, and are never said to be missing", async () => {
	const folder = await temporaryFolder("reports");
	const startedAt = Date.now() - 3_000;
	for (let index = 0; index < 20; index++) {
		const file = join(folder, `huge${index}.xml`);
		await writeFile(file, "<testsuite>");
		// The first is small enough to be read.
		await truncate(file, index === 0 ? 44_000_000 : 120_000_000);
	}
	await writeFile(join(folder, "broken.xml"), "<testsuite><testcase>");
	const failure = '<failure message="&#x1B;[31mred">at line 7</failure>';
	const cases = `<testcase name="pays" time="1">${failure}</testcase><testcase name="never" timestamp="2001-01-01T00:00:00Z"><failure/></testcase>`;
	await writeFile(join(folder, "good.xml"), `<testsuite time="1">${cases}</testsuite>`);
	const remarks: string[] = [];
	const call = { values: { report: [join(folder, "*.xml")] }, remark: (text: string) => remarks.push(text) };
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
	expect(text).toMatch(/^tapedeck: Not read: \S*broken\.xml, \S*huge0\.xml: unclosed root tag/m);
	expect(text).toMatch(/^tapedeck: Not read: \S*huge1\.xml, .* and 16 more: it is larger than 100 MB\.$/m);
	expect(text).toMatch(/1 test has no time within the recording\. Failed: never\./);
	expect(text).not.toContain("wrote no report");
});

test("a test whose time is not exact says so in its marker, in its result and by a link without a second", async () => {
	const folder = await temporaryFolder("reports");
	const startedAt = Date.now() - 30_000;
	const cases = `<testcase name="pays" time="1"><failure message="no total"/></testcase><testcase name="adds" time="1"/>`;
	await writeFile(join(folder, "pauses.xml"), `<testsuite time="9">${cases}</testsuite>`);
	const call = { values: { report: [join(folder, "*.xml")] }, remark: () => undefined };
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

/** A failed test of 2 s that began 1 s after the first frame, and one that passed after it, in each format. */
const FORMATS: Record<string, (began: number) => Record<string, string>> = {
	"Robot Framework": (began) => ({
		"output.xml": `<robot generator="Robot 7.1"><suite name="Shop"><test name="pays" id="s1-t1" line="3">
			<kw name="Open Cart" owner="Cart"><status status="PASS" start="${local(began + 1_000)}" elapsed="0.500"/></kw>
			<kw name="Pay" owner="Cart"><status status="FAIL" start="${local(began + 1_500)}" elapsed="1.000">no card</status></kw>
			<kw name="Close" type="TEARDOWN"><status status="PASS" start="${local(began + 2_500)}" elapsed="0.500"/></kw>
			<status status="FAIL" start="${local(began + 1_000)}" elapsed="2.000">no card</status></test>
			<test name="adds" id="s1-t2"><status status="PASS" start="${local(began + 3_000)}" elapsed="0.250"/></test></suite></robot>`,
	}),
	CTRF: (began) => ({
		"ctrf.json": JSON.stringify({
			reportFormat: "CTRF",
			results: {
				tool: { name: "jest" },
				tests: [
					{
						...{ name: "pays", suite: ["Shop"], status: "failed", message: "no card", trace: "no card at 7" },
						...{ start: began + 1_000, stop: began + 3_000, duration: 2_000 },
					},
					{ name: "adds", suite: ["Shop"], status: "passed", start: began + 3_000, duration: 250 },
				],
			},
		}),
	}),
	Allure: (began) => {
		const result = (name: string, more: object) =>
			JSON.stringify({ uuid: name, name, stage: "finished", labels: [{ name: "suite", value: "Shop" }], ...more });
		const [start, stop] = [began + 1_000, began + 3_000];
		return {
			"1-result.json": result("pays", { status: "failed", start, stop, statusDetails: { message: "no card" } }),
			"2-result.json": result("adds", { status: "passed", start: stop, stop: stop + 250 }),
		};
	},
	"Open Test Reporting": (began) => {
		const time = (ms: number) => new Date(began + ms).toISOString();
		return {
			"otr.xml": `<e:events xmlns:e="e"><e:started id="1" name="Jupiter" time="${time(0)}"/>
			<e:started id="2" parentId="1" name="Shop" time="${time(0)}"/>
			<e:started id="3" parentId="2" name="pays" time="${time(1_000)}"/><e:finished id="3" time="${time(3_000)}">
			<result status="FAILED"><throwable assertionError="true">no card</throwable></result></e:finished>
			<e:started id="4" parentId="2" name="adds" time="${time(3_000)}"/>
			<e:finished id="4" time="${time(3_250)}"><result status="SUCCESSFUL"/></e:finished>
			<e:finished id="2" time="${time(3_300)}"><result status="SUCCESSFUL"/></e:finished>
			<e:finished id="1" time="${time(3_300)}"><result status="SUCCESSFUL"/></e:finished></e:events>`,
		};
	},
	Playwright: (began) => {
		const spec = (title: string, ms: number, result: object) => ({
			...{ title, file: "Shop" },
			tests: [
				{
					expectedStatus: "passed",
					results: [{ retry: 0, startTime: new Date(began + ms).toISOString(), ...result }],
				},
			],
		});
		const failed = { status: "failed", duration: 2_000, errors: [{ message: "no card" }] };
		const specs = [spec("pays", 1_000, failed), spec("adds", 3_000, { status: "passed", duration: 250 })];
		return { "pw.json": JSON.stringify({ config: {}, stats: {}, suites: [{ title: "Shop", file: "Shop", specs }] }) };
	},
};
/** A time of this machine, without its zone. */
const local = (ms: number): string =>
	new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, -1);

test.each(Object.keys(FORMATS))("beside a video, a report of %s has results with exact times", async (format) => {
	const folder = await temporaryFolder("reports");
	const startedAt = Date.now() - 5_000;
	const files = FORMATS[format]?.(startedAt) ?? {};
	for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
	const remarks: string[] = [];
	const paths = format === "Allure" ? [folder] : [join(folder, "*.{xml,json}")];
	const call = { values: { report: paths, junitLinks: true }, remark: (text: string) => remarks.push(text) };
	const begun = { startedAt: new Date(startedAt).toISOString() };
	const { markers, tests, failed, isWhole, writeLinks } = await testReports(
		call as unknown as Call,
		begun as LocalRecording,
		{ startedAt, mask: new SecretMask({}) },
	);
	expect([remarks, isWhole]).toEqual([[], true]);
	expect(tests).toMatchObject([
		{
			...{ key: "Shop › pays#1", test: "Shop › pays", attempt: 1, outcome: "failed", message: "no card" },
			...{ offsetSeconds: 1, durationSeconds: 2 },
		},
		{ key: "Shop › adds#1", outcome: "passed", offsetSeconds: 3, durationSeconds: 0.25 },
	]);
	expect(tests.map(({ isApproximate }) => isApproximate ?? false)).toEqual([false, false]);
	// The teardown that follows the failure shows something else.
	const failedAt = format === "Robot Framework" ? 2.5 : 3;
	expect(markers).toMatchObject([{ label: "Shop › pays", offsetSeconds: failedAt }]);
	expect(failed.map(({ linkAt }) => linkAt("https://td/jobs/1", new Map()))).toEqual([
		`https://td/jobs/1?t=${failedAt}`,
	]);
	if (format === "Robot Framework") {
		expect(tests[0]?.steps).toMatchObject([
			{ title: "Cart.Open Cart", offsetSeconds: 1, durationSeconds: 0.5, outcome: "passed" },
			{ title: "Cart.Pay", offsetSeconds: 1.5, durationSeconds: 1, outcome: "failed", message: "no card" },
			{ title: "Close", category: "TEARDOWN", offsetSeconds: 2.5, outcome: "passed" },
		]);
	}
	await writeLinks("https://td/jobs/1", new Map());
	expect(remarks).toEqual([expect.stringContaining("only JUnit reports have copies with links")]);
});

test("a retry that passes makes a failure none, and a report that was not written is said to be missing", async () => {
	const folder = await temporaryFolder("reports");
	const startedAt = Date.now() - 5_000;
	const attempt = (uuid: string, status: string, start: number) =>
		writeFile(
			join(folder, `${uuid}-result.json`),
			JSON.stringify({ uuid, name: "pays", stage: "finished", status, start, stop: start + 500 }),
		);
	await attempt("a", "failed", startedAt + 1_000);
	await attempt("b", "passed", startedAt + 2_000);
	const remarks: string[] = [];
	const missing = join(folder, "*.xml");
	const call = { values: { report: [folder, missing] }, remark: (text: string) => remarks.push(text) };
	const begun = { startedAt: new Date(startedAt).toISOString() };
	const { tests, failed, markers, isWhole } = await testReports(call as unknown as Call, begun as LocalRecording, {
		...{ startedAt, mask: new SecretMask({}) },
	});
	expect(tests.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
		[1, "failed"],
		[2, "passed"],
	]);
	expect([failed, markers, isWhole]).toEqual([[], [], false]);
	expect(remarks).toEqual([`tapedeck: Not read: ${missing}: the command wrote no report there.`]);
});
