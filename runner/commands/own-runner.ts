/** A runner for as long as `tapedeck run` needs one, on a machine that has none. */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TEMPORARY } from "@tapedeck/machine/runner-variables.ts";
import { OWN_PROGRAM } from "../base/own-program.ts";
import { pause } from "../base/wait.ts";
import { type Environment, fromEnvironment } from "../config/settings.ts";
import { ControlClient, ControlError } from "../control/control-client.ts";
import { OWN_RUNNER_LOG } from "./find-runner.ts";

const START_TIMEOUT_MS = 15_000;
const POLL_MS = 50;
/** Settings of a runner that stays: this one records only what the command asks for. */
const NOT_INHERITED = ["TAPEDECK_AUTO_RECORD", "SERVICE_AUTO_RECORD", "TAPEDECK_AUTO_UPGRADE", "SERVICE_AUTO_UPGRADE"];
/** Variables of a grid may be the command's own and in another form than ours, and the browser log does not need them. */
const OF_GRID = ["SE_GRID_URL", "SE_GRID_USERNAME", "SE_GRID_PASSWORD"];

/** A sentence about variables that a runner needs and the environment lacks; null if the runner can be started. */
export function whyNoOwnRunner(env: Environment): string | null {
	const missing = [
		...(fromEnvironment(env, "url") === undefined ? ["TAPEDECK_URL"] : []),
		...(fromEnvironment(env, "token") === undefined ? ["TAPEDECK_TOKEN"] : []),
	];
	if (missing.length === 0) return null;
	return `No runner is running on this machine, and ${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not set for one`;
}

/**
 * Starts a runner that outlives this process's terminal, and leaves when no command needs it any more. Its log is `run.log` in the data directory.
 * @throws Error with the last line of its log when it does not start.
 */
export async function startOwnRunner(dataDir: string, env: Environment): Promise<ControlClient> {
	mkdirSync(dataDir, { recursive: true, mode: 0o700 });
	const logFile = join(dataDir, OWN_RUNNER_LOG);
	const log = openSync(logFile, "w", 0o600);
	const left = fromEnvironment(env, "browser-log") === undefined ? [...NOT_INHERITED, ...OF_GRID] : NOT_INHERITED;
	const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !left.includes(name)));
	const variables: Record<string, string | undefined> = { ...kept, [TEMPORARY]: "true" };
	// In a process group of its own: Ctrl-C in a terminal is for the command, and the recording continues until it ends.
	const runner = spawn(process.execPath, [...process.execArgv, OWN_PROGRAM, "runner", "--data-dir", dataDir], {
		detached: true,
		stdio: ["ignore", log, log],
		env: variables as NodeJS.ProcessEnv,
	});
	closeSync(log);
	let ended = false;
	runner.once("exit", () => {
		ended = true;
	});
	runner.once("error", () => {
		ended = true;
	});
	runner.unref();
	const client = new ControlClient(dataDir);
	const deadline = performance.now() + START_TIMEOUT_MS;
	for (;;) {
		try {
			await client.status();
			return client;
		} catch (error) {
			if (!(error instanceof ControlError)) throw error;
			if (ended || performance.now() > deadline) throw new Error(lastLine(logFile) ?? "The runner did not start.");
		}
		await pause(POLL_MS);
	}
}

/** The runner's last sentence, without its time. */
function lastLine(file: string): string | null {
	const line = readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "";
	return line.replace(/^\S+Z (error: |warning: )?/, "") || null;
}
