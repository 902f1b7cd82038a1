/** The setup of a run: a dashboard, runners with a breakable network each, displays that show a counter. */
import { appendFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type CounterDisplay, startCounterDisplay } from "#test/counter/counter-display.ts";
import { cachedFor, type SettableClock, settableClock } from "#test/displays/clock.ts";
import { freePort } from "#test/processes/free-port.ts";
import { mountSmallDisk, type SmallDisk } from "#test/processes/small-disk.ts";
import { startTcpProxy, type TcpProxy } from "#test/servers/tcp-proxy.ts";
import { until } from "#test/wait.ts";
import { Client } from "./client.ts";
import { EventReceiver, RECEIVER_NETWORK } from "./event-receiver.ts";
import { CREDENTIALS, dashboardProgram, logFolder, type Program, runnerProgram, startDashboard } from "./services.ts";

export const RUNNERS = 2;
export const DISPLAYS = 3;
/** The runner that records the first display by itself, all the time. */
export const AUTO_RECORD_RUNNER = 0;
export const AUTO_RECORD_NAME = "auto-record";
/** The runner whose disk is small. */
export const SMALL_DISK_RUNNER = 1;
const RUNNER_DISK_MB = 64;
/** The space that the dashboard keeps free for its database. */
export const RESERVE_MB = 32;

export interface RunnerNode {
	program: Program;
	network: TcpProxy;
	dataDir: string;
	/** Null where its disk cannot be filled. */
	disk: SmallDisk | null;
	/** The runner's id in the API. */
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
	/** The dashboard's. */
	clock: SettableClock;
	runners: RunnerNode[];
	displays: CounterDisplay[];
	client: Client;
	/** Gets the events of jobs and recordings. */
	receiver: EventReceiver | null;
	/** Stops everything. May be called at any time, and twice. */
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
	const clock = await settableClock(evidence);
	const world: World = {
		...{ epoch, now, evidence, url, dashboardDir, clock, runners: [], displays: [] },
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
			variables: { ...cachedFor(clock, 1), TAPEDECK_WEBHOOK_ALLOW: RECEIVER_NETWORK },
		}),
		dashboardDisk: await diskAt(dashboardDir, RESERVE_MB * 2 + 96 + Math.ceil(minutes * 32)),
		client: new Client(url, CREDENTIALS.apiKey, over),
		receiver: null,
		close: () => closeWorld(world),
	};
	try {
		await startDashboard(world.dashboard, url);
		const { email, password } = CREDENTIALS;
		await world.client.keepEverything({ email, password });
		world.receiver = await EventReceiver.start((...call) => world.client.call(...call));
		for (let index = 0; index < DISPLAYS; index++) world.displays.push(await startCounterDisplay(now));
		for (let index = 0; index < RUNNERS; index++) world.runners.push(await addRunner(world, logs, index));
		await signedIn(world);
		return world;
	} catch (error) {
		await world.close();
		throw error;
	}
}

/** @returns null where this user may not mount one. */
const diskAt = (path: string, megabytes: number): Promise<SmallDisk | null> =>
	mountSmallDisk(megabytes, path).catch(() => null);

async function addRunner({ evidence, url, displays }: World, logs: string, index: number): Promise<RunnerNode> {
	const name = `runner-${index + 1}`;
	const dataDir = join(evidence, name);
	const network = await startTcpProxy(url);
	await mkdir(temporaryOf(evidence), { recursive: true });
	const disk = index === SMALL_DISK_RUNNER ? await diskAt(dataDir, RUNNER_DISK_MB) : null;
	const autoRecord = {
		TAPEDECK_AUTO_RECORD: "true",
		TAPEDECK_JOB_NAME: AUTO_RECORD_NAME,
		DISPLAY: displays[0]?.id ?? "",
	};
	const program = runnerProgram({
		...{ name, url: network.url, dataDir, logFile: join(logs, `${name}.log`) },
		variables: {
			...(index === AUTO_RECORD_RUNNER ? autoRecord : {}),
			// Its X servers are found by the folder of their cookies.
			...{ TAPEDECK_VIRTUAL_DISPLAYS: "1", TMPDIR: temporaryOf(evidence) },
		},
	});
	program.start();
	return { program, network, dataDir, disk, id: 0 };
}

/** The folder of temporary files of runners. */
export const temporaryOf = (evidence: string): string => join(evidence, "tmp");

/** Waits until every runner has reported every display. */
async function signedIn(world: World): Promise<void> {
	const known = async () => {
		const reported = await world.client.runners();
		for (const runner of world.runners) {
			const found = reported.find(({ name, state }) => name === runner.program.name && state === "online");
			if (!world.displays.every(({ id }) => found?.displays.some((display) => display.id === id))) return false;
			runner.id = found?.id ?? 0;
		}
		return true;
	};
	const logs = () => world.runners.map(({ program }) => program.lastLines()).join("\n");
	await until(known, () => `every runner reports every display. Their logs:\n${logs()}`, 60_000);
}

async function closeWorld(world: World): Promise<void> {
	// Runners first, while the dashboard can still receive their uploads.
	await Promise.all(world.runners.map(({ program }) => program.stop()));
	await world.dashboard.stop();
	await world.receiver?.stop();
	world.receiver = null;
	await Promise.all(world.runners.map(({ network }) => network.stop()));
	await Promise.all(world.displays.map((display) => display.stop()));
	for (const disk of [world.dashboardDisk, ...world.runners.map((runner) => runner.disk)]) await disk?.unmount();
	world.dashboardDisk = null;
	for (const runner of world.runners) runner.disk = null;
	world.runners = [];
	world.displays = [];
}
