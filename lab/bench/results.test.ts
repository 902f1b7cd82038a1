import { expect, test } from "vitest";
import type { Run } from "./machine.ts";
import {
	CHAOS,
	CHAOS_RUNS,
	definedFigures,
	type Measured,
	NODE_CHAOS,
	readMeasured,
	readReadme,
	renderReadme,
} from "./results.ts";

const run: Run = { commit: "abcdef0", changed: false, date: "2026-01-02T03:04Z", machine: "2 cores", load: 0.1 };

const page = (table: string, chaos = "", nodes = "") =>
	[
		`before\n<!-- figures: x -->\n${table}\n<!-- /figures -->\nbetween\n<!-- chaos: x -->\n${chaos}\n<!-- /chaos -->`,
		`between\n<!-- chaos-nodes: x -->\n${nodes}\n<!-- /chaos-nodes -->\nafter\n`,
	].join("\n");

const figures = {
	"a.one": { what: "one", promise: "< 1 s" },
	"b.two": { what: "two", promise: "≥ 0.5" },
	"b.three": { what: "three", promise: "flat" },
};
const measured: Measured = {
	"a.one": { measured: "9 ms", holds: true, run },
	"b.two": {
		measured: "0.4",
		against: "of bare work",
		holds: false,
		run: { ...run, date: "2026-01-01T00:00Z", changed: true },
	},
	[CHAOS]: { measured: "nothing wrong", holds: true, run },
	[NODE_CHAOS]: { measured: "one thing wrong", holds: false, run },
};

test("every row that the README quotes is one that a bench defines, with the figures of a run", async () => {
	const readme = await readReadme();
	expect(readme).toBe(renderReadme(readme, await definedFigures(), await readMeasured()));
});

test("every figure that is kept is defined by a bench", async () => {
	const defined = [...Object.keys(await definedFigures()), ...CHAOS_RUNS];
	expect(Object.keys(await readMeasured()).filter((key) => !defined.includes(key))).toEqual([]);
});

test("each row names its run, and each run its commit, state, date, machine and load", () => {
	const written = renderReadme(page("| what was here |"), figures, measured);
	expect(written).toBe(
		page(
			[
				"",
				"| figure | measured | compared with | target | run |",
				"| --- | --- | --- | --- | --- |",
				"| one | 9 ms | | < 1 s | 2 |",
				"| two | 0.4 | of bare work | ≥ 0.5: **missed** | 1 |",
				"| three | not measured yet | | flat | |",
				"",
				"1. Commit abcdef0 with uncommitted changes, 2026-01-01 00:00 UTC: 2 cores; load average 0.10 at the start",
				"2. Commit abcdef0, 2026-01-02 03:04 UTC: 2 cores; load average 0.10 at the start",
				"",
			].join("\n"),
			"\n> nothing wrong (run 2)\n",
			"\n> one thing wrong (run 2)\n",
		),
	);
	expect(renderReadme(written, figures, measured)).toBe(written);
});

test("a README without the markers is left alone", () => {
	expect(() => renderReadme("# Tapedeck\n", figures, measured)).toThrow("markers");
});
