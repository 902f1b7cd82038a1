/** A built dashboard, optionally with a moving virtual display and a runner, each with its own folder. */
import { type ChildProcess, execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { dashboardReady, runnerOnline, startDashboard } from "../bin/setup/dashboard.mjs";
import { openDisplay, startPicture } from "../bin/setup/demo-display.mjs";
import { startRunner } from "../bin/setup/demo-runner.mjs";
import { type Api, connect } from "./api-client.ts";
import { copyMigrated } from "./databases/migrated-sqlite.ts";
import { startOwnPostgres } from "./databases/own-postgres.ts";
import { freePort } from "./processes/free-port.ts";
import { setFakeCredentials, startFakeS3 } from "./servers/fake-s3.ts";
import { startRoundRobin } from "./servers/round-robin.ts";
import { until } from "./wait.ts";

export const root = fileURLToPath(new URL("..", import.meta.url));

export interface Dashboard {
	url: string;
	/** The origin of the trace viewer. */
	viewerUrl: string;
	dataDir: string;
	/** The URL of PostgreSQL; null on SQLite. */
	databaseUrl: string | null;
	/** Whether it is behind a proxy. No visitor then counts as one from this machine. */
	isBehindProxy: boolean;
	email: string;
	password: string;
	apiKey: string;
	runnerToken: string;
	/** Calls with the API key. */
	api: Api;
	/** The last output of the dashboard's process. */
	lastLines(): string;
	/** The process id of the current dashboard; of the first of several. */
	pid(): number;
	/** Kills the dashboard with SIGKILL. */
	kill(): Promise<void>;
	/** Starts a killed dashboard again, on the same port and data. */
	startAgain(): Promise<void>;
	stop(): Promise<void>;
}

export interface Stack extends Dashboard {
	displayId: string;
	runnerId: number;
	runnerName: string;
}

interface Service {
	child: ChildProcess;
	exited: Promise<string>;
	stop(graceMs: number): Promise<void>;
	lastLines(): string;
}

const credentials = {
	email: "owner@example.com",
	password: "a password for tests",
	apiKey: "tdk_for-tests-only-0123456789",
	runnerToken: "tdr_for-tests-only-0123456789",
};

interface Options {
	/** False leaves the database empty, as before the first set-up. */
	bootstrap?: boolean;
	/** Added to the environment, which has no limits for calls and queued jobs. */
	variables?: Record<string, string>;
	/** The parent folder of the data directories. */
	parent?: string;
	/** A free one if omitted. */
	port?: number;
}

/** Starts one process. */
export async function startTestDashboard({
	bootstrap,
	parent,
	port,
	variables = {},
}: Options = {}): Promise<Dashboard> {
	const node = await startNode({ parent, variables, bootstrap, port });
	return {
		...node,
		databaseUrl: null,
		isBehindProxy: false,
		...credentials,
		api: connect(node.url, credentials.apiKey),
	};
}

/**
 * Several dashboards on one PostgreSQL and one bucket, behind nginx that passes each request to the next of them. Tests
 * use them like a single one.
 */
async function startTestDashboards(count: number, options: Options): Promise<Dashboard> {
	setFakeCredentials();
	const ports = await Promise.all(Array.from({ length: count }, freePort));
	const [postgres, s3, balancer] = await Promise.all([startOwnPostgres(), startFakeS3(), startRoundRobin(ports)]);
	const nodes: TestNode[] = [];
	const stop = async () => {
		await balancer.stop();
		await Promise.all(nodes.map((node) => node.stop()));
		await Promise.all([postgres.stop(), s3.stop()]);
	};
	const url = `http://127.0.0.1:${balancer.port}`;
	const viewerUrl = `http://127.0.0.1:${Number(ports[0]) + 1}`;
	const variables = {
		TAPEDECK_DATABASE_URL: postgres.url,
		TAPEDECK_STORAGE_URL: s3.url,
		TAPEDECK_SECRET_KEY: "5e".repeat(32),
		TAPEDECK_URL: url,
		TAPEDECK_VIEWER_URL: viewerUrl,
		TAPEDECK_TRUSTED_PROXIES: "127.0.0.1",
		...options.variables,
	};
	try {
		for (const port of ports) nodes.push(await startNode({ ...options, variables, port }));
	} catch (error) {
		await stop();
		throw error;
	}
	const [first] = nodes as [TestNode];
	return {
		...{ url, viewerUrl, dataDir: first.dataDir, databaseUrl: postgres.url, isBehindProxy: true, ...credentials },
		api: connect(url, credentials.apiKey),
		lastLines: () => nodes.map((node) => node.lastLines()).join("\n"),
		pid: first.pid,
		kill: async () => void (await Promise.all(nodes.map((node) => node.kill()))),
		startAgain: async () => {
			await Promise.all(nodes.map((node) => node.startAgain()));
			await allServe(url, count);
		},
		stop,
	};
}

/** nginx tries a dashboard that was down with one call, and leaves it out for a second more while that one lasts. */
async function allServe(url: string, count: number): Promise<void> {
	let served = 0;
	await until(async () => {
		served = (await fetch(`${url}/v1/health`)).ok ? served + 1 : 0;
		return served === 2 * count;
	}, "the balancer passes calls on again");
}

type TestNode = Pick<Dashboard, "url" | "viewerUrl" | "dataDir" | "lastLines" | "pid" | "kill" | "startAgain" | "stop">;

async function startNode(options: {
	variables: Record<string, string>;
	parent?: string;
	port?: number;
	bootstrap?: boolean;
}): Promise<TestNode> {
	await promisify(execFile)(process.execPath, ["bin/setup/build.mjs"], { cwd: root });
	const dataDir = await mkdtemp(join(options.parent ?? tmpdir(), "tapedeck-e2e-"));
	await mkdir(join(dataDir, "logs"));
	if (!("TAPEDECK_DATABASE_URL" in options.variables)) await copyMigrated(join(dataDir, "tapedeck.db"));
	const port = options.port ?? (await freePort());
	const url = `http://127.0.0.1:${port}`;
	// No limits on calls, because tests poll, several of them with one key.
	const limits = { TAPEDECK_LIMIT_CALLS: "0", TAPEDECK_LIMIT_PAGES: "0", TAPEDECK_LIMIT_QUEUED_JOBS: "0" };
	const variables = { ...limits, ...options.variables };
	const settings = { host: "127.0.0.1", port, localUrl: url, dataDir, variables };
	const bootstrap = options.bootstrap === false ? {} : credentials;
	const start = (): Service => startDashboard(process.execPath, settings, bootstrap);
	let service = start();
	const stop = async () => {
		await service.stop(10_000);
		await rm(dataDir, { recursive: true, force: true });
	};
	try {
		await dashboardReady(service, settings);
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		url,
		viewerUrl: `http://127.0.0.1:${port + 1}`,
		dataDir,
		lastLines: () => service.lastLines(),
		pid: () => Number(service.child.pid),
		async kill() {
			service.child.kill("SIGKILL");
			await service.exited;
		},
		async startAgain() {
			service = start();
			await dashboardReady(service, settings);
		},
		stop,
	};
}

/** The dashboard of a browser test: one process, or as many as `TAPEDECK_TEST_DASHBOARDS` says. */
export function startBrowserDashboard(options: Options = {}): Promise<Dashboard> {
	const count = Number(process.env.TAPEDECK_TEST_DASHBOARDS ?? 1);
	return count > 1 ? startTestDashboards(count, options) : startTestDashboard(options);
}

/** The dashboard, display and runner that the tests of a worker share. */
export async function startStack(): Promise<Stack> {
	const dashboard = await startBrowserDashboard();
	const services: Service[] = [];
	const stop = async () => {
		// Stopped in reverse order, so that the dashboard can still receive the runner's uploads.
		for (const service of services.reverse()) await service.stop(10_000);
		await dashboard.stop();
	};
	try {
		const { service: display, opened } = openDisplay();
		services.push(display);
		const displayId: string = await opened;
		services.push(startPicture(displayId));
		const runnerName = "test-runner";
		const settings = { localUrl: dashboard.url, dataDir: dashboard.dataDir, runnerName };
		const runner = startRunner(process.execPath, settings, credentials, displayId);
		services.push(runner);
		const runnerId: number = await runnerOnline(runner, settings, credentials.apiKey, displayId);
		return { ...dashboard, displayId, runnerId, runnerName, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
