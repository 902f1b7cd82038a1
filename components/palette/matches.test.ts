import { expect, test } from "vitest";
import { bestMatches, highlight } from "./matches.ts";

const fits = (names: string[], text: string) => bestMatches(names, text, (name) => name);

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
	expect(highlight("a.b (c)", ".b (")).toEqual([
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
			highlight(name, text)
				.map((piece) => piece.text)
				.join(""),
		).toBe(name);
	}
});
