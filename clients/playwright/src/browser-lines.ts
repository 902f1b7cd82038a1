/**
 * Passes lines about browsers from the processes of tests to the reporter's, which sends them: by a file, to which each line
 * is appended at once. So a process that is killed has lost none of them, and no test waits for a dashboard.
 */
import { appendFileSync, closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The variable with the file that the reporter reads: the processes of tests inherit it. */
export const VARIABLE = "TAPEDECK_PLAYWRIGHT_LINES";
const POLL_MS = 500;
const CHUNK_BYTES = 256 * 1024;
/** Maximum bytes of one poll, so that the reporter is not blocked. The rest waits in the file. */
const MAX_POLL_BYTES = 4 * 1024 * 1024;

/** A line without secrets. */
export interface BrowserLine {
	track: "console" | "network";
	/** Milliseconds since 1970, by this machine's clock. */
	at: number;
	text: string;
	level: "debug" | "info" | "warn" | "error";
	data: Record<string, unknown>;
}

/**
 * In the process of a test: what appends a line. Throws when it cannot.
 * @returns null when nothing is recorded.
 */
export function lineWriter(env: NodeJS.ProcessEnv): ((line: BrowserLine) => void) | null {
	const file = env[VARIABLE];
	return file === undefined ? null : appendTo(file);
}

/** Returns a function that appends a line to a file. */
export const appendTo =
	(file: string) =>
	(line: BrowserLine): void =>
		appendFileSync(file, `${JSON.stringify(line)}\n`);

/** In the process of the reporter: reads what the processes of tests append. */
export class BrowserLines {
	readonly #onLine: (line: BrowserLine) => void;
	readonly #onError: (cause: unknown) => void;
	readonly #file: string;
	readonly #fd: number;
	readonly #poll: NodeJS.Timeout;
	/** Up to where the file was read. */
	#position = 0;
	/** The beginning of a line. */
	#rest = Buffer.alloc(0);
	#isBroken = false;

	/**
	 * Begins to read; processes that are started from now on append.
	 * @param onError is called once, when the file can no longer be read.
	 * @throws when no file can be created.
	 */
	constructor(onLine: (line: BrowserLine) => void, onError: (cause: unknown) => void) {
		this.#onLine = onLine;
		this.#onError = onError;
		// Only for this user.
		this.#file = join(mkdtempSync(join(tmpdir(), "tapedeck-")), "lines");
		this.#fd = openSync(this.#file, "a+", 0o600);
		process.env[VARIABLE] = this.#file;
		this.#poll = setInterval(() => this.#tryRead(MAX_POLL_BYTES), POLL_MS).unref();
	}

	/** The file to which the processes of tests append. */
	get file(): string {
		return this.#file;
	}

	/** Reads what is left, and removes the file. The processes of tests have ended. */
	finish(): void {
		clearInterval(this.#poll);
		delete process.env[VARIABLE];
		this.#tryRead(Number.POSITIVE_INFINITY);
		closeSync(this.#fd);
		rmSync(dirname(this.#file), { recursive: true, force: true });
	}

	#tryRead(maxBytes: number): void {
		if (this.#isBroken) return;
		try {
			this.#read(maxBytes);
		} catch (cause) {
			this.#isBroken = true;
			this.#onError(cause);
		}
	}

	#read(maxBytes: number): void {
		const chunk = Buffer.alloc(CHUNK_BYTES);
		for (let total = 0; total < maxBytes; ) {
			const length = readSync(this.#fd, chunk, 0, CHUNK_BYTES, this.#position);
			if (length === 0) return;
			total += length;
			this.#position += length;
			const bytes = Buffer.concat([this.#rest, chunk.subarray(0, length)]);
			const end = bytes.lastIndexOf("\n") + 1;
			this.#rest = bytes.subarray(end);
			for (const json of bytes.toString("utf8", 0, end).split("\n")) this.#take(json);
		}
	}

	#take(json: string): void {
		let line: BrowserLine;
		try {
			line = JSON.parse(json);
		} catch {
			// The end of the text, or a line that a full disk has cut.
			return;
		}
		this.#onLine(line);
	}
}
