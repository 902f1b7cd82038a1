/**
 * `npm run compare`: Tapedeck's recorder beside docker-selenium's, on the same display in the same run, in turns.
 * Processor time is that of everything that records: our runner with its ffmpeg, their ffmpeg alone.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { median } from "#lab/bench/figures.ts";
import { describeRun } from "#lab/bench/machine.ts";
import { cpuSeconds, processTree } from "#lab/bench/processes.ts";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { type Child, startChild } from "#test/processes/child.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { interrupt, openScene, type Scene, type SceneRunner } from "#test/runners/fault-scene.ts";
import { root } from "#test/stack.ts";
import { type Rival, rivals } from "./docker-selenium.ts";

const HELP = `npm run compare [-- options]
  --write           write the tables of docs/compare.md
  --rounds <n>      how often each screen is recorded by each recorder (3)
  --seconds <n>     how long each time (20)`;
const SIZE = { width: 1920, height: 1080 };
const SCREENS = ["still", "web", "moving"] as const;
const KILLED_AFTER_SECONDS = [12, 30] as const;
/** Until a browser shows the page, and until an encoder has written its first frames. */
const PAGE_MS = 5_000;
const SETTLE_MS = 3_000;
const PAGE = join(root, "docs/compare.md");

type Screen = (typeof SCREENS)[number];
/** Share of a core in percent, and kB a second. */
type Cost = { cpu: number; bytes: number };
/** For each recorder, in the order of `recorders`. */
type Row = string[];

const { values: options } = parseArgs({
	options: {
		write: { type: "boolean", default: false },
		rounds: { type: "string", default: "3" },
		seconds: { type: "string", default: "20" },
		help: { type: "boolean", default: false },
	},
});
const [ROUNDS, WINDOW_MS] = [Number(options.rounds), Number(options.seconds) * 1_000];

interface Stage {
	scene: Scene;
	runner: SceneRunner;
	display: VirtualDisplay;
	folder: string;
}

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

async function compare(): Promise<void> {
	const run = describeRun();
	const recorders = [tapedeck, ...rivals.map(rivalRecorder)];
	const rows: Row[] = [];
	const scene = await openScene();
	const display = await startXvfb(SIZE);
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-compare-"));
	try {
		const stage = { scene, runner: await scene.addRunner("compare"), display, folder };
		for (const screen of SCREENS) {
			const browser = await show(display, screen, folder);
			const costs = recorders.map(() => [] as Cost[]);
			for (let round = 0; round < ROUNDS; round += 1) {
				for (const [index, recorder] of recorders.entries()) costs[index]?.push(await recorder.cost(stage));
			}
			rows.push(...costRows(screen, costs));
			if (screen === "web") {
				for (const seconds of KILLED_AFTER_SECONDS) {
					const played = await inTurn(recorders, (recorder) => recorder.killed(stage, seconds));
					rows.push([`playable after SIGKILL at ${seconds} s`, ...played.map((each) => `${each.toFixed(1)} s`)]);
				}
				const late = await inTurn(recorders, (recorder) => recorder.stopped(stage));
				rows.push(["from stop to playable", ...late.map((each) => `${(each / 1_000).toFixed(2)} s`)]);
			}
			await browser.stop();
		}
	} finally {
		await scene.stop();
		await display.stop();
		await rm(folder, { recursive: true, force: true });
	}
	const table = tableOf(
		recorders.map(({ name }) => name),
		rows,
	);
	const { commit, date, machine, load } = run;
	const words = `${table}\n\nCommit ${commit}, ${date}; ${machine}; load average ${load} before the run. Medians of ${ROUNDS} rounds of ${WINDOW_MS / 1_000} s.`;
	console.log(words);
	if (options.write) await writePage(words);
}

/** One after the other, because they share a machine. */
async function inTurn<T>(recorders: readonly Recorder[], act: (recorder: Recorder) => Promise<T>): Promise<T[]> {
	const results: T[] = [];
	for (const recorder of recorders) results.push(await act(recorder));
	return results;
}

/** Shows a screen on the display. */
async function show(display: VirtualDisplay, screen: Screen, folder: string): Promise<Child> {
	const browser = startChild(
		process.env.TAPEDECK_TEST_CHROMIUM ?? "/usr/bin/chromium",
		[
			...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
			...["--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--kiosk", "--window-position=0,0"],
			...[`--window-size=${SIZE.width},${SIZE.height}`, `--user-data-dir=${join(folder, screen)}`],
			`file://${root}lab/compare/screen.html#${screen}`,
		],
		{ env: { ...process.env, DISPLAY: display.id }, stdio: "ignore" },
	);
	await sleep(PAGE_MS);
	return browser;
}

const tapedeck: Recorder = {
	name: "Tapedeck",
	async cost(stage) {
		const id = await startJob(stage);
		await sleep(SETTLE_MS);
		const cpu = await processorShare(processTree(Number(stage.runner.child().process.pid)));
		const { recording } = await stopJob(stage, id);
		return { cpu, bytes: (recording?.bytes ?? 0) / 1_000 / (recording?.durationSeconds ?? 1) };
	},
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

async function startJob({ scene, runner, display }: Stage): Promise<number> {
	const { api } = scene.dashboard;
	const { id } = await api.createJob({ runnerId: runner.id, displayId: display.id, ...interrupt });
	await api.waitFor(id, "recording");
	return id;
}

async function stopJob({ scene }: Stage, id: number) {
	const { api } = scene.dashboard;
	await api.cancelJob(id);
	return api.waitFor(id, "playable");
}

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
			const cpu = await processorShare([Number(encoder.process.pid)]);
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

/** What processes use of a core during one window, in percent. */
async function processorShare(pids: readonly number[]): Promise<number> {
	const used = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
	const [before, startedAt] = [used(), performance.now()];
	await sleep(WINDOW_MS);
	return ((used() - before) / (performance.now() - startedAt)) * 100_000;
}

/** How many seconds of a file play, from its first to its last frame; 0 when it does not open. */
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

function tableOf(names: readonly string[], rows: readonly Row[]): string {
	const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
	return [line(["", ...names]), line(["---", ...names.map(() => "--:")]), ...rows.map(line)].join("\n");
}

/** Writes the table between its markers. */
async function writePage(table: string): Promise<void> {
	const page = await readFile(PAGE, "utf8");
	const [begin, end] = ["<!-- compare: written by npm run compare -- --write -->", "<!-- /compare -->"];
	const [from, to] = [page.indexOf(begin), page.indexOf(end)];
	if (from < 0 || to < from) throw new Error("docs/compare.md has no markers for the table. Restore them.");
	await writeFile(PAGE, `${page.slice(0, from + begin.length)}\n\n${table}\n\n${page.slice(to)}`);
}

if (options.help) console.log(HELP);
else await compare();
process.exit();
