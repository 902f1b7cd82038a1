/**
 * What recording costs: the runner alone, and with the encoders that it runs, against as many bare ffmpegs with the
 * command line of its main output. The bare ones have no posters and no samples of the picture: that price shows.
 */
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Child, startChild } from "#e2e/fixtures/child.ts";
import { interrupt, openScene, type Scene, type SceneRunner } from "#e2e/fixtures/fault-scene.ts";
import { requireProgram } from "#e2e/fixtures/programs.ts";
import { startXvfb, type VirtualDisplay } from "#e2e/fixtures/xvfb.ts";
import { captureArguments, captureFiles } from "#runner/ffmpeg.ts";
import { type Figure, median } from "./figures.ts";
import { cpuSeconds, megabytes, processTree } from "./processes.ts";
import { QUICK } from "./samples.ts";

const AT_ONCE = [1, 4, 8];
const ROUNDS = QUICK ? 1 : 3;
const WINDOW_MS = QUICK ? 5_000 : 15_000;
const SETTLE_MS = 4_000;
const PICTURE = { width: 1280, height: 720 };
const PROMISED_RUNNER_SHARE = 0.1;
const PROMISED_RATIO = 1.25;
const PROMISED_RUNNER_MEGABYTES = 120;

type Stage = { scene: Scene; runner: SceneRunner; display: VirtualDisplay; folder: string };
/** Share of a core, and MB resident. */
type Cost = { cpu: number; memory: number };
type Round = { runner: Cost; all: Cost; bare: Cost };

export async function run(): Promise<Figure[]> {
	const scene = await openScene();
	const display = await startXvfb(PICTURE);
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	try {
		await display.move();
		const stage = { scene, runner: await scene.addRunner("bench"), display, folder };
		const figures: Figure[] = [];
		for (const count of AT_ONCE) {
			const rounds: Round[] = [];
			// In turns, so that a machine that slows down slows both.
			for (let round = 0; round < ROUNDS; round += 1) {
				rounds.push({ ...(await withRunner(stage, count)), bare: await withBareEncoders(stage, count) });
			}
			figures.push(...figuresOf(count, rounds));
		}
		return figures;
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
	const order = { program, env: process.env, xName: `${display.id}.0`, ...PICTURE, frames: null, fit: null, files };
	const whole = captureArguments(order);
	const encoder = startChild(program, whole.slice(0, whole.indexOf(files.video) + 1), { stdio: "ignore" });
	const until = performance.now() + 10_000;
	while (!((await stat(files.video).catch(() => null))?.size ?? 0)) {
		if (performance.now() > until) throw new Error(`ffmpeg wrote nothing from display ${display.id}`);
		await sleep(20);
	}
	return encoder;
}

/** What groups of processes cost during one window. */
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

function figuresOf(count: number, rounds: readonly Round[]): Figure[] {
	const of = (look: (round: Round) => number) => median(rounds.map(look));
	const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
	const mb = (value: number) => `${Math.round(value)} MB`;
	const bares = count === 1 ? "a bare ffmpeg" : `${count} bare ffmpegs`;
	const recordings = count === 1 ? "1 recording" : `${count} recordings`;
	const share = of(({ runner, bare }) => runner.cpu / bare.cpu);
	const ratio = of(({ all, bare }) => all.cpu / bare.cpu);
	const memoryRatio = of(({ all, runner, bare }) => (all.memory - runner.memory) / bare.memory);
	const memory = of(({ runner }) => runner.memory);
	return [
		{
			what: `processor time of ${recordings} of a moving ${PICTURE.width}×${PICTURE.height} picture`,
			measured: `runner alone ${percent(of(({ runner }) => runner.cpu))} of a core, ${share.toFixed(3)} of it; with its ffmpegs ${percent(of(({ all }) => all.cpu))}, ${ratio.toFixed(2)} of it`,
			against: `${bares} with the same main output, ${percent(of(({ bare }) => bare.cpu))}`,
			promise: `< ${PROMISED_RUNNER_SHARE}; ≤ ${PROMISED_RATIO}`,
			holds: share < PROMISED_RUNNER_SHARE && ratio <= PROMISED_RATIO,
		},
		{
			what: `memory of ${recordings} of it`,
			measured: `runner alone ${mb(memory)}; with its ffmpegs ${mb(of(({ all }) => all.memory))}, ${memoryRatio.toFixed(2)} of it without the runner`,
			against: `${bares}, ${mb(of(({ bare }) => bare.memory))}`,
			promise: `< ${PROMISED_RUNNER_MEGABYTES} MB; ≤ ${PROMISED_RATIO}`,
			holds: memory < PROMISED_RUNNER_MEGABYTES && memoryRatio <= PROMISED_RATIO,
		},
	];
}
