/** Finds reports in files and folders and reads them, whatever their format, in a process of its own (reading-process.ts). */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { glob, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { errorMessage } from "../base/fault.ts";
import type { Call } from "./command.ts";
import { readAllure, readCtrf, readPlaywright } from "./imported-json.ts";
import { importedJunit } from "./imported-junit.ts";
import { fieldsOf, type ImportedTest } from "./imported-test.ts";
import { readOpenTestReport, readRobot, rootOf } from "./imported-xml.ts";
import { encodingOf, type JunitReport, readJunit } from "./junit.ts";
import { type Limits, readInProcess } from "./reading-process.ts";
import type { KnownRun } from "./report-times.ts";

type Format = "JUnit" | "CTRF" | "Allure" | "Open Test Reporting" | "Robot Framework" | "Playwright";

/** A report that was read. */
interface ReadFile {
	file: string;
	/** SHA-256 of its bytes. */
	hash: string;
	bytes: number;
	/** Milliseconds since 1970. */
	writtenAt: number;
}
export interface ReportFile extends ReadFile {
	format: Format;
	tests: ImportedTest[];
	/** Clauses of a sentence on the times of its tests. */
	assumptions: string[];
}
/** A sentence without its dot, and whether the file itself was named, rather than its folder. */
interface RefusedFile {
	file: string;
	problem: string;
	isNamed: boolean;
}
/**
 * The caller computes the times of JUnit reports, because they depend on all of them: each is written as soon as it was read, so that
 * one that ends the process costs no other.
 */
type Read = { format: "JUnit"; report: JunitReport } | { format: Exclude<Format, "JUnit">; tests: ImportedTest[] };
type Answer = (ReadFile & Read) | RefusedFile;

interface ReportOrder {
	/** Files, folders, and patterns such as `reports/*.xml`. */
	paths: readonly string[];
	/** When the command began that wrote them: older files are of another run. Milliseconds since 1970. */
	since?: number;
}

export interface Reports {
	/** The files, by name. */
	files: ReportFile[];
	refused: RefusedFile[];
	/** Why not all were read, as a sentence without its dot; null if the process that reads them was done. */
	problem: string | null;
}

/** Maximum number of files that one line names. */
const MAX_NAMED = 3;
/** Maximum number of reasons with a line each: errors of XML have the line of the file in them. */
const MAX_REASONS = 5;
const MAX_NAME = 200;
/** File systems round the time of a change. */
const CLOCK_GRAIN_MS = 2_000;
/** The end of a copy with links of a report; see test-reports.ts. */
export const COPY = ".tapedeck.xml";
const MAX_FILE_BYTES = 100_000_000;
const MAX_ALL_BYTES = 500_000_000;
const MAX_FILES = 50_000;
/** Maximum number of entries of a folder and its subfolders. */
const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 20;
const MAX_TESTS = 100_000;
const MAX_CHARACTERS = 100_000_000;
const LIMITS: Limits = { program: process.execPath, timeoutMs: 180_000, heapMb: 1_024 };
const UNKNOWN =
	"it is no test report that Tapedeck knows: JUnit, CTRF, Allure, Open Test Reporting, Robot Framework or Playwright";

/** @param run the recording beside which the reports were written; null if nothing is known of their run. */
export async function readReports(order: ReportOrder, run: KnownRun | null, limits = LIMITS): Promise<Reports> {
	if (order.paths.length === 0) return { files: [], refused: [], problem: null };
	const answers: Answer[] = [];
	const problem = await readInProcess<Answer>(order, limits, answers).catch(
		(error) => `the process that reads them could not be started: ${errorMessage(error)}`,
	);
	answers.sort((a, b) => (a.file < b.file ? -1 : 1));
	const read = answers.flatMap((answer) => ("problem" in answer ? [] : [answer]));
	const junit = read.flatMap((one) => (one.format === "JUnit" ? [{ ...one.report, writtenAt: one.writtenAt }] : []));
	const ofJunit = importedJunit(junit, run).values();
	const files = read.map(({ file, hash, bytes, writtenAt, ...one }): ReportFile => {
		const found = one.format === "JUnit" ? ofJunit.next().value : { tests: one.tests, assumptions: [] };
		return { file, hash, bytes, writtenAt, format: one.format, tests: [], assumptions: [], ...found };
	});
	return { files, refused: answers.flatMap((answer) => ("problem" in answer ? [answer] : [])), problem };
}

/** One line for each reason, however many files have it. */
export function remarkRefused({ remark }: Pick<Call, "remark">, refused: readonly RefusedFile[]): void {
	const reasons = [...Map.groupBy(refused, (each) => each.problem)];
	for (const [reason, files] of reasons.slice(0, MAX_REASONS)) {
		remark(`tapedeck: Not read: ${namesOf(files.map(({ file }) => file))}: ${reason}.`);
	}
	const others = reasons.slice(MAX_REASONS).reduce((sum, [, files]) => sum + files.length, 0);
	if (others > 0) remark(`tapedeck: Not read: ${others} more reports, for other reasons.`);
}

/** a.xml, b.xml, c.xml and 3 more */
export function namesOf(files: readonly string[]): string {
	const names = files.slice(0, MAX_NAMED).map((file) => sanitizeName(file, MAX_NAME) || "a file");
	return `${names.join(", ")}${files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : ""}`;
}

interface Found {
	file: string;
	size: number;
	writtenAt: number;
	isNamed: boolean;
}

/** The process: takes an order from its standard input, and writes a line for each answer. */
export async function main(): Promise<void> {
	const { paths, since } = JSON.parse(await text(createReadStream("", { fd: 0 }))) as ReportOrder;
	const isOfRun = ({ writtenAt }: Found): boolean => since === undefined || writtenAt >= since - CLOCK_GRAIN_MS;
	const write = (answer: Answer): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);
	const all = new Map<string, Found>();
	for (const path of paths) {
		const found: Found[] = [];
		try {
			await find(path, found);
			if (since !== undefined && !found.some(isOfRun)) throw Object.assign(new Error(), { code: "ENOENT" });
		} catch (error) {
			const isMissing = (error as { code?: string }).code === "ENOENT";
			const missing = since === undefined ? "there is no such file or folder" : "the command wrote no report there";
			write({ file: path, problem: isMissing ? missing : errorMessage(error), isNamed: true });
		}
		for (const each of found.filter(isOfRun)) all.set(each.file, each);
	}
	// The smallest first: a huge one must not cost the others.
	const found = [...all.values()].sort((a, b) => a.size - b.size || (a.file < b.file ? -1 : 1));
	const left = { bytes: MAX_ALL_BYTES, tests: MAX_TESTS, characters: MAX_CHARACTERS };
	const spend = (kind: keyof typeof left, amount: number, problem: string): void => {
		if (amount > left[kind]) throw new Error(problem);
		left[kind] -= amount;
	};
	for (const [index, { file, size, writtenAt, isNamed }] of found.entries()) {
		try {
			if (index >= MAX_FILES) throw new Error(`only ${MAX_FILES} files are read`);
			if (size > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES / 1_000_000} MB`);
			spend("bytes", size, `the files together are larger than ${MAX_ALL_BYTES / 1_000_000} MB`);
			const bytes = await readFile(file);
			const read = readReport(bytes, writtenAt);
			const count =
				read.format === "JUnit" ? Math.max(read.report.cases.length, read.report.suites.length) : read.tests.length;
			spend("tests", count, `the reports together have more than ${MAX_TESTS} tests`);
			const { length } = JSON.stringify(read);
			const many = `${MAX_CHARACTERS / 1_000_000} million characters`;
			spend("characters", length, `the reports together say more than ${many}`);
			const hash = createHash("sha256").update(bytes).digest("hex");
			write({ file, hash, bytes: size, writtenAt, ...read });
		} catch (error) {
			const problem = errorMessage(error);
			// A folder has other files, too.
			if (isNamed || problem !== UNKNOWN) write({ file, problem, isNamed });
		}
	}
	process.stdout.write("done\n");
}

/** A file that is named is read whatever it is called; of a folder, those that may be reports. */
async function find(path: string, found: Found[]): Promise<void> {
	const whole = await describe(path).catch(async (error) => {
		const matching: string[] = [];
		if (/[*?[{]/.test(path)) for await (const one of glob(path)) if (!one.endsWith(COPY)) matching.push(one);
		if (matching.length === 0) throw error;
		for (const one of matching) await find(one, found);
		return null;
	});
	if (whole === null) return;
	const { size, mtimeMs, isFolder } = whole;
	if (!isFolder) return void found.push({ file: path, size, writtenAt: mtimeMs, isNamed: true });
	let entries = 0;
	const walk = async (folder: string, depth: number): Promise<void> => {
		const names = await readdir(folder, { withFileTypes: true });
		entries += names.length;
		if (entries > MAX_ENTRIES) throw new Error(`it has more than ${MAX_ENTRIES} files; name the folder of the reports`);
		// Other files beside Allure's results are what tests attached to them.
		const isAllure = names.some(({ name }) => name.endsWith("-result.json"));
		for (const entry of names) {
			const file = join(folder, entry.name);
			if (entry.isDirectory()) {
				if (depth < MAX_DEPTH && !["node_modules", ".git"].includes(entry.name)) await walk(file, depth + 1);
				continue;
			}
			const isWanted = isAllure ? entry.name.endsWith("-result.json") : /\.(xml|json)$/i.test(entry.name);
			if (!entry.isFile() || !isWanted || entry.name.endsWith(COPY)) continue;
			const { size, mtimeMs } = await describe(file);
			found.push({ file, size, writtenAt: mtimeMs, isNamed: false });
		}
	};
	await walk(path, 0);
}

async function describe(path: string): Promise<{ size: number; mtimeMs: number; isFolder: boolean }> {
	const found = await stat(path);
	if (!found.isFile() && !found.isDirectory()) throw new Error("it is no file");
	return { size: found.size, mtimeMs: found.mtimeMs, isFolder: found.isDirectory() };
}

/** @throws Error with a sentence for what is no report. */
function readReport(bytes: Buffer, writtenAt: number): Read {
	const isXml = /^(?:\uFEFF|\u00ef\u00bb\u00bf)?\s*<|^(?:\xff\xfe)?<\0|^(?:\xfe\xff)?\0</.test(
		bytes.toString("latin1", 0, 200),
	);
	if (isXml) {
		const content = new TextDecoder(encodingOf(bytes)).decode(bytes);
		switch (rootOf(content)) {
			case "testsuite":
			case "testsuites":
				return { format: "JUnit", report: readJunit(bytes) };
			case "events":
			case "execution":
				return { format: "Open Test Reporting", tests: readOpenTestReport(content) };
			case "robot":
				return { format: "Robot Framework", tests: readRobot(content) };
		}
		throw new Error(UNKNOWN);
	}
	const report = fieldsOf(parsed(bytes));
	const readers: [
		Exclude<Format, "JUnit">,
		(report: ReturnType<typeof fieldsOf>, writtenAt: number) => ImportedTest[] | null,
	][] = [
		["CTRF", readCtrf],
		["Allure", readAllure],
		["Playwright", readPlaywright],
	];
	for (const [format, read] of readers) {
		const tests = read(report, writtenAt);
		if (tests !== null) return { format, tests };
	}
	throw new Error(UNKNOWN);
}

function parsed(bytes: Buffer): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		throw new Error(UNKNOWN);
	}
}
