import { expect, test } from "vitest";
import type { Run } from "./machine.ts";
import {
	CHAOS,
	CHAOS_RUNS,
	definedFigures,
	type Measured,
	NODE_CHAOS,
	PAGE_FIGURES,
	readFiguresPage,
	readMeasured,
	readResults,
	renderFiguresPage,
	renderResults,
} from "./results.ts";

const run: Run = { commit: "abcdef0", changed: false, date: "2026-01-02T03:04Z", machine: "2 cores", load: 0.1 };

const page = (table: string, chaos = "", nodes = "") =>
	[
		`before\n<!-- figures: x -->\n${table}\n<!-- /figures -->\nbetween\n<!-- chaos: x -->\n${chaos}\n<!-- /chaos -->`,
		`between\n<!-- chaos-nodes: x -->\n${nodes}\n<!-- /chaos-nodes -->\nafter\n`,
	].join("\n");

const figures = {
	"playable.short": { what: "one", promise: "< 1 s" },
	"b.two": { what: "two", promise: "≥ 0.5" },
	"list.shown": { what: "three", promise: "flat" },
};
const measured: Measured = {
	"playable.short": { measured: "9 ms", holds: true, run },
	"b.two": {
		measured: "0.4",
		against: "of bare work",
		holds: false,
		run: { ...run, date: "2026-01-01T00:00Z", changed: true },
	},
	[CHAOS]: { measured: "nothing wrong", holds: true, run },
	[NODE_CHAOS]: { measured: "one thing wrong", holds: false, run },
};

test("the pages quote nothing but what benches define and runs measured", async () => {
	const [defined, kept] = [await definedFigures(), await readMeasured()];
	expect(await readResults()).toBe(renderResults(defined, kept));
	const page = await readFiguresPage();
	expect(page).toBe(renderFiguresPage(page, defined, kept));
});

test("every figure that is kept is defined by a bench, and so is every one of docs/figures.md", async () => {
	const defined = [...Object.keys(await definedFigures()), ...CHAOS_RUNS];
	expect(Object.keys(await readMeasured()).filter((key) => !defined.includes(key))).toEqual([]);
	expect(PAGE_FIGURES.filter((key) => !defined.includes(key))).toEqual([]);
});

test("each row names its run, and each run its commit, state, date, machine and load", () => {
	expect(renderResults(figures, measured)).toContain(
		[
			"| figure | measured | compared with | target | run |",
			"| --- | --- | --- | --- | --- |",
			"| one | 9 ms | | < 1 s | 2 |",
			"| two | 0.4 | of bare work | ≥ 0.5: **missed** | 1 |",
			"| three | not measured yet | | flat | |",
			"",
			"## Chaos",
			"",
			"- nothing wrong (run 2)",
			"- one thing wrong (run 2)",
			"",
			"## Runs",
			"",
			"1. Commit abcdef0 with uncommitted changes, 2026-01-01 00:00 UTC: 2 cores; load average 0.10 at the start",
			"2. Commit abcdef0, 2026-01-02 03:04 UTC: 2 cores; load average 0.10 at the start",
			"",
		].join("\n"),
	);
});

test("docs/figures.md shows few figures, each with its commit and day", () => {
	const written = renderFiguresPage(page("| what was here |"), figures, measured);
	expect(written).toBe(
		page(
			[
				"",
				"| figure | measured | compared with | target | commit |",
				"| --- | --- | --- | --- | --- |",
				"| one | 9 ms | | < 1 s | abcdef0, 2026-01-02 |",
				"| three | not measured yet | | flat | |",
				"",
			].join("\n"),
			"\n> nothing wrong\n",
			"\n> one thing wrong\n",
		),
	);
	expect(renderFiguresPage(written, figures, measured)).toBe(written);
});

test("a page without the markers is left alone", () => {
	expect(() => renderFiguresPage("# Tapedeck\n", figures, measured)).toThrow("markers");
});
