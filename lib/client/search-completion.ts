/** What may come next in a search, from what stands before the caret. */
import { LABEL_KEYS, SEARCH_KEYS, SEARCH_VALUES, type SearchKey } from "#lib/contract/search.ts";

/** A part of a search that can be completed. */
export type Completable = {
	/** The part to replace, in the text. */
	from: number;
	to: number;
	/** What the completed part begins with: a minus, a key. */
	before: string;
	/** What the completion begins with. */
	prefix: string;
} & (
	| { kind: "key"; choices: readonly string[] }
	/** A fixed few values. */
	| { kind: "value"; choices: readonly string[] }
	| { kind: "runner" }
	/** A key of a label, and its value. */
	| { kind: "labelKey" }
	| { kind: "labelValue"; key: string }
);

/** The token around the caret: tokens end at a space that is not in quotes. */
function tokenAt(text: string, caret: number): { from: number; to: number } {
	let [from, isQuoted] = [0, false];
	for (let at = 0; at < text.length; at++) {
		if (text[at] === '"' && text[at - 1] !== "\\") isQuoted = !isQuoted;
		if (isQuoted || !/\s/.test(text[at] as string)) continue;
		if (at >= caret) return { from, to: at };
		from = at + 1;
	}
	return { from, to: text.length };
}

const unquoted = (text: string): string => text.replaceAll(/\\(["\\])|"/g, "$1");
const startingWith = (values: readonly string[], prefix: string) =>
	values.filter((value) => value.startsWith(prefix.toLowerCase()));

/**
 * What can be completed at the caret; null if nothing.
 * @param asked also at the beginning of a word, where every key is possible.
 */
export function completableAt(text: string, caret: number, asked = false): Completable | null {
	const { from, to } = tokenAt(text, caret);
	const typed = text.slice(from, caret);
	const sign = typed.startsWith("-") ? "-" : "";
	const term = typed.slice(sign.length);
	const place = { from, to };
	const [, key, value = ""] = /^([a-z]+):(.*)$/s.exec(term) ?? [];
	if (key === undefined) {
		if (term.includes('"') || (term === "" && !asked)) return null;
		const choices = startingWith(SEARCH_KEYS, term).map((one) => `${one}:`);
		return choices.length === 0 ? null : { ...place, before: sign, prefix: term, kind: "key", choices };
	}
	const before = `${sign}${key}:`;
	const prefix = unquoted(value);
	if ((LABEL_KEYS as readonly string[]).includes(key)) return { ...place, before, prefix, kind: "labelValue", key };
	if (key === "runner") return { ...place, before, prefix, kind: "runner" };
	if (key === "label") {
		const equals = value.indexOf("=");
		if (equals < 0) return { ...place, before, prefix, kind: "labelKey" };
		const name = unquoted(value.slice(0, equals));
		const rest = unquoted(value.slice(equals + 1));
		return { ...place, before: `${before}${value.slice(0, equals)}=`, prefix: rest, kind: "labelValue", key: name };
	}
	const values = SEARCH_VALUES[key as SearchKey];
	if (values === undefined) return null;
	return { ...place, before, prefix, kind: "value", choices: startingWith(values, prefix) };
}

/** The text with the chosen completion in its place, and where the caret stands then. */
export function completed(text: string, part: Completable, choice: string): { text: string; caret: number } {
	const isOpen = part.kind === "key" || part.kind === "labelKey";
	const value = /[\s"]/.test(choice) ? `"${choice.replaceAll(/["\\]/g, "\\$&")}"` : choice;
	const end = part.kind === "labelKey" ? "=" : isOpen ? "" : " ";
	const head = `${text.slice(0, part.from)}${part.before}${value}${end}`;
	const rest = text.slice(part.to);
	return { text: head + (end === " " ? rest.trimStart() : rest), caret: head.length };
}
