/** A dashboard, a runner and a display with a page in a browser: what recordings are measured on. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Job } from "@tapedeck/contract/job.ts";
import type { VideoOptions } from "@tapedeck/contract/video-options.ts";
import { cpuSeconds, processTree } from "#lab/bench/processes.ts";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { startChild } from "#test/processes/child.ts";
import { interrupt, openScene, type Scene, type SceneRunner } from "#test/runners/fault-scene.ts";
import { root } from "#test/stack.ts";

/** The options of each comparison; its help describes its output. */
export const { values: options } = parseArgs({
	options: {
		write: { type: "boolean", default: false },
		rounds: { type: "string", default: "3" },
		seconds: { type: "string", default: "20" },
		only: { type: "string" },
		help: { type: "boolean", default: false },
	},
});
export const [ROUNDS, WINDOW_MS] = [Number(options.rounds), Number(options.seconds) * 1_000];

export const SIZE = { width: 1920, height: 1080 };
/** The time until a browser shows the page. */
const PAGE_MS = 5_000;
/** The time until an encoder has written its first frames. */
export const SETTLE_MS = 3_000;

/** A page of screen.html. */
export type Screen = "still" | "web" | "moving" | "text";

/** Share of a core in percent, and kB a second. */
export type Cost = { cpu: number; bytes: number };

export interface Stage {
	scene: Scene;
	runner: SceneRunner;
	display: VirtualDisplay;
	folder: string;
}

/** Runs `measure` on a stage, and ends it, also when a signal comes first. */
export async function onStage(measure: (stage: Stage) => Promise<void>): Promise<void> {
	const interrupted = new Promise<never>((_, reject) => {
		for (const signal of ["SIGINT", "SIGTERM"] as const) {
			process.once(signal, () => reject(new Error(`${signal}: ended before everything was measured.`)));
		}
	});
	// It may come before anything is measured.
	interrupted.catch(() => undefined);
	const scene = await openScene();
	const display = await startXvfb(SIZE);
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-compare-"));
	try {
		const runner = await scene.addRunner("compare");
		await Promise.race([measure({ scene, runner, display, folder }), interrupted]);
	} finally {
		await scene.stop();
		await display.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

/** Runs `measure` while a browser shows a screen on the display. */
export async function whileShown({ display, folder }: Stage, screen: Screen, measure: () => Promise<void>) {
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
	try {
		await sleep(PAGE_MS);
		await measure();
	} finally {
		await browser.stop();
	}
}

/** Records the display once, and measures the runner with its encoder while it does. */
export async function recordingCost(stage: Stage, windowMs: number, video?: VideoOptions): Promise<Cost> {
	const id = await startJob(stage, video);
	await sleep(SETTLE_MS);
	const cpu = await processorShare(processTree(Number(stage.runner.child().process.pid)), windowMs);
	const { recording } = await stopJob(stage, id);
	return { cpu, bytes: (recording?.bytes ?? 0) / 1_000 / (recording?.durationSeconds ?? 1) };
}

/** @returns the id of a job that is recording. */
export async function startJob({ scene, runner, display }: Stage, video?: VideoOptions): Promise<number> {
	const { api } = scene.dashboard;
	const { id } = await api.createJob({ runnerId: runner.id, displayId: display.id, video, ...interrupt });
	await api.waitFor(id, "recording");
	return id;
}

/** @returns the job once its video plays. */
export async function stopJob({ scene }: Stage, id: number): Promise<Job> {
	const { api } = scene.dashboard;
	await api.cancelJob(id);
	return api.waitFor(id, "playable");
}

/** The processor time of processes during one window, in percent of a core. */
export async function processorShare(pids: readonly number[], windowMs: number): Promise<number> {
	const used = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
	const [before, startedAt] = [used(), performance.now()];
	await sleep(windowMs);
	return ((used() - before) / (performance.now() - startedAt)) * 100_000;
}

/** A table in Markdown, whose first column names the rows. */
export function tableOf(names: readonly string[], rows: readonly string[][]): string {
	const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
	return [line(["", ...names]), line(["---", ...names.map(() => "--:")]), ...rows.map(line)].join("\n");
}

/** Writes a table into a page, between the comments `<!-- {name}: written by {command} -->` and `<!-- /{name} -->`. */
export async function writeTable(page: string, name: string, table: string): Promise<void> {
	const path = join(root, page);
	const text = await readFile(path, "utf8");
	const [begin, end] = [`<!-- ${name}: `, `<!-- /${name} -->`];
	const [from, to] = [text.indexOf("-->", text.indexOf(begin)) + 3, text.indexOf(end)];
	if (!text.includes(begin) || to < from) throw new Error(`${page} has no markers for the table. Restore them.`);
	await writeFile(path, `${text.slice(0, from)}\n\n${table}\n\n${text.slice(to)}`);
}
