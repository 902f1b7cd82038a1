/** An error that the person at the terminal can fix: its message has the problem and the remedy. */
export class Remedy extends Error {}

/** Prints the message of a Remedy, or the whole of any other error, and sets the exit status. */
export function fail(error) {
	process.stderr.write(`${error instanceof Remedy ? error.message : (error?.stack ?? error)}\n`);
	process.exitCode = 1;
}
