/**
 * A program that ends the recordings of a process that has ended without doing so. It reads a GuardMessage per line, and
 * its standard input ends with that process.
 */
import { Tapedeck } from "./client.ts";
import { TapedeckError } from "./error.ts";
import type { GuardMessage, Outcome } from "./guard.ts";
import { hasEnded } from "./jobs.ts";
import { pause } from "./wait.ts";

/** The time for which an unreachable dashboard is retried. */
const PATIENCE_MS = 15 * 60_000;
const RETRY_MS = 5_000;

interface Program {
	stdin: AsyncIterable<Uint8Array>;
	on(signal: string, listener: () => void): void;
}
const program = (globalThis as unknown as { process: Program }).process;

// Ignores signals that end the watched process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) program.on(signal, () => undefined);

const watched = new Map<number, { client: Tapedeck }>();
const endings: Promise<void>[] = [];
const decoder = new TextDecoder();
let rest = "";
for await (const chunk of program.stdin) {
	const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
	rest = lines.pop() ?? "";
	for (const line of lines) read(JSON.parse(line));
}
for (const [jobId, { client }] of watched) endings.push(end(client, jobId, "error", false));
await Promise.all(endings);

function read(message: GuardMessage): void {
	if ("watch" in message) {
		const { watch, url, apiKey } = message;
		watched.set(watch, { client: new Tapedeck({ url, apiKey, retries: 1 }) });
	} else if ("release" in message) watched.delete(message.release);
	else {
		const client = watched.get(message.end)?.client;
		watched.delete(message.end);
		if (client !== undefined) endings.push(end(client, message.end, message.outcome, true));
	}
}

/** @param isKnown whether the outcome replaces another. */
async function end(client: Tapedeck, jobId: number, outcome: Outcome | null, isKnown: boolean): Promise<void> {
	const until = performance.now() + PATIENCE_MS;
	for (;;) {
		try {
			const job = await client.jobs.get(jobId);
			if (hasEnded(job) || job.cancelRequestedAt !== null) return;
			const isWanted = outcome !== null && job.startedAt !== null && (isKnown || job.outcome === null);
			if (isWanted) await client.jobs.update(jobId, { outcome });
			await client.jobs.cancel(jobId);
			return;
		} catch (error) {
			const status = error instanceof TapedeckError ? error.status : 0;
			const isRefused = status >= 400 && status < 500 && status !== 429;
			if (isRefused || performance.now() > until) return;
			await pause(RETRY_MS);
		}
	}
}
