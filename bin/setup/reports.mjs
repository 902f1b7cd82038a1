/** Reads the report that the reporters of the test programs write. */
import { readFileSync } from "node:fs";

/**
 * @param file with a JSON object per line; a run that did not start has none.
 * @returns {{
 *   passed: number,
 *   failures: { file: string | null, title: string, message: string }[],
 *   seconds: Record<string, number>,
 *   isComplete: boolean,
 * }} a failure without a file belongs to no test; `seconds` is per file. A run that crashed or was killed is not
 * complete, and the files and tests that had not ended are failures. Vitest's workers report a test with a short delay.
 */
export function readReport(file) {
	const running = new Map();
	const failures = [];
	const seconds = {};
	let passed = 0;
	let isComplete = false;
	for (const { event, ...line } of linesOf(file)) {
		const key = `${line.file} ${line.title}`;
		if (event === "begin") running.set(key, line);
		if (event === "file") {
			seconds[line.file] = line.seconds;
			for (const [key, { file }] of running) if (file === line.file) running.delete(key);
		}
		if (event === "error") failures.push({ file: line.file, title: "", message: line.message });
		if (event === "done") isComplete = true;
		if (event !== "end") continue;
		running.delete(key);
		if (line.isFailed) failures.push({ file: line.file, title: line.title, message: line.message });
		else passed += 1;
	}
	const unfinished = isComplete ? [] : [...running.values()];
	for (const { file, title } of unfinished) {
		const hasTests = unfinished.some((other) => other.file === file && other.title !== "");
		if (title === "" && hasTests) continue;
		failures.push({ file, title, message: "It had not ended when its test program did." });
	}
	return { passed, failures, seconds, isComplete };
}

function* linesOf(file) {
	let text = "";
	try {
		text = readFileSync(file, "utf8");
	} catch {
		return;
	}
	for (const line of text.split("\n")) {
		if (line === "") continue;
		try {
			yield JSON.parse(line);
		} catch {
			// The last line of a program that was killed while it wrote.
		}
	}
}
