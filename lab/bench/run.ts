/** `npm run bench [-- name …]`: measures what we promise about speed, each figure against a baseline of the same run. */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { benches } from "./benches.ts";
import { brokenResults, type Figure, type Result } from "./figures.ts";
import { describeRun } from "./machine.ts";
import { entryOf, writeResults } from "./results.ts";

const HELP = `npm run bench [-- options] [name …]
  --quick           few samples, to check that each bench works; slowness is not a failure
  --write           keep the figures, and write RESULTS.md and the table of docs/figures.md; with names, only their rows
  --render          write both from earlier figures, without measuring
  --part <n>/<m>    only every mth bench, from the nth on
  --report <file>   write what passed and failed as JSON
Names: ${Object.keys(benches).join(", ")}`;

const { values: options, positionals: names } = parseArgs({
	allowPositionals: true,
	options: {
		quick: { type: "boolean", default: false },
		write: { type: "boolean", default: false },
		render: { type: "boolean", default: false },
		part: { type: "string", default: "1/1" },
		report: { type: "string" },
		help: { type: "boolean", default: false },
	},
});

type Row = { figure: Figure; result: Result };
type Report = { passed: number; failures: { title: string; message: string }[] };

if (options.help) console.log(HELP);
else if (names.some((name) => !(name in benches))) refuse(`Unknown bench.\n${HELP}`);
else if (options.quick && options.write) refuse("--quick takes too few samples to be kept.");
else if (options.render) await writeResults({});
else if (!/^[1-9]\/[1-9]$/.test(options.part)) refuse("--part takes two digits, such as 1/2.");
else await perform(partOf(Object.keys(benches).filter((name) => names.length === 0 || names.includes(name))));
// A bench that failed may have left a connection open.
process.exit();

function partOf(all: string[]): string[] {
	const [first = 1, of = 1] = options.part.split("/").map(Number);
	return all.filter((_, index) => index % of === first - 1);
}

function refuse(message: string): void {
	console.error(message);
	process.exitCode = 1;
}

async function perform(wanted: readonly string[]): Promise<void> {
	const run = options.write ? describeRun() : null;
	const rows: Row[] = [];
	const report: Report = { passed: 0, failures: [] };
	for (const name of wanted) {
		console.log(`# ${name}`);
		const startedAt = performance.now();
		try {
			const taken = await measure(name);
			rows.push(...Object.values(taken));
			report.passed += 1;
			// After each bench, so that a later failing bench does not lose earlier results.
			if (run !== null) {
				const entries = Object.entries(taken).map(([key, { result }]) => [key, entryOf(result, run)]);
				await writeResults(Object.fromEntries(entries));
			}
		} catch (error) {
			console.error(error);
			report.failures.push({ title: name, message: (error as Error).message });
		}
		console.log(`  ${Math.round((performance.now() - startedAt) / 1_000)} s`);
	}
	print(rows);
	if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(report));
	const missed = !options.quick && rows.some(({ result }) => !result.holds);
	process.exitCode = missed || report.failures.length > 0 ? 1 : 0;
}

/** @returns rows by `<bench>.<figure>`. @throws when the bench is broken */
async function measure(name: string): Promise<Record<string, Row>> {
	const bench = await benches[name]?.();
	if (bench === undefined) throw new Error(`Unknown bench: ${name}.`);
	const results = await bench.run();
	const broken = brokenResults(bench.figures, results);
	if (broken.length > 0) throw new Error(broken.join("\n"));
	const rows = Object.entries(bench.figures).map(([key, figure]) => [
		`${name}.${key}`,
		{ figure, result: results[key] },
	]);
	return Object.fromEntries(rows);
}

function print(rows: readonly Row[]): void {
	console.log("\n| figure | measured | compared with | target | |\n|---|---|---|---|---|");
	for (const { figure, result } of rows) {
		const verdict = result.holds ? "holds" : "**missed**";
		console.log(`| ${figure.what} | ${result.measured} | ${result.against ?? ""} | ${figure.promise} | ${verdict} |`);
	}
}
