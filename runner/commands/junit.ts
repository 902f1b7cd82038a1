/** Reads the test cases of a JUnit report, and writes links into a copy of it. */
import sax from "sax";

export interface TestCase {
	name: string;
	result: "passed" | "failed" | "skipped";
	/** When it ended, ms since 1970; null when the report has no times. */
	endedAt: number | null;
	/** Without a time zone, the report's times are those of some clock: local, or UTC. */
	zoned: boolean;
	/** Where in the report its properties begin, or the end of its own start tag. */
	insertAt: number;
	/** What has to be written around a property there. */
	place: "properties" | "testcase" | "empty";
}

/** A report is text that somebody's tests wrote: this much of it is read. */
const MAX_CHARACTERS = 50_000_000;

/**
 * Times count from the suite's timestamp, one test after the other, unless a test has its own.
 * @throws Error with a sentence when it is not a report. Entities of the document's own are refused, never expanded.
 */
export function readJunit(text: string): TestCase[] {
	if (text.length > MAX_CHARACTERS) throw new Error("the file is too large");
	const parser = sax.parser(true, { position: true });
	const cases: TestCase[] = [];
	const open: string[] = [];
	let clock: { at: number | null; zoned: boolean } = { at: null, zoned: false };
	let current: TestCase | null = null;
	let sawRoot = false;
	parser.onerror = (error) => {
		throw new Error((error.message.split("\n")[0] ?? "it is not XML").toLowerCase());
	};
	parser.onopentag = ({ name, attributes, isSelfClosing }) => {
		if (!sawRoot && name !== "testsuites" && name !== "testsuite") throw new Error("it is not a JUnit report");
		sawRoot = true;
		open.push(name);
		const value = (key: string): string => String((attributes as Record<string, unknown>)[key] ?? "");
		if (name === "testsuite") clock = instantOf(value("timestamp")) ?? clock;
		if (name === "testcase") {
			const own = instantOf(value("timestamp"));
			const began = own ?? clock;
			const seconds = Number(value("time").replaceAll(",", "")) || 0;
			const endedAt = began.at === null ? null : began.at + Math.max(0, seconds) * 1_000;
			if (own === null) clock = { ...clock, at: endedAt };
			current = {
				name: [value("classname"), value("name")].filter(Boolean).join(" › "),
				result: "passed",
				endedAt,
				zoned: began.zoned,
				insertAt: parser.position,
				place: isSelfClosing ? "empty" : "testcase",
			};
			cases.push(current);
		}
		if (current !== null && open.at(-2) === "testcase") {
			if (name === "failure" || name === "error") current.result = "failed";
			if (name === "skipped") current.result = "skipped";
			if (name === "properties" && !isSelfClosing)
				Object.assign(current, { insertAt: parser.position, place: "properties" });
		}
	};
	parser.onclosetag = (name) => {
		open.pop();
		if (name === "testcase") current = null;
	};
	parser.write(text).close();
	if (!sawRoot) throw new Error("it is not a JUnit report");
	return cases;
}

/** Reads `2026-11-23T09:12:00`, with or without a zone. */
function instantOf(text: string): { at: number; zoned: boolean } | null {
	if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return null;
	const at = Date.parse(text);
	return Number.isNaN(at) ? null : { at, zoned: /(Z|[+-]\d\d:?\d\d)$/.test(text) };
}

/**
 * The moment of a test on the recording's clock: a time without a zone is local, or UTC when only that lies inside.
 * @returns null when it lies outside of the recording.
 */
export function momentOf({ endedAt, zoned }: TestCase, recording: { from: number; to: number }): number | null {
	if (endedAt === null) return null;
	const asUtc = endedAt - new Date(endedAt).getTimezoneOffset() * 60_000;
	const candidates = zoned ? [endedAt] : [endedAt, asUtc];
	// Reports round to a second or a millisecond.
	const inside = candidates.find((at) => at >= recording.from - 1_000 && at <= recording.to + 1_000);
	return inside === undefined ? null : Math.min(Math.max(inside, recording.from), recording.to);
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** @returns the report with a property for each test case that has a link, and nothing else changed. */
export function withLinks(text: string, links: ReadonlyMap<TestCase, string>): string {
	let result = "";
	let from = 0;
	for (const [{ insertAt, place }, url] of [...links].sort(([a], [b]) => a.insertAt - b.insertAt)) {
		const property = `<property name="tapedeck.url" value="${escaped(url)}"/>`;
		const before = text.slice(from, insertAt);
		if (place === "properties") result += before + property;
		else if (place === "testcase") result += `${before}<properties>${property}</properties>`;
		else result += `${before.replace(/\s*\/>$/, ">")}<properties>${property}</properties></testcase>`;
		from = insertAt;
	}
	return result + text.slice(from);
}
