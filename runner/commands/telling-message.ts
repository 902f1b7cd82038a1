/**
 * The line of an error that says what failed. Many tools write only a class or a fixed word as the message of a failure, such
 * as `RuntimeException` or `Failed`, and what happened in its text. No expression here backtracks: reports are foreign text.
 */

interface ReportedError {
	/** As the tool wrote it. */
	message: string;
	/** The class of the error, or another word of the tool. */
	type: string;
	/** The text of the failure, often with a stack. */
	body: string;
	/** Names of the test, with and without its class. */
	names: readonly string[];
	/** Whether the body is the output of the test, which says at its end what failed. */
	isOutput?: boolean;
}

/** More of a line is not looked at. */
const MAX_LINE = 2_000;
const MAX_LINES = 400;

/** Words that every failure could have. A line of them alone says nothing. */
const FIXED = new Set(
	`a an the in of on at to with for and is was not ok null nil none undefined unknown true false message messages
	fail failed fails failing failure failures error errors errored broken exception fault fatal problem
	test tests testcase case spec suite scenario step assertion assert asserted collection setup teardown
	see details detail stack stacktrace trace traceback backtrace location
	exit exited exitcode code status process command returned nonzero non zero`.split(/\s+/),
);
const EXIT = new Set(["exit", "exited", "exitcode"]);
const CLASS_ENDS = ["exception", "error", "errors", "failure", "failed", "fault", "throwable", "panic", "timeout"];
/** Lines that tools print around errors: go test, stacks, places. */
const NOISE = ["=== ", "--- FAIL", "--- SKIP", "--- PASS", 'File "', "Location:", "(in test file ", "Failing step:"];

/** @returns the message, or the first telling line of the body where the message says nothing; else a class, or nothing. */
export function tellingMessage({ message, type, body, names, isOutput = false }: ReportedError): {
	text: string;
	isOfBody: boolean;
} {
	const titles = titlesOf(names);
	const lines = message.split("\n", MAX_LINES);
	const first = lines.findIndex((line) => isTelling(line, type, titles));
	if (first !== -1) return { text: lines.slice(first).join("\n").trim(), isOfBody: false };
	const text = isOutput
		? (body.split("\n").findLast((line) => isTelling(line, type, titles)) ?? null)
		: tellingLine(body, type, titles);
	if (text !== null) return { text: withoutPlace(text.trim()), isOfBody: true };
	const word = message.trim() || type.trim();
	// Failures without a message are told apart by their tests, which one word of all of them would prevent.
	return { text: FIXED.has(word.toLowerCase()) ? "" : word, isOfBody: false };
}

function tellingLine(body: string, type: string, titles: readonly string[]): string | null {
	const lines = body.split("\n", MAX_LINES);
	// pytest marks what failed.
	const marked = lines.find((line) => /^E {2,}\S/.test(line));
	if (marked !== undefined) return marked.slice(1).trim();
	let isInTraceback = false;
	for (const [index, line] of lines.entries()) {
		if (line.trimStart().startsWith("Traceback (most recent call last)")) isInTraceback = true;
		else if (isInTraceback && /^\s/.test(line)) continue;
		else if (isTelling(line, type, titles)) {
			const text = withoutPlace(withoutComment(line.trim()));
			return text.startsWith("Error:") ? labelled(lines.slice(index), text) : text;
		}
	}
	return null;
}

/** testify writes its message behind a label, in lines that are indented further: `Error: Not equal:`, `expected: 1`. */
function labelled([line = "", ...others]: readonly string[], first: string): string {
	const indent = indentOf(line);
	if (indent === 0 || !line.includes("\t")) return first;
	const end = others.findIndex((other) => indentOf(other) <= indent);
	const more = others.slice(0, end === -1 ? undefined : end).map((other) => other.trim());
	return [first.slice("Error:".length).trim(), ...more].join(" ").slice(0, MAX_LINE);
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Longest first, so that a title within another one is not removed from it. */
const titlesOf = (names: readonly string[]): string[] =>
	[...new Set(names.map((name) => name.trim()))].filter((name) => name.length > 1).sort((a, b) => b.length - a.length);

function isTelling(whole: string, type: string, titles: readonly string[]): boolean {
	const line = withoutComment(whole.slice(0, MAX_LINE).trim());
	if (line === "" || line === type.trim() || NOISE.some((start) => line.startsWith(start)) || isFrame(line))
		return false;
	if (isStepList(line)) return false;
	let rest = withoutPlace(line);
	for (const title of titles) rest = rest.replaceAll(title, " ");
	const parts = rest.split(/\s+/).filter((part) => part !== "" && !isPlace(part) && !isBracketed(part));
	if (parts.length === 1 && isClass(parts[0] ?? "")) return false;
	const words = parts.flatMap((part) => part.toLowerCase().split(/[^\p{L}\p{N}_]+/u)).filter((word) => word !== "");
	if (words.length === 0) return false;
	// Numbers of exits and of failures. Others, as in `3 != 4`, are the error itself.
	const isCounted = words.some((word) => EXIT.has(word)) || /^\d+ (failure|error|test)s?\b/.test(line);
	const isNumber = (word: string): boolean => isCounted && /^\d+$/.test(word);
	return (
		!words.every((word) => FIXED.has(word) || isNumber(word)) ||
		(words.length > 0 && words.every((w) => /^\d+$/.test(w)))
	);
}

/** TAP's comments. */
const withoutComment = (line: string): string => (line.startsWith("# ") ? line.slice(2).trim() : line);

/** `x_test.go:5: no` is `no`. */
function withoutPlace(line: string): string {
	const end = line.indexOf(": ");
	return end > 0 && isPlace(line.slice(0, end + 1)) ? line.slice(end + 2).trim() : line;
}

/** `file.ts:3`, `/a/b.php:12:`, `src/lib.rs:5:9`. */
function isPlace(part: string): boolean {
	const [path = "", line = "", column = "", ...rest] = part.replace(/[,;)]$/, "").split(":");
	if (/\s/.test(part) || rest.some((more) => more !== "") || !/^\d{1,7}$/.test(line)) return false;
	return path.length > 1 && /[./\\]/.test(path) && /^\d{0,7}$/.test(column);
}

/** For example `[chromium]`. */
const isBracketed = (part: string): boolean => part.startsWith("[") && part.endsWith("]");

function isFrame(line: string): boolean {
	if (line.startsWith("at ") && (line.includes("(") || /:\d/.test(line) || /\bline \d/.test(line))) return true;
	if (line.startsWith("thread '") && line.includes("' panicked at ") && /:\d+:?$/.test(line)) return true;
	return /^#\d{1,4} /.test(line);
}

/** Cucumber lists the steps of a scenario with dots: `Given a cart.........passed`. */
const isStepList = (line: string): boolean =>
	["passed", "failed", "skipped", "undefined"].some((word) => line.endsWith(`..${word}`));

/** A class of an error alone, with its package, or any name with backslashes, as PHP has them. */
function isClass(word: string): boolean {
	const name = word.replace(/:$/, "");
	if (!/^[\w$.\\:]+$/.test(name)) return false;
	const last =
		name
			.toLowerCase()
			.split(/[.\\:$]/)
			.at(-1) ?? "";
	return CLASS_ENDS.some((end) => last.endsWith(end));
}
