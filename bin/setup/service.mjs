/** A program that runs until it is stopped: in its own session, so that Ctrl-C reaches only us. */
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
 * options logFile: its output is appended there; stdio: more pipes, from descriptor 3 on; deathSignal: sent to it when
 * we are killed.
 * @typedef {{
 *   name: string,
 *   child: import("node:child_process").ChildProcess,
 *   ended: boolean,
 *   exited: Promise<string>,
 *   lastLines(): string,
 *   stop(graceMs: number): Promise<void>,
 * }} Service `exited` resolves with how it ended, such as "ended with status 0"; `stop` sends SIGTERM, and SIGKILL after the grace.
 * @returns {Service}
 */
export function startService(name, command, args, options = {}) {
	const { env = process.env, cwd, logFile, stdio = [], deathSignal = "TERM" } = options;
	// If we are killed, the kernel ends our programs.
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
		// The last output has arrived once the pipes are closed, which a grandchild may hold open.
		child.once("exit", (code, signal) => {
			const how = signal === null ? `ended with status ${code}` : `was killed by ${signal}`;
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

/** Appends to the log. A large log is moved to `.1` first, which replaces the previous one. */
function openLog(file) {
	if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG_BYTES) renameSync(file, `${file}.1`);
	const log = createWriteStream(file, { flags: "a", mode: 0o600 });
	// A full disk must not stop the program.
	log.on("error", () => {});
	return log;
}

/** Sends SIGTERM, and SIGKILL after the grace. */
async function stop({ child, exited, ended }, graceMs) {
	if (ended || child.pid === undefined) return;
	child.kill("SIGTERM");
	const timer = setTimeout(() => {
		try {
			process.kill(-child.pid, "SIGKILL");
		} catch {
			// It has ended meanwhile.
		}
	}, graceMs);
	await exited;
	clearTimeout(timer);
}
