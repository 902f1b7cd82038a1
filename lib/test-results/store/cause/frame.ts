/** The first frame of the user's own code: the innermost one that belongs neither to a library nor to the test's own body. */

/** Longer stacks are cut in their middle. */
const MAX_LINES = 200;
const MAX_LINE = 600;

interface Frame {
	/** The path in the stack; empty if it is not known. */
	path: string;
	/** Qualified, if the language has classes; empty for an anonymous one. */
	fn: string;
}

export interface OfTest {
	/** The title, with the names of its suites. */
	test: string;
	/** The file of the test. */
	file: string | null;
}

/** Lines of a stack, without those in the middle of a very long one. */
export function linesOf(stack: string): string[] {
	const lines = stack.split("\n");
	const half = MAX_LINES / 2;
	const kept = lines.length > MAX_LINES ? [...lines.slice(0, half), ...lines.slice(-half)] : lines;
	return kept.map((line) => line.slice(0, MAX_LINE));
}

/** Each is null if only the test's own body and libraries are in the stack. */
interface OwnCode {
	/** The file and the function of the innermost frame. */
	frame: string | null;
	/** The same of the one that called it. */
	outer: string | null;
	/** The file of the outermost frame, the test's body included. */
	body: string | null;
}

/** @param lines of the stack. */
export function ownFrame(lines: readonly string[], of: OfTest): OwnCode {
	const own = sectionsOf(lines)
		.map(framesOf)
		.map((frames) => frames.filter((frame) => !isLibrary(frame)))
		.findLast((frames) => frames.length > 0);
	if (own === undefined) return { frame: null, outer: null, body: null };
	const found = own.filter((frame, index) => !isTestBody(frame, index === own.length - 1, of));
	const [frame, outer] = found.map(({ path, fn }) => `${baseName(path)} ${plainFunction(fn)}`.trim());
	return {
		frame: frame ?? null,
		outer: outer === undefined || outer === frame ? null : outer,
		body: baseName(own.at(-1)?.path ?? ""),
	};
}

/** Whether the line is a frame of a stack. */
export const isFrameLine = (line: string): boolean =>
	WITHOUT_PLACE.test(line) || (/^\s*(?:at\s|❯\s|# \.|#\d+\s)/.test(line) && frameOf(line) !== null);

/** `at async Promise.all (index 0)`, `at new Promise (<anonymous>)`. */
const WITHOUT_PLACE = /^\s{0,40}at [^()]{1,200} \((?:<anonymous>|native|index \d{1,7})\)/;

/** Java writes the exception that began it all behind the others, each with its frames. */
function sectionsOf(lines: readonly string[]): string[][] {
	const sections: string[][] = [[]];
	for (const line of lines) {
		if (/^\s*(?:Caused by|Suppressed): /.test(line)) sections.push([]);
		sections.at(-1)?.push(line);
	}
	return sections.length > 1 ? sections.filter((lines) => !/^\s*Suppressed/.test(lines[0] ?? "")) : sections;
}

/** @returns the innermost frame first. */
function framesOf(lines: readonly string[]): Frame[] {
	const python = pythonFrames(lines);
	if (python.length > 0) return python.reverse();
	const frames: Frame[] = [];
	for (const [index, line] of lines.entries()) {
		const frame = goFrame(lines, index) ?? frameOf(line);
		if (frame !== null) frames.push(frame);
	}
	return frames;
}

const LOCATION = /^(.{1,400}?)(?::\d{1,7}){1,2}$/;

function frameOf(line: string): Frame | null {
	const text = line.trim();
	const begun = /^(?:at|❯)\s+(?:async\s+)?/.exec(text);
	if (begun !== null) {
		const rest = text.slice(begun[0].length);
		// .NET: `Shop.Cart.Total(IList`1 lines) in /src/Cart.cs:line 9`.
		const net = rest.lastIndexOf(":line ");
		const inFile = rest.indexOf(" in ");
		if (net > inFile && inFile > 0) return { path: rest.slice(inFile + 4, net), fn: rest.slice(0, rest.indexOf("(")) };
		const open = rest.indexOf(" (");
		if (rest.endsWith(")") && open > 0) {
			const location = rest.slice(open + 2, -1);
			if (/^eval at /.test(location)) return { path: "<anonymous>", fn: rest.slice(0, open) };
			return { path: withoutPosition(location), fn: rest.slice(0, open) };
		}
		// Java: `java.base/java.util.ArrayList.forEach(ArrayList.java:1511)`.
		const java = /^((?:[\w.@-]{1,80}\/{1,2})?[\w$.<>]{3,300})\(([\w$.<> -]{1,200})(?::\d{1,7})?\)/.exec(rest);
		if (java !== null) return { path: java[2] ?? "", fn: java[1] ?? "" };
		// Vitest: `❯ parse src/view.js:18:14`.
		if (begun[0].startsWith("❯")) {
			const space = rest.indexOf(" ");
			const fn = space > 0 && LOCATION.test(rest.slice(space + 1)) ? rest.slice(0, space) : "";
			const location = fn === "" ? rest : rest.slice(space + 1);
			return LOCATION.test(location) ? { path: withoutPosition(location), fn } : null;
		}
		if (/:line \d/.test(rest)) return null;
		return LOCATION.test(rest) ? { path: withoutPosition(rest), fn: "" } : null;
	}
	// Ruby: `# ./spec/cart_spec.rb:12:in 'Cart#total'`, and minitest's without the mark.
	const ruby = /^(?:# )?([^\s:]{1,300}\.rb):\d{1,7}(?::in [`'](.{1,200})'?)?$/.exec(text);
	if (ruby !== null)
		return { path: ruby[1] ?? "", fn: /^block /.test(ruby[2] ?? "") ? "" : (ruby[2] ?? "").replace(/'$/, "") };
	// PHP: `/src/Cart.php:24`, and `#0 /src/Cart.php(24): Shop\Cart->pay()`.
	const php = /^(?:#\d{1,4} )?(.{1,400}\.php)(?::\d{1,7}|\(\d{1,7}\))(?:: (.{1,200}))?$/.exec(text);
	if (php !== null) return { path: php[1] ?? "", fn: "" };
	// Firefox and Safari: `pay@http://localhost/cart.js:1:9`.
	const at = text.indexOf("@");
	if (
		at >= 0 &&
		at < 100 &&
		/^[\w$.<>/*]*$/.test(text.slice(0, at)) &&
		/:\d{1,7}:\d{1,7}$/.test(text) &&
		/^(?:https?|file|webpack)/.test(text.slice(at + 1))
	) {
		return { path: withoutPosition(text.slice(at + 1)), fn: text.slice(0, at) };
	}
	// Rust: `thread 'cart::pays' panicked at src/cart.rs:5:9:`.
	const rust = /^thread '.{1,200}?'(?: \(\d{1,10}\))? panicked at (.{1,300}\.rs):\d{1,7}:\d{1,7}:?$/.exec(text);
	return rust === null ? null : { path: rust[1] ?? "", fn: "" };
}

const withoutPosition = (location: string): string => location.replace(/(?::\d{1,7}){1,2}$/, "").replace(/\?.*$/, "");

/** Go writes a function and, below it, its place. */
function goFrame(lines: readonly string[], index: number): Frame | null {
	const place = /^\t(\/?[^\t]{1,400}\.go):\d{1,7}(?: \+0x[\da-f]{1,16})?$/.exec(lines[index] ?? "");
	const call = lines[index - 1] ?? "";
	if (place === null || !/^[\w./*()[\]{}-]{1,300}\(/.test(call)) return null;
	return { path: place[1] ?? "", fn: call.slice(0, call.lastIndexOf("(")).replace(/^created by /, "") };
}

/** Frames of pytest and of plain tracebacks, the outermost first. */
function pythonFrames(lines: readonly string[]): Frame[] {
	const frames: Frame[] = [];
	let defined = "";
	for (const line of lines) {
		// The frames of an error that led to this one come before it.
		if (/^(?:During handling of the above exception|The above exception was the direct cause)/.test(line))
			frames.length = 0;
		const definition = /^\s*(?:async\s+)?def\s+([\p{L}\d_]{1,100})/u.exec(line);
		// A definition within the function is more indented, and comes later.
		if (definition !== null && defined === "") defined = definition[1] ?? "";
		const plain = /^\s*File "([^"]{1,400})", line \d{1,7}, in ([^\n]{1,100})$/.exec(line);
		if (plain !== null) {
			frames.push({ path: plain[1] ?? "", fn: plain[2] ?? "" });
			continue;
		}
		const pytest =
			/^([^\s:"'<>()][^\n:"'<>()]{0,300}\.pyx?|[a-z]:[^\n:"'<>()]{1,300}\.pyx?):\d{1,7}: ?(?:in )?([\p{L}\d_<>.]{0,100})(?:[\s:(].{0,100})?$/iu.exec(
				line,
			);
		if (pytest === null) continue;
		const isNamed = /: in [^\s]+$/.test(line);
		frames.push({ path: pytest[1] ?? "", fn: isNamed ? (pytest[2] ?? "") : defined });
		defined = "";
	}
	return frames;
}

const LIBRARY_PATH =
	/(?:^|[\\/])(?:node_modules|site-packages|dist-packages|vendor|gems|\.cargo|\.m2|go\/pkg\/mod|go\/src|bower_components|\.pnp|\.yarn)[\\/]|^(?:node:|internal\/|native|<|\[native|cypress_runner|__cypress)|(?:^|[\\/])(?:lib(?:64)?[\\/]python\d|python\d(?:\.\d+)?[\\/]lib|Python\d*[\\/]lib|hostedtoolcache|rustc[\\/]|jest-circus|jest-jasmine2|mocha[\\/]lib|__cypress|cypress_runner|\.cache[\\/])|frozen importlib/i;
const LIBRARY_NAME =
	/^(?:(?:java|jdk|javax|sun|jakarta)\.[\w.]{1,60}[\\/@]|(?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|org\.(?:junit|opentest4j|hamcrest|assertj|openqa|testng|mockito|apache|gradle|spockframework|codehaus|springframework|hibernate|jboss|slf4j|seleniumhq|postgresql|h2|eclipse)|com\.(?:google|intellij|microsoft|mysql|zaxxer|fasterxml|codeborne|squareup)|io\.(?:netty|restassured|cucumber|qameta|reactivex)|okhttp3|okio|reactor|net\.bytebuddy|junit|System|Microsoft|NUnit|Xunit|OpenQA|FluentAssertions|Shouldly|Moq|testing|runtime|reflect|net\/http|github\.com\/stretchr|core::|std::|test::|__|PHPUnit)(?:[.:(/\\]|$))/;
const RUNNER_FUNCTION =
	/^(?:process\.|Test\.|async Test\.|Suite\.|Runner\.|UtilityScript\.|Promise\.(?:all|then|race|any)|new Promise|processTicksAndRejections|listOnTimeout)/;

function isLibrary({ path, fn }: Frame): boolean {
	return (
		path === "" ||
		LIBRARY_PATH.test(path) ||
		(LIBRARY_NAME.test(fn) && !/^(?:System|testing|runtime)$/.test(fn)) ||
		RUNNER_FUNCTION.test(fn)
	);
}

const ANONYMOUS =
	/^(?:|<anonymous>|(?:Object|Context|TestContext|Suite|SuiteContext|Module|Proxy|_?default|global|window)\.(?:<anonymous>|eval)|eval|anonymous|<module>|<lambda>|.{0,200}\.<(?:anonymous|computed)>|(?:.{0,200}[.$])?(?:func\d{1,4}|lambda\$.{0,100})|\{closure\}|block.{0,200})$/;
/** Names by the conventions of tools: `cart.spec.ts`, `test_cart.py`, `cart_test.go`, `CartTest.java`, `CartTests.cs`, `checkout.cy.ts`. */
const TEST_FILE =
	/(?:^|[._-])(?:spec|specs|test|tests|cy|e2e|unit|it|feature|steps?def)[._-]|^test_|_(?:test|spec)\.|(?:Test|Tests|IT|TestCase|Spec|Specs|Suite)\.\w{1,6}$/;

/** @param isOutermost no frame of the user's is outside of it. */
function isTestBody({ path, fn }: Frame, isOutermost: boolean, { test, file }: OfTest): boolean {
	const name = baseName(path);
	// A function without a name from which nothing of the user's leads outside is the body, wherever it is written.
	if (isOutermost && ANONYMOUS.test(fn) && fn !== "") return true;
	const isTestFile = TEST_FILE.test(name) || (file !== null && baseName(file) === name);
	if (!isTestFile) return false;
	const called = plainFunction(fn);
	if (isOutermost || ANONYMOUS.test(fn) || called === "") return true;
	const title = baseTest(test);
	return title.endsWith(called) || /^(?:test_|Test[A-Z_\d])/.test(called);
}

const baseName = (path: string): string =>
	(path.split(/[\\/]/).filter(Boolean).at(-1) ?? "").replace(/[.-](?=[\da-f]*\d)[\da-f]{6,32}(?=\.)/i, "");

/** The function without its class and without what compilers add. */
function plainFunction(fn: string): string {
	const plain = fn
		.replace(/^(?:async |new |static |global )/, "")
		.replace(/ \[as [^\]]{1,100}\]$/, "")
		.replace(/\((?:\*)?([\w$]+)\)/g, "$1")
		.replace(/\.(?:func\d{1,4}|MoveNext)(?:\.\d{1,4})*$/, "")
		.replace(/\([^()]{0,200}\)?$/, "")
		.replace(/lambda\$(\w+?)\$\d+$/, "$1")
		.replace(/<(\w+)>[\w|]*/g, "$1");
	return ANONYMOUS.test(plain) ? "" : (plain.split(/[./#\\]|::|->/).at(-1) ?? "").replace(/\$.*$/, "");
}

/**
 * A test's title without its parameters: `test_pay[card]`, `TestPrices/lamp`, `pays (card)`.
 */
export function baseTest(test: string): string {
	return test
		.replace(/ with data set .{0,500}$/, "")
		.replace(/\[[^[\]]{0,500}\]$/, "")
		.replace(/(\bTest\w{1,200})\/.{0,500}$/, "$1")
		.replace(/\s?\([^()]{0,500}\)$/, "")
		.replace(/\d+/g, "…")
		.trim();
}

/** Words that only these parameters of the test explain. */
export function parametersOf(test: string): string[] {
	const found =
		/\[([^[\]]{1,300})\]$/.exec(test)?.[1] ??
		/\bTest\w{1,200}\/(.{1,300})$/.exec(test)?.[1] ??
		/\(([^()]{1,300})\)$/.exec(test)?.[1];
	if (found === undefined) return [];
	return found
		.split(/[^\p{L}\d_]+/u)
		.filter((word) => word.length >= 3 && !/^\d+$/.test(word))
		.slice(0, 8);
}
