/**
 * Reads reports in a process of its own, which may use up its memory or hang without harm to the recorded command's end:
 * reports are what strangers' tests wrote. Run as a program, it takes an order from its standard input and writes an
 * answer for each file, one JSON on each line.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { glob, readFile, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { heapLimit } from "@tapedeck/machine/v8-flags.ts";
import { errorMessage } from "../base/fault.ts";
import { type JunitReport, readJunit } from "./junit.ts";

export interface ReportOrder {
	patterns: readonly string[];
	/** When the command was started: older reports are of another run. */
	startedAt: number;
}

export type ReportAnswer =
	| { file: string; report: JunitReport; bytes: number; writtenAt: number }
	/** A sentence without its dot. */
	| { file: string; problem: string };

/** What the process may use. */
interface Limits {
	/** Node. */
	program: string;
	timeoutMs: number;
	heapMb: number;
}

export const COPY = ".tapedeck.xml";
const MAX_FILES = 500;
const MAX_FILE_BYTES = 50_000_000;
const MAX_ALL_BYTES = 200_000_000;
/** Of names and messages. */
const MAX_KEPT_CHARACTERS = 10_000_000;
/** And as many suites. */
const MAX_TESTS = 100_000;
const LIMITS: Limits = { program: process.execPath, timeoutMs: 60_000, heapMb: 512 };
const MAX_STDERR = 4_000;
/** File systems round the time of a change. */
const CLOCK_GRAIN_MS = 2_000;

/** @returns what could be read, and a sentence without its dot when the process ended before it was done. */
export async function readReports(
	order: ReportOrder,
	limits = LIMITS,
): Promise<{ answers: ReportAnswer[]; problem: string | null }> {
	const answers: ReportAnswer[] = [];
	const reason = await readInProcess(order, limits, answers).catch(
		(error) => `the process that reads them could not be started: ${errorMessage(error)}`,
	);
	return { answers, problem: reason === null ? null : `Not all JUnit reports were read: ${reason}` };
}

/** @returns why it ended before it was done; null when it was done. @throws Error when it cannot be started. */
async function readInProcess(order: ReportOrder, limits: Limits, answers: ReportAnswer[]): Promise<string | null> {
	const { program, timeoutMs, heapMb } = limits;
	// biome-ignore lint/style/noProcessEnv: the child's own, without options that were meant for the command.
	const { NODE_OPTIONS: _, ...env } = process.env;
	const child = spawn(program, [heapLimit(heapMb), fileURLToPath(import.meta.url)], {
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
		else answers.push(...answerOf(line));
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
function answerOf(line: string): ReportAnswer[] {
	try {
		return [JSON.parse(line)];
	} catch {
		return [];
	}
}

async function main(): Promise<void> {
	const order: ReportOrder = JSON.parse(await text(createReadStream("", { fd: 0 })));
	let budget = MAX_ALL_BYTES;
	let characters = MAX_KEPT_CHARACTERS;
	let tests = MAX_TESTS;
	const write = (answer: ReportAnswer): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);
	const { files, more } = await filesOf(order);
	for (const { file, size, mtimeMs } of files) {
		try {
			if (size > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES / 1_000_000} MB`);
			if (size > budget) throw new Error(`the reports together are larger than ${MAX_ALL_BYTES / 1_000_000} MB`);
			budget -= size;
			const report: JunitReport = readJunit(await readFile(file));
			const { cases, suites } = report;
			if (Math.max(cases.length, suites.length) > tests)
				throw new Error(`the reports together have more than ${MAX_TESTS} tests`);
			tests -= Math.max(cases.length, suites.length);
			for (const each of cases) {
				each.name = each.name.slice(0, Math.max(0, characters));
				characters -= each.name.length;
				for (const error of [each, ...each.reruns]) {
					error.message = error.message.slice(0, Math.max(0, characters));
					characters -= error.message.length;
					error.summary = error.summary.slice(0, Math.max(0, characters));
					characters -= error.summary.length;
				}
			}
			write({ file, report, bytes: size, writtenAt: mtimeMs });
		} catch (error) {
			write({ file, problem: errorMessage(error) });
		}
	}
	for (const { file } of more) write({ file, problem: `only ${MAX_FILES} reports are read` });
	process.stdout.write("done\n");
}

/** The smallest first: a huge one must not cost the others. */
async function filesOf({ patterns, startedAt }: ReportOrder) {
	const files: { file: string; size: number; mtimeMs: number }[] = [];
	const seen = new Set<string>();
	for await (const file of glob([...patterns])) {
		if (file.endsWith(COPY) || seen.has(file)) continue;
		seen.add(file);
		const found = await stat(file).catch(() => null);
		if (!found?.isFile() || found.mtimeMs < startedAt - CLOCK_GRAIN_MS) continue;
		files.push({ file, size: found.size, mtimeMs: found.mtimeMs });
	}
	files.sort((a, b) => a.size - b.size || (a.file < b.file ? -1 : 1));
	return { files: files.slice(0, MAX_FILES), more: files.slice(MAX_FILES) };
}

if (import.meta.main) await main();
