/**
 * The last results of benches and chaos, kept in `measured.json` with the run that each figure comes from. `RESULTS.md`
 * and the few figures of docs/figures.md are written from this file.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "#test/stack.ts";
import { benches } from "./benches.ts";
import type { Figure, Result } from "./figures.ts";
import type { Run } from "./machine.ts";

/** A figure as it was measured last. */
export interface Entry extends Omit<Result, "values"> {
	run: Run;
}

/** @returns the part of a result that is stored. */
export const entryOf = ({ values: _, ...words }: Result, run: Run): Entry => ({ ...words, run });

/** Entries by `<bench>.<figure>`; runs of chaos by `chaos` and `chaos-nodes`. */
export type Measured = Readonly<Record<string, Entry>>;

export const CHAOS = "chaos";
/** The key of chaos runs over several dashboards. */
export const NODE_CHAOS = "chaos-nodes";
export const CHAOS_RUNS = [CHAOS, NODE_CHAOS] as const;

/** The figures of docs/figures.md: those that matter to a user who chooses a recorder. `RESULTS.md` has all figures. */
export const PAGE_FIGURES = [
	...["playable.short", "live.lag", "latency.start", "stop-lag.frames", "stop-lag.idleWritten", "cost.processor"],
	...["catch-up.lag", "fleet.thousand", "many-jobs.sqlite", "list.shown"],
] as const;

const MEASURED_FILE = join(root, "lab", "bench", "measured.json");
const RESULTS_FILE = join(root, "lab", "bench", "RESULTS.md");
const FIGURES_PAGE = join(root, "docs", "figures.md");

/** Every figure that a bench defines, in the table's order, by `<bench>.<figure>`. */
export async function definedFigures(): Promise<Record<string, Figure>> {
	const all: [string, Figure][] = [];
	for (const [bench, load] of Object.entries(benches)) {
		for (const [name, figure] of Object.entries((await load()).figures)) all.push([`${bench}.${name}`, figure]);
	}
	return Object.fromEntries(all);
}

export const readMeasured = async (): Promise<Measured> => JSON.parse(await readFile(MEASURED_FILE, "utf8"));
export const readFiguresPage = (): Promise<string> => readFile(FIGURES_PAGE, "utf8");
export const readResults = (): Promise<string> => readFile(RESULTS_FILE, "utf8");

/** Stores the results of a run, and writes both pages again. Other figures stay unchanged. */
export async function writeResults(entries: Measured): Promise<void> {
	const figures = await definedFigures();
	const all: Measured = { ...(await readMeasured()), ...entries };
	// In the table's order, without figures that no bench defines any longer.
	const kept = [...Object.keys(figures), ...CHAOS_RUNS].flatMap((key) =>
		all[key] === undefined ? [] : [[key, all[key]]],
	);
	const measured: Measured = Object.fromEntries(kept);
	await writeFile(MEASURED_FILE, `${JSON.stringify(measured, null, "\t")}\n`);
	await writeFile(RESULTS_FILE, renderResults(figures, measured));
	await writeFile(FIGURES_PAGE, renderFiguresPage(await readFiguresPage(), figures, measured));
}

/** @returns the whole of `RESULTS.md`: each figure with the number of its run, then the runs. */
export function renderResults(figures: Readonly<Record<string, Figure>>, measured: Measured): string {
	const runs = runsOf(measured);
	const numberOf = ({ run }: Entry) => runs.findIndex((other) => sameRun(other, run)) + 1;
	const chaos = CHAOS_RUNS.flatMap((key) => {
		const entry = measured[key];
		return entry === undefined ? [] : [`- ${entry.measured} (run ${numberOf(entry)})`];
	});
	const lines = [
		"# Results",
		"",
		'Written by `npm run bench -- --write`, never by hand. "Compared with" is a ratio to a baseline of the same run. The last',
		"column refers to the list of runs below.",
		"",
		...tableOf(figures, measured, "run", numberOf),
		"",
		"## Chaos",
		"",
		...chaos,
		"",
		"## Runs",
		"",
		...runs.map((run, index) => `${index + 1}. ${describe(run)}`),
	];
	return `${lines.join("\n")}\n`;
}

/** @returns docs/figures.md with new text between its markers. */
export function renderFiguresPage(page: string, figures: Readonly<Record<string, Figure>>, measured: Measured): string {
	const few = Object.fromEntries(
		PAGE_FIGURES.flatMap((key) => (figures[key] === undefined ? [] : [[key, figures[key]]])),
	);
	const table = tableOf(few, measured, "commit", ({ run }) => `${run.commit}, ${run.date.slice(0, 10)}`);
	return CHAOS_RUNS.reduce(
		(text, name) => between(text, name, [`> ${measured[name]?.measured ?? "not measured yet"}`]),
		between(page, "figures", table),
	);
}

/** A table in Markdown, a row for each figure; its last column says which run a figure comes from. */
function tableOf(
	figures: Readonly<Record<string, Figure>>,
	measured: Measured,
	lastColumn: string,
	runOf: (entry: Entry) => string | number,
): string[] {
	const rows = Object.entries(figures).map(([key, { what, promise }]) => {
		const entry = measured[key];
		if (entry === undefined) return [what, "not measured yet", "", promise, ""];
		const target = entry.holds ? promise : `${promise}: **missed**`;
		return [what, entry.measured, entry.against ?? "", target, runOf(entry)];
	});
	return [["figure", "measured", "compared with", "target", lastColumn], Array(5).fill("---"), ...rows].map((cells) =>
		`| ${cells.join(" | ")} |`.replaceAll("|  |", "| |").replaceAll("|  |", "| |"),
	);
}

/** Every run that something is left of, oldest first. */
function runsOf(measured: Measured): Run[] {
	const runs: Run[] = [];
	for (const { run } of Object.values(measured)) if (!runs.some((other) => sameRun(other, run))) runs.push(run);
	return runs.sort((a, b) => a.date.localeCompare(b.date));
}

const sameRun = (a: Run, b: Run): boolean =>
	a.date === b.date && a.commit === b.commit && a.changed === b.changed && a.load === b.load;

function describe({ commit, changed, date, machine, load }: Run): string {
	const tree = changed ? `Commit ${commit} with uncommitted changes` : `Commit ${commit}`;
	const busy = load === null ? "" : `; load average ${load.toFixed(2)} at the start`;
	return `${tree}, ${date.slice(0, 16).replace("T", " ")} UTC: ${machine}${busy}`;
}

function between(page: string, name: string, lines: readonly string[]): string {
	const [begin, end] = [new RegExp(`^<!-- ${name}: .*-->$`, "m").exec(page), `\n<!-- /${name} -->`];
	const endsAt = page.indexOf(end);
	if (begin === null || endsAt < begin.index)
		throw new Error(`docs/figures.md has no markers for ${name}. Restore them.`);
	return `${page.slice(0, begin.index + begin[0].length)}\n\n${lines.join("\n")}\n${page.slice(endsAt)}`;
}
