/** A program that runs until we stop it: in a session of its own, so that Ctrl-C reaches only us. */
import { spawn } from "node:child_process";
import { createWriteStream, renameSync, statSync } from "node:fs";
import { findProgram } from "./run.mjs";

const KEPT_LINES = 20;
const LARGEST_LOG_BYTES = 10_000_000;

/**
 * Starts a program.
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, logFile?: string, stdio?: "pipe"[], deathSignal?: "TERM" | "KILL" }}
 * options logFile: everything it says goes there too; stdio: further pipes, from descriptor 3 on; deathSignal: what it
 * gets when we are killed.
 * @typedef {{
 *   name: string,
 *   child: import("node:child_process").ChildProcess,
 *   ended: boolean,
 *   exited: Promise<string>,
 *   lastLines(): string,
 *   stop(graceMs: number): Promise<void>,
 * }} Service `exited` promises how it ended, in words; `stop` asks it to end, and ends it after the grace.
 * @returns {Service}
 */
export function startService(name, command, args, options = {}) {
	const { env = process.env, cwd, logFile, stdio = [], deathSignal = "TERM" } = options;
	// Should we be killed without a chance to say goodbye, the kernel tells our programs to end.
	const setpriv = findProgram("setpriv");
	const guarded = setpriv === null ? [command, ...args] : [setpriv, "--pdeathsig", deathSignal, command, ...args];
	const child = spawn(guarded[0], guarded.slice(1), {
		cwd,
		env,
		detached: true,
		stdio: ["ignore", "pipe", "pipe", ...stdio],
	});
	const log = logFile === undefined ? null : openLog(logFile);
	let lines = [];
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding("utf8").on("data", (text) => {
			log?.write(text);
			lines = [...lines, ...text.split("\n").filter((line) => line.trim() !== "")].slice(-KEPT_LINES);
		});
	}
	/** @type {any} */
	const service = { name, child, ended: false, lastLines: () => lines.join("\n") };
	service.exited = new Promise((resolve) => {
		const end = (how) => {
			service.ended = true;
			log?.end();
			resolve(how);
		};
		child.once("error", (error) => end(`could not be started (${error.message})`));
		// What the last lines say has arrived only once the pipes are closed; a grandchild may hold them open.
		child.once("exit", (code, signal) => {
			const how = signal === null ? `ended with status ${code}` : `was ended by ${signal}`;
			const patience = setTimeout(end, 500, how);
			child.once("close", () => {
				clearTimeout(patience);
				end(how);
			});
		});
	});
	service.stop = (graceMs) => stop(service, graceMs);
	return service;
}

/** Appends to the log; a large one is put aside first, and the one that was put aside before is gone. */
function openLog(file) {
	if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG_BYTES) renameSync(file, `${file}.1`);
	const log = createWriteStream(file, { flags: "a", mode: 0o600 });
	// A full disk must not stop what is logged.
	log.on("error", () => {});
	return log;
}

/** Asks it to end, and ends it when it does not within the grace. */
async function stop({ child, exited, ended }, graceMs) {
	if (ended || child.pid === undefined) return;
	child.kill("SIGTERM");
	const timer = setTimeout(() => {
		try {
			process.kill(-child.pid, "SIGKILL");
		} catch {
			// It went in this very moment.
		}
	}, graceMs);
	await exited;
	clearTimeout(timer);
}
