/** Reads strangers' files in a process of its own, which may use up its memory or hang without harm to ours. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { heapLimit } from "@tapedeck/machine/v8-flags.ts";
import { OWN_PROGRAM } from "../base/own-program.ts";

/** The first argument of the tapedeck command in such a process; see cli.ts. */
export const READING = "--read-reports";

/** Resource limits of the process. */
export interface Limits {
	/** Node. */
	program: string;
	timeoutMs: number;
	heapMb: number;
}

const MAX_STDERR = 4_000;

/**
 * Runs a program of ours that reads files: it gets an order as JSON on its standard input, and writes a line of JSON for each
 * answer, and `done` in the end.
 * @returns why it ended before it was done; null when it was done. @throws Error when it cannot be started.
 */
export async function readInProcess<Answer>(
	order: object,
	{ program, timeoutMs, heapMb }: Limits,
	answers: Answer[],
): Promise<string | null> {
	// biome-ignore lint/style/noProcessEnv: the child's own, without options that were meant for the command.
	const { NODE_OPTIONS: _, ...env } = process.env;
	const child = spawn(program, [heapLimit(heapMb), OWN_PROGRAM, READING], {
		stdio: ["pipe", "pipe", "pipe"],
		env: env as NodeJS.ProcessEnv,
	});
	const closed = once(child, "close");
	closed.catch(() => undefined);
	await once(child, "spawn");
	let isLate = false;
	const timer = setTimeout(() => {
		isLate = true;
		child.kill("SIGKILL");
	}, timeoutMs);
	let stderr = "";
	child.stderr.on("data", (chunk: Buffer) => {
		stderr = `${stderr}${chunk}`.slice(-MAX_STDERR);
	});
	child.stdin.on("error", () => undefined);
	child.stdin.end(JSON.stringify(order));
	let isDone = false;
	for await (const line of createInterface({ input: child.stdout })) {
		if (line === "done") isDone = true;
		else answers.push(...answerOf<Answer>(line));
	}
	const [code, signal] = await closed.finally(() => clearTimeout(timer));
	if (isDone) return null;
	if (isLate) return `it took longer than ${timeoutMs / 1_000} seconds`;
	if (/heap out of memory|Allocation failed|Array buffer allocation/.test(stderr))
		return `it took more than ${heapMb} MB of memory`;
	if (signal === "SIGKILL") return "the process that reads them was killed, as when the machine runs out of memory";
	return `the process that reads them ended by ${signal ?? `status ${code}`}`;
}

/** The last line of a process that was killed may be incomplete. */
function answerOf<Answer>(line: string): Answer[] {
	try {
		return [JSON.parse(line)];
	} catch {
		return [];
	}
}
