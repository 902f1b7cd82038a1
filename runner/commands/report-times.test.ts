import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readJunit } from "./junit.ts";
import { timesOf } from "./report-times.ts";

const at = (time: string) => Date.parse(`2026-11-23T${time}Z`);
const times = (report: string, began: string, written: string) =>
	timesOf([{ ...readJunit(Buffer.from(report)), writtenAt: at(written) }], {
		...{ startedAt: at(began), from: at(began), to: at(written) + 1_000 },
	})[0]?.moments ?? [];
const CASES = '<testcase name="a" time="2"/><testcase name="b" time="1"><failure/></testcase>';

test.each([
	"2026-11-23T09:00:00Z",
	"2026-11-23 09:00:00",
	"2026-11-23T10:00:00.000+0100",
	"Mon, 23 Nov 2026 09:00:00 GMT",
	"Mon Nov 23 09:00:00 UTC 2026",
	"11/23/2026 9:00:00 AM",
	"23.11.2026 09:00:00",
	String(at("09:00:00")),
])("tests one after the other from %s have exact times", (timestamp) => {
	const report = `<testsuite timestamp="${timestamp}">${CASES}</testsuite>`;
	// A whole second may be half over.
	expect(times(report, "08:59:59", "09:00:03.500")).toEqual([
		{ at: at("09:00:02.250"), durationMs: 2_000, isAbout: false },
		{ at: at("09:00:03.250"), durationMs: 1_000, isAbout: false },
	]);
});

test("a report without a timestamp, and one with that of its end, count from when it was written", () => {
	const exact = [
		{ at: at("09:00:07"), durationMs: 2_000, isAbout: false },
		{ at: at("09:00:08"), durationMs: 1_000, isAbout: false },
	];
	expect(times(`<testsuite time="3">${CASES}</testsuite>`, "09:00:00", "09:00:08")).toEqual(exact);
	const late = `<testsuite timestamp="2026-11-23T09:00:08Z" time="3">${CASES}</testsuite>`;
	expect(times(late, "09:00:00", "09:00:08")).toEqual(exact);
});

test("parallel tests, hooks between tests and suites that carry the run's start have times that are not exact", () => {
	const suite = (time: string, cases = CASES) =>
		`<testsuite timestamp="2026-11-23T09:00:00Z" time="${time}">${cases}</testsuite>`;
	const reports = [suite("2"), suite("9"), suite("3"), `<testsuites time="9">${suite("3")}${suite("3")}</testsuites>`];
	for (const report of reports) {
		const moments = times(report, "08:59:59", "09:00:09");
		expect(
			moments.map((each) => each?.isAbout),
			report,
		).toEqual(moments.map(() => true));
		for (const each of moments) expect(each?.at).toBeLessThanOrEqual(at("09:00:09"));
	}
});

test("a test outside of the recording, and one whose report has no times, has no moment", () => {
	const early = `<testsuite timestamp="2026-11-23T03:05:00Z" time="3">${CASES}</testsuite>`;
	expect(times(early, "09:00:00", "09:00:09")).toEqual([null, null]);
	expect(times('<testsuite><testcase name="a"/></testsuite>', "09:00:00", "09:00:09")).toEqual([null]);
});

const seconds = (moments: ReturnType<typeof times>) =>
	moments.map((each) => each && `${each.isAbout ? "about " : ""}${(each.at - at("09:00:00")) / 1_000}`);
const claims = (report: string, began: string, written: string) => seconds(times(report, began, written));
const suiteAt = (timestamp: string, time: string, cases: string) =>
	`<testsuite ${timestamp && `timestamp="2026-11-23T${timestamp}Z"`} ${time && `time="${time}"`}>${cases}</testsuite>`;

test("suites that carry the run's start, as Playwright writes them, have no exact times", () => {
	const first = '<testcase name="a1" time="3.987"/><testcase name="a2" time="0.499"/>';
	const later = suiteAt("09:00:01.250", "1.008", '<testcase name="b1" time="1.008"><failure/></testcase>');
	const both = suiteAt("09:00:01.250", "4.486", first) + later;
	for (const root of ["<testsuites>", '<testsuites time="6.61">', '<testsuites time="5.494">', '<testsuites time="0">'])
		for (const written of ["09:00:06.800", "09:00:07.900"]) {
			const all = claims(`${root}${both}</testsuites>`, "09:00:00", written);
			expect(all, root).toEqual(all.map(() => expect.stringMatching(/^about /)));
		}
	// One file alone: its workers were started before its first test.
	expect(claims(`<testsuites time="2.2">${later}</testsuites>`, "09:00:00", "09:00:03.500")).toEqual([
		expect.stringMatching(/^about /),
	]);
});

test("a pause that could be anywhere is only counted as none when it is short", () => {
	const cases = '<testcase name="a" time="2"/><testcase name="b" time="2"><failure/></testcase>';
	const precise = (wall: string, written = "09:00:07") =>
		claims(suiteAt("09:00:01.400", wall, cases), "09:00:00", written);
	expect(precise("4.3")).toEqual(["3.4", "5.4"]);
	// Written much later: the timestamp may be that of the run, whose only suite began later.
	expect(precise("4.3", "09:00:09")).toEqual([expect.stringMatching(/^about/), expect.stringMatching(/^about/)]);
	expect(precise("5.2")).toEqual(["about 4", "about 6"]);
	// pytest-xdist: two workers, three seconds to start them.
	expect(precise("5.1")).toEqual([expect.stringMatching(/^about/), expect.stringMatching(/^about/)]);
	const whole = (written: string) => claims(suiteAt("09:00:01", "", cases), "09:00:00", written);
	expect(whole("09:00:05.900")).toEqual(["3.45", "5.45"]);
	expect(whole("09:00:06.400")).toEqual(["3.7", "5.7"]);
	expect(whole("09:00:07")).toEqual(["about 4", "about 6"]);
});

test("the next suite's start bounds a suite, with the rest of its second when it is a whole one", () => {
	const one = '<testcase name="a" time="2"/>';
	const report = (first: string, next: string) =>
		`<testsuites>${suiteAt(first, "2", one)}${suiteAt(next, "1", '<testcase name="b" time="1"><failure/></testcase>')}</testsuites>`;
	expect(claims(report("09:00:01.100", "09:00:03.200"), "09:00:00", "09:00:04.300")).toEqual(["3.1", "4.2"]);
	expect(claims(report("09:00:01", "09:00:03"), "09:00:00", "09:00:04.300")).toEqual(["3.5", "4.15"]);
	expect(claims(report("09:00:01", "09:00:04"), "09:00:00", "09:00:05.300")).toEqual(["about 4", "5.15"]);
	// A hook of three seconds before the first test, as mocha writes it.
	expect(claims(report("09:00:01", "09:00:06"), "09:00:00", "09:00:07.100")?.[0]).toMatch(/^about/);
});

test("without timestamps, several suites have exact times only if the command had no time for hooks", () => {
	const phpunit = `<testsuites><testsuite name="all" time="3"><testsuite name="A" time="3">${CASES}</testsuite></testsuite></testsuites>`;
	expect(claims(phpunit, "09:00:00", "09:00:08")).toEqual(["7", "8"]);
	const two = `<testsuites><testsuite name="A" time="3">${CASES}</testsuite><testsuite name="B" time="1">${test1("1")}</testsuite></testsuites>`;
	expect(claims(two, "09:00:00", "09:00:08")).toEqual(["about 6", "about 7", "about 8"]);
	expect(claims(two, "09:00:00", "09:00:04.400")).toEqual(["2.4", "3.4", "4.4"]);
	expect(claims(`<testsuite time="3.04">${CASES}</testsuite>`, "09:00:00", "09:00:08.040")).toEqual(["7", "8"]);
	const hooks = claims(`<testsuite time="6">${CASES}</testsuite>`, "09:00:00", "09:00:08");
	expect(hooks).toEqual(["about 5.5", "about 6.5"]);
});

test.each([
	["a root without a time", `<testsuites><testsuite name="S" time="3.0">${CASES}</testsuite></testsuites>`, ["7", "8"]],
	[
		"a root with a time",
		`<testsuites time="3"><testsuite name="S" time="3">${CASES}</testsuite></testsuites>`,
		["7", "8"],
	],
	[
		"suites around suites",
		`<testsuites><testsuite><testsuite name="S" time="3">${CASES}</testsuite></testsuite></testsuites>`,
		["7", "8"],
	],
	[
		"an empty suite beside",
		`<testsuites><testsuite name="S" time="3">${CASES}</testsuite><testsuite name="E" time="0"/></testsuites>`,
		["7", "8"],
	],
	["a lone test", `<testsuites><testsuite name="S"><testcase name="a" time="1.0"/></testsuite></testsuites>`, ["8"]],
])("a report without timestamps is as exact with %s as without a root", (_, report, expected) => {
	expect(claims(report, "09:00:00", "09:00:08")).toEqual(expected);
});

test("other runs of a test have their own times, where the report says them", () => {
	const rerun = (attributes: string) =>
		`<testsuite><testcase name="a" time="1" timestamp="2026-11-23T09:00:05.200Z"><flakyFailure ${attributes}/></testcase></testsuite>`;
	const [dated] = timesOf(
		[
			{
				...readJunit(Buffer.from(rerun('time="1.5" timestamp="2026-11-23T09:00:02.100Z"'))),
				writtenAt: at("09:00:07"),
			},
		],
		{
			...{ startedAt: at("09:00:00"), from: at("09:00:00"), to: at("09:00:08") },
		},
	);
	expect(dated?.reruns).toEqual([
		[{ moment: { at: at("09:00:03.600"), durationMs: 1_500, isAbout: false }, durationMs: 1_500 }],
	]);
	expect(dated?.moments[0]).toMatchObject({ at: at("09:00:06.200"), isAbout: false });
	const [undated] = timesOf([{ ...readJunit(Buffer.from(rerun('time="1.5"'))), writtenAt: at("09:00:07") }], {
		...{ startedAt: at("09:00:00"), from: at("09:00:00"), to: at("09:00:08") },
	});
	expect(undated?.reruns).toEqual([[{ moment: null, durationMs: 1_500 }]]);
});

test("without the time of its suite, a report without timestamps says nothing about pauses between its tests", () => {
	expect(claims(`<testsuite>${CASES}</testsuite>`, "09:00:00", "09:00:08")).toEqual([about, about]);
	expect(claims(`<testsuite>${CASES}</testsuite>`, "09:00:00", "09:00:03.400")).toEqual(["2.4", "3.4"]);
	expect(claims(`<testsuite>${test1("2")}</testsuite>`, "09:00:00", "09:00:08")).toEqual(["8"]);
	// More than the command had time for: they ran side by side.
	const two = `<testsuite time="3">${CASES}</testsuite>`.repeat(2);
	expect(claims(`<testsuites>${two}</testsuites>`, "09:00:00", "09:00:05.200")).toEqual([about, about, about, about]);
});

test("a timestamp of minutes is no exact start", () => {
	const report =
		'<testsuite timestamp="2026-11-23 09:00Z"><testcase name="a" time="42"><failure/></testcase></testsuite>';
	expect(claims(report, "09:00:40", "09:01:40")).toEqual(["about 90.5"]);
	const measured =
		'<testsuite timestamp="2026-11-23 09:00Z" time="44"><testcase name="a" time="42"><failure/></testcase></testsuite>';
	expect(claims(measured, "09:00:00", "09:01:10")).toEqual([expect.stringMatching(/^about/)]);
});

test("tests that have starts of their own are exact, and a start that a whole suite shares is not theirs", () => {
	const own = (...starts: string[]) =>
		starts.map((each) => `<testcase name="a" time="2" timestamp="2026-11-23T${each}Z"><failure/></testcase>`).join("");
	const shared = "09:00:01.500";
	expect(claims(`<testsuite>${own("09:00:01.500", "09:00:02.100")}</testsuite>`, "09:00:00", "09:00:08")).toEqual([
		"3.5",
		"4.1",
	]);
	const two = `<testsuites>${suiteAt(shared, "", own(shared, shared))}${suiteAt("09:00:05.100", "", own("09:00:05.100"))}</testsuites>`;
	expect(claims(two, "09:00:00", "09:00:09")).toEqual(["about 5.25", "about 7.25", "7.1"]);
	// Ends, not starts: the last would have ended after the report was written.
	expect(claims(`<testsuite>${own("09:00:04.500", "09:00:07.500")}</testsuite>`, "09:00:00", "09:00:08")).toEqual([
		"4.5",
		"7.5",
	]);
});

/** Combined times of several reports of one run, each with the time of its writing. */
const together = (...written: [report: string, at: string][]) =>
	timesOf(
		written.map(([report, time]) => ({ ...readJunit(Buffer.from(report)), writtenAt: at(time) })),
		{ startedAt: at("09:00:00"), from: at("09:00:00"), to: at("09:01:00") },
	).map(({ moments }) => seconds(moments));
const about = expect.stringMatching(/^about /);
const test1 = (time: string, more = "") => `<testcase name="a" time="${time}" ${more}><failure/></testcase>`;

test("suites that ran side by side do not bound each other, however their seconds were rounded", () => {
	// Two workers of jest: they began within a tenth of a second, on both sides of a whole one.
	const first = suiteAt("09:00:01", "2.2", test1("0.500") + test1("1.500"));
	const second = suiteAt("09:00:02", "4.1", test1("1.500") + test1("0.500"));
	const [ships, returns] = times(`<testsuites>${first}${second}</testsuites>`, "09:00:00", "09:00:06.300");
	for (const [moment, end] of [
		[ships, at("09:00:02.600")],
		[returns, at("09:00:04.100")],
	] as const)
		expect(moment?.isAbout === true || Math.abs((moment?.at ?? 0) - end) <= 1_000).toBe(true);
	// The second one began while a pause of the first one lasted.
	const paused = suiteAt("09:00:01", "4.0", test1("1.000"));
	expect(claims(`<testsuites>${paused}${second}</testsuites>`, "09:00:00", "09:00:06.300")[0]).toMatch(/^about/);
});

test("whole seconds before a pause that was measured leave more than a second open", () => {
	// jest-junit: two seconds are open, one of the timestamp and one of a hook.
	const first = suiteAt("09:00:01", "3.1", test1("1.000") + test1("1.000"));
	const next = suiteAt("09:00:05", "1.0", test1("1.000"));
	expect(claims(`<testsuites>${first}${next}</testsuites>`, "09:00:00", "09:00:06.400")).toEqual([about, about, "6.2"]);
});

test("a suite that is said to have taken no time, as mocha writes of one with others inside, bounds nothing", () => {
	const outer = suiteAt("09:00:01", "0.000", test1("0.5") + test1("0.7"));
	const inner = suiteAt("09:00:05", "2.500", test1("0.3"));
	const all = claims(`<testsuites time="7">${outer}${inner}</testsuites>`, "09:00:00", "09:00:08");
	expect(all).toEqual([about, about, about]);
	expect(all[0]).not.toBe("about 0");
});

test("reports without timestamps are exact if each was written at its end, and not if all were at the end of the run", () => {
	const report = `<testsuite time="3">${CASES}</testsuite>`;
	expect(together([report, "09:00:04"], [report, "09:00:08"])).toEqual([
		["3", "4"],
		["7", "8"],
	]);
	// Side by side, such as Surefire's forks.
	expect(together([report, "09:00:04"], [report, "09:00:05.500"])).toEqual([
		["3", "4"],
		["4.5", "5.5"],
	]);
	const short = '<testsuite time="0.01"><testcase name="s" time="0.01"/></testsuite>';
	const atOnce = together([report, "09:00:08.100"], [short, "09:00:08.120"], [report, "09:00:08.200"]);
	expect(atOnce).toEqual([[about, about], [about], [about, about]]);
	// Short ones one after the other fit.
	expect(together([short, "09:00:08.100"], [short, "09:00:08.120"]).flat()).not.toContainEqual(about);
});

test("files that carry the end of the run as their timestamp are not exact, and those with their own end are", () => {
	const ended = (time: string) => suiteAt(time, "3.000", CASES);
	expect(together([ended("09:00:08.050"), "09:00:08.100"], [ended("09:00:08.050"), "09:00:08.120"])).toEqual([
		[about, about],
		[about, about],
	]);
	expect(together([ended("09:00:04.000"), "09:00:04.100"], [ended("09:00:08.050"), "09:00:08.100"])).toEqual([
		["3.05", "4.05"],
		["7.05", "8.05"],
	]);
	// Written when the run had ended: only the last one shows that they are ends.
	expect(together([ended("09:00:04.050"), "09:00:08.100"], [ended("09:00:08.050"), "09:00:08.500"])[0]).toEqual([
		"3.05",
		"4.05",
	]);
});

test("files with starts of their own are exact also when all were written at the end of the run", () => {
	const begun = (time: string) => suiteAt(time, "3.040", CASES);
	expect(together([begun("09:00:01.500"), "09:00:30"], [begun("09:00:05.250"), "09:00:30.050"])).toEqual([
		["3.5", "4.5"],
		["7.25", "8.25"],
	]);
	// As one file would be, whose suites share a timestamp.
	expect(together([begun("09:00:01.500"), "09:00:30"], [begun("09:00:01.500"), "09:00:30.050"])).toEqual([
		[about, about],
		[about, about],
	]);
});

test("ends of tests in whole seconds are known from any report of their tool, and are within the second", () => {
	const ended = (time: string) => `<testsuite>${test1("2.5", `timestamp="2026-11-23T${time}"`)}</testsuite>`;
	expect(together([ended("09:00:04"), "09:00:09"], [ended("09:00:08"), "09:00:09.010"])).toEqual([["4.5"], ["8.5"]]);
});

test("tests that ran again, and errors of a suite, have no exact times", () => {
	const rerun = test1("1").replace("</testcase>", "<rerunFailure/></testcase>");
	expect(claims(`<testsuite time="2">${rerun}${test1("1")}</testsuite>`, "09:00:00", "09:00:08")).toEqual([
		about,
		about,
	]);
	const errors = suiteAt("09:00:01.100", "2.000", `${test1("2.000")}<error message="Hook failed"/>`);
	expect(claims(errors, "09:00:00", "09:00:03.150")).toEqual(["3.1", about]);
});

test("reports of many suites and tests are read in time that grows with them", () => {
	const suites = Array.from({ length: 20_000 }, (_, index) => {
		const time = new Date(at("09:00:00") + index * 2).toISOString().replace(".000Z", ".001Z");
		return `<testsuite timestamp="${time}" time="0.002"><testcase name="a" time="0.002"/></testsuite>`;
	});
	const moments = times(`<testsuites>${suites.join("")}</testsuites>`, "09:00:00", "09:00:40.100");
	expect(moments.filter((each) => each?.isAbout === false)).toHaveLength(20_000);
});

/** A run of suites, by one worker or two, with pauses before, between and after tests; in milliseconds. */
const runs = fc.record({
	workers: fc.integer({ min: 1, max: 2 }),
	suites: fc.array(
		fc.record({
			before: fc.integer({ min: 0, max: 3_000 }),
			after: fc.integer({ min: 0, max: 2_000 }),
			tests: fc.array(fc.record({ pause: fc.oneof(fc.constant(0), fc.nat(3_000)), length: fc.nat(3_000) }), {
				...{ minLength: 1, maxLength: 3 },
			}),
		}),
		{ minLength: 1, maxLength: 3 },
	),
	startedAfter: fc.integer({ min: 0, max: 4_000 }),
	writtenAfter: fc.integer({ min: 10, max: 3_000 }),
	stamps: fc.constantFrom("seconds", "milliseconds"),
	walls: fc.constantFrom("measured", "sum", "none"),
	isOneFile: fc.boolean(),
	hasRoot: fc.boolean(),
});

test("an exact time is within a second of the truth when suites have their starts, whatever pauses a run has", () => {
	const written = (milliseconds: number) => (milliseconds / 1_000).toFixed(3);
	fc.assert(
		fc.property(runs, (run) => {
			const startedAt = at("09:00:00.123");
			const free = Array.from({ length: run.workers }, () => startedAt + run.startedAfter);
			const suites = run.suites.map(({ before, after, tests }) => {
				const worker = free.indexOf(Math.min(...free));
				const begun = free[worker] ?? 0;
				let now = begun + before;
				const ends = tests.map(({ pause, length }) => {
					now += pause + length;
					return now;
				});
				free[worker] = now + after;
				const sum = tests.reduce((all, { length }) => all + length, 0);
				const time = run.walls === "none" ? "" : ` time="${written(run.walls === "sum" ? sum : now + after - begun)}"`;
				const stamp = new Date(begun).toISOString().replace(run.stamps === "seconds" ? /\.\d+/ : "", "");
				const cases = tests.map(({ length }) => `<testcase name="a" time="${written(length)}"/>`).join("");
				return { ends, xml: `<testsuite timestamp="${stamp}"${time}>${cases}</testsuite>` };
			});
			const end = Math.max(...free);
			const root = run.hasRoot ? `<testsuites time="${written(end - startedAt)}">` : "<testsuites>";
			const files = run.isOneFile
				? [`${root}${suites.map(({ xml }) => xml).join("")}</testsuites>`]
				: suites.map(({ xml }) => xml);
			const writtenAt = end + run.writtenAfter;
			const found = timesOf(
				files.map((xml) => ({ ...readJunit(Buffer.from(xml)), writtenAt })),
				{ startedAt, from: startedAt, to: writtenAt },
			).flatMap(({ moments }) => moments);
			for (const [index, truth] of suites.flatMap(({ ends }) => ends).entries()) {
				const moment = found[index];
				if (moment?.isAbout === false) expect(Math.abs(moment.at - truth), files.join("\n")).toBeLessThanOrEqual(1_000);
			}
		}),
		{ seed: 25, numRuns: 3_000 },
	);
});
