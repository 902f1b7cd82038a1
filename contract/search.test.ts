import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OUTCOMES, VERDICTS } from "./recording-kinds.ts";
import { LABEL_KEYS, parseSearch, printSearch, type SearchTerm } from "./search.ts";

const not = fc.boolean();
const words = fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" }).filter((text) => text.trim() !== "");
const key = fc.stringMatching(/^[a-z0-9]([a-z0-9._/-]{0,20}[a-z0-9])?$/);
const term: fc.Arbitrary<SearchTerm> = fc.oneof(
	fc.record({ kind: fc.constant("word" as const), text: words, not }),
	fc.record({
		kind: fc.constant("label" as const),
		key: fc.oneof(key, fc.constantFrom(...LABEL_KEYS)),
		value: fc.option(fc.oneof(words, fc.constant(""))),
		not,
	}),
	fc.record({ kind: fc.constant("outcome" as const), value: fc.constantFrom(...OUTCOMES, "none"), not }),
	fc.record({ kind: fc.constant("verdict" as const), value: fc.constantFrom(...VERDICTS), not }),
	fc.record({ kind: fc.constantFrom("runner" as const, "session" as const), value: words, not }),
	fc.record({
		kind: fc.constantFrom("after" as const, "before" as const),
		value: fc.constantFrom("2026-11-20", "2026-11-20T08:00Z", "2026-11-20T08:00:01.5+02:00"),
		not,
	}),
);

test("printed terms parse to the same terms", () => {
	fc.assert(
		fc.property(fc.array(term, { maxLength: 8 }), (terms) => {
			const { terms: read, faults } = parseSearch(printSearch(terms));
			expect(faults).toEqual([]);
			expect(read).toEqual(terms);
		}),
		{ numRuns: 1_000 },
	);
});

test("nothing throws, every fault says where it is, and what was read prints to a stable text", () => {
	const pieces = fc.constantFrom('"', "\\", ":", "-", "=", " ", "label:", "build:", "x", "outcome:", "\n", "//");
	const noise = fc.oneof(
		fc.string({ unit: "binary", maxLength: 60 }),
		fc.array(pieces).map((all) => all.join("")),
	);
	fc.assert(
		fc.property(noise, (text) => {
			const { terms, places, faults } = parseSearch(text);
			expect(places).toHaveLength(terms.length);
			for (const { at, length, message } of [...faults, ...places.map((place) => ({ ...place, message: "x" }))]) {
				expect(text.slice(at, at + length)).not.toBe("");
				expect(message).not.toBe("");
			}
			const printed = printSearch(terms);
			expect(printSearch(parseSearch(printed).terms)).toBe(printed);
		}),
		{ numRuns: 1_000 },
	);
});

test("a search has at most 20 words and filters; the fault says how many are too many, and where they begin", () => {
	const text = (count: number) =>
		Array.from({ length: count }, (_, index) => (index % 2 ? `w${index}` : `build:${index}`));
	expect(parseSearch(`${text(20).join("  ")} ""  `).faults).toEqual([]);
	const long = `${text(23).join(" ")} `;
	const { terms, faults } = parseSearch(long);
	expect(terms).toHaveLength(20);
	expect(faults).toHaveLength(1);
	expect(faults[0]?.message).toBe("A search has at most 20 words and filters: remove 3.");
	expect(long.slice(faults[0]?.at, (faults[0]?.at ?? 0) + (faults[0]?.length ?? 0))).toBe("build:20 w21 build:22");
});

test("ten kilobytes are read within 100 ms of CPU time", () => {
	for (const text of ['"'.repeat(10_000), "a:".repeat(5_000), `label:${"=".repeat(10_000)}`, "- ".repeat(5_000)]) {
		// The least of several: a busy machine makes some slower, but none faster.
		const times = Array.from({ length: 5 }, () => {
			const before = process.cpuUsage();
			parseSearch(text);
			const { user, system } = process.cpuUsage(before);
			return (user + system) / 1_000;
		});
		expect(Math.min(...times)).toBeLessThan(100);
	}
});

describe("examples", () => {
	test.each([
		["checkout flow", ["checkout", "flow"]],
		['"checkout flow"', ['"checkout flow"']],
		['build:123 branch:main outcome:failed -label:flaky label:team="web team"', null],
		[":99 on box", [":99", "on", "box"]],
		["12:30 http://grid:4444", ['"12:30"', '"http://grid:4444"']],
		["label:build=1", ["build:1"]],
		["-", ['"-"']],
	])("%s", (text, printed) => {
		const { terms, faults } = parseSearch(text);
		expect(faults).toEqual([]);
		expect(printSearch(terms)).toBe(printed === null ? text : printed.join(" "));
	});

	test.each([
		["checkout biuld:123", 9, /no filter "biuld"/],
		["outcome:green", 0, /one of passed, failed/],
		["build:", 0, /Add a value/],
		['build:1 "open', 8, /quotes/],
		["after:yesterday", 0, /2026-11-20/],
		["label:=x", 0, /Name a label/],
	])("%s is refused with the place of the mistake", (text, at, message) => {
		expect(parseSearch(text).faults).toEqual([
			expect.objectContaining({ at, message: expect.stringMatching(message) }),
		]);
	});
});
