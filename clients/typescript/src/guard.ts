/**
 * Ends recordings whose process ends without ending them, in Node: at SIGINT, SIGTERM and SIGHUP, unless the script
 * handles them itself; and by a program that notices the end of the process (guardian.ts) after everything else, such as
 * SIGKILL, a crash or `process.exit()`.
 */
import type { Job } from "./openapi.ts";

export type Outcome = NonNullable<Job["outcome"]>;

/** Messages sent to the guardian process, one per line. */
export type GuardMessage =
	| { watch: number; url: string; apiKey: string }
	| { release: number }
	/** The process has tried in vain to end the recording. */
	| { end: number; outcome: Outcome | null };

export interface Guard {
	/** Sets the function that ends the recording at a signal from now on. */
	onSignal(end: () => Promise<unknown>): void;
	/** Called when the recording has ended, or is left to another process. */
	release(): void;
	/** Called when the dashboard could not be reached: the guardian keeps trying, even after the end of this process. */
	handOver(outcome: Outcome | null): void;
}

interface Guardian {
	send(message: GuardMessage): void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** The sender of the signal eventually kills this process. */
const ENDING_MS = 8_000;

/** The function that ends each recording of this process early. */
const live = new Map<object, () => Promise<unknown>>();
let guardian: Guardian | null = null;

/** @param end ends the recording at a signal. */
export function guardRecording(url: string, apiKey: string, jobId: number, end: () => Promise<unknown>): Guard {
	const node = nodeProcess();
	if (node === null) return { onSignal: () => undefined, release: () => undefined, handOver: () => undefined };
	guardian ??= startGuardian(node);
	guardian?.send({ watch: jobId, url, apiKey });
	const key = {};
	if (live.size === 0) for (const signal of SIGNALS) node.on(signal, onSignal);
	live.set(key, end);
	const forget = () => {
		if (live.delete(key) && live.size === 0) for (const signal of SIGNALS) node.off(signal, onSignal);
	};
	return {
		onSignal: (other) => void live.set(key, other),
		release() {
			forget();
			guardian?.send({ release: jobId });
		},
		handOver(outcome) {
			forget();
			guardian?.send({ end: jobId, outcome });
		},
	};
}

function onSignal(signal: string): void {
	const node = nodeProcess();
	// A script that handles the signal ends its scopes itself, or exits, which the guardian notices.
	if (node === null || node.listenerCount(signal) > 1) return;
	const ends = [...live.values()].map((end) => end());
	live.clear();
	// The next one is not waited for.
	for (const each of SIGNALS) node.off(each, onSignal);
	const late = new Promise((resolve) => setTimeout(resolve, ENDING_MS));
	void Promise.race([Promise.allSettled(ends), late]).then(() => node.kill(node.pid, signal));
}

/** @returns null if it cannot be started. A recording that is not stopped then ends at its maximum duration. */
function startGuardian(node: NodeProcess): Guardian | null {
	const program = new URL(import.meta.url.endsWith(".ts") ? "guardian.ts" : "guardian.js", import.meta.url);
	try {
		const { existsSync } = node.getBuiltinModule("node:fs");
		// It is not there in a script that a bundler made.
		if (!existsSync(program)) return null;
		const { spawn } = node.getBuiltinModule("node:child_process");
		const { fileURLToPath } = node.getBuiltinModule("node:url");
		const { NODE_OPTIONS = "", ...env } = node.env;
		// A debugger would wait for a connection.
		const options = NODE_OPTIONS.replace(/(?<!\S)--inspect\S*/g, "").trim();
		const child = spawn(node.execPath, [fileURLToPath(program)], {
			stdio: ["pipe", "ignore", "ignore"],
			// Detached, so that it survives a signal to this process's group.
			detached: true,
			windowsHide: true,
			env: options === "" ? env : { ...env, NODE_OPTIONS: options },
		});
		const forget = () => {
			guardian = null;
		};
		child.on("error", forget);
		child.on("exit", forget);
		child.stdin.on("error", forget);
		child.unref();
		child.stdin.unref?.();
		return { send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`) };
	} catch {
		return null;
	}
}

/** The parts of Node that are used. Not Node's types, because the client runs elsewhere too. */
interface NodeProcess {
	pid: number;
	execPath: string;
	env: Record<string, string | undefined>;
	versions: Record<string, string | undefined>;
	on(signal: string, listener: (signal: string) => void): void;
	off(signal: string, listener: (signal: string) => void): void;
	listenerCount(signal: string): number;
	kill(pid: number, signal: string): void;
	getBuiltinModule(name: "node:fs"): { existsSync(path: URL): boolean };
	getBuiltinModule(name: "node:url"): { fileURLToPath(url: URL): string };
	getBuiltinModule(name: "node:child_process"): {
		spawn(command: string, args: string[], options: object): ChildProcess;
	};
}
interface ChildProcess {
	stdin: { write(text: string): void; on(event: string, listener: () => void): void; unref?(): void };
	on(event: string, listener: () => void): void;
	unref(): void;
}

function nodeProcess(): NodeProcess | null {
	const { process } = globalThis as { process?: NodeProcess };
	const { node, bun, deno, electron } = process?.versions ?? {};
	if (process === undefined || node === undefined || bun || deno || electron) return null;
	return typeof process.getBuiltinModule === "function" ? process : null;
}
