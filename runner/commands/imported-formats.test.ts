/** Results that the readers of other formats than JUnit find in reports. */
import { expect, test } from "vitest";
import { readCtrf, readPlaywright } from "./imported-json.ts";
import { readOpenTestReport, readRobot, rootOf } from "./imported-xml.ts";

const BEGIN = Date.parse("2026-11-20T08:00:00.000Z");
const ms = (seconds: number): number => BEGIN + seconds * 1_000;
const at = (seconds: number): string => new Date(ms(seconds)).toISOString();

test("CTRF reports have attempts, and tests without times are approximate", () => {
	const report = {
		...{ reportFormat: "CTRF", specVersion: "0.0.0" },
		results: {
			...{ tool: { name: "jest" }, summary: { start: BEGIN, stop: BEGIN + 9_000 } },
			tests: [
				{
					...{
						name: "pays",
						suite: ["Shop", "Pay"],
						status: "passed",
						duration: 500,
						start: BEGIN + 2_000,
						retries: 1,
					},
					...{ flaky: true, filePath: "pay.ts", browser: "firefox" },
					retryAttempts: [{ attempt: 1, status: "failed", duration: 300, message: "timeout", start: BEGIN + 1_000 }],
				},
				{ name: "later", suite: "Shop", status: "pending", duration: 0 },
				{ name: "odd", status: "other", duration: 10, message: "no idea" },
			],
		},
	};
	const [first, second, later, odd] = readCtrf(report, 0) ?? [];
	expect(first).toMatchObject({
		...{ test: "Shop › Pay › pays", project: "firefox", file: "pay.ts", attempt: 1, outcome: "failed" },
		...{ message: "timeout", startedAt: ms(1), endedAt: ms(1.3) },
	});
	expect(second).toMatchObject({ attempt: 2, outcome: "passed", startedAt: ms(2), endedAt: ms(2.5) });
	expect(later).toMatchObject({ test: "Shop › later", outcome: "skipped", isApproximate: true });
	expect(odd).toMatchObject({ test: "odd", suite: null, outcome: "error", message: "no idea" });
});

test("Open Test Reporting has exact times, sources and failed suites", () => {
	const otr = `<?xml version="1.0"?><e:events xmlns="https://schemas.opentest4j.org/reporting/core/0.2.0"
		xmlns:e="https://schemas.opentest4j.org/reporting/events/0.2.0" xmlns:java="https://schemas.opentest4j.org/reporting/java/0.2.0">
		<e:started id="1" name="JUnit Jupiter" time="${at(0)}"/><e:started id="2" parentId="1" name="CartTest" time="${at(0)}"/>
		<e:started id="3" parentId="2" name="total()" time="${at(1)}"><sources><fileSource path="CartTest.java"><filePosition line="7"/></fileSource></sources></e:started>
		<e:finished id="3" time="${at(1.25)}"><result status="FAILED"><java:throwable assertionError="true" type="x.AssertionFailedError">expected 3
	at CartTest.total(CartTest.java:9)</java:throwable></result></e:finished>
		<e:started id="4" parentId="2" name="empty()" time="${at(2)}"/><e:finished id="4" time="${at(3)}"><result status="SUCCESSFUL"/></e:finished>
		<e:started id="5" parentId="2" name="off()" time="${at(3)}"/><e:finished id="5" time="${at(3)}"><result status="SKIPPED"><reason>later</reason></result></e:finished>
		<e:finished id="2" time="${at(4)}"><result status="FAILED"><java:throwable>afterAll failed</java:throwable></result></e:finished>
		<e:finished id="1" time="${at(4)}"><result status="SUCCESSFUL"/></e:finished></e:events>`;
	const [outside, total, empty, off] = readOpenTestReport(otr);
	expect(outside).toMatchObject({
		test: "CartTest › (outside of tests)",
		outcome: "error",
		message: "afterAll failed",
	});
	expect(empty).toMatchObject({ test: "CartTest › empty()", outcome: "passed", startedAt: ms(2), endedAt: ms(3) });
	expect(off).toMatchObject({ outcome: "skipped", message: "later" });
	expect(total).toMatchObject({
		...{ test: "CartTest › total()", suite: "CartTest", file: "CartTest.java", line: 7, outcome: "failed" },
		...{ startedAt: ms(1), endedAt: ms(1.25), isApproximate: false, message: "expected 3" },
		stack: expect.stringContaining("CartTest.java:9"),
	});
});

test("Robot Framework's output has suites, keywords as steps, and the messages of tests", () => {
	// Without a zone: the local time of this machine, on which the test computes it, too.
	const local = (seconds: number): string => {
		const date = new Date(BEGIN + seconds * 1_000);
		return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
	};
	const robot = `<?xml version="1.0"?><robot generator="Robot 7.1" schemaversion="5"><suite name="Shop" source="/t/shop.robot">
		<test name="Pay" line="4"><kw name="Click" owner="Browser"><arg>Pay</arg><status status="FAIL" start="${local(1)}" elapsed="0.5">no button</status></kw>
		<status status="FAIL" start="${local(0)}" elapsed="2.25">no button</status></test>
		<test name="Old"><status status="PASS" starttime="20261120 08:00:00.500" endtime="20261120 08:00:01.000"/></test>
		<test name="Off"><status status="SKIP" start="${local(3)}" elapsed="0">not now</status></test>
		<status status="FAIL" start="${local(0)}" elapsed="4"/></suite><statistics/><errors/></robot>`;
	const [pay, old, off] = readRobot(robot);
	expect(pay).toMatchObject({
		...{ test: "Shop › Pay", suite: "Shop", file: "/t/shop.robot", line: 4, outcome: "failed", message: "no button" },
		...{ startedAt: ms(0), endedAt: ms(2.25), isApproximate: false },
		steps: [{ title: "Browser.Click", outcome: "failed", startedAt: ms(1), endedAt: ms(1.5), message: "no button" }],
	});
	expect(old).toMatchObject({ outcome: "passed" });
	expect((old?.endedAt ?? 0) - (old?.startedAt ?? 0)).toBe(500);
	expect(off).toMatchObject({ outcome: "skipped", message: "not now" });
});

test("Playwright's JSON report has the names of @tapedeck/playwright, its retries and expected failures", () => {
	const result = (status: string, retry: number, more = {}) => ({
		...{ status, retry, duration: 1_000, startTime: at(retry), errors: [], steps: [], ...more },
	});
	const spec = (title: string, expectedStatus: string, ...results: object[]) => ({
		...{ title, file: "shop.spec.ts", line: 3, tests: [{ projectName: "chromium", expectedStatus, results }] },
	});
	const failed = { errors: [{ message: "no button", stack: "Error: no button\n at shop.spec.ts:4" }] };
	const report = {
		...{ config: {}, errors: [], stats: { startTime: at(0), duration: 9 } },
		suites: [
			{
				...{
					title: "shop.spec.ts",
					file: "shop.spec.ts",
					specs: [spec("known bug", "failed", result("failed", 0, failed))],
				},
				suites: [
					{
						title: "Cart",
						specs: [
							spec("pays", "passed", result("failed", 0, failed), result("passed", 1)),
							spec("cut", "passed", result("interrupted", 0)),
							spec("fixed bug", "failed", result("passed", 0)),
						],
					},
				],
			},
		],
	};
	const results = readPlaywright(report) ?? [];
	expect(results.map(({ test, attempt, outcome, message }) => [test, attempt, outcome, message])).toEqual([
		["shop.spec.ts › known bug", 1, "passed", null],
		["shop.spec.ts › Cart › pays", 1, "failed", "no button"],
		["shop.spec.ts › Cart › pays", 2, "passed", null],
		["shop.spec.ts › Cart › cut", 1, "skipped", null],
		["shop.spec.ts › Cart › fixed bug", 1, "failed", "Expected to fail, but passed."],
	]);
	expect(results[1]).toMatchObject({ project: "chromium", line: 3, startedAt: ms(0), endedAt: ms(1) });
});

test.each([
	["<testsuite/>", "testsuite"],
	['\uFEFF<?xml version="1.0"?>\n<!-- by a tool -->\n<e:events xmlns:e="x">', "events"],
	['<!DOCTYPE robot [<!ENTITY a "b">]><robot>', "robot"],
	["no XML", null],
	["no XML <robot>", null],
	["", null],
])("the first element of %j is %s", (text, name) => {
	expect(rootOf(text)).toBe(name);
});

test("a report is read in linear time when its messages are thousands of line breaks", () => {
	const throwable = `<throwable>no${"\n".repeat(39_000)}at</throwable>`;
	const events = Array.from(
		{ length: 60 },
		(_, id) =>
			`<started id="${id}" name="t" time="${at(id)}"/><finished id="${id}" time="${at(id)}"><result status="FAILED">${throwable}</result></finished>`,
	);
	const results = readOpenTestReport(`<events>${events.join("")}</events>`);
	expect(results.map(({ message }) => message?.length)).toEqual(Array(60).fill(39_004));
	expect(rootOf(`<!DOCTYPE robot${" ".repeat(190_000)}`)).toBeNull();
});

test("entities of a document's own are refused, and so are elements nested too deep", () => {
	const bomb = '<!DOCTYPE robot [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><robot><suite name="&b;"/></robot>';
	expect(() => readRobot(bomb)).toThrow(/entity/);
	expect(() => readRobot(`<robot>${"<suite>".repeat(300)}`)).toThrow("its elements are nested deeper than 200");
});
