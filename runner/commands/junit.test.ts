import * as fc from "fast-check";
import { expect, test } from "vitest";
import { momentOf, readJunit, withLinks } from "./junit.ts";

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="shop" timestamp="2026-11-23T09:00:00Z" tests="4">
    <testcase classname="Cart" name="adds &amp; removes" time="1.5"/>
    <testcase classname="Cart" name="pays" time="2"><failure message="no"><![CDATA[<b>]]></failure></testcase>
    <testcase name="later"><skipped/></testcase>
    <testcase name="own" timestamp="2026-11-23T09:01:00Z" time="1"><properties>
      <property name="a" value="b"/></properties></testcase>
  </testsuite>
</testsuites>
`;
const at = (time: string) => Date.parse(`2026-11-23T${time}Z`);

test("test cases have their names, results and the times at which they ended", () => {
	expect(readJunit(REPORT)).toMatchObject([
		{ name: "Cart › adds & removes", result: "passed", endedAt: at("09:00:01.500") },
		{ name: "Cart › pays", result: "failed", endedAt: at("09:00:03.500") },
		{ name: "later", result: "skipped", endedAt: at("09:00:03.500") },
		{ name: "own", result: "passed", endedAt: at("09:01:01") },
	]);
});

test("links are added as properties, and nothing else changes", () => {
	const cases = readJunit(REPORT);
	const links = new Map(cases.map((each, index) => [each, `http://td/jobs/1?t=${index}&x="<`]));
	const linked = withLinks(REPORT, links);
	expect(readJunit(linked)).toMatchObject(cases.map(({ name, result, endedAt }) => ({ name, result, endedAt })));
	expect(linked.match(/<property name="tapedeck.url" value="[^"<&]*&#38;x=&#34;&#60;"\/>/g) ?? linked).toHaveLength(4);
	expect(
		linked.replaceAll(/<property name="tapedeck\.url"[^>]*\/>/g, "").replaceAll("<properties></properties>", ""),
	).toBe(REPORT.replace('time="1.5"/>', 'time="1.5"></testcase>'));
	expect(withLinks(REPORT, new Map())).toBe(REPORT);
});

test("entities of the document's own are refused, and neither expanded nor fetched", () => {
	const laughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;">
		<!ENTITY file SYSTEM "file:///etc/passwd">]>`;
	for (const entity of ["lol2", "file"]) {
		const report = `${laughs}<testsuite><testcase name="&${entity};"/></testsuite>`;
		expect(() => readJunit(report)).toThrow(/entity/);
	}
});

test("what is not a report is refused with a sentence, whatever it is", () => {
	for (const text of ["", "no xml", "<html></html>", "<testsuite><testcase></testsuite>", "<testsuite>", "\u0000"]) {
		expect(() => readJunit(text), text).toThrow(Error);
	}
	fc.assert(
		fc.property(fc.string(), fc.nat(REPORT.length), (noise, place) => {
			const text = REPORT.slice(0, place) + noise + REPORT.slice(place);
			try {
				const cases = readJunit(text);
				expect(readJunit(withLinks(text, new Map(cases.map((each) => [each, "http://td/"]))))).toHaveLength(
					cases.length,
				);
			} catch (error) {
				expect((error as Error).message).toMatch(/./);
			}
		}),
	);
});

test("a time without a zone is local or UTC, whichever lies inside of the recording; one outside has no moment", () => {
	const recording = { from: at("09:00:00"), to: at("09:10:00") };
	const [zoned] = readJunit('<testsuite timestamp="2026-11-23T09:05:00Z"><testcase name="a"/></testsuite>');
	const [bare] = readJunit('<testsuite timestamp="2026-11-23T09:05:00"><testcase name="a"/></testsuite>');
	const [early] = readJunit('<testsuite timestamp="2026-11-23T03:05:00Z"><testcase name="a"/></testsuite>');
	const [none] = readJunit('<testsuite><testcase name="a" time="3"/></testsuite>');
	const moments = [zoned, bare, early, none].map((each) =>
		each === undefined ? undefined : momentOf(each, recording),
	);
	expect(moments).toEqual([at("09:05:00"), at("09:05:00"), null, null]);
});
