/**
 * `npm run compare`: Tapedeck's recorder against docker-selenium's, on the same display in the same run, in turns.
 * Processor time is that of all recording processes: our runner with its ffmpeg, and their ffmpeg.
 */
import { execFile } from "node:child_process";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { median } from "#lab/bench/figures.ts";
import { describeRun } from "#lab/bench/machine.ts";
import { startChild } from "#test/processes/child.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { type Rival, rivals } from "./docker-selenium.ts";
import { compareFilms } from "./films.ts";
import {
	type Cost,
	onStage,
	options,
	processorShare,
	ROUNDS,
	recordingCost,
	type Screen,
	SETTLE_MS,
	SIZE,
	type Stage,
	startJob,
	stopJob,
	tableOf,
	WINDOW_MS,
	whileShown,
	writeTable,
} from "./stage.ts";

const HELP = `npm run compare [-- options]
  --write           write the tables of docs/compare.md
  --rounds <n>      how often each screen is recorded by each recorder (3)
  --seconds <n>     how long each time (20)
  --only <part>     recorders: beside docker-selenium's; films: a worker's film beside Playwright's own video`;
const SCREENS = ["still", "web", "moving"] as const;
const KILLED_AFTER_SECONDS = [12, 30] as const;

/** A value for each recorder, in the order of `recorders`. */
type Row = string[];

/** A recorder that is being compared. */
interface Recorder {
	name: string;
	/** Records once, and measures while it does. */
	cost(stage: Stage): Promise<Cost>;
	/** Records, and is killed. @returns how many seconds of video play. */
	killed(stage: Stage, afterSeconds: number): Promise<number>;
	/** Records, and is stopped. @returns how long until the video plays, in ms. */
	stopped(stage: Stage): Promise<number>;
}

const PARTS = ["recorders", "films"];

async function compare(): Promise<void> {
	const { only } = options;
	if (only !== undefined && !PARTS.includes(only)) throw new Error(`--only takes ${PARTS.join(" or ")}.`);
	if (only !== "films") await present("compare", compareRecorders);
	if (only !== "recorders") await present("films", compareFilms);
}

/** Measures, prints the table with the run that it comes from, and writes it into the page on request. */
async function present(name: string, measure: () => Promise<string>): Promise<void> {
	const { commit, date, machine, load } = describeRun();
	const table = await measure();
	const words = `${table}\n\nCommit ${commit}, ${date}; ${machine}; load average ${load} before the run. Medians of ${ROUNDS} rounds of ${WINDOW_MS / 1_000} s.`;
	console.log(words);
	if (options.write) await writeTable("docs/compare.md", name, words);
}

async function compareRecorders(): Promise<string> {
	const recorders = [tapedeck, ...rivals.map(rivalRecorder)];
	const rows: Row[] = [];
	await onStage(async (stage) => {
		for (const screen of SCREENS) {
			await whileShown(stage, screen, async () => {
				const costs = recorders.map(() => [] as Cost[]);
				for (let round = 0; round < ROUNDS; round += 1) {
					for (const [index, recorder] of recorders.entries()) costs[index]?.push(await recorder.cost(stage));
				}
				rows.push(...costRows(screen, costs));
				if (screen !== "web") return;
				for (const seconds of KILLED_AFTER_SECONDS) {
					const played = await inTurn(recorders, (recorder) => recorder.killed(stage, seconds));
					rows.push([`playable after SIGKILL at ${seconds} s`, ...played.map((each) => `${each.toFixed(1)} s`)]);
				}
				const late = await inTurn(recorders, (recorder) => recorder.stopped(stage));
				rows.push(["from stop to playable", ...late.map((each) => `${(each / 1_000).toFixed(2)} s`)]);
			});
		}
	});
	return tableOf(
		recorders.map(({ name }) => name),
		rows,
	);
}

/** Runs the recorders one after the other, because they share a machine. */
async function inTurn<T>(recorders: readonly Recorder[], act: (recorder: Recorder) => Promise<T>): Promise<T[]> {
	const results: T[] = [];
	for (const recorder of recorders) results.push(await act(recorder));
	return results;
}

const tapedeck: Recorder = {
	name: "Tapedeck",
	cost: (stage) => recordingCost(stage, WINDOW_MS),
	async killed(stage, afterSeconds) {
		const { runner } = stage;
		const id = await startJob(stage);
		const kept = await runner.keepSpooled(id);
		await sleep(afterSeconds * 1_000);
		await runner.kill();
		for (const pid of await runner.encoders()) process.kill(pid, "SIGKILL");
		await runner.startAgain();
		await stage.scene.dashboard.api.waitFor(id, "playable");
		return playableSeconds(kept);
	},
	async stopped(stage) {
		const id = await startJob(stage);
		await sleep(SETTLE_MS);
		const at = performance.now();
		await stopJob(stage, id);
		return performance.now() - at;
	},
};

function rivalRecorder(rival: Rival): Recorder {
	const start = async ({ display, folder }: Stage) => {
		const file = join(folder, "rival.mp4");
		await rm(file, { force: true });
		const encoder = startChild(requireProgram("ffmpeg"), rival.arguments(display.id, SIZE, file), { stdio: "ignore" });
		while ((await stat(file).catch(() => null)) === null) await sleep(20);
		return { encoder, file };
	};
	return {
		name: rival.name,
		async cost(stage) {
			const { encoder, file } = await start(stage);
			await sleep(SETTLE_MS);
			const cpu = await processorShare([Number(encoder.process.pid)], WINDOW_MS);
			await encoder.stop(10_000);
			return { cpu, bytes: (await stat(file)).size / 1_000 / (await playableSeconds(file)) };
		},
		async killed(stage, afterSeconds) {
			const { encoder, file } = await start(stage);
			await sleep(afterSeconds * 1_000);
			encoder.process.kill("SIGKILL");
			await encoder.exited;
			return playableSeconds(file);
		},
		async stopped(stage) {
			const { encoder } = await start(stage);
			await sleep(SETTLE_MS);
			const at = performance.now();
			await encoder.stop(10_000);
			return performance.now() - at;
		},
	};
}

/** The playable length of a file in seconds, from its first to its last frame; 0 if it does not open. */
async function playableSeconds(file: string): Promise<number> {
	const wanted = ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,duration_time"];
	const { stdout } = await promisify(execFile)(requireProgram("ffprobe"), [...wanted, "-of", "csv=p=0", file], {
		maxBuffer: 1 << 26,
	}).catch(() => ({ stdout: "" }));
	const ends = stdout.split("\n").map((line) => {
		const [at = Number.NaN, duration = 0] = line.split(",").map(Number);
		return at + (duration || 0);
	});
	return Math.max(0, ...ends.filter((end) => !Number.isNaN(end)));
}

function costRows(screen: Screen, costs: readonly Cost[][]): Row[] {
	const row = (what: string, unit: string, digits: number, of: (cost: Cost) => number): Row => {
		const values = costs.map((rounds) => median(rounds.map(of)));
		const [ours = 0] = values;
		const beside = values.map((value, index) => {
			const figure = `${value.toFixed(digits)} ${unit}`;
			return index === 0 ? figure : `${figure} (ours: × ${(ours / value).toFixed(2)})`;
		});
		return [`${screen}: ${what}`, ...beside];
	};
	return [row("processor time", "% of a core", 1, ({ cpu }) => cpu), row("video", "kB/s", 0, ({ bytes }) => bytes)];
}

if (options.help) console.log(HELP);
else await compare();
process.exit();
