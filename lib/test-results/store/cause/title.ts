/** The line that tells a failure apart from others: `#total: expected 80.10, received 89.00`, not the generic first line. */
import { sanitizeMessage } from "@tapedeck/contract/plain-text.ts";
import type { Failure } from "../cause.ts";
import { linesOf, ownFrame } from "./frame.ts";
import { reasonOf } from "./reason.ts";
import { closingOf } from "./template.ts";

const MAX_TITLE = 200;

/** @returns at most 200 characters; null if neither the message nor the stack says anything. */
export function titleOf({ message, stack, test, file }: Failure): string | null {
	const text = sanitizeMessage(message ?? "") ?? "";
	const trace = stack ?? "";
	const { kind, lines, log } = reasonOf(text, trace, test);
	const said = lines.filter((line) => line !== "");
	const title = compared(said, log) ?? action(said, log) ?? sentence(said);
	if (title !== "") return cut(kind === "" || title.includes(kind) ? title : `${kind}: ${title}`);
	const { frame } = ownFrame(linesOf(trace), { test, file });
	const [name = "", fn] = (frame ?? "").split(" ");
	const place = frame === null ? "" : ` in ${fn === undefined ? name : `${fn} (${name})`}`;
	if (kind !== "") return cut(`${kind}${place}`);
	const first = text.split("\n", 1)[0] ?? "";
	return first === "" && place === "" ? null : cut(`${first || "Failed"}${place}`);
}

const cut = (text: string): string => (text.length <= MAX_TITLE ? text : `${text.slice(0, MAX_TITLE - 1)}…`);

const valueIn = (lines: readonly string[], name: RegExp): string | undefined =>
	lines
		.slice(0, 16)
		.map((line) => name.exec(line)?.[1]?.trim())
		.find((value) => value !== undefined && value !== "");

const EXPECTED =
	/^Expected(?: (?:string|pattern|substring|value|length|number of calls|path|text|regex))?: {1,8}(.{1,300})$/i;
const RECEIVED =
	/^(?:Received(?: (?:string|value|length|number of calls|array|text))?|Actual(?: value)?|But was|got): {1,8}(.{1,300})$/i;

const MATCHER = /(?:^|\s)expect\([^()]{0,60}(?:\(\))?\)((?:\.(?:not|resolves|rejects))*\.\w{2,60})/;

/** The comparison, with both values. */
function compared(lines: readonly string[], log: readonly string[]): string | null {
	const expected = valueIn(lines, EXPECTED);
	const received = valueIn(lines, RECEIVED);
	const first = lines[0] ?? "";
	const matcher = lines
		.slice(0, 3)
		.map((line) => MATCHER.exec(line)?.[1])
		.find((found) => found !== undefined);
	const inLog = log.map((line) => /^- waiting for (.{1,300})$/.exec(line)?.[1]).find((found) => found !== undefined);
	const locator = valueIn(lines, /^Locator: {1,8}(.{1,300})$/) ?? (matcher === undefined ? undefined : inLog);
	if (expected === undefined && received === undefined && locator === undefined) return null;
	if (matcher === undefined && locator === undefined && /[^:]$/.test(first) && !EXPECTED.test(first)) return null;
	const what = locator === undefined ? ownWords(first) : short(locator);
	const values = [
		...(expected === undefined ? [] : [`expected ${plain(expected)}`]),
		...(received === undefined ? [] : [`received ${plain(received)}`]),
	];
	const not = matcher?.startsWith(".not") ? "not " : "";
	if (values.length === 0) return `${what}: ${matcher === undefined ? "" : matcher.slice(1)}`;
	return `${what === "" ? "" : `${what}: `}${not}${values.join(", ")}`;
}

/** The author's words in front of an assertion. */
const ownWords = (first: string): string =>
	/^(?!expect\()(.{1,120}?):? ?(?:expect\(|$)/.exec(first)?.[1]?.replace(/^Expected: .*$/i, "") ?? "";

const plain = (value: string): string => /^"([^"]{0,300})"$/.exec(value)?.[1] ?? value;

/** The selector alone, if the locator has nothing else. */
function short(locator: string): string {
	const one = /^(?:page\.)?(?:locator|getByTestId|getByText|getByLabel|getByPlaceholder)\(/.exec(locator);
	if (one === null || closingOf(locator, one[0].length - 1, 400) !== locator.length - 1) return locator;
	return /^['"](.{1,200})['"]$/.exec(locator.slice(one[0].length, -1))?.[1] ?? locator;
}

/** An action that found no element to act on, or one that is not ready. */
function action(lines: readonly string[], log: readonly string[]): string | null {
	const first = lines[0] ?? "";
	if (!/Timeout \d{1,9}ms exceeded|Test timeout of/.test(first)) return null;
	const all = [...lines, ...log];
	const waited = all
		.map((line) => /^(?:- )?waiting for (.{1,300})$/.exec(line)?.[1])
		.find((found) => found !== undefined);
	if (waited === undefined || !/\(/.test(waited)) return null;
	const state = all
		.map((line) =>
			/(<[^>]{1,80}>).{0,200} intercepts pointer events|(element is (?:not \w{1,20}|outside of the viewport))/.exec(
				line,
			),
		)
		.find((found) => found !== null);
	if (state?.[1] !== undefined) return `${short(waited)} is covered by ${state[1]}`;
	return state?.[2] === undefined ? `waiting for ${short(waited)}` : `${short(waited)}: ${state[2]}`;
}

/** The first line, and the next ones while it only introduces them. */
function sentence(lines: readonly string[]): string {
	let end = 1;
	while (end < Math.min(lines.length, 6) && (lines[end - 1]?.endsWith(":") || /^(?:to |but )/.test(lines[end] ?? "")))
		end += 1;
	return lines.slice(0, end).join(" ").replace(/\s+/g, " ");
}
