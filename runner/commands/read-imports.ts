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

type Format = "JUnit" | "CTRF" | "Allure" | "Open Test Reporting" | "Robot Framework" | "Playwright";

interface ImportedFile {
	file: string;
	format: Format;
	tests: ImportedTest[];
	/** SHA-256 of its bytes. */
	hash: string;
}
/** A sentence without its dot, and whether the file itself was named, rather than its folder. */
interface RefusedFile {
	file: string;
	problem: string;
	isNamed: boolean;
}
export type ImportAnswer = ImportedFile | RefusedFile;

interface ImportOrder {
	/** Files, folders, and patterns such as `reports/*.xml`. */
	paths: readonly string[];
	/** Older files are of another run; milliseconds since 1970. */
	since?: number;
}

/** Maximum number of unread files that one line names. */
const MAX_NAMED = 3;
const MAX_NAME = 200;
/** File systems round the time of a change. */
const CLOCK_GRAIN_MS = 2_000;
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

/** @returns what could be read, by name, and a sentence without its dot when the process ended before it was done. */
export async function readImports(
	order: ImportOrder,
	limits = LIMITS,
): Promise<{ answers: ImportAnswer[]; problem: string | null }> {
	const answers: ImportAnswer[] = [];
	const reason = await readInProcess<ImportAnswer>("--read-imports", order, limits, answers).catch(
		(error) => `the process that reads them could not be started: ${errorMessage(error)}`,
	);
	return { answers: answers.sort((a, b) => (a.file < b.file ? -1 : 1)), problem: reason };
}

/** One line for each reason, however many files have it. */
export function remarkRefused({ remark }: Pick<Call, "remark">, refused: readonly RefusedFile[]): void {
	for (const [reason, files] of Map.groupBy(refused, (each) => each.problem)) {
		const names = files.slice(0, MAX_NAMED).map(({ file }) => sanitizeName(file, MAX_NAME));
		const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : "";
		remark(`tapedeck: Not imported: ${names.join(", ")}${more}: ${reason}.`);
	}
}

interface Found {
	file: string;
	size: number;
	writtenAt: number;
	isNamed: boolean;
}

/** The process: takes an order from its standard input, and writes a line for each answer. */
export async function main(): Promise<void> {
	const { paths, since = 0 } = JSON.parse(await text(createReadStream("", { fd: 0 }))) as ImportOrder;
	const write = (answer: ImportAnswer): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);
	const all: Found[] = [];
	for (const path of paths) {
		try {
			await find(path, all);
		} catch (error) {
			write({ file: path, problem: missing(error), isNamed: true });
		}
	}
	const found = [...new Map(all.map((each) => [each.file, each])).values()].filter(
		({ writtenAt }) => writtenAt >= since - CLOCK_GRAIN_MS,
	);
	// The smallest first: a huge one must not cost the others.
	found.sort((a, b) => a.size - b.size || (a.file < b.file ? -1 : 1));
	const left = { bytes: MAX_ALL_BYTES, tests: MAX_TESTS, characters: MAX_CHARACTERS };
	const spend = (kind: keyof typeof left, amount: number, problem: string): void => {
		if (amount > left[kind]) throw new Error(problem);
		left[kind] -= amount;
	};
	const counted = (answer: ImportedFile): void => {
		spend("tests", answer.tests.length, `the reports together have more than ${MAX_TESTS} tests`);
		const { length } = JSON.stringify(answer.tests);
		spend("characters", length, `the reports together say more than ${MAX_CHARACTERS / 1_000_000} million characters`);
		write(answer);
	};
	const junit: { found: Found; hash: string; report: JunitReport }[] = [];
	const attempt = async (each: Found, read: () => Promise<void> | void): Promise<void> => {
		try {
			await read();
		} catch (error) {
			const problem = errorMessage(error);
			// A folder has other files, too.
			if (each.isNamed || problem !== UNKNOWN) write({ file: each.file, problem, isNamed: each.isNamed });
		}
	};
	for (const [index, each] of found.entries()) {
		await attempt(each, async () => {
			if (index >= MAX_FILES) throw new Error(`only ${MAX_FILES} files are read`);
			if (each.size > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES / 1_000_000} MB`);
			spend("bytes", each.size, `the files together are larger than ${MAX_ALL_BYTES / 1_000_000} MB`);
			const bytes = await readFile(each.file);
			const hash = createHash("sha256").update(bytes).digest("hex");
			const read = readReport(bytes, each.writtenAt);
			if ("suites" in read) junit.push({ found: each, hash, report: read });
			else counted({ file: each.file, hash, ...read });
		});
	}
	const tests = importedJunit(junit.map(({ found: { writtenAt }, report }) => ({ ...report, writtenAt })));
	for (const [index, { found: each, hash }] of junit.entries()) {
		await attempt(each, () => counted({ file: each.file, hash, format: "JUnit", tests: tests[index] ?? [] }));
	}
	process.stdout.write("done\n");
}

function missing(error: unknown): string {
	const { code } = error as { code?: string };
	return code === "ENOENT" ? "there is no such file or folder" : errorMessage(error);
}

/** A file that is named is read whatever it is called; of a folder, those that may be reports. */
async function find(path: string, found: Found[]): Promise<void> {
	const whole = await describe(path).catch(async (error) => {
		const matching: string[] = [];
		if (/[*?[{]/.test(path)) for await (const one of glob(path)) matching.push(one);
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
			if (!entry.isFile() || !isWanted || entry.name.endsWith(".tapedeck.xml")) continue;
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
function readReport(bytes: Buffer, writtenAt: number): JunitReport | Pick<ImportedFile, "format" | "tests"> {
	const isXml = /^(?:\uFEFF|\u00ef\u00bb\u00bf)?\s*<|^(?:\xff\xfe)?<\0|^(?:\xfe\xff)?\0</.test(
		bytes.toString("latin1", 0, 200),
	);
	if (isXml) {
		const content = new TextDecoder(encodingOf(bytes)).decode(bytes);
		switch (rootOf(content)) {
			case "testsuite":
			case "testsuites":
				return readJunit(bytes);
			case "events":
			case "execution":
				return { format: "Open Test Reporting", tests: readOpenTestReport(content) };
			case "robot":
				return { format: "Robot Framework", tests: readRobot(content) };
		}
		throw new Error(UNKNOWN);
	}
	const report = fieldsOf(parsed(bytes));
	const readers: [Format, (report: ReturnType<typeof fieldsOf>, writtenAt: number) => ImportedTest[] | null][] = [
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
