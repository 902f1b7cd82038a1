/** Keeps a small shell process running that ends the ffmpegs of a runner that died and was not restarted. */
import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { INIT_SCRIPT } from "../base/lean-start.ts";
import { isAlive, type ProcessId, parseStat, signalProcess } from "../base/process-id.ts";

export const GRACE_SECONDS = 120;
const CHECK_MS = 15_000;
const SCRIPT = fileURLToPath(new URL("./watchdog.sh", import.meta.url));

export interface Watchdog {
	/** Ends the watchdog: nothing is left to watch. */
	stop(): void;
	/** Leaves the watchdog running. */
	leave(): void;
}

/**
 * Adopts the data directory's watchdog or starts one, and restarts it if it is killed. Does nothing where all processes
 * end together with the runner.
 */
export function keepWatchdog(dataDir: string, env: NodeJS.ProcessEnv, graceSeconds = GRACE_SECONDS): Watchdog {
	if (endsWithRunner()) return { stop: () => undefined, leave: () => undefined };
	const file = join(dataDir, "watchdog.pid");
	let current = readOwn(file, dataDir);
	let timer: NodeJS.Timeout | undefined;
	const ensure = (): void => {
		if (current !== null && isAlive(current)) return;
		const child = spawn("/bin/sh", [SCRIPT, dataDir, String(graceSeconds)], {
			detached: true,
			stdio: "ignore",
			env,
		});
		child.on("error", () => undefined);
		child.unref();
		if (child.pid === undefined) return;
		try {
			const line = readFileSync(`/proc/${child.pid}/stat`, "utf8");
			current = parseStat(line);
			writeFileSync(file, line, { mode: 0o600 });
		} catch {
			current = null;
		}
	};
	ensure();
	timer = setInterval(ensure, CHECK_MS);
	timer.unref();
	return {
		stop: () => {
			clearInterval(timer);
			if (current !== null) {
				// The whole group: its `sleep` is a process of its own.
				if (isAlive(current)) killGroup(current);
				rmSync(file, { force: true });
			}
		},
		leave: () => clearInterval(timer),
	};
}

/** Whether this process, or its own init, is process 1 of its PID namespace: the kernel ends all others with it. */
function endsWithRunner(): boolean {
	if (process.pid === 1) return true;
	try {
		return process.ppid === 1 && readFileSync("/proc/1/cmdline", "latin1").split("\0").includes(INIT_SCRIPT);
	} catch {
		return false;
	}
}

function killGroup(id: ProcessId): void {
	try {
		process.kill(-id.pid, "SIGKILL");
	} catch {
		signalProcess(id, "SIGKILL");
	}
}

/** The watchdog that a previous runner started; null when the file is stale. */
function readOwn(file: string, dataDir: string): ProcessId | null {
	try {
		const id = parseStat(readFileSync(file, "utf8"));
		if (id === null || !isAlive(id)) return null;
		const words = readFileSync(`/proc/${id.pid}/cmdline`, "latin1").split("\0");
		return words.includes(SCRIPT) && words.includes(dataDir) ? id : null;
	} catch {
		return null;
	}
}
