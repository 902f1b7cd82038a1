/** The real programs of a run: one dashboard and its runners. Each can be killed and started again. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { root } from "#test/stack.ts";
import { bootstrapEnv } from "../../bin/setup/credentials.mjs";
import { dashboardReady } from "../../bin/setup/dashboard.mjs";
import { withPackages } from "../../bin/setup/run.mjs";
import { type Service, startService } from "../../bin/setup/service.mjs";

export const CREDENTIALS = {
	email: "owner@example.com",
	password: "a password for chaos",
	apiKey: "tdk_for-chaos-only-0123456789",
	runnerToken: "tdr_for-chaos-only-0123456789",
};

/** The maximum time for a program to end by itself at the very end. */
const GRACE_MS = 15_000;

export class Program {
	readonly name: string;
	/** The exits of the service that were not requested, one description each. */
	readonly crashes: string[] = [];
	readonly #start: () => Service;
	#service: Service | null = null;
	#asked = false;

	constructor(name: string, start: () => Service) {
		this.name = name;
		this.#start = start;
	}

	get pid(): number | null {
		return this.isRunning ? (this.#service?.child.pid ?? null) : null;
	}

	get isRunning(): boolean {
		return this.#service !== null && !this.#service.ended;
	}

	lastLines(): string {
		return this.#service?.lastLines() ?? "";
	}

	start(): Service {
		const service = this.#start();
		this.#service = service;
		this.#asked = false;
		void service.exited.then((how) => {
			if (service !== this.#service || this.#asked) return;
			this.crashes.push(`${how}: ${service.lastLines().split("\n").at(-1) ?? ""}`);
		});
		return service;
	}

	/** Ends it by SIGKILL. */
	async kill(): Promise<void> {
		const service = this.#service;
		this.#asked = true;
		if (service === null || service.ended) return;
		service.child.kill("SIGKILL");
		await service.exited;
	}

	/** Ends it as a container stop does. @returns how it ended, in words. */
	async terminate(): Promise<string> {
		const service = this.#service;
		this.#asked = true;
		if (service === null) return "was not running";
		if (!service.ended) service.child.kill("SIGTERM");
		return service.exited;
	}

	async stop(): Promise<void> {
		this.#asked = true;
		await this.#service?.stop(GRACE_MS);
	}
}

export interface DashboardSettings {
	port: number;
	dataDir: string;
	logFile: string;
	/** Megabytes that stay free for the database. */
	reserve: number;
	/** More of its variables. */
	variables: Record<string, string>;
}

export function dashboardProgram({ port, dataDir, logFile, reserve, variables }: DashboardSettings): Program {
	const env = withPackages({
		...bootstrapEnv(CREDENTIALS),
		NODE_ENV: "production",
		NEXT_TELEMETRY_DISABLED: "1",
		HOST: "127.0.0.1",
		PORT: String(port),
		TAPEDECK_URL: "",
		TAPEDECK_DATABASE_URL: "",
		TAPEDECK_DATA_DIR: dataDir,
		TAPEDECK_DISK_RESERVE_MB: String(reserve),
		TAPEDECK_LIMIT_CALLS: "0",
		TAPEDECK_LIMIT_QUEUED_JOBS: "0",
		...variables,
	});
	return new Program("dashboard", () =>
		startService("the dashboard", process.execPath, ["server.ts"], { cwd: root, env, logFile }),
	);
}

/** Starts it and waits until it answers. */
export async function startDashboard(dashboard: Program, url: string): Promise<void> {
	await dashboardReady(dashboard.start(), { localUrl: url });
}

/** Variables that would lead a runner elsewhere. */
const FOREIGN = /^(TAPEDECK_|SERVICE_|SE_GRID_|DISPLAY$|XAUTHORITY$)/;

/** The environment of a runner and its commands, without variables of this shell for other ones. */
export function runnerEnvironment(): NodeJS.ProcessEnv {
	const env: NodeJS.ProcessEnv = withPackages();
	for (const variable of Object.keys(env)) if (FOREIGN.test(variable)) delete env[variable];
	return env;
}

export interface RunnerSettings {
	name: string;
	url: string;
	dataDir: string;
	logFile: string;
	/** More of its variables. */
	variables: Record<string, string>;
}

export function runnerProgram({ name, url, dataDir, logFile, variables }: RunnerSettings): Program {
	const env = {
		...runnerEnvironment(),
		TAPEDECK_URL: url,
		TAPEDECK_TOKEN: CREDENTIALS.runnerToken,
		TAPEDECK_RUNNER_NAME: name,
		TAPEDECK_DATA_DIR: dataDir,
		...variables,
	};
	return new Program(name, () =>
		startService(name, process.execPath, ["runner/cli.ts", "runner"], { cwd: root, env, logFile }),
	);
}

export async function logFolder(evidence: string): Promise<string> {
	const folder = join(evidence, "logs");
	await mkdir(folder, { recursive: true });
	return folder;
}
