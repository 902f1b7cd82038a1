/** A bounded load over keep-alive connections, and servers in processes of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";

export type Load = {
	port: number;
	method: "GET" | "POST";
	path: string;
	token: string;
	body?: string;
	seconds: number;
};

const CONNECTIONS = 8;

/** @returns answered requests per second; throws on the first answer that is not 2xx. */
export async function requestsPerSecond(load: Load): Promise<number> {
	const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
	let answered = 0;
	const startedAt = performance.now();
	const until = startedAt + load.seconds * 1000;
	const worker = async () => {
		while (performance.now() < until) {
			await once(agent, load);
			answered += 1;
		}
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, worker));
	const seconds = (performance.now() - startedAt) / 1000;
	agent.destroy();
	return answered / seconds;
}

function once(agent: Agent, { port, method, path, token, body }: Load): Promise<void> {
	return new Promise((resolve, reject) => {
		const headers: Record<string, string | number> = { authorization: `Bearer ${token}` };
		if (body !== undefined) {
			headers["content-type"] = "application/json";
			headers["content-length"] = Buffer.byteLength(body);
		}
		const call = request({ host: "127.0.0.1", port, method, path, headers, agent }, (response) => {
			if ((response.statusCode ?? 500) >= 300) reject(new Error(`${method} ${path} answered ${response.statusCode}`));
			response.resume();
			response.on("end", resolve);
		});
		call.on("error", reject);
		call.end(body);
	});
}

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

/** @returns a function that tells how long a dashboard's event loop was held since its last call. */
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
