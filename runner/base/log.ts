/** Plain lines on standard output, one per event: time, level unless it is info, sentence. */
import { plainLine } from "./terminal.ts";

export interface RunnerLog {
	info(sentence: string): void;
	warn(sentence: string): void;
	error(sentence: string): void;
}

/** A log that calls `write` once per line, newline included. */
export function lineLog(write: (line: string) => void = (line) => process.stdout.write(line)): RunnerLog {
	const put = (level: string, sentence: string) =>
		write(`${new Date().toISOString()} ${level}${plainLine(sentence)}\n`);
	return {
		info: (sentence) => put("", sentence),
		warn: (sentence) => put("warning: ", sentence),
		error: (sentence) => put("error: ", sentence),
	};
}

/** A log that discards everything. */
export const silentLog: RunnerLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
