/** Completions of a search, from the text before the caret. */
import {
	LABEL_KEYS,
	partsOf,
	SEARCH_KEYS,
	SEARCH_VALUES,
	type SearchKey,
	tokensOf,
	valueText,
} from "@tapedeck/contract/search.ts";

/** A part of a search that can be completed. */
export type Completable = {
	/** The part to replace, in the text. */
	from: number;
	to: number;
	/** The beginning of the completed part: a minus, a key. */
	before: string;
	/** The beginning of the completion. */
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

const startingWith = (values: readonly string[], prefix: string) =>
	values.filter((value) => value.startsWith(prefix.toLowerCase()));

/**
 * The part that can be completed at the caret; null if nothing can.
 * @param asked also at the beginning of a word, where every key is possible.
 */
export function completableAt(text: string, caret: number, asked = false): Completable | null {
	const token = tokensOf(text).find(({ at, end }) => at < caret && caret <= end);
	const keys = (prefix: string) => startingWith(SEARCH_KEYS, prefix).map((one) => `${one}:`);
	if (token === undefined) {
		return asked ? { from: caret, to: caret, before: "", prefix: "", kind: "key", choices: keys("") } : null;
	}
	const place = { from: token.at, to: token.end };
	const [typed] = tokensOf(text.slice(token.at, caret));
	if (typed === undefined) return null;
	// A minus alone is a word to the parser; here, what it negates is still to come.
	const { not, key, value } =
		text.slice(token.at, caret) === "-" ? { not: true, key: null, value: "" } : partsOf(typed);
	const sign = not ? "-" : "";
	if (key === null) {
		const isQuoted = typed.end - typed.at > typed.text.length;
		if (isQuoted || (value === "" && !asked)) return null;
		const choices = keys(value);
		return choices.length === 0 ? null : { ...place, before: sign, prefix: value, kind: "key", choices };
	}
	const before = `${sign}${key}:`;
	if ((LABEL_KEYS as readonly string[]).includes(key)) {
		return { ...place, before, prefix: value, kind: "labelValue", key };
	}
	if (key === "runner") return { ...place, before, prefix: value, kind: "runner" };
	if (key === "label") {
		const equals = value.indexOf("=");
		if (equals < 0) return { ...place, before, prefix: value, kind: "labelKey" };
		const name = value.slice(0, equals);
		if (name === "") return null;
		const rest = value.slice(equals + 1);
		return { ...place, before: `${before}${valueText(name)}=`, prefix: rest, kind: "labelValue", key: name };
	}
	const values = SEARCH_VALUES[key as SearchKey];
	if (values === undefined) return null;
	return { ...place, before, prefix: value, kind: "value", choices: startingWith(values, value) };
}

/** The text with the chosen completion in its place, and where the caret stands then. */
export function completed(text: string, part: Completable, choice: string): { text: string; caret: number } {
	const value = part.kind === "key" ? choice : valueText(choice);
	const end = part.kind === "key" ? "" : part.kind === "labelKey" ? "=" : " ";
	const head = `${text.slice(0, part.from)}${part.before}${value}${end}`;
	const rest = text.slice(part.to);
	return { text: head + (end === " " ? rest.trimStart() : rest), caret: head.length };
}
