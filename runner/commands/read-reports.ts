/**
 * Reads reports in a process of its own, which may use up its memory or hang without harm to the recorded command's end:
 * reports are what strangers' tests wrote.
 */
import { createReadStream } from "node:fs";
import { glob, readFile, stat } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { errorMessage } from "../base/fault.ts";
import { type JunitReport, readJunit } from "./junit.ts";
import { type Limits, readInProcess } from "./reading-process.ts";

export interface ReportOrder {
	patterns: readonly string[];
	/** When the command was started: older reports are of another run. */
	startedAt: number;
}

export type ReportAnswer =
	| { file: string; report: JunitReport; bytes: number; writtenAt: number }
	/** A sentence without its dot. */
	| { file: string; problem: string };

export const COPY = ".tapedeck.xml";
const MAX_FILES = 500;
const MAX_FILE_BYTES = 50_000_000;
const MAX_ALL_BYTES = 200_000_000;
/** Maximum characters of names and messages. */
const MAX_KEPT_CHARACTERS = 10_000_000;
/** And as many suites. */
const MAX_TESTS = 100_000;
const LIMITS: Limits = { program: process.execPath, timeoutMs: 60_000, heapMb: 512 };
/** File systems round the time of a change. */
const CLOCK_GRAIN_MS = 2_000;

/** @returns what could be read, and a sentence without its dot when the process ended before it was done. */
export async function readReports(
	order: ReportOrder,
	limits = LIMITS,
): Promise<{ answers: ReportAnswer[]; problem: string | null }> {
	const answers: ReportAnswer[] = [];
	const reason = await readInProcess<ReportAnswer>("--read-reports", order, limits, answers).catch(
		(error) => `the process that reads them could not be started: ${errorMessage(error)}`,
	);
	return { answers, problem: reason === null ? null : `Not all JUnit reports were read: ${reason}` };
}

/** The process: takes an order from its standard input, and writes a line for each answer. */
export async function main(): Promise<void> {
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
