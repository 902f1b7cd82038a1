import { parseSearch, printSearch, tokensOf, withoutTerm } from "@tapedeck/contract/search.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { completableAt, completed } from "./search-completion.ts";

const at = (marked: string, asked = false) =>
	completableAt(marked.replace("|", ""), marked.indexOf("|") < 0 ? marked.length : marked.indexOf("|"), asked);

test.each<[string, object | null]>([
	["bu|", { kind: "key", choices: ["build:"] }],
	["pay -s|", { kind: "key", before: "-", choices: ["suite:", "status:", "session:", "screen:"] }],
	["", null],
	["pay |", null],
	["pay|", null],
	['"pay b|', null],
	["outcome:f|", { kind: "value", before: "outcome:", choices: ["failed"] }],
	["-status:|", { kind: "value", before: "-status:", prefix: "" }],
	["build:12|", { kind: "labelValue", key: "build", prefix: "12" }],
	['branch:"a b|', { kind: "labelValue", key: "branch", prefix: "a b" }],
	["label:te|", { kind: "labelKey", prefix: "te" }],
	["label:team=w|", { kind: "labelValue", key: "team", before: "label:team=", prefix: "w" }],
	["runner:g|", { kind: "runner", prefix: "g" }],
	["after:2026|", null],
	["nothing:x|", null],
	["build:1| pay", { from: 0, to: 7, prefix: "1" }],
])("%s: what may come next", (marked, expected) => {
	if (expected === null) expect(at(marked)).toBeNull();
	else expect(at(marked)).toMatchObject(expected);
});

test("at the beginning of a word, every key is offered to those who ask", () => {
	expect(at("pay |", true)).toMatchObject({ kind: "key", prefix: "" });
});

test("a chosen key waits for its value, and a chosen value is followed by a space", () => {
	const choose = (text: string, choice: string, caret = text.length) => {
		const part = completableAt(text, caret);
		if (part === null) throw new Error(`Nothing to complete in ${text}`);
		return completed(text, part, choice);
	};
	expect(choose("pay -bu", "build:")).toEqual({ text: "pay -build:", caret: 11 });
	expect(choose("build:1 pay", "12", 7)).toEqual({ text: "build:12 pay", caret: 9 });
	expect(choose('branch:"a', "a b")).toEqual({ text: 'branch:"a b" ', caret: 13 });
	expect(choose("label:te", "team")).toEqual({ text: "label:team=", caret: 11 });
	expect(choose("label:team=w", "web app").text).toBe('label:team="web app" ');
});

test("the completed search finds exactly the value, whatever characters it has", () => {
	fc.assert(
		fc.property(fc.string({ minLength: 1 }), fc.constantFrom("build", "runner", "label:team"), (value, key) => {
			const text = key === "label:team" ? "label:team=" : `${key}:`;
			const part = completableAt(text, text.length);
			if (part === null) return false;
			const { terms, faults } = parseSearch(completed(text, part, value).text);
			const [term] = terms;
			return faults.length === 0 && terms.length === 1 && term !== undefined && "value" in term && term.value === value;
		}),
		{
			examples: [
				["// ", "build"],
				["//share/build", "build"],
			],
		},
	);
});

test("no text and no caret makes it throw", () => {
	fc.assert(
		fc.property(fc.string(), fc.nat(40), fc.boolean(), (text, caret, asked) => {
			completableAt(text, caret, asked);
		}),
	);
});

/** Searches in which quotes, escapes, signs and spaces meet at every place. */
const pieces = fc.constantFrom(
	...['"', "\\", '\\"', ":", "-", "=", " ", "  ", "\t", "x", "a b"],
	...["label:", "build:", "runner:", "outcome:", "after:", "//"],
);
const searches = fc.oneof(
	fc.array(pieces, { maxLength: 12 }).map((all) => all.join("")),
	fc.string({ unit: "binary", maxLength: 40 }),
);
/** The parser's view of a search, without where its terms are. */
const read = (text: string) => {
	const { terms, faults } = parseSearch(text);
	return { terms, faults: faults.map(({ message }) => message) };
};

test("a completion replaces one term of the parser and leaves every other term unchanged", () => {
	fc.assert(
		fc.property(searches, fc.nat(60), fc.string({ minLength: 1, maxLength: 8 }), (text, at, value) => {
			const caret = Math.min(at, text.length);
			const part = completableAt(text, caret);
			if (part === null) return;
			expect(tokensOf(text)).toContainEqual(expect.objectContaining({ at: part.from, end: part.to }));
			if (part.kind === "key" || part.kind === "labelKey") return;
			const choice = part.kind === "value" ? part.choices[0] : value;
			if (choice === undefined) return;
			const done = completed(text, part, choice).text;
			const [before, after] = [read(text.slice(0, part.from)), read(text.slice(part.to))];
			const chosen = expect.objectContaining({ value: choice, not: part.before.startsWith("-") });
			expect(read(done)).toEqual({
				terms: [...before.terms, chosen, ...after.terms],
				faults: [...before.faults, ...after.faults],
			});
		}),
		{
			numRuns: 3_000,
			examples: [
				['branch:\\" b build:', 18, "1"],
				['"a\\\\" build:', 12, "1"],
				['label:"team=w', 13, "web"],
				['name\\" build:1 outcome:f', 24, "x"],
			],
		},
	);
});

test("a term that is taken away leaves the others as they were, spaces in quotes included", () => {
	fc.assert(
		fc.property(searches, (text) => {
			const { terms, places, faults } = parseSearch(text);
			for (const [index, place] of places.entries()) {
				const rest = parseSearch(withoutTerm(text, place));
				expect(rest.terms).toEqual(terms.filter((_, other) => other !== index));
				expect(rest.faults.map(({ message }) => message)).toEqual(faults.map(({ message }) => message));
			}
		}),
		{ numRuns: 1_000, examples: [['build:1 "two  spaces" branch:"a  b"']] },
	);
	expect(withoutTerm('build:1 "two  spaces"', { at: 0, length: 7 })).toBe('"two  spaces"');
	expect(printSearch(parseSearch(withoutTerm("build:1", { at: 0, length: 7 })).terms)).toBe("");
});

test("keys that are asked for in front of a word do not replace it", () => {
	expect(at("|pay", true)).toMatchObject({ kind: "key", from: 0, to: 0 });
	expect(at("build:1 |pay", true)).toMatchObject({ kind: "key", from: 8, to: 8 });
});
