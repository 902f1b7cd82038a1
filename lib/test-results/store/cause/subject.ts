/** Finds the subject of a failure: the locator, the element in the way, the awaited event, the snapshot, the expected text. */
import type { Reason } from "./reason.ts";
import { closingOf, templateOf, VALUE, withoutLiterals } from "./template.ts";

export interface Subject {
	/** Tells the bug apart wherever it is seen: neither the action nor the place matters. */
	about: string | null;
	/** The text of an assertion without its values. */
	text: string | null;
}

const NOTHING: Subject = { about: null, text: null };

/** @param volatile words that come from the data of the test. */
export function subjectOf(reason: Reason, volatile: readonly string[]): Subject {
	const lines = reason.lines.filter((line) => line !== "");
	const first = lines[0] ?? "";
	const all = [...lines, ...reason.log];
	const ofPage = /^The following error originated from your/.test(first)
		? lines.map((line) => /^> (.{1,300})$/.exec(line)?.[1]).find((found) => found !== undefined)
		: undefined;
	if (ofPage !== undefined) return asserted(templateOf(ofPage, volatile));
	return (
		covering(all) ??
		locator(first, all, volatile) ??
		testingLibrary(first, volatile) ??
		request(all) ??
		awaited(first, all, volatile) ??
		snapshot(lines) ??
		assertion(lines, volatile) ??
		NOTHING
	);
}

const about = (text: string): Subject => ({ about: text, text: null });
const asserted = (text: string): Subject => ({ about: null, text });

/** A tag with what identifies it: its id, or its classes. */
function element(tag: string): string {
	const name = /^<([\w-]{1,40})/.exec(tag)?.[1] ?? "";
	const attribute = (key: string) => new RegExp(`\\s${key}=["']?([^"'>]{1,200})`).exec(tag)?.[1];
	const id = attribute("id");
	const found = id ?? attribute("data-testid") ?? attribute("class") ?? attribute("role") ?? "";
	return templateOf(`${name} ${found}`);
}

function covering(lines: readonly string[]): Subject | null {
	for (const [index, line] of lines.entries()) {
		const selenium = line.indexOf("would receive the click: ");
		if (selenium !== -1) return about(`covered by ${element(line.slice(selenium + 25))}`);
		const playwright = /(<[^>]{1,300}>).{0,300}? intercepts pointer events/.exec(line);
		if (playwright !== null) {
			const from = /from (<[^>]{1,300}>).{0,200} subtree intercepts/.exec(line);
			return about(`covered by ${element(from?.[1] ?? playwright[1] ?? "")}`);
		}
		if (/is being covered by another element/.test(line)) {
			const tag = /<[^>`]{1,300}>?/.exec(
				[line.split("covered by")[1] ?? "", ...lines.slice(index + 1, index + 4)].join("\n"),
			)?.[0];
			if (tag !== undefined) return about(`covered by ${element(tag)}`);
		}
	}
	return null;
}

const LOCATOR_CALL =
	/(?:(?:page|frame|self\.page|this\.page)\.)?(?:get_?by_?(?:role|text|label|placeholder|alt_?text|title|test_?id)|locator|frame_?locator|getBy(?:Role|Text|Label|LabelText|Placeholder|PlaceholderText|AltText|Title|TestId|DisplayValue))\(/i;

/** The chain of locators from this place on. What filters by text is data. */
function locatorAt(line: string, at: number): string {
	let end = at;
	while (end < line.length) {
		const call = /^\.?[A-Za-z_]{1,40}/.exec(line.slice(end, end + 41));
		if (call === null) break;
		const open = end + call[0].length;
		if (line[open] !== "(") {
			if (/^\.(?:first|last)$/.test(call[0])) {
				end = open;
				continue;
			}
			break;
		}
		const close = closingOf(line, open, 500);
		if (close === -1) return line.slice(at, at + 300);
		end = close + 1;
	}
	return line.slice(at, end);
}

function locatorTemplate(locator: string, volatile: readonly string[]): string {
	let text = locator
		.replace(/(\bhas_?(?:not_?)?text\b\s?[:=]\s?)(?:"[^"]{0,300}"|'[^']{0,300}'|\/[^/]{0,300}\/)/gi, `$1${VALUE}`)
		.replace(/\b(filter|has)\(\{[^{}]{0,300}\}\)/g, (all) =>
			all.replace(/\/[^/]{0,200}\/|"[^"]{0,200}"|'[^']{0,200}'/g, VALUE),
		)
		.replace(/\.(?:first|last)(?:\(\))?|\.nth\(\d{1,4}\)/g, "")
		.replace(/\bget_by_(\w+)/g, (_all, by: string) => `getBy${by[0]?.toUpperCase()}${by.slice(1)}`)
		.replace(/"/g, "'")
		.replace(/\d+/g, VALUE);
	for (const word of volatile) text = text.split(word).join(VALUE);
	return text.slice(0, 300);
}

/** States of an element that keep an action from being done. */
const STATE =
	/element is (?:not (?:enabled|visible|stable|editable|attached|checked)|outside of the viewport|disabled|hidden|readonly)|element was detached|element is not an? <[^>]{1,80}>|strict mode violation|cannot scroll|(?:is|are) not (?:interactable|reachable|clickable|visible)|being animated|`?pointer-events: none`?|is detached from the DOM|`?disabled`?: it is|is `disabled`|effective width and height/i;

const stateIn = (lines: readonly string[]): string => {
	for (const line of lines.slice(0, 80)) {
		const state = STATE.exec(line);
		if (state !== null) return state[0].toLowerCase().replace(/[`]/g, "");
	}
	return "";
};

function locator(first: string, lines: readonly string[], volatile: readonly string[]): Subject | null {
	const matcher =
		/expect\((?:locator|page|received|value)?\)\.((?:not\.)?\w{2,60})|Locator expected (?:not )?to (\w{2,20}(?: \w{2,20}){0,3})|Expect "((?:not )?\w{2,40})"/.exec(
			first,
		) ?? lines.map((line) => /Expect "((?:not )?\w{2,40})/.exec(line)).find((found) => found !== null);
	for (const line of lines.slice(0, 60)) {
		const at = LOCATOR_CALL.exec(line)?.index;
		if (at === undefined) continue;
		const isSaid =
			/^(?:Locator:|- ?waiting for|waiting for|- ?Expect|Error: )|waiting for|strict mode violation/.test(line) ||
			line === first;
		if (!isSaid) continue;
		const name = locatorTemplate(locatorAt(line, at), volatile);
		const said =
			matcher === undefined || matcher === null ? stateIn(lines) : (matcher[1] ?? matcher[2] ?? matcher[3] ?? "");
		return about(`${said} ${name}`);
	}
	// WebDriver: {"method":"css selector","selector":"#pay"}, and `By.id: pay`.
	for (const line of lines.slice(0, 12)) {
		const driver =
			/[{]\s*"?(?:method|using)"?\s?[:=]\s?"?([\w -]{2,30})"?,\s?"?(?:selector|value)"?\s?[:=]\s?(.{1,300}?)[}]/.exec(
				line,
			);
		const isCommand = /^Command:/.test(line);
		if (driver !== null && !isCommand) return about(`no element ${selector(unquoted(driver[2] ?? ""), volatile)}`);
		const by = /\bBy\.(\w{2,30})[:(]\s?(.{1,300}?)(?:\)?\s\(tried for|\)?$|\) )/.exec(line);
		if (by !== null) {
			const condition = templateOf(line.slice(0, by.index).replace(/^Expected condition failed: /, ""), volatile);
			return about(`${condition} ${by[1]} ${selector(unquoted(by[2] ?? ""), volatile)}`);
		}
		const firefox = /Unable to locate element: ([^\s{].{0,200})$/.exec(line);
		if (firefox !== null) return about(`no element ${selector(firefox[1] ?? "", volatile)}`);
		// Cypress.
		const cypress = /Expected to find (?:element|content): [`']?(.{1,200}?)[`']?(?:,? but never found it| within)/.exec(
			line,
		);
		if (cypress !== null) return about(`no element ${selector(cypress[1] ?? "", volatile)}`);
		const failed = /`cy\.(\w{2,30})\(\)` failed because (?:this element|the element|the page|it|this)/.exec(line);
		if (failed !== null) {
			const tag = lines.map((one) => /<[a-z][^<>`]{0,300}>/.exec(one)?.[0]).find((one) => one !== undefined);
			if (tag !== undefined) return about(`${stateIn(lines)} ${element(tag)}`);
		}
		const has = /expected [`'"]?<([a-z][^<>]{0,200})>[`'"]? (?:not )?to (.{1,300})$/.exec(line);
		if (has !== null)
			return about(`${templateOf(`name "<${has[1]}>"`)} to ${(has[2] ?? "").split(/['",]/)[0]?.trim()}`);
	}
	return null;
}

/** Testing Library: a query by a text that comes from the data says nothing. */
function testingLibrary(first: string, volatile: readonly string[]): Subject | null {
	const match =
		/^(Unable to find|Found multiple|Found) (?:an |a )?(?:\w{1,20} )?elements? (?:with|by) (?:the )?(?:\w{1,20} ){0,3}?(text|role|label text|placeholder text|alt text|title|display value|label)(?: of)?:? (.{1,300}?)\.?$/.exec(
			first,
		);
	if (match === null) return null;
	const [, found = "", by = "", value = ""] = match;
	const name = /^[a-z][\p{L}\d]* /u.test(value) && by !== "role" ? VALUE : templateOf(value, volatile);
	return name === VALUE
		? asserted(`${found} element`)
		: about(`${found === "Unable to find" ? "no" : "several"} ${by} ${name}`);
}

/** A selector without numbers and the data of the test. */
function selector(text: string, volatile: readonly string[]): string {
	let result = text.slice(0, 300).replace(/\d+/g, VALUE);
	for (const word of volatile) result = result.split(word).join(VALUE);
	return result;
}

const unquoted = (text: string): string => text.replace(/["\\]/g, "").trim();

/** A failed request of Cypress and of clients that write its parts on lines of their own. */
function request(lines: readonly string[]): Subject | null {
	if (!/cy\.(?:request|visit)\(\)` failed/.test(lines[0] ?? "")) return null;
	const url = lines.find((line) => /^https?:\/\//.test(line)) ?? "";
	const status = lines.map((line) => /^> ?(\d{3}): (.{1,80})$/.exec(line)).find((found) => found !== null);
	const network = lines.map((line) => /^> ?(.{1,200})$/.exec(line)?.[1]).find((found) => found !== undefined);
	return about(`request ${templateOf(url)} ${status == null ? templateOf(network ?? "") : status[1]}`);
}

const SITE_FAULT =
	/net::(ERR_[A-Z_]{3,60})|\b(NS_ERROR_[A-Z_]{3,60})|\b(ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ECONNRESET|ETIMEDOUT|EHOSTUNREACH)\b/;

/** The event, address or request that never came; or the site that cannot be reached. */
function awaited(first: string, lines: readonly string[], volatile: readonly string[]): Subject | null {
	const site = SITE_FAULT.exec(first);
	if (site !== null) {
		const place = first.slice(site.index + site[0].length);
		const [host = ""] = templateOf(place.replace(/^\s?(?:at\s)?/, ""), volatile).split(/[/\s]/);
		return about(`${site[1] ?? site[2] ?? site[3]} ${host}`);
	}
	// The log says which response it was, the first line only that it was one.
	const event =
		lines
			.map((line) => /^(?:- )?waiting for (?!get_?by|locator|fonts|element).{1,300}/i.exec(line))
			.find((found) => found !== null) ??
		/waiting for (?:event|download|function|request|response|url|navigation)\b.{0,300}/i.exec(first);
	if (event != null && /Timeout|timed out|exceeded/i.test(first))
		return about(templateOf(event[0].replace(/^- /, ""), volatile));
	return null;
}

function snapshot(lines: readonly string[]): Subject | null {
	for (const line of lines.slice(0, 12)) {
		const named =
			/^(?:Snapshot(?: name)?|Screenshot|Expected): [`'"]?([^`'"]{1,300}?(?:\.png|\.txt|\.snap|\.jpe?g| \d{1,4}))[`'"]?$/.exec(
				line,
			)?.[1] ?? /toMatchSnapshot|toMatchInlineSnapshot|Snapshot `([^`]{1,300})` mismatched/.exec(line)?.[1];
		if (named !== undefined) return about(`snapshot ${named.replace(/ \d{1,4}$/, "")}`);
	}
	return null;
}

const KEEPS_EXPECTED =
	/(?:include|contain|contains|match|matches|match(?:es)? (?:the )?(?:regular expression|pattern|PCRE pattern|regular expression)|start(?:s)? with|end(?:s)? with|start with|end with|have (?:a )?(?:own |deep |nested )?propert(?:y|ies)|have (?:all )?keys?|throw(?: an?)?(?: error)?|have text|have class|have attr(?:ibute)?|have value|respond to|be an? (?:instance of)?|has (?:the )?(?:key|property|attribute|offset)|is an instance of class|of type|is thrown|be instance of|be called)/;

/** An assertion without its values; what is expected to be in, at the start or at the end of a text stays. */
function assertion(lines: readonly string[], volatile: readonly string[]): Subject | null {
	for (const [index, line] of lines.slice(0, 6).entries()) {
		const rest = lines.slice(index + 1);
		const found =
			jest(line, rest, volatile) ??
			chai(line, volatile) ??
			pytest(line, rest, volatile) ??
			phpunit(line, volatile) ??
			java(line, rest, volatile) ??
			node(line, rest, volatile) ??
			robot(line, volatile) ??
			expectedActual(line, rest, volatile);
		if (found === null) continue;
		// The author's own words before the assertion tell more.
		const own = lines.slice(0, index).filter((one) => !/:$/.test(one) || one.length > 60);
		return asserted([...own.map((one) => templateOf(one, volatile)), found].join(" "));
	}
	return null;
}

/** jest, Playwright Test and bun. */
function jest(line: string, rest: readonly string[], volatile: readonly string[]): string | null {
	const match =
		/^(.{0,300}?)expect\(([^()]{0,100}(?:\(\))?)\)((?:\.(?:not|resolves|rejects))*)\.(\w{2,60})(?:\(|\b)/.exec(line);
	if (match === null) return null;
	const [, own = "", , modifiers = "", matcher = ""] = match;
	const expected = rest
		.slice(0, 12)
		.map(
			(one) =>
				/^Expected (?:substring|pattern|path|message|constructor|value|property|regexp|name|class|attribute)(?: not)?: +(.{1,300})$/.exec(
					one,
				)?.[1],
		)
		.filter((one) => one !== undefined)
		.map((one) => templateOf(`name ${one}`, volatile));
	if (/^toHave(?:Title|URL)$/.test(matcher)) {
		const whole = rest
			.map((one) => /^Expected(?: string| pattern)?: {1,8}(.{1,300})$/.exec(one)?.[1])
			.find((one) => one !== undefined);
		return templateOf(`${matcher} name ${whole ?? ""}`, volatile);
	}
	const keeps = /^to(?:Contain|Match$|Throw|HaveProperty|HaveClass|HaveAttribute|HaveText|HaveTitle|HaveURL)/.test(
		matcher,
	);
	return [templateOf(own, volatile), `${modifiers}.${matcher}`, ...(keeps ? expected : [])].join(" ");
}

/** chai, vitest and Cypress: `expected A to include B`. */
function chai(line: string, volatile: readonly string[]): string | null {
	const match =
		/^(.{0,200}?)\bexpected (?:promise |.{0,1000}? )?((?:not )?to (?:not )?(?:deeply |strictly |loosely |have |be |include|contain|match|equal|throw|start|end|eventually|own|respond|exist|satisfy|deep|call|change|increase|decrease|return|resolve|reject).{0,400})$/.exec(
			withoutLiterals(line),
		);
	if (match === null) return null;
	const said = match[2] ?? "";
	const keeps = KEEPS_EXPECTED.exec(said);
	const verb = said.split(/["'`…\d<[{]|\/\/|, (?:but|got)| but /)[0] ?? "";
	const text = keeps === null || /equal|same/.test(verb) ? verb : said.split(/, but |, got | but got /)[0];
	return templateOf(
		`${match[1] ?? ""} ${keeps === null ? text : (text ?? "").replace(/ (?=["'])/g, " name ")}`.replace(
			/ (?:true|false|null|undefined|NaN)\b/g,
			"",
		),
		volatile,
	);
}

/** Functions and, with a dot, methods and attributes that any test may use. */
const PYTHON_COMMON = new Set(
	"len sum any all str int float type isinstance list dict set tuple sorted repr bool abs min max round next iter range zip map filter getattr hasattr approx .get .json .text .keys .values .items .strip .lower .upper .split .content .count .index .data .body .status .status_code .returncode .exit_code".split(
		" ",
	),
);

/** pytest: `assert A == B`, and where A comes from. */
function pytest(line: string, rest: readonly string[], volatile: readonly string[]): string | null {
	if (/^DID NOT (?:RAISE|WARN)/.test(line)) return templateOf(line, volatile);
	if (/^Regex pattern did not match/.test(line)) {
		const expected = rest
			.map((one) => /^(?:Expected regex|Regex): (.{1,300})$/.exec(one)?.[1])
			.find((one) => one !== undefined);
		return templateOf(`did not match pattern ${expected ?? ""}`, volatile);
	}
	const match = /^assert (.{0,400})$/.exec(line);
	if (match === null) {
		// unittest: `'a' not found in 'b' : message`, `3 != 4`, `False is not true`.
		const unit =
			/^(.{1,300}?) (!=|==|not found in|unexpectedly found in|is not (?:true|false|None|an instance of)|not (?:less|greater) than(?: or equal to)?|is None|is not|not raised)(?: : (.{1,300})| .{0,300}?(?: : (.{1,300}))?)?$/.exec(
				line,
			);
		if (
			unit === null ||
			!/^(?:'[^']*'|"[^"]*"|[[({<].*[\])}>]|-?[\d.]{1,40}|True|False|None|Lists|Regex|\w{1,60}(?:Error|Exception))$/.test(
				unit[1] ?? "",
			)
		)
			return null;
		const keeps = /found in/.test(unit[2] ?? "") ? unit[1] : unit[2] === "not raised" ? unit[1] : "";
		return templateOf(`${keeps} ${unit[2]} ${unit[3] ?? unit[4] ?? ""}`, volatile);
	}
	const said = withoutLiterals(match[1] ?? "");
	const where = rest.slice(0, 12).flatMap((one) => /^\+\s+(?:where|and) .{1,300}$/.exec(one)?.[0] ?? []);
	const callees = where.flatMap((one) => {
		const right = one
			.slice(one.lastIndexOf(" = ") + 3)
			.replace(/<[^<>]{0,200}(?:<[^<>]{0,80}>[^<>]{0,200}){0,3}>/g, "");
		const called = /(?:^|(?<=[\s>)\w])\.)[A-Za-z_]\w{0,80}(?=\(|$)/g;
		return [...right.matchAll(called)].slice(0, 3).map(([name]) => name);
	});
	const named = callees.filter((name) => !PYTHON_COMMON.has(name)).map((name) => name.replace(".", ""));
	const membership = /^(.{1,200}?) (not in|in) /.exec(said);
	const kept =
		membership !== null && /^['"][^'"]{1,120}['"]$/.test(membership[1] ?? "")
			? templateOf(`name ${membership[1]}`, volatile)
			: "";
	const operator = membership?.[2] ?? / (==|!=|<=|>=|<|>|is not|is) /.exec(said)?.[1] ?? "";
	return `assert ${kept} ${operator} ${named.join(" ")}`;
}

function phpunit(line: string, volatile: readonly string[]): string | null {
	const match = /^(.{0,300}?)Failed asserting that (.{1,600}?)\.?$/.exec(line);
	if (match === null) return null;
	const said = withoutLiterals(match[2] ?? "");
	const verb =
		/ ((?:does not |is not |do not |are not )?(?:starts? with|ends? with|contains?|matches|has|have|is|are|equals?)\b.{0,400})$/.exec(
			said.replace(/^'(?:[^'\\]|\\.){0,400}'|^"[^"]{0,400}"/, VALUE),
		)?.[1] ?? said;
	const keeps =
		/starts? with|ends? with|contains?|matches (?:PCRE|format|regular)|has (?:the )?(?:key|attribute|property)|instance of|exception|of type/.test(
			said,
		);
	const text = keeps
		? verb.replace(/(?:contains?|starts? with|ends? with|of type|key|pattern|class|message) (?=["'/])/, "$&name ")
		: (verb.split(/["'…\d]/)[0] ?? "");
	return templateOf(`${match[1] ?? ""} asserting ${text}`, volatile);
}

/** JUnit, AssertJ, Hamcrest, TestNG, Kotest, Truth and .NET's. */
function java(line: string, rest: readonly string[], volatile: readonly string[]): string | null {
	const junit =
		/^(.{0,400}?)(?: ==> )?expected: ?(not )?(?:<.{0,300}>|\S.{0,300}?) but was: ?(?:<.{0,300})?/i.exec(line) ??
		/^(.{0,400}?)(?: ==> )?expected (not )?\[.{0,300}\] but found \[/.exec(line);
	if (junit !== null) return templateOf(`${junit[1] ?? ""} expected ${junit[2] ?? ""}`, volatile);
	const thrown =
		/^(.{0,300}?)Expected ([\w.$]{3,200}) to be thrown, but nothing was thrown|^(.{0,300}?)Unexpected exception type thrown/.exec(
			line,
		);
	if (thrown !== null) return `${templateOf(thrown[1] ?? thrown[3] ?? "", volatile)} thrown ${thrown[2] ?? ""}`;
	if (/^Expected: .{1,400}$/.test(line) && /^but: /.test(rest[0] ?? ""))
		return `expected ${templateOf(line.slice(10).replace(/(?=["'])/, "name "), volatile)}`;
	if (/^Expecting\b.{0,80}:?$/.test(line) || /^\[.{1,200}\] ?(?:Expecting|$)/.test(line)) {
		// Headers, and what the text is to contain.
		const own = /^\[(.{1,200})\]/.exec(line)?.[1] ?? "";
		const said = [line, ...rest.slice(0, 10)];
		const kept = said.flatMap((one, index) => {
			const before = said[index - 1] ?? "";
			if (/^(?:to (?:start|end|contain|match|have|be|not|include)|not to|but|and|in any order|Expecting)/.test(one))
				return [one.split(/["'<[{\d]/)[0] ?? ""];
			return /^to (?:start with|end with|contain(?: pattern)?|match(?: pattern)?|be (?:an )?instance of|have message)\b.*:$/.test(
				before,
			)
				? [`name ${one}`]
				: [];
		});
		return templateOf([own, ...kept].join(" "), volatile);
	}
	return null;
}

function node(line: string, rest: readonly string[], volatile: readonly string[]): string | null {
	const match =
		/^(Expected values (?:not )?to be (?:strictly |loosely )?(?:deep-)?equal|Expected "actual" .{1,80}|Values have same structure|Missing expected (?:exception|rejection)(?: \([\w.]{1,80}\))?|The expression evaluated to a falsy value|The input (?:did not match|was expected to not match) the regular expression (.{1,200}?)\. Input)/.exec(
			line,
		);
	if (match !== null) {
		if (match[2] !== undefined) return `match name ${templateOf(`pattern "${match[2]}"`, volatile)}`;
		if (/falsy/.test(line)) return templateOf([line, ...rest.slice(0, 2)].join(" "), volatile);
		return match[1] ?? "";
	}
	const bare = /^\S{1,80} (===?|!==?|deepEqual|notDeepEqual|deepStrictEqual|strictEqual) \S{1,80}$/.exec(line);
	return bare === null ? null : `equal ${bare[1]}`;
}

function robot(line: string, volatile: readonly string[]): string | null {
	const verb =
		/ ((?:does|do|should) not (?:contain|start with|end with|match)|contains|starts with|ends with|matches)(?: any of| value| key| item)? (?=['"])/.exec(
			line,
		);
	if (verb !== null && /^['"[{]|: ['"]/.test(line)) {
		const own = /^['"[{]/.test(line) ? "" : (line.split(/: ['"]/)[0] ?? "");
		return templateOf(`${own} ${verb[1]} name ${line.slice(verb.index + verb[0].length)}`, volatile);
	}
	const length = line.indexOf("Length of ");
	if (length !== -1 && / should be .{1,40} but is/.test(line))
		return templateOf(`${line.slice(0, length)} length`, volatile);
	if (!/ [!=]= /.test(line)) return null;
	if (/^Key /.test(line)) return null;
	const [own = ""] = line.split(/ [!=]= /);
	const colon = own.lastIndexOf(": ");
	return templateOf(`${colon === -1 ? "" : own.slice(0, colon)} equal`, volatile);
}

/** `Expected: 5`, `Actual: 3` in many dialects: RSpec, minitest, NUnit, xUnit, MSTest, Rust, testify, and `got 3, want 38`. */
function expectedActual(line: string, rest: readonly string[], volatile: readonly string[]): string | null {
	const go =
		/^(.{0,300}?)\b(?:got|want|expected)(?: ?[:=]? | )(?:.{1,200}?)(?:[,;:] ?| but )(?:got|want|wanted|expected|was)\b/i.exec(
			line,
		) ?? /^(.{1,200}?)(?: =| is| was|:) .{1,200}, ?(?:want|expected|wanted) .{1,200}$/i.exec(line);
	if (go !== null && !/(?:^|\s)to (?:be|equal|have)/.test(line)) return null;
	const xunit = /^(.{0,200}?)Assert\.(\w{2,40})(?:\(\)| failed|\()/.exec(line);
	if (xunit !== null) {
		const expression = /^Assert\.That\((.{1,200}), /.exec(line)?.[1] ?? "";
		return templateOf(`${xunit[1] ?? ""} ${xunit[2]} ${expression}`, volatile);
	}
	const rust = /^assertion (?:`|')?(?:\(?left )?(==|!=|\w{1,20})? ?(?:right\)?)?(?:`|')? failed(?:: (.{1,300}))?$/.exec(
		line,
	);
	if (rust !== null) return templateOf(`${rust[1] ?? ""} ${rust[2] ?? ""}`, volatile);
	const isExpected = /^(?:expected|expected value|want|wanted|expect)\b ?[:=]/i.test(line);
	const isActual = rest
		.slice(0, 4)
		.some((one) => /^(?:but was|actual(?: {2})?|got|received|was|but got|found)\b ?[:=]?/i.test(one));
	if (isExpected && isActual) return "expected";
	if (/^Not equal:?$/.test(line)) return "expected not equal";
	if (/^Should (?:be|not be) (?:true|false|empty|nil|zero|in)/i.test(line)) return line.split(",")[0] ?? "";
	return null;
}
