/**
 * Displays that a runner makes for the workers of tests: the cost of own displays with their recordings against as many on one shared
 * display, how soon a display is ready, and 16 at once. All processes are counted: browsers, X servers, runner, encoders and dashboard.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ControlClient } from "#runner/control/control-client.ts";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { type Child, startChild } from "#test/processes/child.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { interrupt, openScene, type Scene, type SceneRunner } from "#test/runners/fault-scene.ts";
import { root } from "#test/stack.ts";
import { until } from "#test/wait.ts";
import { median, ms, p99Under, type Result, type Results } from "./figures.ts";
import { cpuSeconds, processTree } from "./processes.ts";
import { QUICK, samples } from "./samples.ts";

const SIZE = { width: 1280, height: 720 };
const WORKERS = 2;
const ROUNDS = QUICK ? 1 : 3;
const WINDOW_MS = QUICK ? 2_000 : 10_000;
/** The time until a browser shows its page. */
const PAGE_MS = 5_000;
const READY = samples(20);
const AT_ONCE = 16;
const RECORDED = 4;
const PROMISED = { ratio: 1.1, readyMs: 500, recorded: 0.97 };

export const figures = {
	cost: {
		what: `CPU time of ${WORKERS} browsers that a test works in, each on an own display of ${SIZE.width}×${SIZE.height} with its recording`,
		promise: `≤ ${PROMISED.ratio} times`,
	},
	ready: { what: "a new display: from the request to the DISPLAY", promise: `p99 < ${PROMISED.readyMs} ms` },
	many: {
		what: `${AT_ONCE} displays at once, ${RECORDED} of them recorded: seconds of video of the seconds that passed`,
		promise: `≥ ${PROMISED.recorded * 100} %`,
	},
};

interface Stage {
	scene: Scene;
	runner: SceneRunner;
	shared: VirtualDisplay;
	folder: string;
}

export async function run(): Promise<Results<typeof figures>> {
	const scene = await openScene();
	const shared = await startXvfb(SIZE);
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	try {
		const env = {
			TAPEDECK_VIRTUAL_DISPLAYS: `${AT_ONCE}`,
			TAPEDECK_VIRTUAL_DISPLAY_SIZE: `${SIZE.width}x${SIZE.height}`,
		};
		const stage = { scene, runner: await scene.addRunner("bench", { env }), shared, folder };
		const ready = await measureReady(stage);
		const many = await measureMany(stage);
		const rounds: { own: number; shared: number }[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			rounds.push({ own: await costOf(stage, "new"), shared: await costOf(stage, shared.id) });
		}
		const ratio = median(rounds.map(({ own, shared }) => own / shared));
		const share = (of: (round: (typeof rounds)[number]) => number) =>
			`${(median(rounds.map(of)) * 100).toFixed(1)} % of a core`;
		return {
			cost: {
				...{ values: [ratio], measured: `${ratio.toFixed(2)} times (${share(({ own }) => own)})` },
				against: `${share(({ shared }) => shared)} for as many browsers and recordings on one display`,
				holds: ratio <= PROMISED.ratio,
			},
			ready,
			many,
		};
	} finally {
		await scene.stop();
		await shared.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

const neverWaits = (): void => {
	throw new Error("A display was waited for, although there should be enough.");
};

async function measureReady({ runner }: Stage): Promise<Result> {
	const client = new ControlClient(runner.dataDir);
	const taken: number[] = [];
	for (let index = 0; index < READY; index += 1) {
		const beganAt = performance.now();
		const display = await client.borrowDisplay({}, neverWaits);
		taken.push(performance.now() - beganAt);
		await display.stop();
	}
	return p99Under(PROMISED.readyMs, taken);
}

async function measureMany(stage: Stage): Promise<Result> {
	const { api } = stage.scene.dashboard;
	const client = new ControlClient(stage.runner.dataDir);
	const beganAt = performance.now();
	const [lent, jobs] = await Promise.all([
		Promise.all(Array.from({ length: AT_ONCE - RECORDED }, () => client.borrowDisplay({}, neverWaits))),
		startJobs(stage, "new", RECORDED),
	]);
	const readyMs = performance.now() - beganAt;
	const browsers = jobs.map(({ display }, index) => showScreen(display, SIZE, join(stage.folder, `many ${index}`)));
	await sleep(PAGE_MS + WINDOW_MS);
	const shares = await Promise.all(
		jobs.map(async ({ id }) => {
			const before = await api.readJob(id);
			await api.cancelJob(id);
			const askedAt = Date.now();
			const { recording } = await api.waitFor(id, "playable");
			return (recording?.durationSeconds ?? 0) / ((askedAt - Date.parse(before.startedAt ?? "")) / 1_000);
		}),
	);
	await Promise.all([...browsers.map((browser) => browser.stop()), ...lent.map((display) => display.stop())]);
	const least = Math.min(...shares);
	return {
		...{ values: shares, measured: `${(least * 100).toFixed(1)} %, all ready after ${ms(readyMs)}` },
		holds: least >= PROMISED.recorded,
	};
}

interface RecordedDisplay {
	/** The job's. */
	id: number;
	display: string;
}

async function startJobs({ scene, runner }: Stage, displayId: string, count: number): Promise<RecordedDisplay[]> {
	const { api } = scene.dashboard;
	const order = { runnerId: runner.id, displayId, ...interrupt };
	const created = await Promise.all(Array.from({ length: count }, () => api.createJob(order)));
	return Promise.all(
		created.map(async ({ id }) => {
			await api.waitFor(id, "recording");
			const { displayId: display } = await until(async () => {
				const job = await api.readJob(id);
				return job.startedAt === null ? null : job;
			}, `job ${id} records`);
			return { id, display };
		}),
	);
}

/** @param displayId "new", or the shared display. @returns the share of a core that everything uses. */
async function costOf(stage: Stage, displayId: string): Promise<number> {
	const { api } = stage.scene.dashboard;
	const jobs = await startJobs(stage, displayId, WORKERS);
	const browsers: Child[] = jobs.map(({ display }, index) => {
		const width = displayId === "new" ? SIZE.width : SIZE.width / WORKERS;
		const at = { ...SIZE, width, left: displayId === "new" ? 0 : index * width };
		return showScreen(display, at, join(stage.folder, `${displayId} ${index}`));
	});
	try {
		await sleep(PAGE_MS);
		const pids = processTree(process.pid).filter((pid) => pid !== process.pid);
		const used = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
		const [before, beganAt] = [used(), performance.now()];
		await sleep(WINDOW_MS);
		return (used() - before) / ((performance.now() - beganAt) / 1_000);
	} finally {
		for (const browser of browsers) await browser.stop();
		for (const { id } of jobs) await api.cancelJob(id);
		for (const { id } of jobs) await api.waitFor(id, "playable");
	}
}

/**
 * A browser with the page of lab/compare that loads pages, waits and types, as a test does.
 * @param profile an empty folder, which is created.
 */
function showScreen(
	display: string,
	{ width, height, left = 0 }: { width: number; height: number; left?: number },
	profile: string,
): Child {
	const flags = [
		...["--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--ozone-platform=x11"],
		...[`--window-position=${left},0`, `--window-size=${width},${height}`, `--user-data-dir=${profile}`],
	];
	const page = `--app=file://${join(root, "lab/compare/screen.html")}#web`;
	return startChild(requireProgram("chromium"), [...flags, page], {
		env: { ...process.env, DISPLAY: display },
		stdio: "ignore",
	});
}
