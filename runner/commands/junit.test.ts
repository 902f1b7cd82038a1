import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readJunit, withLinks } from "./junit.ts";

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="shop" timestamp="2026-11-23T09:00:00Z" tests="4">
    <testcase classname="Cart" name="adds &amp; removes" time="1.5"/>
    <testcase classname="Cart" name="pays é" time="2"><failure message="no &#x1B;[31m"><![CDATA[<b>]]></failure></testcase>
    <testcase name="later"><skipped/></testcase>
    <testcase name="own" timestamp="2026-11-23T09:01:00Z" status="notrun" time="1"><properties>
      <property name="a" value="b"/></properties></testcase>
  </testsuite>
</testsuites>
`;
const bytes = (text: string) => Buffer.from(text);
test("tests have names, results and errors, whatever characters their tools wrote", () => {
	expect(readJunit(bytes(REPORT)).cases).toMatchObject([
		{ name: "Cart › adds & removes", result: "passed" },
		{ name: "Cart › pays é", result: "failed", message: "no \u001b[31m\n<b>" },
		{ name: "later", result: "skipped" },
		{ name: "own", result: "skipped" },
	]);
	const prefixed =
		'<n:testsuite xmlns:n="x"><n:testcase name="a"><n:error message="&#0;x"/></n:testcase></n:testsuite>';
	expect(readJunit(bytes(prefixed)).cases).toMatchObject([{ name: "a", result: "failed" }]);
});

test.each(["utf-8", "bom", "utf16le", "utf16be", "latin1"])("in %s, a copy differs by its links alone", (encoding) => {
	const declared = encoding === "latin1" ? REPORT.replace("UTF-8", "ISO-8859-1") : REPORT;
	const encode = (text: string): Buffer => {
		if (encoding === "latin1") return Buffer.from(text, "latin1");
		if (encoding === "utf16le") return Buffer.from(`\ufeff${text}`, "utf16le");
		if (encoding === "utf16be") return Buffer.from(`\ufeff${text}`, "utf16le").swap16();
		return Buffer.from(encoding === "bom" ? `\ufeff${text}` : text);
	};
	const { cases } = readJunit(encode(declared));
	expect(cases[1]?.name).toBe("Cart › pays é");
	const property = '<property name="tapedeck.url" value="http://td/1?t=1&#38;x"/>';
	const linked = declared
		.replace('time="1.5"/>', `time="1.5"><properties>${property}</properties></testcase>`)
		.replace('time="2">', `time="2"><properties>${property}</properties>`)
		.replace('time="1"><properties>', `time="1"><properties>${property}`);
	const links = new Map([0, 1, 3].map((index) => [cases[index] as (typeof cases)[0], "http://td/1?t=1&x"]));
	expect(withLinks(encode(declared), links).equals(encode(linked))).toBe(true);
});

test("entities of the document's own are refused, and neither expanded nor fetched", () => {
	const laughs = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e "lol"><!ENTITY file SYSTEM "file:///etc/passwd">]>';
	for (const entity of ["e", "file"]) {
		const report = `${laughs}<testsuite><testcase name="&${entity};"/></testsuite>`;
		expect(() => readJunit(bytes(report))).toThrow(/entity/);
	}
});

test("a file that is not a report is refused with a sentence, whatever it contains", () => {
	const deep = "<testsuite>".repeat(1_000);
	for (const text of [
		"",
		"no xml",
		"<html></html>",
		"<testsuite><testcase></testsuite>",
		"<testsuite>",
		"\u0000",
		deep,
	]) {
		expect(() => readJunit(bytes(text)), text).toThrow(Error);
	}
	fc.assert(
		fc.property(fc.string(), fc.nat(REPORT.length), (noise, place) => {
			const text = bytes(REPORT.slice(0, place) + noise + REPORT.slice(place));
			try {
				const { cases } = readJunit(text);
				const linked = withLinks(text, new Map(cases.map((each) => [each, "http://td/"])));
				expect(readJunit(linked).cases).toHaveLength(cases.length);
			} catch (error) {
				expect((error as Error).message).toMatch(/./);
			}
		}),
	);
});

test("a test that failed first and passed when it ran again has passed, and its attempts are not its error", () => {
	const attempt = (name: string) =>
		`<${name} message="first" type="E"><stackTrace>first</stackTrace><system-out>log</system-out></${name}>`;
	const failure = '<failure message="last" type="E">last</failure>';
	const report = `<testsuite>
		<testcase name="a">${attempt("flakyFailure")}</testcase><testcase name="b">${attempt("flakyError")}</testcase>
		<testcase name="c">${failure}${attempt("rerunFailure")}${attempt("rerunError")}</testcase>
	</testsuite>`;
	expect(readJunit(bytes(report)).cases).toMatchObject([
		{ name: "a", result: "passed", message: "" },
		{ name: "b", result: "passed", message: "" },
		{ name: "c", result: "failed", message: "last" },
	]);
});

test.each([
	['<skipped message="later"/><failure message="broke">at a.ts:1</failure>', "later"],
	['<failure message="broke">at a.ts:1</failure><skipped message="later"/>', "later"],
	['<error message="setup"/><skipped/>', ""],
	['<skipped/><flakyFailure message="first"/><rerunError message="second"/>', ""],
])("a test case with <skipped> is skipped, whatever else it contains: %s", (content, summary) => {
	const { cases } = readJunit(
		bytes(`<testsuite><testcase name="a">${content}</testcase><testcase name="b"/></testsuite>`),
	);
	expect(cases).toMatchObject([
		{ name: "a", result: "skipped", message: "", summary, reruns: [] },
		{ name: "b", result: "passed" },
	]);
});

const pytestText = `def test_mail():
        send()
>       raise TimeoutError("no mail\\n  inbox: []")
E       TimeoutError: no mail
E         inbox: []

test_mail.py:3: TimeoutError`;
test.each([
	{
		tool: "pytest, whose text begins with the source",
		failures: [["TimeoutError: no mail\n  inbox: []", pytestText]],
		message: `TimeoutError: no mail\n  inbox: []\n${pytestText}`,
	},
	{
		tool: "Surefire, whose text repeats the message after the class",
		failures: [
			["expected: 1\nbut was: 2", "org.opentest4j.AssertionFailedError: expected: 1\nbut was: 2\n\tat A.b(A.java:3)"],
		],
		message: "org.opentest4j.AssertionFailedError: expected: 1\nbut was: 2\n\tat A.b(A.java:3)",
	},
	{
		tool: "Node's test runner, with a code after the class",
		failures: [["1 == 2", "AssertionError [ERR_ASSERTION]: 1 == 2\n    at a.js:1"]],
		message: "AssertionError [ERR_ASSERTION]: 1 == 2\n    at a.js:1",
	},
	{
		tool: "NUnit, whose text is the stack alone",
		failures: [["Expected: 1\n  But was:  2", "\n   at Shop.Pays() in Shop.cs:line 3"]],
		message: "Expected: 1\n  But was:  2\n\n   at Shop.Pays() in Shop.cs:line 3",
	},
	{
		tool: "soft assertions, each once",
		failures: [
			["first", "Error: first\n    at a.ts:1"],
			["second", "second"],
			["second", "second"],
		],
		message: "Error: first\n    at a.ts:1\n\nsecond",
	},
])("an error is whole and begins with what happened: $tool", ({ failures, message }) => {
	const inXml = (text = "") => text.replace(/[&<>"\n]/g, (each) => `&#${each.codePointAt(0)};`);
	const elements = failures.map(([summary, text]) => `<failure message="${inXml(summary)}">${inXml(text)}</failure>`);
	const report = `<testsuite><testcase name="a">${elements.join("")}</testcase></testsuite>`;
	expect(readJunit(bytes(report)).cases).toMatchObject([{ name: "a", result: "failed", message }]);
});

test("an error of a suite or of the run is a failed test without a place, and other tests keep their errors", () => {
	const report = `<testsuites><error message="no browser"/><testsuite name="A"><testsuite name="B">
		<testcase name="a" time="1"/><failure message="Hook failed" type="E">Hook failed
at line 3</failure></testsuite><testcase name="b"><error>own</error></testcase><error/></testsuite></testsuites>`;
	const text = bytes(report);
	const { cases } = readJunit(text);
	expect(cases).toMatchObject([
		{ name: "no browser", result: "failed", message: "no browser", isOfSuite: true },
		{ name: "a", result: "passed", isOfSuite: false },
		{ name: "Hook failed", result: "failed", message: "Hook failed\nat line 3", isOfSuite: true, suite: 2 },
		{ name: "b", result: "failed", message: "own", suite: 1 },
		{ name: "Error of a suite", result: "failed", isOfSuite: true },
	]);
	const links = new Map(cases.map((each) => [each, "http://td/"]));
	expect(
		withLinks(text, links)
			.toString()
			.match(/tapedeck\.url/g),
	).toHaveLength(2);
});

test.each([
	'status="notrun"',
	'status="Skipped"',
	'status="run" result="suppressed"',
	'status="disabled"',
	'result="not_run"',
	'status="pending"',
	"><skipped/",
	"><skipped message='later'></skipped",
	"><disabled/",
	"><ignored/",
])("a test with %s was skipped", (how) => {
	const attributes = how.startsWith(">") ? `${how}></testcase` : `${how}/`;
	expect(readJunit(bytes(`<testsuite><testcase name="a" ${attributes}></testsuite>`)).cases).toMatchObject([
		{ result: "skipped" },
	]);
});

test("a test that is failed by its status alone has failed, and one that ran has passed", () => {
	const statuses = ["failed", "FAIL", "error", "run", "passed", "completed"];
	const cases = statuses.map((status) => `<testcase name="a" status="${status}"/>`).join("");
	expect(readJunit(bytes(`<testsuite>${cases}</testsuite>`)).cases.map(({ result }) => result)).toEqual([
		...["failed", "failed", "failed", "passed", "passed", "passed"],
	]);
});

test("control characters that XML forbids are read, as themselves and as references", () => {
	const raw = "\u0000\u0001\u0008\u000b\u001b[31m\u001f\u007f\ufffe\uffff";
	const message = `<failure message="${raw} &#0;&#x1b;&#x1F;&#128;">${raw}<![CDATA[${raw}]]></failure>`;
	const text = bytes(`<testsuite><testcase name="a${raw}">${message}</testcase></testsuite>`);
	const { cases } = readJunit(text);
	expect(cases).toMatchObject([{ name: `a${raw}`, result: "failed" }]);
	expect(cases[0]?.message).toContain(raw + raw);
	const linked = withLinks(text, new Map([[cases[0] as (typeof cases)[0], "http://td/"]]));
	expect(linked.toString().replace(/<properties>.*<\/properties>/, "")).toBe(text.toString());
});

const PROPERTY = '<property name="tapedeck.url" value="http://td/"/>';
test.each([
	["<testcase name='a'/>", `<testcase name='a'><properties>${PROPERTY}</properties></testcase>`],
	["<testcase name='>' />", `<testcase name='>' ><properties>${PROPERTY}</properties></testcase>`],
	["<testcase><properties/></testcase>", `<testcase><properties>${PROPERTY}</properties></testcase>`],
	["<testcase><properties /><error/></testcase>", `<testcase><properties >${PROPERTY}</properties><error/></testcase>`],
	[
		"<testcase><properties><property name='a' value='b'/></properties></testcase>",
		`<testcase><properties>${PROPERTY}<property name='a' value='b'/></properties></testcase>`,
	],
	["<testcase\n></testcase>", `<testcase\n><properties>${PROPERTY}</properties></testcase>`],
	[
		"<j:testcase><j:properties/></j:testcase>",
		`<j:testcase><j:properties>${PROPERTY.replace("<", "<j:")}</j:properties></j:testcase>`,
	],
])("the copy of %s has its link among the test's properties", (before, after) => {
	const around = (inner: string) => bytes(`<s:testsuite><properties/>${inner}<!-- > --></s:testsuite>`);
	const [found] = readJunit(around(before)).cases;
	const copy = withLinks(around(before), new Map([[found as NonNullable<typeof found>, "http://td/"]]));
	expect(copy.toString()).toBe(around(after).toString());
});

test.each([
	["windows-1252", Buffer.from([0x80, 0x93, 0xe9]), "€“é"],
	["ISO-8859-1", Buffer.from([0xe9]), "é"],
	["iso-8859-15", Buffer.from([0xa4]), "€"],
	["windows-1251", Buffer.from([0xcf]), "П"],
	["Shift_JIS", Buffer.from([0x83, 0x65]), "テ"],
	["GBK", Buffer.from([0xb2, 0xe2]), "测"],
	["utf-16", Buffer.from("é"), "é"],
])("a name in %s, as declared, is read", (encoding, encoded, name) => {
	const begin = `<?xml version="1.0" encoding="${encoding}"?><testsuite><testcase name="`;
	const text = Buffer.concat([bytes(begin), encoded, bytes('"/></testsuite>')]);
	expect(readJunit(text).cases).toMatchObject([{ name }]);
});

test.each(["utf-16le", "utf-16be"])("a report in %s without a byte order mark is read, declared or not", (encoding) => {
	for (const declaration of ["", '<?xml version="1.0" encoding="UTF-16"?>\n']) {
		const text = Buffer.from(`${declaration}<testsuite><testcase name="é>測"/></testsuite>`, "utf16le");
		expect(readJunit(encoding === "utf-16be" ? text.swap16() : text).cases).toMatchObject([{ name: "é>測" }]);
	}
});

test("an encoding that is unknown, or in which a copy cannot be made byte for byte, is refused by its name", () => {
	for (const encoding of ["x-klingon", "ISO-2022-JP", "utf-7"]) {
		const text = `<?xml version="1.0" encoding="${encoding}"?><testsuite/>`;
		expect(() => readJunit(bytes(text))).toThrow(`its encoding ${encoding} is not supported`);
	}
});

test("a message that says nothing gives way to what the error says, in its text or in the output of its test", () => {
	const report = bytes(`<testsuite name="ShopTest">
		<testcase classname="ShopTest" name="testLogin"><failure type="PHPUnit\\Framework\\ExpectationFailedException">ShopTest::testLogin
the sign-in form is missing
Failed asserting that false is true.

/t/ShopTest.php:6</failure></testcase>
		<testcase classname="shop" name="TestLast"><failure message="Failed" type="">=== RUN   TestLast&#xA;    x_test.go:6: no last&#xA;--- FAIL: TestLast (0.50s)</failure></testcase>
		<testcase classname="CTest" name="pays" status="fail"><failure message="Failed"/><system-out>begins
shop.cc:7: total is 19
</system-out></testcase>
		<testcase name="says it"><failure message="no total"/><system-out>more</system-out></testcase>
		<testcase name="again"><rerunFailure type="java.lang.RuntimeException">java.lang.RuntimeException: no cart
	at a.B(B.java:3)</rerunFailure></testcase></testsuite>`);
	const { cases } = readJunit(report);
	expect(cases.map(({ summary }) => summary)).toEqual([
		...["the sign-in form is missing", "no last", "total is 19", "no total", ""],
	]);
	expect(cases[0]?.message).toMatch(/^ShopTest::testLogin\nthe sign-in form is missing\n/);
	expect(cases[3]?.message).toBe("no total");
	expect(cases[4]?.reruns).toMatchObject([{ summary: "java.lang.RuntimeException: no cart" }]);
});

test("quotation marks that Node.js has escaped twice are read as such, and a reference that a test is about stays", () => {
	const twice = `<testsuites><testcase name="reads &amp;quot;a&amp;quot;" classname="test">
		<failure message="Unexpected token '&lt;', &amp;quot;&lt;p>&amp;quot; is not valid JSON">"&lt;p>"</failure></testcase></testsuites>`;
	expect(readJunit(bytes(twice)).cases).toMatchObject([
		{ name: 'test › reads "a"', summary: `Unexpected token '<', "<p>" is not valid JSON` },
	]);
	const once = `<testsuite><testcase name="a"><failure message="expected &quot;&amp;quot;&quot;">x</failure></testcase></testsuite>`;
	expect(readJunit(bytes(once)).cases).toMatchObject([{ summary: 'expected "&quot;"' }]);
});
