/** Finds the runner that a command on this machine is for. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { defaultDataDir, fromEnvironment } from "../config/settings.ts";
import { ControlClient, ControlError } from "../control/control-client.ts";
import { type Call, CommandError, EXIT } from "./command.ts";

const NAME_TIMEOUT_MS = 5_000;
/** In the data directory: what a runner prints that `tapedeck run` has started. */
export const OWN_RUNNER_LOG = "run.log";
const PROGRAM = /(^|\/)(runner\/cli\.ts|tapedeck(\.[cm]js)?)$/;

interface RunningRunner {
	pid: number;
	dataDir: string;
	/** The path of its program: `…/runner/cli.ts`, or the command of the npm package. */
	program: string;
	/** Whether a `tapedeck run` has started it and will end it. */
	isTemporary: boolean;
}

/**
 * Runners on this machine that this user may see: each has its data directory open, with its own pid in it.
 */
export function runningRunners(): RunningRunner[] {
	return readdirSync("/proc").flatMap((pid) => {
		if (!/^\d+$/.test(pid)) return [];
		const program = programOf(pid);
		const dataDir = program === null ? null : dataDirOf(pid);
		if (program === null || dataDir === null) return [];
		const isTemporary = linkOf(`/proc/${pid}/fd/1`) === join(dataDir, OWN_RUNNER_LOG);
		return [{ pid: Number(pid), dataDir, program, isTemporary }];
	});
}

function programOf(pid: string): string | null {
	try {
		const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
		return (words.includes("runner") && words.find((word) => PROGRAM.test(word))) || null;
	} catch {
		return null;
	}
}

function dataDirOf(pid: string): string | null {
	try {
		for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
			const target = linkOf(`/proc/${pid}/fd/${descriptor}`);
			if (target?.startsWith("/") && hasPid(target, pid)) return target;
		}
	} catch {
		// It belongs to another user, or has ended.
	}
	return null;
}

function linkOf(path: string): string | null {
	try {
		return readlinkSync(path);
	} catch {
		return null;
	}
}

function hasPid(folder: string, pid: string): boolean {
	try {
		return readFileSync(join(folder, "runner.pid"), "utf8").split(" ")[0] === pid;
	} catch {
		return false;
	}
}

/** Filters runners by name. A runner that hangs must not delay a command for another one. */
async function named(name: string, live: RunningRunner[]): Promise<RunningRunner[]> {
	const names = await Promise.all(
		live.map(({ dataDir }) =>
			new ControlClient(dataDir).status(NAME_TIMEOUT_MS).then(
				(status) => status.name,
				() => null,
			),
		),
	);
	return live.filter((_runner, index) => names[index] === name.trim());
}

/**
 * The data directory a command is for: the one given, else that of the runner with the given name, else that of the only
 * runner.
 * @throws CommandError when several runners match.
 */
export async function findDataDir({ values, env }: Pick<Call, "values" | "env">): Promise<string> {
	const folder = values.dataDir ?? fromEnvironment(env, "data-dir");
	if (typeof folder === "string") return resolve(folder);
	const name = values.runner ?? fromEnvironment(env, "name");
	const live = typeof name === "string" ? await named(name, runningRunners()) : runningRunners();
	if (live.length > 1) {
		const which = typeof name === "string" ? ` under the name "${name}"` : "";
		throw new CommandError(
			"several_runners",
			`${live.length} runners are running on this machine${which}; choose one of them:\n${listed(live)}`,
			EXIT.noRunner,
		);
	}
	return live[0]?.dataDir ?? defaultDataDir(env, typeof name === "string" ? name : undefined);
}

const listed = (live: RunningRunner[]): string =>
	live.map(({ pid, dataDir }) => `  --data-dir ${dataDir}   (pid ${pid})`).join("\n");

/** Calls the runner that the command is for. @throws CommandError when several match, and when it refuses or can't be reached. */
export async function withRunner<Answer>(
	call: Pick<Call, "values" | "env">,
	task: (client: ControlClient) => Promise<Answer>,
): Promise<Answer> {
	const client = new ControlClient(await findDataDir(call));
	try {
		return await task(client);
	} catch (error) {
		throw asCommandError(error);
	}
}

/** The CommandError for a failed call to the runner; other errors unchanged. */
export function asCommandError(error: unknown): unknown {
	if (!(error instanceof ControlError)) return error;
	if (error.code !== "absent") {
		const exit = error.code === "forbidden" || error.code === "silent" ? EXIT.noRunner : EXIT.failed;
		return new CommandError(error.code, error.message, exit);
	}
	const { what, remedy } = error.fault;
	const others = runningRunners();
	const choice = others.length === 0 ? "" : `, or choose the one that is running here:\n${listed(others)}`;
	return new CommandError("no_runner", `${what}; ${remedy}${choice}`, EXIT.noRunner);
}
