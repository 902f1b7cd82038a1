/** Which runner a command on this machine means. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { ControlClient, ControlError } from "../control/control-client.ts";
import { defaultDataDir, fromEnvironment } from "../config/settings.ts";
import { type Call, CommandError, EXIT } from "./command.ts";

const NAME_TIMEOUT_MS = 5_000;

interface LiveRunner {
	pid: number;
	dataDir: string;
}

/**
 * Runners that run on this machine, as far as this user may see: each holds its data directory open and names
 * itself in it.
 */
function liveRunners(): LiveRunner[] {
	return readdirSync("/proc").flatMap((pid) => {
		if (!/^\d+$/.test(pid) || !isRunner(pid)) return [];
		const dataDir = dataDirOf(pid);
		return dataDir === null ? [] : [{ pid: Number(pid), dataDir }];
	});
}

function isRunner(pid: string): boolean {
	try {
		const words = readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
		return words.includes("runner") && words.some((word) => word.endsWith("runner/cli.ts"));
	} catch {
		return false;
	}
}

function dataDirOf(pid: string): string | null {
	try {
		for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
			const target = linkOf(`/proc/${pid}/fd/${descriptor}`);
			if (target?.startsWith("/") && namesItself(target, pid)) return target;
		}
	} catch {
		// Another user's, or it has ended.
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

function namesItself(folder: string, pid: string): boolean {
	try {
		return readFileSync(join(folder, "runner.pid"), "utf8").split(" ")[0] === pid;
	} catch {
		return false;
	}
}

/** Those of them that answer to a name. One that hangs must not hold up a command that is meant for another. */
async function named(name: string, live: LiveRunner[]): Promise<LiveRunner[]> {
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
 * The data directory that is meant: the one that was named, else that of the runner with the given name, else that of
 * the only runner.
 * @throws CommandError when several could be meant.
 */
export async function findDataDir({ values, env }: Pick<Call, "values" | "env">): Promise<string> {
	const folder = values["data-dir"] ?? fromEnvironment(env, "data-dir");
	if (typeof folder === "string") return resolve(folder);
	const name = values.runner ?? fromEnvironment(env, "name");
	const live = typeof name === "string" ? await named(name, liveRunners()) : liveRunners();
	if (live.length > 1) {
		const which = typeof name === "string" ? ` under the name "${name}"` : "";
		throw new CommandError(
			"several_runners",
			`${live.length} runners run on this machine${which}; say which one is meant:\n${listed(live)}`,
			EXIT.noRunner,
		);
	}
	return live[0]?.dataDir ?? defaultDataDir(env, typeof name === "string" ? name : undefined);
}

const listed = (live: LiveRunner[]): string =>
	live.map(({ pid, dataDir }) => `  --data-dir ${dataDir}   (pid ${pid})`).join("\n");

/** Talks with the runner that is meant. @throws CommandError when two run, and in words for what the runner refuses. */
export async function withRunner<Told>(
	call: Pick<Call, "values" | "env">,
	talk: (client: ControlClient) => Promise<Told>,
): Promise<Told> {
	const client = new ControlClient(await findDataDir(call));
	try {
		return await talk(client);
	} catch (error) {
		throw inWords(error);
	}
}

/** An error of a call to the runner, in words with the remedy. */
export function inWords(error: unknown): unknown {
	if (!(error instanceof ControlError)) return error;
	if (error.code !== "absent") {
		const exit = error.code === "forbidden" || error.code === "silent" ? EXIT.noRunner : EXIT.failed;
		return new CommandError(error.code, error.message, exit);
	}
	const others = liveRunners();
	const remedy =
		others.length === 0
			? "start it with: tapedeck runner"
			: `start it with: tapedeck runner, or name the one that runs here:\n${listed(others)}`;
	return new CommandError("no_runner", `${error.message.replace(/\.$/, "")}; ${remedy}`, EXIT.noRunner);
}
