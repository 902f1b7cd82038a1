/** A fault that the person at the terminal can mend: its message says what happened and what to do. */
export class Remedy extends Error {}

/** Ends the program with one sentence for what can be mended, and with the whole error for what is our mistake. */
export function fail(error) {
	process.stderr.write(`${error instanceof Remedy ? error.message : (error?.stack ?? error)}\n`);
	process.exitCode = 1;
}
