/** The README's figures: kept in `measured.json` with the run that each comes from, and written from there. */
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

/** @returns what is kept of a result. */
export const entryOf = ({ values: _, ...words }: Result, run: Run): Entry => ({ ...words, run });

/** By `<bench>.<figure>`; runs of chaos by `chaos` and `chaos-nodes`. */
export type Measured = Readonly<Record<string, Entry>>;

export const CHAOS = "chaos";
/** Of several dashboards. */
export const NODE_CHAOS = "chaos-nodes";
export const CHAOS_RUNS = [CHAOS, NODE_CHAOS] as const;

const MEASURED_FILE = join(root, "lab", "bench", "measured.json");
const README_FILE = join(root, "README.md");

/** Every figure that a bench defines, in the table's order, by `<bench>.<figure>`. */
export async function definedFigures(): Promise<Record<string, Figure>> {
	const all: [string, Figure][] = [];
	for (const [bench, load] of Object.entries(benches)) {
		for (const [name, figure] of Object.entries((await load()).figures)) all.push([`${bench}.${name}`, figure]);
	}
	return Object.fromEntries(all);
}

export const readMeasured = async (): Promise<Measured> => JSON.parse(await readFile(MEASURED_FILE, "utf8"));
export const readReadme = (): Promise<string> => readFile(README_FILE, "utf8");

/** Keeps what a run measured, and renders the README; other rows stay as they are. */
export async function writeReadme(entries: Measured): Promise<void> {
	const figures = await definedFigures();
	const all: Measured = { ...(await readMeasured()), ...entries };
	// In the table's order, without what no bench defines any more.
	const kept = [...Object.keys(figures), ...CHAOS_RUNS].flatMap((key) =>
		all[key] === undefined ? [] : [[key, all[key]]],
	);
	const measured: Measured = Object.fromEntries(kept);
	await writeFile(MEASURED_FILE, `${JSON.stringify(measured, null, "\t")}\n`);
	await writeFile(README_FILE, renderReadme(await readReadme(), figures, measured));
}

/** @returns the README with new text between its markers. */
export function renderReadme(readme: string, figures: Readonly<Record<string, Figure>>, measured: Measured): string {
	const runs = runsOf(measured);
	const numberOf = ({ run }: Entry) => runs.findIndex((other) => sameRun(other, run)) + 1;
	const rows = Object.entries(figures).map(([key, { what, promise }]) => {
		const entry = measured[key];
		if (entry === undefined) return [what, "not measured yet", "", promise, ""];
		return [
			what,
			entry.measured,
			entry.against ?? "",
			entry.holds ? promise : `${promise}: **missed**`,
			numberOf(entry),
		];
	});
	const table = [["figure", "measured", "compared with", "target", "run"], Array(5).fill("---"), ...rows];
	const withTable = between(readme, "figures", [
		...table.map((cells) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |").replaceAll("|  |", "| |")),
		"",
		...runs.map((run, index) => `${index + 1}. ${describe(run)}`),
	]);
	return CHAOS_RUNS.reduce((text, name) => {
		const chaos = measured[name];
		const line = chaos === undefined ? "not measured yet" : `${chaos.measured} (run ${numberOf(chaos)})`;
		return between(text, name, [`> ${line}`]);
	}, withTable);
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

function between(readme: string, name: string, lines: readonly string[]): string {
	const [begin, end] = [new RegExp(`^<!-- ${name}: .*-->$`, "m").exec(readme), `\n<!-- /${name} -->`];
	const endsAt = readme.indexOf(end);
	if (begin === null || endsAt < begin.index) throw new Error(`The README has no markers for ${name}. Restore them.`);
	return `${readme.slice(0, begin.index + begin[0].length)}\n\n${lines.join("\n")}\n${readme.slice(endsAt)}`;
}
