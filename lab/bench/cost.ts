/**
 * Measures the CPU cost of recording: of the runner alone, and with its encoders, against as many bare ffmpegs with the
 * command line of the main output. The bare ones make no posters and no samples of the picture, so the result includes
 * their cost.
 */
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { videoFormat } from "@tapedeck/contract/video-options.ts";
import { captureArguments } from "#runner/capture/ffmpeg.ts";
import { captureFiles } from "#runner/spool/capture-files.ts";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { type Child, startChild } from "#test/processes/child.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { interrupt, openScene, type Scene, type SceneRunner } from "#test/runners/fault-scene.ts";
import { listed, median, type Results } from "./figures.ts";
import { cpuSeconds, megabytes, peakMegabytes, processTree } from "./processes.ts";
import { QUICK } from "./samples.ts";

const AT_ONCE = QUICK ? [1, 2] : [1, 4, 8];
const ROUNDS = QUICK ? 1 : 3;
const WINDOW_MS = QUICK ? 3_000 : 15_000;
const SETTLE_MS = QUICK ? 500 : 4_000;
const PICTURE = { width: 1280, height: 720 };
const PROMISED_RUNNER_SHARE = 0.1;
const PROMISED_RATIO = 1.25;
const PROMISED_RUNNER_MEGABYTES = 120;
const recordings = `${listed(AT_ONCE)} recordings of a moving ${PICTURE.width}×${PICTURE.height} display`;

export const figures = {
	processor: {
		what: `CPU time of the runner and its ffmpegs with ${recordings}`,
		promise: `≤ ${PROMISED_RATIO}`,
	},
	runner: { what: "CPU time of the runner alone", promise: `< ${PROMISED_RUNNER_SHARE}` },
	memory: { what: "memory of its ffmpegs", promise: `≤ ${PROMISED_RATIO}` },
	runnerMemory: { what: "peak memory of the runner alone", promise: `< ${PROMISED_RUNNER_MEGABYTES} MB` },
};

type Stage = { scene: Scene; runner: SceneRunner; display: VirtualDisplay; folder: string };
/** Share of a core, and MB resident. */
type Cost = { cpu: number; memory: number };
type Round = { runner: Cost; all: Cost; bare: Cost };

export async function run(): Promise<Results<typeof figures>> {
	const scene = await openScene();
	const display = await startXvfb(PICTURE);
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	try {
		await display.move();
		const stage = { scene, runner: await scene.addRunner("bench"), display, folder };
		const all = AT_ONCE.map((count) => ({ count, rounds: [] as Round[] }));
		// In turns, so that a slower machine slows all of them, and no figure is only of a runner that has just started.
		for (let round = 0; round < ROUNDS; round += 1) {
			for (const { count, rounds } of all) {
				rounds.push({ ...(await withRunner(stage, count)), bare: await withBareEncoders(stage, count) });
			}
		}
		const peak = peakMegabytes(Number(stage.runner.child().process.pid));
		return resultsOf(
			all.map(({ rounds }) => rounds),
			peak,
		);
	} finally {
		await scene.stop();
		await display.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

async function withRunner({ scene, runner, display }: Stage, count: number): Promise<{ runner: Cost; all: Cost }> {
	const { api } = scene.dashboard;
	const body = { runnerId: runner.id, displayId: display.id, ...interrupt };
	const jobs = await Promise.all(Array.from({ length: count }, () => api.createJob(body)));
	for (const { id } of jobs) await api.waitFor(id, "recording");
	await sleep(SETTLE_MS);
	const pid = Number(runner.child().process.pid);
	const [own, all] = await costs([pid], processTree(pid));
	for (const { id } of jobs) await api.cancelJob(id);
	for (const { id } of jobs) await api.waitFor(id, "playable");
	return { runner: own, all };
}

async function withBareEncoders({ display, folder }: Stage, count: number): Promise<Cost> {
	const encoders: Child[] = [];
	try {
		for (let index = 0; index < count; index += 1) encoders.push(await startEncoder(display, join(folder, `${index}`)));
		await sleep(SETTLE_MS);
		const [bare] = await costs(encoders.map(({ process }) => Number(process.pid)));
		return bare;
	} finally {
		await Promise.all(encoders.map((encoder) => encoder.stop()));
	}
}

/** The runner's command line up to its main output, which is the first one. Brings it when it writes. */
async function startEncoder(display: VirtualDisplay, folder: string): Promise<Child> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder);
	const files = captureFiles(folder, 1);
	const program = requireProgram("ffmpeg");
	const screen = {
		xName: `${display.id}.0`,
		isBgrx: true,
		isPrivate: false,
		video: videoFormat({}),
		area: { x: 0, y: 0, ...PICTURE },
	};
	const order = { program, env: process.env, ...screen, frames: null, files };
	const whole = captureArguments(order);
	const encoder = startChild(program, whole.slice(0, whole.indexOf(files.video) + 1), { stdio: "ignore" });
	const until = performance.now() + 10_000;
	while (!((await stat(files.video).catch(() => null))?.size ?? 0)) {
		if (performance.now() > until) throw new Error(`ffmpeg wrote nothing from display ${display.id}`);
		await sleep(20);
	}
	return encoder;
}

/** The CPU time that groups of processes used during one window. */
async function costs<G extends number[][]>(...groups: G): Promise<{ [K in keyof G]: Cost }> {
	const used = () => groups.map((pids) => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0));
	const before = used();
	const startedAt = performance.now();
	await sleep(WINDOW_MS);
	const after = used();
	const seconds = (performance.now() - startedAt) / 1_000;
	return groups.map((pids, index) => ({
		cpu: ((after[index] ?? 0) - (before[index] ?? 0)) / seconds,
		memory: pids.reduce((sum, pid) => sum + megabytes(pid), 0),
	})) as { [K in keyof G]: Cost };
}

/** @param all the rounds of every number of recordings. */
function resultsOf(all: readonly Round[][], peak: number): Results<typeof figures> {
	const each = (look: (round: Round) => number) => all.map((rounds) => median(rounds.map(look)));
	const against = "× bare ffmpegs with the same main output";
	const processor = each(({ all: { cpu }, bare }) => cpu / bare.cpu);
	const runner = each(({ all: { cpu }, runner: own }) => own.cpu / (cpu - own.cpu));
	const memory = each(({ all: { memory: whole }, runner: own, bare }) => (whole - own.memory) / bare.memory);
	const fixed = (values: number[], digits: number) => listed(values.map((value) => value.toFixed(digits)));
	return {
		processor: {
			...{ values: processor, measured: fixed(processor, 2), against },
			holds: processor.every((ratio) => ratio <= PROMISED_RATIO),
		},
		runner: {
			...{ values: runner, measured: fixed(runner, 3), against: "× its ffmpegs'" },
			holds: runner.every((share) => share < PROMISED_RUNNER_SHARE),
		},
		memory: {
			...{ values: memory, measured: fixed(memory, 2), against },
			holds: memory.every((ratio) => ratio <= PROMISED_RATIO),
		},
		runnerMemory: {
			...{ values: [peak], measured: `${Math.round(peak)} MB` },
			holds: peak < PROMISED_RUNNER_MEGABYTES,
		},
	};
}
