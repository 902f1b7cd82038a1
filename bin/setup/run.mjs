/** Programs that run to their end during the setup. */
import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout's folder. */
export const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));
const packageBin = join(root, "node_modules", ".bin");

/** @returns the program's full path, or null when it is not on the path. */
export function findProgram(name, path = process.env.PATH ?? "") {
	for (const folder of path.split(delimiter)) {
		if (folder === "") continue;
		try {
			accessSync(join(folder, name), constants.X_OK);
			return join(folder, name);
		} catch {
			// The program is not in this folder.
		}
	}
	return null;
}

const pathWithout = () =>
	(process.env.PATH ?? "")
		.split(delimiter)
		.filter((folder) => resolve(folder) !== packageBin)
		.join(delimiter);

/** The environment in which the project's own packages, Node 24 among them, come first. */
export const withPackages = (extra = {}) => ({
	...process.env,
	PATH: `${packageBin}${delimiter}${pathWithout()}`,
	...extra,
});

/** The environment of the system's own Node and npm: `npm ci` must not run on a Node that it deletes. */
export const withoutPackages = (extra = {}) => ({ ...process.env, PATH: pathWithout(), ...extra });

const running = new Set();
let isSignalled = false;
/** Passes a signal on to the running programs and their children. */
export const signalRunning = (signal) => {
	isSignalled = true;
	for (const program of running) signalGroup(program, signal);
};
/** Whether a signal was passed on. No further work should start then. */
export const wasSignalled = () => isSignalled;

const KILL_AFTER_MS = 10_000;

/**
 * Signals a program. If it has a group of its own, the whole group is signaled, such as the workers of a test program.
 */
function signalGroup({ child, isGroup }, signal) {
	if (!isGroup) return void child.kill(signal);
	try {
		process.kill(-child.pid, signal);
	} catch {
		// It has ended.
	}
}

/**
 * Runs a program to its end.
 * @param options.quiet collects its output instead of showing it.
 * @param options.timeoutMs ends it after this long, with the processes that it has started.
 * @returns `{ code, output, isTimedOut }`; code is 1 when a signal ended it.
 */
export function run(command, args, { env = process.env, cwd = root, quiet = false, timeoutMs } = {}) {
	return new Promise((done) => {
		const stdio = quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"];
		// A process with a group of its own can be ended together with its children; in this group, it receives the terminal's
		// Ctrl-C.
		const isGroup = timeoutMs !== undefined;
		const child = spawn(command, args, { env, cwd, stdio, detached: isGroup });
		const program = { child, isGroup };
		running.add(program);
		let isTimedOut = false;
		const expire = () => {
			isTimedOut = true;
			signalGroup(program, "SIGTERM");
		};
		const timers = isGroup
			? [setTimeout(expire, timeoutMs), setTimeout(signalGroup, timeoutMs + KILL_AFTER_MS, program, "SIGKILL")]
			: [];
		let output = "";
		for (const stream of [child.stdout, child.stderr]) {
			stream?.setEncoding("utf8").on("data", (text) => {
				output = (output + text).slice(-20_000);
			});
		}
		child.once("error", (error) => {
			timers.forEach(clearTimeout);
			running.delete(program);
			done({ code: 127, output: `${output}${error.message}`, isTimedOut });
		});
		child.once("close", (code) => {
			timers.forEach(clearTimeout);
			// Its workers may hang as well.
			if (isTimedOut) signalGroup(program, "SIGKILL");
			running.delete(program);
			done({ code: code ?? 1, output, isTimedOut });
		});
	});
}

/** The last lines of a program's output, for an error message. */
export const lastLines = (output, count = 15) => output.trimEnd().split("\n").slice(-count).join("\n");

/** @returns whether the program ends with status 0. */
export const succeeds = (command, args) => spawnSync(command, args, { stdio: "ignore" }).status === 0;

export const say = (line) => process.stdout.write(`${line}\n`);
