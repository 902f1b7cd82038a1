/** Plain lines on standard output, one a fact: time, level when it matters, sentence. */

export interface RunnerLog {
	info(sentence: string): void;
	warn(sentence: string): void;
	error(sentence: string): void;
}

/** A logger that writes through `write`, one whole line a call. */
export function lineLog(write: (line: string) => void = (line) => process.stdout.write(line)): RunnerLog {
	const put = (level: string, sentence: string) => write(`${new Date().toISOString()} ${level}${sentence}\n`);
	return {
		info: (sentence) => put("", sentence),
		warn: (sentence) => put("warning: ", sentence),
		error: (sentence) => put("error: ", sentence),
	};
}

/** The words of an error, with the cause that a socket error hides. */
export function wordsOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const code = (error as NodeJS.ErrnoException).code;
	if (error.message !== "") return error.message;
	if (error instanceof AggregateError && error.errors.length > 0) return wordsOf(error.errors[0]);
	return code ?? error.name;
}

/** An error that ends the runner: its message is the one sentence for the person who started it. */
export class FatalError extends Error {
	override name = "FatalError";
}
