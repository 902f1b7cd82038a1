import { expect, test } from "vitest";
import { rarestPartOf } from "./name-search.ts";

test.each([
	["test-4321", "-4321"],
	["b1515", "b1515"],
	["2026-11-23T", "2026-11-23T"],
	["v1.2.34-rc 567890", " 567890"],
	["x12", "x12"],
	["checkout", "checkout"],
	["a1b2c3", "a1b2c3"],
	["12", "12"],
	["Größe 4321", "Größe 4321"],
])("the index looks for %j by %j, of which every trigram has two digits, or by the whole", (word, part) => {
	expect(rarestPartOf(word)).toBe(part);
});
