/** Several real dashboards, each a process with its own data directory, on one PostgreSQL. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AppRules } from "#lib/server/open-app.ts";
import { type Api, connect } from "../api-client.ts";
import { type Child, startChild } from "../processes/child.ts";
import { freePort } from "../processes/free-port.ts";

const ENTRY = join(import.meta.dirname, "dashboard-process.ts");
const SECRET_KEY = "5e".repeat(32);
const LAST_CHARACTERS = 3_000;
export const DASHBOARDS_API_KEY = "tdk_for-tests-only-0123456789";
export const DASHBOARDS_RUNNER_TOKEN = "tdr_for-tests-only-0123456789";

export interface DashboardProcess {
	port: number;
	url: string;
	dataDir: string;
	api: Api;
	pid(): number;
	output(): string;
	/** The exits of the dashboard that were not requested, each with its last lines. */
	readonly crashes: readonly string[];
	/** SIGKILL. */
	kill(): Promise<void>;
	/** SIGSTOP and SIGCONT. */
	pause(): void;
	resume(): void;
	/** SIGTERM. */
	stop(): Promise<void>;
	/** After `kill` or `stop`: on the same port and data. */
	start(): Promise<void>;
}

/**
 * The number of calls that the dashboards have passed on to one another. @param metricsToken their
 * TAPEDECK_METRICS_TOKEN
 */
export async function callsPassedOn(nodes: readonly DashboardProcess[], metricsToken: string): Promise<number> {
	const headers = { authorization: `Bearer ${metricsToken}` };
	const counts = nodes.map(async ({ url }) => {
		const text = await (await fetch(`${url}/metrics`, { headers })).text();
		return Number(/^tapedeck_calls_passed_on_total (\d+)$/m.exec(text)?.[1]);
	});
	return (await Promise.all(counts)).reduce((sum, each) => sum + each, 0);
}

/**
 * @param databaseUrl a database with all tables.
 * @param variables more environment variables, for all dashboards, or by the port of one of them.
 * @param programs the program of each dashboard; dashboards without pages if omitted.
 * @param rules shorter times of dashboards without pages.
 */
export async function startDashboards(
	count: number,
	databaseUrl: string,
	variables: Record<string, string> | ((port: number, dataDir: string) => Promise<Record<string, string>>) = {},
	programs: readonly string[] = [],
	rules: AppRules = {},
): Promise<{ nodes: DashboardProcess[]; stop(): Promise<void> }> {
	const nodes: DashboardProcess[] = [];
	const dirs: string[] = [];
	const stop = async () => {
		await Promise.all(nodes.map((node) => node.stop()));
		await Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true })));
	};
	try {
		for (let index = 0; index < count; index++) {
			const dataDir = await mkdtemp(join(tmpdir(), `tapedeck-node-${index + 1}-`));
			dirs.push(dataDir);
			const port = await freePort();
			const more = typeof variables === "function" ? await variables(port, dataDir) : variables;
			nodes.push(
				await startDashboardProcess(
					programs[index] ?? [ENTRY, JSON.stringify(rules)],
					port,
					dataDir,
					databaseUrl,
					more,
				),
			);
		}
		return { nodes, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startDashboardProcess(
	program: string | readonly string[],
	port: number,
	dataDir: string,
	databaseUrl: string,
	variables: Record<string, string>,
): Promise<DashboardProcess> {
	const url = `http://127.0.0.1:${port}`;
	const env = {
		...process.env,
		PORT: String(port),
		TAPEDECK_DATA_DIR: dataDir,
		TAPEDECK_DATABASE_URL: databaseUrl,
		TAPEDECK_SECRET_KEY: SECRET_KEY,
		TAPEDECK_URL: "http://tapedeck.test",
		TAPEDECK_LOG_LEVEL: "warn",
		TAPEDECK_LIMIT_CALLS: "0",
		TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "0",
		TAPEDECK_BOOTSTRAP_EMAIL: "owner@example.com",
		TAPEDECK_BOOTSTRAP_PASSWORD: "a password for tests",
		TAPEDECK_BOOTSTRAP_API_KEY: DASHBOARDS_API_KEY,
		TAPEDECK_BOOTSTRAP_RUNNER_TOKEN: DASHBOARDS_RUNNER_TOKEN,
		...variables,
	};
	let child: Child;
	let asked = false;
	const crashes: string[] = [];
	const start = async () => {
		const started = startChild(process.execPath, [program].flat(), { env });
		child = started;
		asked = false;
		await started.says("listens on", 60_000);
		void started.exited.then((how) => {
			if (!asked) crashes.push(`${url} ended by itself (${how}): ${started.output().slice(-LAST_CHARACTERS)}`);
		});
	};
	await start();
	return {
		...{ port, url, dataDir, crashes, start },
		api: connect(url, DASHBOARDS_API_KEY),
		pid: () => Number(child.process.pid),
		output: () => child.output(),
		kill: async () => {
			asked = true;
			child.process.kill("SIGKILL");
			await child.exited;
		},
		pause: () => void child.process.kill("SIGSTOP"),
		resume: () => void child.process.kill("SIGCONT"),
		stop: async () => {
			asked = true;
			child.process.kill("SIGCONT");
			await child.stop(10_000);
		},
	};
}
