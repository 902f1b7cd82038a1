/** The reason of a failure: the kind of error, and the lines that say why, found in the message or, if it says nothing, in the stack. */
import { isFrameLine, linesOf } from "./frame.ts";

export interface Reason {
	/** The class of the error without its package; empty for mere assertions and for `Error`. */
	kind: string;
	/** The lines that say why, the most telling one not necessarily first. */
	lines: string[];
	/** The reason of the error that led to this one. */
	root: string | null;
	/** Everything from the first line of a log of what was tried. */
	log: string[];
}

const MAX_LINES = 24;
const MAX_LINE = 400;

const CLASS = "[A-Za-z_$][\\w$]{0,100}(?:[.\\\\]{1,2}[A-Za-z_$][\\w$]{0,100}|::[A-Za-z_$][\\w$]{0,100}){0,12}";
/** `java.lang.AssertionError`, `PHPUnit\Framework\ExpectationFailedException`: nothing but a class. */
const ONLY_CLASS = new RegExp(`^${CLASS}:?$`);
const KIND = new RegExp(
	`^(?:Uncaught |Unhandled |Caused by: |\\[?Error \\[ERR_TEST_FAILURE\\]: )?(${CLASS})(?: \\[[\\w-]{1,60}\\])?(?:\\s?: ?|:?$)`,
);
/** Names of error classes. */
const IS_ERROR =
	/(?:Error|Exception|Failure|Failed|Warning|Timeout|TimedOut|Interrupt|Interrupted|Exit|Fault|Panic|Refused|Throwable|NotFound|Invalid|Denied|Rejected)$/;
const MERE =
	/^(?:Error|Failed|Assert(?:ion)?(?:Failed)?(?:Error|Exception|Failure)?|ExpectationFailedException|ComparisonFailure|MultipleFailuresError|Failure|ExpectationNotMetError|AssertFailedException|RuntimeWarning|TestFailedException|Throwable|CypressError|XunitException)$/;
/** Fixed words that tools report if they know no more. */
const SAYS_NOTHING =
	/^(?:failed|failure|error|test failed|test failure|assertion failed|exception|null|undefined|unknown(?: error)?|no message|n\/a|testCodeFailure|testTimeoutFailure|hookFailed|subtestsFailed|multipleCallbackInvocations|uncaughtException|[-.!]{0,3}|message:|failure:|error:)\.?$/i;

/** Lines that say where and with what, not why. */
const NOT_THE_REASON =
	/^(?:File ".{0,300}", line \d|unknown file$|Build info:|System info:|Driver info:|Session ID:|Session info|\(Session info|Element info:|Capabilities |Command:|For documentation on this error|See https?:|Because this error occurred|=== (?:RUN|PAUSE|CONT|NAME)\b|--- (?:FAIL|PASS|SKIP)|goroutine \d|exit status \d+$|FAIL\b|ok\b|\s*[\^~]+\s*$|[\d\s]{0,8}\||>\s*\d{1,6}\s*\||(?:\d{1,6}\s)?│|Traceback \(most recent|During handling of|The above exception|Hint: make sure your test|Stack:$|note: run with|Error Trace:|Test:\s|Test Case|Captured |Node\.js v\d|Failure\/Error: |\[?Error \[ERR_TEST_FAILURE\]: ?\]? ?\{?$|(?:code|failureType|generatedMessage|operator|diff): |cause: (?:\w{0,60}Error|'|\{)|[\]})]{1,4},?$|\{ stack: )/;
/** From here on, a log of what was tried, a page or a stack: it differs in times and in how often. */
const LOG_BEGINS =
	/^(?:Call log:|=+ logs? =+|Stacktrace:|Backtrace:|Ignored nodes:|Here are the (?:accessible|matching)|Falsifying example:|Failing test case:|Aria snapshot:|Page snapshot:|(?:\[?[\d-]{8,10}[T ]|\[?\d\d:\d\d:\d\d[.,\]\s]))/i;
/** Other lines are rules and brackets. */
const SAYS_SOMETHING = /[\p{L}\d]/u;
/** Diffs of values. */
const DIFF = /^(?:-(?:\s|$)|\+(?:$|(?!\s+(?:where|and)\s)\s)|@@|--- |\+\+\+ |\? |Diff:$)/;

/**
 * @param message null or empty if none was reported.
 * @param stack null if none was reported.
 */
export function reasonOf(message: string, stack: string, test: string): Reason {
	const stackLines = stack === "" ? [] : linesOf(stack);
	let text = message.split("\n", 400).map((line) => line.slice(0, MAX_LINE));
	const fixture = /^(?:failed on (?:setup|teardown)|test (?:setup|teardown) failure)(?: with)?:? "?/.exec(
		text[0] ?? "",
	);
	if (fixture !== null) text = [(text[0] ?? "").slice(fixture[0].length).replace(/"$/, ""), ...text.slice(1)];
	// The kind may be said by the first line of the stack alone, and by the last one of pytest's.
	const head = kindOf(text[0] ?? "");
	const isBare = text.every((line) => line.trim() === "" || isBareLine(line.trim()));
	let kind = head?.kind ?? "";
	if (isBare) {
		const found = bodyOf(stackLines, text[0]?.trim() ?? "", test);
		text = found;
	} else if (text.length === 1) text = wholeOf(text[0] ?? "", stackLines);
	if (kind === "" || MERE.test(kind)) kind = kindInStack(stackLines) ?? kind;
	const { lines, log } = tellingLines(text, test);
	const first = kindOf(lines[0] ?? "");
	if (first !== null) {
		if (kind === "" || MERE.test(kind)) kind = first.kind;
		lines[0] = first.rest;
	}
	const telling = lines.map((line) => withoutAdvice(line.replace(/^Message: ?/, "")));
	return { kind: MERE.test(kind) ? "" : kind, lines: telling, root: rootOf(stackLines, text), log };
}

/** Advice that tools add to a reason. It may contain the place of the test. */
const ADVICE =
	/(?:^|(?<=[.;,!?)\s]))(?:For async tests and hooks, ensure|If this is a long-running test|Add a timeout value|This could be because the text is broken|Fix this problem, or use|For documentation on this error|\(?If this is intentional|https?:\/\/on\.cypress\.io|See https?:|Use -v to get|Common causes|Read more:?|Did you mean|Did you forget|Perhaps you meant).*$/i;

const withoutAdvice = (line: string): string => line.replace(ADVICE, "").trim();

const isBareLine = (line: string): boolean =>
	SAYS_NOTHING.test(line) || (ONLY_CLASS.test(line) && !line.endsWith(":")) || KIND_ALONE.test(line);
/** `selenium.common.exceptions.TimeoutException: Message:`. */
const KIND_ALONE = new RegExp(`^${CLASS}\\s?:(?: Message:)?\\s*$`);

function kindOf(line: string): { kind: string; rest: string } | null {
	const match = KIND.exec(line);
	if (match === null) return null;
	const kind = (match[1] ?? "").split(/[.\\$]|::/).at(-1) ?? "";
	if (!/^[A-Z]/.test(kind) || (!IS_ERROR.test(kind) && !MERE.test(kind))) return null;
	return { kind, rest: line.slice(match[0].length) };
}

/** The class with which the stack begins, or with which pytest's ends: `shop/stock.py:49: ValueError`. */
function kindInStack(lines: readonly string[]): string | null {
	for (const [index, line] of lines.slice(0, 8).entries()) {
		const found = kindOf(line.trim());
		// Further lines may be fields, such as `Timeout: 300ms`.
		if (found !== null && !MERE.test(found.kind) && (index === 0 || /(?:Error|Exception)$/.test(found.kind)))
			return found.kind;
	}
	for (const line of lines.slice(-3)) {
		const last = /\.py:\d{1,7}: ([A-Za-z_][\w.]{0,100})$/.exec(line);
		if (last !== null && IS_ERROR.test(last[1] ?? "")) return last[1]?.split(".").at(-1) ?? null;
	}
	const named = lines
		.slice(0, 12)
		.map((line) => /^\s*cause: (?:\w{1,60}) \[([A-Z]\w{2,80}(?:Error|Exception))\]: /.exec(line)?.[1]);
	return named.find((kind) => kind !== undefined) ?? null;
}

/** Reads the reason from a body whose message is empty: the output of Go, a report of PHPUnit, the text of a JUnit failure. */
function bodyOf(lines: readonly string[], bare: string, test: string): string[] {
	const goLine = /^\s{2,}[\w.-]{1,200}\.go:\d{1,7}:\s?(.*)$/;
	const found: string[] = [];
	let isTestify = false;
	// pytest marks what it says; the rest is source code.
	if (lines.some((line) => /^E(?: {2,}|$)/.test(line))) return [];
	let field = "";
	for (const whole of lines) {
		const go = goLine.exec(whole);
		const line = (go?.[1] ?? whole).trim();
		if (go !== null) isTestify = line === "";
		if (isTestify && !line.startsWith("--- ")) {
			const begun = /^(Error Trace|Error|Messages|Test|Diff):(?:\s+(.*))?$/.exec(line);
			field = begun?.[1] ?? field;
			const said = begun === null ? line : (begun[2] ?? "");
			if ((field === "Error" || field === "Messages") && said !== "" && found.length < 6) found.push(said);
			continue;
		}
		if (line === "" || line === bare || isBareLine(line) || isNameOfTest(line, test)) continue;
		if (
			NOT_THE_REASON.test(line) ||
			isFrameLine(whole) ||
			/^\S{1,400}\.(?:php|go|rb|py|[cm]?[jt]sx?):\d{1,7}(?: |$)/.test(line)
		) {
			if (found.length > 0 && /^goroutine /.test(line)) break;
			continue;
		}
		found.push(line.replace(/ \[recovered(?:, repanicked)?\]$/, ""));
		if (found.length >= MAX_LINES) break;
	}
	return found;
}

/** The reason of which a report's message is the first line alone: the stack repeats it, with all lines, in front of its frames. */
function wholeOf(first: string, stackLines: readonly string[]): string[] {
	const said = first.trim();
	const begun = stackLines[0]?.trim() ?? "";
	if (said === "" || !begun.endsWith(said)) return [first];
	const frame = stackLines.findIndex(isFrameLine);
	const head = stackLines.slice(1, frame === -1 ? MAX_HEAD : Math.min(frame, MAX_HEAD));
	// pytest continues with the source of each frame, and marks what else it says.
	const isSource = head.some((line) => /^> {2,}/.test(line)) && !head.some((line) => /^E {2,}/.test(line));
	return isSource ? [first] : [first, ...head];
}

const MAX_HEAD = 60;

const isNameOfTest = (line: string, test: string): boolean =>
	/^[\w\\.]{1,300}::\w{1,200}(?: with data set .{0,200})?$/.test(line) || (line.length > 3 && test.endsWith(line));

/** GoogleTest quotes what an exception says: `C++ exception with description "map::at" thrown in the test body.` */
const unwrapped = (line: string): string =>
	/^C\+\+ exception with description "(.{1,400}?)(?:" thrown in .{1,40})?$/.exec(line)?.[1] ?? line;

/** The first paragraph that says why. Those that follow belong to it if it ends with a colon or is short of content. */
function tellingLines(text: readonly string[], test: string): { lines: string[]; log: string[] } {
	const lines: string[] = [];
	const marked = text.filter((line) => /^E {2,}/.test(line));
	for (const [index, whole] of (marked.length > 0 ? marked : text).entries()) {
		const line = unwrapped(whole.replace(/^E(?: {2,}|$)/, "").trim());
		if (LOG_BEGINS.test(line) && lines.length > 0)
			return { lines, log: text.slice(index, index + 60).map((one) => one.trim()) };
		if (line === "") {
			if (lines.length > 0 && lines.at(-1) !== "") lines.push("");
			continue;
		}
		if (
			!SAYS_SOMETHING.test(line) ||
			NOT_THE_REASON.test(line) ||
			isFrameLine(whole) ||
			DIFF.test(line) ||
			isNameOfTest(line, test)
		)
			continue;
		lines.push(line);
		if (lines.length >= MAX_LINES) break;
	}
	return { lines, log: [] };
}

/** The error that began it all, as Java, .NET, Python and Node write it. */
function rootOf(lines: readonly string[], message: readonly string[]): string | null {
	let found: string | null = null;
	for (const line of [...lines, ...message]) {
		const caused = /^\s*(?:Caused by: |---> |\[cause\]: )(.{1,400})$/.exec(line)?.[1];
		if (caused !== undefined && !/Matcher did not succeed in time/.test(caused)) found = caused;
	}
	if (found !== null) return found;
	const chained = lines.findIndex((line) =>
		/^(?:During handling of the above|The above exception was the direct)/.test(line),
	);
	if (chained === -1) return null;
	const before = lines.slice(0, chained).findLast((line) => kindOf(line.replace(/^E\s+/, "").trim()) !== null);
	return before?.replace(/^E\s+/, "").trim() ?? null;
}
