import { parseSearch } from "@tapedeck/contract/search.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bestMatches, highlight, readSearch } from "./matches.ts";

const fits = (names: string[], text: string) => bestMatches(names, readSearch(text), (name) => name);

test("every typed word must be in the name, in any order and case", () => {
	expect(fits(["Nightly checkout", "Nightly search", "Checkout"], "CHECK night")).toEqual(["Nightly checkout"]);
	expect(fits(["Nightly"], "")).toEqual(["Nightly"]);
});

test("names that begin with the word stand before names that hold it at a word, and those before the rest", () => {
	expect(fits(["Recheck", "A check", "Check it"], "check")).toEqual(["Check it", "A check", "Recheck"]);
	expect(fits(["b check", "a check"], "check")).toEqual(["b check", "a check"]);
});

test("signs of a pattern are looked for as they are", () => {
	expect(fits(["a.b (c)", "aXb (c)"], "a.b (c)")).toEqual(["a.b (c)"]);
	expect(highlight("a.b (c)", readSearch(".b ("))).toEqual([
		{ text: "a", found: false, at: 0 },
		{ text: ".b", found: true, at: 1 },
		{ text: " ", found: false, at: 3 },
		{ text: "(", found: true, at: 4 },
		{ text: "c)", found: false, at: 5 },
	]);
});

test("the highlighted parts of a name and the rest together are the name", () => {
	for (const text of ["", "e", "ee", "checkout nightly", "xyz"]) {
		const name = "Eerie Checkout, nightly";
		expect(
			highlight(name, readSearch(text))
				.map((piece) => piece.text)
				.join(""),
		).toBe(name);
	}
});

test("quotes keep words together, a minus excludes, and filters find nothing by name", () => {
	const names = ["Nightly checkout", "checkout, nightly", "Checkout"];
	expect(fits(names, '"nightly checkout"')).toEqual(["Nightly checkout"]);
	expect(fits(names, "checkout -nightly")).toEqual(["Checkout"]);
	expect(fits(names, "checkout outcome:failed")).toEqual([]);
	expect(highlight("Nightly checkout", readSearch('"tly check" outcome:failed'))).toEqual([
		{ text: "Nigh", found: false, at: 0 },
		{ text: "tly check", found: true, at: 4 },
		{ text: "out", found: false, at: 13 },
	]);
});

test("a text that is no filter is searched for as it is written, and the API takes any text", () => {
	expect(readSearch("error: timeout").words).toEqual(["timeout", "error:"]);
	expect(readSearch('"open quote').words).toEqual(["open quote"]);
	expect(readSearch("build:7 biuld:8")).toMatchObject({ words: ["biuld:8"], isPlain: false });
	fc.assert(
		fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
			const { q, terms } = readSearch(text);
			expect(parseSearch(q)).toMatchObject({ terms, faults: [] });
		}),
		{ examples: [['a"b'], ["-"], ["x: y:"], ['\\"x'], ['"']] },
	);
});

test("words that the palette highlights are those by which the lists find", () => {
	const texts = fc.array(fc.constantFrom("pay", "-x", '"a b"', "build:1", '"', "after:soon", "\\"), { maxLength: 5 });
	fc.assert(
		fc.property(texts, fc.string({ maxLength: 12 }), (parts, rest) => {
			const text = parts.join(" ");
			const search = readSearch(text);
			const name = `${search.words.join("|")} ${rest}`;
			const found = highlight(name, search).filter((piece) => piece.found);
			expect(found.length > 0).toBe(search.words.length > 0);
		}),
	);
});
