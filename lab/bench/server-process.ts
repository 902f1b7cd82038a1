/** Servers in processes of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export type ServerProcess = { port: number; pid: number; child: ChildProcess; stop: () => Promise<void> };

/** Starts a Node program that prints one line ending in `:<port>` once it listens. */
export function startProcess(args: string[], env: Record<string, string>): Promise<ServerProcess> {
	const child = spawn(process.execPath, args, {
		env: { ...process.env, ...env },
		stdio: ["ignore", "pipe", "inherit"],
	});
	const stop = () =>
		new Promise<void>((resolve) => {
			if (child.exitCode !== null || child.signalCode !== null) return resolve();
			child.once("exit", () => resolve());
			child.kill("SIGTERM");
		});
	return new Promise((resolve, reject) => {
		child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}`)));
		createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
			const port = /listens on .*:(\d+)$/.exec(line)?.[1];
			if (port !== undefined) resolve({ port: Number(port), pid: child.pid ?? 0, child, stop });
		});
	});
}

/** @returns a function that tells how long the dashboard's event loop was held since its last call. */
export function heldBy({ child }: ServerProcess): () => Promise<number> {
	let heard: ((value: number) => void) | null = null;
	createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
		const held = /event loop held ([\d.]+) ms/.exec(line)?.[1];
		if (held !== undefined) heard?.(Number(held));
	});
	return () =>
		new Promise((resolve) => {
			heard = resolve;
			child.kill("SIGUSR2");
		});
}
