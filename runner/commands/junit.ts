/** Reads the bytes of a JUnit report as other readers do, and writes links into a copy of it. */
import sax from "sax";
import { tellingMessage } from "./telling-message.ts";
import { namesOf } from "./test-names.ts";

export interface TestCase {
	/** Its suite and its title; for an error of a suite, the first line of it. */
	name: string;
	/** Its class or suite, or the suite of an error; empty for none. */
	className: string;
	/** The project, such as the browser of WebdriverIO; empty for most tools. */
	project: string;
	/** Its file, as written; empty for most tools. */
	file: string;
	result: "passed" | "failed" | "skipped";
	/** The error of a failed test, in several lines; empty for others. */
	message: string;
	/** The error without its stack, or why a test was skipped; empty if the report does not say. */
	summary: string;
	/** Errors of other runs of this test, in their order: of those before it if it passed, else of those after it. */
	reruns: Rerun[];
	/** The duration as written; the whole report decides what it means. */
	time: string;
	/** When it began, as written; empty for most tools. */
	start: string;
	/** When it ended, as written; empty for most tools. */
	end: string;
	/** Index in the report's suites. */
	suite: number;
	/** Links go behind this `>`, counted from 0: a number that does not depend on the encoding. */
	insertAfter: number;
	/** The element that ends with this `>`. */
	place: "properties" | "testcase";
	isEmpty: boolean;
	/** Namespace prefix with its colon, if the report's elements have one. */
	prefix: string;
	/** An error of the suite itself, such as one of its hooks: nothing says when it happened. */
	isOfSuite: boolean;
	/** Paths of files that the test names in its output, as Jenkins and GitLab read them. */
	files: string[];
}

/** Another run of a test, which failed. */
export interface Rerun {
	summary: string;
	message: string;
	/** The duration as written; empty for most tools. */
	time: string;
	start: string;
}

export interface TestSuite {
	name: string;
	/** Index of the suite around it. */
	parent: number | null;
	timestamp: string;
	time: string;
	/** Capabilities of WebdriverIO's browser; empty for other tools. */
	capabilities: string;
	/** Whether tests of it were run again; its times are then those of several runs. */
	hasReruns: boolean;
}

export interface JunitReport {
	/** The first is the root. */
	suites: TestSuite[];
	cases: TestCase[];
	/** The same for reports of one tool. */
	shape: string;
}

const MAX_DEPTH = 200;
/** Maximum length of names (of messages below). Text is cut before it is masked, so a cut may be within a secret. */
export const MAX_NAME = 400;
/** Maximum length of a date or a duration. */
const MAX_TIME = 60;
const MAX_RERUNS = 100;
/** Maximum length of a test's output, which replaces the text of an error without one. */
const MAX_PRINTED = 4_000;
/** More than a marker's message has, so that the note on what was cut is still written. */
export const MAX_MESSAGE = 16_000;
/** Some of it is read as less, such as references to characters. */
const MAX_TEXT = 2 * MAX_MESSAGE;
/** A line of output that names a file: `[[ATTACHMENT|/home/ci/shop/failure.png]]`. */
const ATTACHMENT = /\[\[ATTACHMENT\|([^[\]\n]{1,4096})\]\]/g;
/** Longer than the longest one. Text comes in pieces, one of which may end in the middle of it. */
const ATTACHMENT_LENGTH = 4_200;
const MAX_FILES = 100;
const FAILURES = ["failure", "error"];
/** Surefire and those that follow it: attempts before the last one, which alone decides. */
const RERUNS = ["flakyFailure", "flakyError", "rerunFailure", "rerunError"];
const SKIPS = ["skipped", "disabled", "ignored"];
const SKIPPED = /\b(notrun|not run|not_run|skipped|skip|suppressed|disabled|ignored|pending)\b/;
const FAILED = /\b(fail|failed|failure|error|errored|broken)\b/;
const STARTS = ["timestamp", "start-time", "startTime", "started-at", "started", "start"];
const SUITES = ["testsuite", "testsuites"];

/**
 * Node.js escapes the quotation marks of attributes twice, so that readers would see `&quot;` in titles and messages. Such a report
 * has no mark that is escaped once.
 */
const withQuotes = (text: string): string => (text.includes("&quot;") ? text : text.replaceAll("&amp;quot;", "&quot;"));

/**
 * @param bytes in UTF-8, UTF-16 or the encoding that the report declares.
 * @throws Error with a sentence when it is not a report. Entities of the document's own are refused, never expanded.
 */
export function readJunit(bytes: Uint8Array): JunitReport {
	const text = withQuotes(new TextDecoder(encodingOf(bytes)).decode(bytes));
	const parser = sax.parser(true, { position: true });
	const report: JunitReport = { suites: [], cases: [], shape: "" };
	const open: string[] = [];
	const openSuites: number[] = [];
	let current: TestCase | null = null;
	/** Whether the test case that is open says that it was skipped, whatever else it contains. */
	let isSkipped = false;
	let hasDoctype = false;
	let ends = 0;
	let counted = 0;
	const endsUntil = (position: number): number => {
		for (; counted < position; counted++) if (text.charCodeAt(counted) === 0x3e) ends++;
		return ends - 1;
	};
	/** The error that is open, which a test or a suite has. */
	let failure = { message: "", type: "", text: "" };
	/** Times of the open rerun. */
	let rerun = { time: "", start: "" };
	/** The end of what the open test has printed. */
	let printed = "";
	/** The output that may have the beginning of an attachment's name. */
	let unread = "";
	const addFiles = (test: TestCase, more: string): void => {
		unread += more;
		let end = 0;
		for (const found of unread.matchAll(ATTACHMENT)) {
			end = found.index + found[0].length;
			if (test.files.length < MAX_FILES) test.files.push((found[1] ?? "").trim());
		}
		unread = unread.slice(Math.max(end, unread.length - ATTACHMENT_LENGTH));
	};
	/** @param text of the error; without one, CTest and Bazel have it in the output of the test. */
	const readError = (text: string, isOutput = false): { summary: string; message: string } => {
		const [message, type, body] = [readable(failure.message), readable(failure.type), readable(text)];
		const telling = tellingMessage({ message, type, body, names: calledBy(current), isOutput });
		// Its text has the line already. A word that says nothing is left out.
		return { summary: telling.text, message: telling.isOfBody ? body.trim() : errorOf(telling.text, body) };
	};
	const isPrinted = (): boolean =>
		current !== null && ["system-out", "system-err"].includes(open.at(-1) ?? "") && open.at(-2) === "testcase";
	const isInFailure = (): boolean =>
		current !== null && FAILURES.includes(open.at(-1) ?? "") && [...SUITES, "testcase"].includes(open.at(-2) ?? "");
	/** Also of its stack, which is an element of its own. */
	const isInRerun = (): boolean => current !== null && open.slice(-2).some((name) => RERUNS.includes(name));
	const addText = (more: string): void => {
		if (isInFailure() || isInRerun()) failure.text = (failure.text + more).slice(0, MAX_TEXT);
		if (!isPrinted()) return;
		printed = (printed + more).slice(-MAX_PRINTED);
		if (current !== null) addFiles(current, more);
	};
	parser.ondoctype = () => {
		hasDoctype = true;
	};
	parser.onerror = (error) => {
		const [what = "it is not XML", line] = error.message.split("\n");
		const entity = (parser as unknown as { entity: string }).entity;
		// Tools write characters that XML forbids, and ampersands as they are.
		const isHarmless =
			(what === "Invalid character entity" && (entity.startsWith("#") || !hasDoctype)) ||
			what === "Invalid character in entity name";
		if (!isHarmless) throw new Error(`${what.toLowerCase()}${line === undefined ? "" : ` (${line.toLowerCase()})`}`);
		(parser as unknown as { error: Error | null }).error = null;
	};
	parser.onopentag = ({ name: qualified, attributes, isSelfClosing }) => {
		const colon = qualified.indexOf(":") + 1;
		const name = qualified.slice(colon);
		if (report.suites.length === 0 && name !== "testsuites" && name !== "testsuite")
			throw new Error("it is not a JUnit report");
		open.push(name);
		if (open.length > MAX_DEPTH) throw new Error(`its elements are nested deeper than ${MAX_DEPTH}`);
		const value = (...keys: string[]): string => {
			for (const key of keys) {
				const found = (attributes as Record<string, unknown>)[key];
				if (found !== undefined) return String(found);
			}
			return "";
		};
		const place = { insertAfter: endsUntil(parser.position), isEmpty: isSelfClosing };
		const parent = open.at(-2) ?? "";
		if (SUITES.includes(name)) {
			const timestamp = value(...STARTS).slice(0, MAX_TIME);
			openSuites.push(report.suites.length);
			const around = openSuites.at(-2) ?? null;
			if (report.suites.length < 2) report.shape = shapeOf(report.shape, name, attributes);
			report.suites.push({
				name: value("name").slice(0, MAX_NAME),
				parent: around,
				timestamp,
				time: value("time", "duration").slice(0, MAX_TIME),
				capabilities: "",
				hasReruns: false,
			});
		} else if (name === "testcase") {
			const status = `${value("status")} ${value("result")}`.toLowerCase();
			current = {
				name: value("name"),
				className: value("classname"),
				project: "",
				file: value("file").slice(0, MAX_NAME),
				result: SKIPPED.test(status) ? "skipped" : FAILED.test(status) ? "failed" : "passed",
				message: "",
				summary: "",
				reruns: [],
				time: value("time", "duration").slice(0, MAX_TIME),
				start: value(...STARTS).slice(0, MAX_TIME),
				end: value("end-time", "endTime", "finished-at", "finished", "end").slice(0, MAX_TIME),
				suite: openSuites.at(-1) ?? 0,
				place: "testcase",
				prefix: qualified.slice(0, colon),
				isOfSuite: false,
				files: [],
				...place,
			};
			report.cases.push(current);
			printed = "";
			unread = "";
			failure = { message: "", type: "", text: "" };
		} else if (FAILURES.includes(name) && SUITES.includes(parent)) {
			failure = { message: value("message"), type: value("type"), text: "" };
			printed = "";
			const nowhere = { insertAfter: -1, place: "testcase", isEmpty: false, prefix: "" } as const;
			const suite = openSuites.at(-1) ?? 0;
			current = {
				name: "",
				className: report.suites[suite]?.name ?? "",
				project: "",
				file: "",
				result: "failed",
				message: "",
				summary: "",
				reruns: [],
				time: "",
				start: "",
				end: "",
				suite,
				isOfSuite: true,
				files: [],
				...nowhere,
			};
			report.cases.push(current);
		} else if (name === "property" && parent === "properties" && SUITES.includes(open.at(-3) ?? "")) {
			const suite = report.suites[openSuites.at(-1) ?? 0];
			if (suite !== undefined && value("name") === "capabilities")
				suite.capabilities = value("value").slice(0, MAX_NAME);
		} else if (current !== null && parent === "testcase") {
			if (FAILURES.includes(name)) {
				if (!isSkipped) current.result = "failed";
				failure = { message: value("message"), type: value("type"), text: "" };
			}
			if (SKIPS.includes(name)) {
				isSkipped = true;
				current.result = "skipped";
				current.summary = value("message");
			}
			if (name === "properties") Object.assign(current, { ...place, place: "properties" });
			const suite = report.suites[current.suite];
			if (RERUNS.includes(name)) {
				failure = { message: value("message"), type: value("type"), text: "" };
				rerun = { time: value("time", "duration").slice(0, MAX_TIME), start: value(...STARTS).slice(0, MAX_TIME) };
				if (suite !== undefined) suite.hasReruns = true;
			}
		}
	};
	parser.ontext = addText;
	parser.oncdata = addText;
	parser.onclosetag = () => {
		if (current !== null && isInFailure()) {
			const { summary, message: error } = readError(failure.text);
			if (!current.message.includes(error))
				current.message = [current.message, error].filter(Boolean).join("\n\n").slice(0, MAX_MESSAGE);
			if (!isSkipped) current.summary ||= summary.slice(0, MAX_MESSAGE);
		}
		const name = open.pop();
		if (current !== null && RERUNS.includes(name ?? "") && current.reruns.length < MAX_RERUNS) {
			const { summary, message } = readError(failure.text);
			const texts = { summary: summary.slice(0, MAX_MESSAGE), message: message.slice(0, MAX_MESSAGE) };
			current.reruns.push({ ...texts, ...rerun });
		}
		const isCase = name === "testcase" || (FAILURES.includes(name ?? "") && SUITES.includes(open.at(-1) ?? ""));
		if (isCase && current !== null) {
			if (current.result !== "failed") current.message = "";
			else if (failure.text.trim() === "" && printed.trim() !== "") {
				const { summary, message } = readError(printed, true);
				if (summary !== current.summary) Object.assign(current, { summary, message: message.slice(0, MAX_MESSAGE) });
			}
			// Tools that fail skipped tests at their end, or after a run that failed, still say that they are skipped.
			if (isSkipped) current.reruns = [];
			isSkipped = false;
			if (current.result === "passed") current.summary = "";
			current.summary = readable(current.summary);
			if (current.isOfSuite) {
				current.className = readable(current.className).slice(0, MAX_NAME);
				current.name = readable(current.message.split("\n")[0] || "Error of a suite").slice(0, MAX_NAME);
			} else nameCase(current, report.suites);
			current = null;
		}
		if (SUITES.includes(name ?? "")) openSuites.pop();
	};
	parser.write(text).close();
	if (report.suites.length === 0) throw new Error("it is not a JUnit report");
	return report;
}

function nameCase(test: TestCase, suites: readonly TestSuite[]): void {
	const { name: suite = "", capabilities = "" } = suites[test.suite] ?? {};
	const written = { className: readable(test.className), name: readable(test.name), suite: readable(suite) };
	const names = namesOf({ ...written, report: suites[0]?.name ?? "", capabilities });
	test.className = names.suite.slice(0, MAX_NAME);
	test.name = [names.suite, names.title].filter(Boolean).join(" › ").slice(0, MAX_NAME);
	test.project = names.project;
}

/** Names by which errors refer to the test itself, which say nothing about the error. */
function calledBy(test: Pick<TestCase, "name" | "className"> | null): string[] {
	if (test === null) return [];
	const { name, className } = test;
	const last = name.split(" › ").at(-1) ?? "";
	return [name, className, last, ...["::", ".", " › "].map((between) => `${className}${between}${name}`)];
}

/** The names of attributes, without those that only some reports of a tool have. */
function shapeOf(before: string, element: string, attributes: object): string {
	const names = Object.keys(attributes).filter(
		(name) => !/skip|disable|error|fail|assert|ignore|file|xmlns|:/i.test(name),
	);
	return `${before}${element}(${names.sort().join()})`.slice(0, MAX_NAME);
}

/** References to characters that XML forbids, such as the ESC of colors, are left as text by the parser. */
const readable = (text: string): string =>
	text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (all, hex, decimal) => {
		const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
		return code < 0x20 || (code >= 0x7f && code < 0xa0) ? String.fromCharCode(code) : all;
	});

/**
 * The whole of an error. Most tools write its message twice: by itself, and again where its stack begins, after the
 * name of its class. Others, such as pytest, have the source in between, and NUnit's text is the stack alone.
 */
function errorOf(summary: string, text: string): string {
	const words = (of: string): string => of.replace(/\s+/g, " ").trim();
	const [repeated, all] = [words(summary), words(text)];
	const at = all.indexOf(repeated);
	const isRepeated = at >= 0 && /^(\S+( \[\w+\])?:? )?$/.test(all.slice(0, at));
	return (isRepeated ? text : `${summary.trim()}\n${text}`).replace(/^\s*\n/, "").trimEnd();
}

/** By its byte order mark, its first bytes, or its declaration, as XML wants it. */
export function encodingOf(bytes: Uint8Array): string {
	const [a, b, c] = bytes;
	if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return "utf-16le";
	if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return "utf-16be";
	if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
	const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 400)).toString("latin1");
	const declared = /^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(beginning)?.[1];
	// Bytes that begin with one of `<` are not UTF-16, whatever they declare: .NET writes so of its strings.
	if (declared === undefined || /^(utf-?16|ucs-?2|iso-10646)/i.test(declared)) return "utf-8";
	try {
		const { encoding } = new TextDecoder(declared);
		// Elsewhere, a byte that looks like `>` is one.
		if (encoding !== "iso-2022-jp") return encoding;
	} catch {
		// Refused below.
	}
	throw new Error(`its encoding ${declared} is not supported`);
}

/** The position at which a link is inserted. */
export type LinkPlace = Pick<TestCase, "insertAfter" | "place" | "isEmpty" | "prefix">;

const escaped = (text: string): string =>
	Array.from(text, (each) => (/[\w\-./:?=;,+%#@!~*()[\] ]/.test(each) ? each : `&#${each.codePointAt(0)};`)).join("");

/** @returns the report's bytes with a property for each test case that has a link, and nothing else changed. */
export function withLinks(bytes: Uint8Array, links: ReadonlyMap<LinkPlace, string>): Buffer {
	const encoding = encodingOf(bytes);
	const width = encoding.startsWith("utf-16") ? 2 : 1;
	const high = encoding === "utf-16le" ? 1 : 0;
	const isEnd = (at: number): boolean =>
		width === 1 ? bytes[at] === 0x3e : bytes[at + 1 - high] === 0x3e && bytes[at + high] === 0;
	const write = (text: string): Buffer =>
		width === 1
			? Buffer.from(text, "latin1")
			: encoding === "utf-16le"
				? Buffer.from(text, "utf16le")
				: Buffer.from(text, "utf16le").swap16();
	const pieces: Uint8Array[] = [];
	let from = 0;
	let at = 0;
	let end = -1;
	const sorted = [...links].filter(([{ insertAfter }]) => insertAfter >= 0);
	for (const [{ insertAfter, place, isEmpty, prefix }, url] of sorted.sort(
		([a], [b]) => a.insertAfter - b.insertAfter,
	)) {
		for (; at < bytes.length && end < insertAfter; at += width) if (isEnd(at)) end++;
		const property = `<${prefix}property name="tapedeck.url" value="${escaped(url)}"/>`;
		const wrapped = `<${prefix}properties>${property}</${prefix}properties>`;
		// An empty element loses its slash, and gets an end tag.
		const opened = isEmpty ? [bytes.subarray(from, at - 2 * width), write(">")] : [bytes.subarray(from, at)];
		const inner = place === "properties" ? property : wrapped;
		pieces.push(...opened, write(isEmpty ? `${inner}</${prefix}${place}>` : inner));
		from = at;
	}
	return Buffer.concat([...pieces, bytes.subarray(from)]);
}
