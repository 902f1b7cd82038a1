/** The real thing for tests: built dashboard, virtual display with a moving picture, runner; all with a folder of their own. */
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
import { freePort } from "./processes/free-port.ts";

export const root = fileURLToPath(new URL("..", import.meta.url));

export interface Dashboard {
	url: string;
	dataDir: string;
	email: string;
	password: string;
	apiKey: string;
	runnerToken: string;
	/** Calls with the API key. */
	api: Api;
	/** What the dashboard's process said last. */
	lastLines(): string;
	/** Of the dashboard that runs now. */
	pid(): number;
	/** Kills it with SIGKILL. */
	kill(): Promise<void>;
	/** Starts it again on the same port and data, after it was killed. */
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

/**
 * @param options.bootstrap false leaves the database empty, as on the very first visit.
 * @param options.variables more of its variables; calls and waiting jobs have no limits without them.
 * @param options.parent the folder that its data directory is made in.
 */
export async function startTestDashboard({
	bootstrap = true,
	parent = tmpdir(),
	variables: more = {},
}: {
	bootstrap?: boolean;
	parent?: string;
	variables?: Record<string, string>;
} = {}): Promise<Dashboard> {
	await promisify(execFile)(process.execPath, ["bin/setup/build.mjs"], { cwd: root });
	const dataDir = await mkdtemp(join(parent, "tapedeck-e2e-"));
	await mkdir(join(dataDir, "logs"));
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	// Tests ask again and again, several of them with one key.
	const variables = { TAPEDECK_LIMIT_CALLS: "0", TAPEDECK_LIMIT_QUEUED_JOBS: "0", ...more };
	const settings = { host: "127.0.0.1", port, localUrl: url, dataDir, variables };
	const start = (): Service => startDashboard(process.execPath, settings, bootstrap ? credentials : {});
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
		dataDir,
		...credentials,
		api: connect(url, credentials.apiKey),
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

/** Everything that one worker's tests share. */
export async function startStack(): Promise<Stack> {
	const dashboard = await startTestDashboard();
	const services: Service[] = [];
	const stop = async () => {
		// The runner was started last and goes first, while the dashboard can still take what it uploads.
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
