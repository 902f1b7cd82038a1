/** Everything real that a run needs: dashboard, runners behind networks of their own, displays that count. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "#test/processes/free-port.ts";
import { until } from "#test/runners/runner-process.ts";
import { Client } from "./client.ts";
import { type CounterDisplay, startCounterDisplay } from "../test/counter/counter-display.ts";
import { type BreakableNetwork, startNetwork } from "./proxy.ts";
import { CREDENTIALS, dashboardProgram, logFolder, type Program, runnerProgram, startDashboard } from "./services.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

export const RUNNERS = 2;
export const DISPLAYS = 3;
/** The runner whose disk is small. */
export const SMALL_DISK_RUNNER = 1;
const RUNNER_DISK_MB = 64;
/** What the dashboard keeps free for its database. */
export const RESERVE_MB = 32;

export interface RunnerNode {
	program: Program;
	network: BreakableNetwork;
	dataDir: string;
	/** Null where its disk cannot be filled. */
	disk: SmallDisk | null;
	/** As the API knows it. */
	id: number;
}

export interface World {
	/** Date.now() when the run began; everything else counts from there. */
	epoch: number;
	/** Milliseconds since then. */
	now(): number;
	say(line: string): void;
	/** Folder of everything that explains a failure. */
	evidence: string;
	url: string;
	dashboard: Program;
	dashboardDir: string;
	dashboardDisk: SmallDisk | null;
	runners: RunnerNode[];
	displays: CounterDisplay[];
	client: Client;
	/** Ends all that was started. Safe to call at any moment, and twice. */
	close(): Promise<void>;
}

/**
 * @param evidence an empty folder.
 * @param over aborted when the run is given up.
 */
export async function openWorld(evidence: string, minutes: number, over: AbortSignal): Promise<World> {
	const epoch = Date.now();
	const begun = performance.now();
	const now = () => performance.now() - begun;
	const logs = await logFolder(evidence);
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const dashboardDir = join(evidence, "dashboard");
	const world: World = {
		...{ epoch, now, evidence, url, dashboardDir, runners: [], displays: [] },
		say(line) {
			const text = `${(now() / 1_000).toFixed(1).padStart(7)} s  ${line}`;
			process.stdout.write(`${text}\n`);
			appendFileSync(join(logs, "chaos.log"), `${text}\n`);
		},
		dashboard: dashboardProgram({
			port,
			dataDir: dashboardDir,
			logFile: join(logs, "dashboard.log"),
			reserve: RESERVE_MB,
		}),
		dashboardDisk: await mountSmallDisk(dashboardDir, RESERVE_MB * 2 + 96 + Math.ceil(minutes * 24)),
		client: new Client(url, CREDENTIALS.apiKey, over),
		close: () => closeWorld(world),
	};
	try {
		await startDashboard(world.dashboard, url);
		const { email, password } = CREDENTIALS;
		await world.client.keepEverything({ email, password });
		for (let index = 0; index < DISPLAYS; index++) world.displays.push(await startCounterDisplay(now));
		for (let index = 0; index < RUNNERS; index++) world.runners.push(await addRunner(evidence, logs, url, index));
		await signedIn(world);
		return world;
	} catch (error) {
		await world.close();
		throw error;
	}
}

async function addRunner(evidence: string, logs: string, url: string, index: number): Promise<RunnerNode> {
	const name = `runner-${index + 1}`;
	const dataDir = join(evidence, name);
	const network = await startNetwork(url);
	const disk = index === SMALL_DISK_RUNNER ? await mountSmallDisk(dataDir, RUNNER_DISK_MB) : null;
	const program = runnerProgram({ name, url: network.url, dataDir, logFile: join(logs, `${name}.log`) });
	program.start();
	return { program, network, dataDir, disk, id: 0 };
}

/** Waits until every runner shows every display. */
async function signedIn(world: World): Promise<void> {
	const known = async () => {
		const told = await world.client.runners();
		for (const runner of world.runners) {
			const found = told.find(({ name, state }) => name === runner.program.name && state === "online");
			if (!world.displays.every(({ id }) => found?.displays.some((display) => display.id === id))) return false;
			runner.id = found?.id ?? 0;
		}
		return true;
	};
	const words = () => world.runners.map(({ program }) => program.lastLines()).join("\n");
	await until(known, () => `every runner shows every display. They said:\n${words()}`, 60_000);
}

async function closeWorld(world: World): Promise<void> {
	// Runners first, while the dashboard can still take what they upload.
	await Promise.all(world.runners.map(({ program }) => program.stop()));
	await world.dashboard.stop();
	await Promise.all(world.runners.map(({ network }) => network.stop()));
	await Promise.all(world.displays.map((display) => display.stop()));
	for (const disk of [world.dashboardDisk, ...world.runners.map((runner) => runner.disk)]) await disk?.unmount();
	world.dashboardDisk = null;
	for (const runner of world.runners) runner.disk = null;
	world.runners = [];
	world.displays = [];
}
