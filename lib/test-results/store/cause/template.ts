/**
 * The template of a text: what changes from run to run is replaced by a placeholder. Names, locators, and status and exit codes
 * stay, because they tell bugs apart.
 *
 * Texts come from anywhere, so every expression here takes time in proportion to the length: it cannot begin at a place that it
 * has passed already, or its repetitions are bounded by a small number.
 */

/** Replaces a value. It contains nothing that a rule looks for. */
export const VALUE = "…";

/** Ports of well-known services. Other ports of this machine are those of the test's own servers. */
const SERVICE_PORTS = new Set(
	"22 25 53 80 110 143 389 443 587 1433 1521 2181 3306 5432 5672 6379 9042 9092 9200 11211 27017".split(" "),
);
const LOOPBACK =
	/^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[?::1?\]?|\[?::ffff:127(?:\.\d{1,3}){3}\]?|host\.docker\.internal)$/i;
/** Ports that systems give out to whoever asks for any. */
const FIRST_EPHEMERAL_PORT = 32_768;

/** Hides digits that tell bugs apart from the rules for numbers. */
const kept = (text: string): string => text.replace(/\d/g, (digit) => String.fromCharCode(KEPT_ZERO + Number(digit)));
/** A character of the private use area, which texts hardly contain. */
const KEPT_ZERO = 0xe1d0;
const withKept = (text: string): string =>
	text.replace(/[\ue1d0-\ue1d9]/g, (mark) => String(mark.charCodeAt(0) - KEPT_ZERO));

function endpoint(host: string, port: string | undefined): string {
	const isLocal = LOOPBACK.test(host);
	const name = isLocal
		? "localhost"
		: /[:.]/.test(host) && /^\[?[\da-f:.]+\]?$/i.test(host)
			? VALUE
			: host.toLowerCase();
	const isNamed = port !== undefined && (isLocal ? SERVICE_PORTS.has(port) : Number(port) < FIRST_EPHEMERAL_PORT);
	return isNamed ? `${name}:${kept(port)}` : name;
}

/** The host and the path of a URL, without ids, query and fragment. */
function urlTemplate(url: string): string {
	const parts =
		/^([a-z][a-z\d+.-]{0,30}):\/{2,3}(?:[^/@\s]{0,200}@)?(\[[\da-f:.]{2,60}\]|[^/:?#\s]{0,255})(?::(\d{1,5}))?([^?#\s]{0,2000})/i.exec(
			url,
		);
	if (parts === null) return VALUE;
	const [, scheme = "", host = "", port, path = ""] = parts;
	if (/^(?:file|webpack|app|blob)$/i.test(scheme)) return VALUE;
	return `${endpoint(host, port)}${pathOfUrl(path)}`;
}

const pathOfUrl = (path: string): string =>
	path
		.split("/")
		.slice(0, 12)
		.map((part) => (isId(part) ? VALUE : part.replace(/\d+/g, VALUE)))
		.join("/")
		.replace(/\/+$/, "");

/** Whether a word is an id rather than a name: hexadecimal, or letters and digits that alternate. */
function isId(word: string): boolean {
	if (/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(word)) return true;
	if (word.length > 40 && /^[\w+/=-]+$/.test(word)) return /\d/.test(word);
	if (/^(?:0x)?[\da-f]{6,}$/i.test(word)) return /\d/.test(word) || word.length >= 8;
	if (/^[A-Za-z\d_-]{16,}$/.test(word)) return /\d/.test(word) && /[A-Za-z]/.test(word);
	return (
		word.length >= 8 && /^(?:[a-z]+\d+){2,}[a-z]*$|^(?:\d+[a-z]+){2,}\d*$/i.test(word) && !/^[a-z]+\d+$/i.test(word)
	);
}

const CODE_WORD =
	/(?:\b(?:status(?:[ _-]?code)?|http(?:\/\d(?:\.\d)?)?|exit(?:ed)?(?:[ _-]?(?:code|status|value))?|return code|errno|signal|code)(?: (?:of|was|is|with|code|status|got|received))?[\s:=<("'\]]{0,3})$/i;
/** `404 Not Found`, `404: Not Found`. */
const NAMED_STATUS = /^(?::|\s-)?\s(?:[A-Z][a-z]+(?: [A-Z][a-z]+)*)(?=[\s.,:;!?)]|$)/;

/** Whether the number at this place is a code, which tells bugs apart. */
function isCode(text: string, at: number, number: string): boolean {
	if (!/^-?\d{1,3}$/.test(number))
		return (
			/^\d{1,5}$/.test(number) && /(?:\berrno|\berror code)[\s:=\]]{0,3}$/i.test(text.slice(Math.max(0, at - 16), at))
		);
	const before = text.slice(Math.max(0, at - 40), at);
	if (CODE_WORD.test(before)) return true;
	return /^[45]\d\d$/.test(number) && NAMED_STATUS.test(text.slice(at + number.length, at + number.length + 60));
}

const MONTH =
	"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
const DAY = "(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,?\\s)?";
const CLOCK =
	"\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?:\\s?[ap]\\.?m\\b\\.?)?(?:\\s?(?:Z|UTC|GMT)\\b)?(?:[+-]\\d\\d:?\\d\\d)?";

/** In this order: a later rule may match within what an earlier one replaces. */
const VOLATILE: readonly (readonly [RegExp, string | ((...groups: string[]) => string)])[] = [
	[/\bdata:[\w/+.-]{1,60}[;,][\w;=,+/%.-]*/g, VALUE],
	[
		/(?<![a-z\d+.-])[a-z][a-z\d+.-]{1,15}:\/\/[^\s"'`<>()[\]{},;，。）」』]+(?:\[[\da-f:.]+\][^\s"'`<>()[\]{},;]*)?/gi,
		urlTemplate,
	],
	[/(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/gu, VALUE],
	[/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:\s?(?:Z|UTC|GMT)\b)?(?:[+-]\d\d:?\d\d)?)?/g, VALUE],
	[/\b\d{4}\/\d\d?\/\d\d?\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b(?![.\d])/g, VALUE],
	[
		new RegExp(
			`\\b${DAY}(?:\\d{1,2}(?:st|nd|rd|th)?\\.?\\s${MONTH}|${MONTH}\\.?\\s\\d{1,2}(?:st|nd|rd|th)?)\\b,?(?:\\s\\d{4}\\b)?`,
			"g",
		),
		VALUE,
	],
	[/\b\d{4}年\d{1,2}月\d{1,2}日/g, VALUE],
	[/(?<![\w:.])::1:(\d{1,5})(?![\w:])/g, (_all, port) => endpoint("::1", port)],
	[/(?<=^|: )(?:(?:unexpected|received|got|returned) )?(?:error|err)\s?[:=]\s+(?=\S+\s\S)/gi, ""],
	[new RegExp(`(?<![\\d:])${CLOCK}(?![\\d:])`, "g"), VALUE],
	// Endpoints: host:port, IPv6 in brackets and bare.
	[
		/\[([\da-f]{0,4}(?::[\da-f]{0,4}){2,8}(?:%\w{1,16})?)\](?::(\d{1,5}))?/gi,
		(_all, host = "", port) => endpoint(host, port),
	],
	[
		/(?<![\w:.])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?::(?=\d))?(?![\w:])/gi,
		(all) => (/^(?:\d{1,2}:)+\d{1,2}$/.test(all) ? VALUE : endpoint(all, undefined)),
	],
	[
		/(?<![\d.])(\d{1,3}(?:\.\d{1,3}){3})(?![\d.]*\d)(?::(\d{1,5})\b)?/g,
		(_all, host = "", port) => endpoint(host, port),
	],
	[
		/(?<![\w.-])([a-z][\w-]{0,62}(?:\.[\w-]{1,62}){0,4}):(\d{2,5})(?![\w.:])/gi,
		(all, host = "", port = "") => (isSourceFile(host) ? host : all.replace(all, endpoint(host, port))),
	],
	// Paths keep only the name of the file: Windows, Unix, relative with at least one folder.
	[/(?<![a-z\d])[a-z]:[\\/][^\s"'`<>|:*?()[\]{},;]+/gi, fileName],
	[/(?<![\w.<:/])(?:~|\.{1,2})?\/(?![\s/>])[^\s"'`<>|:*?()[\]{},;]+/g, fileName],
	[/(?<![\w.@/-])[\w@.-]{1,80}\/(?:[\w@.-]{1,80}\/){0,20}[\w.-]{1,80}\.\w{1,5}\b/g, fileName],
	[/(?<![\p{L}\d_])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\p{L}\d_])/giu, VALUE],
	[/ at 0x[\da-f]+/gi, ""],
	// Browsers word it differently.
	[
		/Cannot (?:read|set) propert(?:y|ies) (?:['"`]([\w$]{1,100})['"`] )?of (?:undefined|null)(?: \((?:reading|setting) ['"`]([\w$]{1,100})['"`]\))?/g,
		(_all, old, name) => `no property ${old ?? name ?? ""}`,
	],
	[
		/can't access property ["'`]?([\w$]{1,100})["'`]?, [^\s]{1,200} is (?:undefined|null)/g,
		(_all, name) => `no property ${name}`,
	],
	[
		/(?:undefined|null) is not an object \(evaluating ["'`][^"'`]{0,200}?\b([\w$]{1,100})["'`]\)/g,
		(_all, name) => `no property ${name}`,
	],
	[/\bSQLSTATE\[?([\dA-Z]{5})\]?/g, (_all, code = "") => `SQLSTATE ${kept(code)}`],
	[
		/^(?:page|frame|locator|browser|browserContext|browserType|context|elementHandle|apiRequestContext|download|response|request|electron\w*|worker|video)\.[a-zA-Z_]{2,40}: /i,
		"",
	],
];

const isSourceFile = (name: string): boolean =>
	/\.(?:[cm]?[jt]sx?|py|java|kt|scala|go|rb|php|cs|rs|swift|vue|svelte|feature|robot|ex|exs|cpp|cc|c|h|html?|css)$/i.test(
		name,
	);

/** The name of a file, without digits that a build or a temporary folder adds. */
function fileName(path: string): string {
	const name = path.split(/[\\/]/).filter(Boolean).at(-1) ?? "";
	// A path of a URL or of a route rather than a file: all its parts say something.
	if (
		!name.includes(".") &&
		path.startsWith("/") &&
		!/^\/(?:tmp|var|home|Users|private|builds|root|opt|usr|mnt|etc|srv|workspace|work|app)\b/.test(path)
	)
		return pathOfUrl(path);
	return name
		.split(/(?<=[.-])|(?=[.-])/)
		.map((part) => (isId(part) ? VALUE : part))
		.join("");
}

/** A number with its unit, several of them, and what follows of the same kind: `1m 3s`, `59s`, `1,204.5 ms`. */
const NUMBER =
	/(?<![\p{L}\d_])[-+±]?\d(?:\d|[.,_'](?=\d)){0,40}(?:e[-+]?\d{1,4})?(?:\s?(?:%|(?:milliseconds?|msecs?|ms|µs|μs|us|ns|nanoseconds?|microseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|[kmg]i?b|bytes?|b|px|em|rem|second\(s\)|sek\.?|с|秒|分)(?![\p{L}\d_])))?/giu;

const NATURAL_QUOTES = /[«“„‟‹「『《〈»”‚‘][^«»“”„‟‹›「」『』《》〈〉‚‘’\n]{0,300}[»”“›」』》〉«’‘]/gu;

/**
 * @param volatile words that come from the data of the test: its parameters.
 */
export function templateOf(text: string, volatile: readonly string[] = []): string {
	let result = text.replace(NATURAL_QUOTES, VALUE);
	for (const [pattern, replacement] of VOLATILE) {
		result =
			typeof replacement === "string"
				? result.replace(pattern, replacement)
				: result.replace(pattern, replacement as never);
	}
	result = withoutQuotedValues(withoutLiterals(result));
	result = withoutNumbers(result);
	for (const word of volatile) result = replaceWord(result, word);
	return withKept(collapse(result));
}

const collapse = (text: string): string =>
	text
		.replace(/…(?:[\s,]*(?:and\s)?…)+/g, VALUE)
		// Longer texts are cut off.
		.replace(/…\.{3}/g, VALUE)
		.replace(/\s+/g, " ")
		.trim();

function withoutNumbers(text: string): string {
	const words = text.replace(/[\p{L}\d_]+/gu, (word) => (/\D/.test(word) && isId(word) ? VALUE : word));
	const replaced = words.replace(NUMBER, (number: string, at: number) => {
		const digits = /^-?\d+/.exec(number)?.[0] ?? "";
		return digits === number && isCode(words, at, number) ? number : VALUE;
	});
	// Digits within words: names with a counter, such as `order-17` and `user42`.
	return replaced.replace(/(?<=\p{L})\d+(?!\p{L})/gu, VALUE);
}

/** Replaces a word wherever it stands alone. */
function replaceWord(text: string, word: string): string {
	let result = "";
	let copied = 0;
	for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
		if (/[\p{L}\d_]/u.test(text[at - 1] ?? "") || /[\p{L}\d_]/u.test(text[at + word.length] ?? "")) continue;
		result += text.slice(copied, at) + VALUE;
		copied = at + word.length;
	}
	return result + text.slice(copied);
}

const CLOSING: Readonly<Record<string, string>> = { "[": "]", "{": "}", "(": ")", "<": ">" };

/** Brackets without a pair, each of which takes as long as the text that follows. */
const MAX_UNCLOSED = 8;

/** Replaces literals of lists, maps and objects. A bracket with a single word in it is no literal: `[level=1]`, `<button>`. */
export function withoutLiterals(text: string): string {
	let result = "";
	let copied = 0;
	let unclosed = 0;
	for (let at = 0; at < text.length; at += 1) {
		const open = text[at] ?? "";
		if (open !== "[" && open !== "{") continue;
		const end = closingOf(text, at, 1_000);
		if (end === -1 && ++unclosed > MAX_UNCLOSED) break;
		const inside = text.slice(at + 1, end === -1 ? at + 1 : end);
		if (end !== -1 && /[,'"…=]|: /.test(inside) && !/^["']?(?:method|using)["']?\s*[:=]/.test(inside)) {
			result += text.slice(copied, at) + VALUE;
			copied = end + 1;
		}
		// The inner text was already replaced; a literal within it is only a part.
		if (end !== -1) at = end;
	}
	return result + text.slice(copied);
}

/** @returns the place of the bracket that closes the one at `at`, or -1. Takes no more than `most` characters. */
export function closingOf(text: string, at: number, most: number): number {
	const open = text[at] ?? "";
	const close = CLOSING[open];
	let depth = 0;
	const last = Math.min(text.length, at + most);
	for (let index = at; index < last; index += 1) {
		if (text[index] === open) depth += 1;
		else if (text[index] === close && --depth === 0) return index;
	}
	return -1;
}

/** Nouns in front of a quoted name, whatever it looks like. */
const NAMED =
	/\b(?:get|post|put|patch|head|delete|url|endpoint|name[ds]?|keyword|variable|table|column|relation|property|properties|key|field|attribute|element|selector|locator|label|button|link|module|package|class|method|function|file|constraint|index|host|event|option|argument|parameter|fixture|step|command|role|type|tag|snapshot|import|schema|collection|view|procedure|header|route|template|component|service|bucket|queue|topic|pattern|expression|path|method|reading|evaluating|substring|placeholder|title|test ?id|xpath|id|css|text)[:=]?\s?\(?$/i;
const QUOTES = "\"'`";

/** Replaces quoted text that is a value. Names stay: `no table "carts"`, `KeyError: 'price'`. */
function withoutQuotedValues(text: string): string {
	const stopped: Record<string, number> = {};
	let result = "";
	let copied = 0;
	for (let at = 0; at < text.length; at += 1) {
		const open = text[at] ?? "";
		if (!QUOTES.includes(open) || at < (stopped[open] ?? 0)) continue;
		if (open === "'" && /[\p{L}\d]/u.test(text[at - 1] ?? "")) continue;
		let end = at + 1;
		while (end < text.length && text[end] !== "\n") {
			if (text[end] === "\\" && open !== "`") end += 2;
			else if (text[end] === open && !(open === "'" && /[\p{L}\d]/u.test(text[end + 1] ?? ""))) break;
			else end += 1;
		}
		if (text[end] !== open) {
			stopped[open] = end;
			continue;
		}
		const inside = text.slice(at + 1, end);
		result += text.slice(copied, at) + quoted(inside, text.slice(Math.max(0, at - 24), at));
		copied = end + 1;
		at = end;
	}
	return result + text.slice(copied);
}

/** A name, as programs and pages have them: a word, a dotted name, a selector, a tag. */
const NAME =
	/^(?:[#.]?[\p{L}_$*-][\p{L}\d_$.:#*-]{2,80}|[a-z_$]{1,2}|<\/?[a-z][^<>]{0,200}>|[#.[/*][^\s]{1,120}|\$\{[^}]{1,80}\}|%\(?[\w.]{1,40}\)?)$/u;

function quoted(inside: string, before: string): string {
	const isNamed = NAMED.test(before);
	if (!isNamed && !NAME.test(inside)) return VALUE;
	if (!isNamed && (/^[A-Z]{2,3}$/.test(inside) || isId(inside))) return VALUE;
	if (isId(inside)) return VALUE;
	return `"${inside.slice(0, 200)}"`;
}
