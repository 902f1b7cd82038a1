/** Records which files of a watched folder were uploaded: a file in the data directory, a line of JSON for each step. */
import { open, readFile } from "node:fs/promises";
import type { FoundFile } from "./scan-folder.ts";

/** `begun`: an upload has this id; `sent` and `refused` are final. */
export type Sent = { state: "begun"; uploadId: string | null } | { state: "sent" } | { state: "refused" };

type Line = Sent & {
	/** Null for a file that was refused without being read. */
	sha256: string | null;
	/** The path's bytes as Latin-1. */
	path: string;
	bytes: number;
	changedAt: number;
};

export class SentFiles {
	readonly #file: string;
	/** By the content's SHA-256. */
	readonly #contents = new Map<string, Sent>();
	/** Paths with size and time whose content was sent or refused: they need not be read again. */
	readonly #settled = new Set<string>();

	private constructor(file: string) {
		this.#file = file;
	}

	static async open(file: string): Promise<SentFiles> {
		const sent = new SentFiles(file);
		const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
			if (error.code === "ENOENT") return "";
			throw error;
		});
		for (const line of text.split("\n")) {
			try {
				sent.#take(JSON.parse(line));
			} catch {
				// A line that a kill cut short.
			}
		}
		return sent;
	}

	isSettled(file: FoundFile): boolean {
		return this.#settled.has(keyOf(pathOf(file), file));
	}

	ofContent(sha256: string): Sent | undefined {
		return this.#contents.get(sha256);
	}

	/** Resolves when it survives a crash. */
	async note(file: FoundFile, sha256: string | null, sent: Sent): Promise<void> {
		const { bytes, changedAt } = file;
		const line: Line = { ...sent, sha256, path: pathOf(file), bytes, changedAt };
		const handle = await open(this.#file, "a", 0o600);
		try {
			// A line that a kill cut short must not take this one with it.
			await handle.appendFile(`\n${JSON.stringify(line)}`);
			await handle.sync();
		} finally {
			await handle.close();
		}
		this.#take(line);
	}

	#take({ sha256, path, bytes, changedAt, ...sent }: Line): void {
		if (sha256 !== null) this.#contents.set(sha256, sent);
		if (sent.state !== "begun") this.#settled.add(keyOf(path, { bytes, changedAt }));
	}
}

const pathOf = ({ path }: FoundFile): string => path.toString("latin1");
const keyOf = (path: string, { bytes, changedAt }: Pick<FoundFile, "bytes" | "changedAt">): string =>
	`${bytes} ${changedAt} ${path}`;
