/** What SQLite says when it cannot do its work for a reason outside of the statement, in words with the remedy. */

export type SqliteFault = "busy" | "full" | "read_only" | "cannot_open" | "no_database" | "corrupt";

/** SQLite's primary result codes; the extended ones hold them in their low byte. */
const FAULTS: Record<number, SqliteFault> = {
	5: "busy",
	6: "busy",
	8: "read_only",
	11: "corrupt",
	13: "full",
	14: "cannot_open",
	26: "no_database",
};

/** @returns null for any other error. */
export function sqliteFault(error: unknown): SqliteFault | null {
	const code = typeof error === "object" && error !== null ? (error as { errcode?: unknown }).errcode : undefined;
	return typeof code === "number" ? (FAULTS[code & 0xff] ?? null) : null;
}

/** @returns an Error with one sentence and the remedy, for whoever starts the dashboard; any other error as it is. */
export function sqliteErrorAtStart(error: unknown, file: string): unknown {
	const fault = sqliteFault(error) ?? (error instanceof Error ? sqliteFault(error.cause) : null);
	return fault === null ? error : new Error(sentence(fault, file), { cause: error });
}

function sentence(fault: SqliteFault, file: string): string {
	switch (fault) {
		case "busy":
			return `Another program holds the database ${file}. End it (fuser ${file} shows its process id), then start again.`;
		case "full":
			return `The disk that holds the database ${file} is full. Free some space on it, then start again.`;
		case "read_only":
			return `The database ${file} cannot be written. Make it and its directory writable for this user, then start again.`;
		case "cannot_open":
			return `The database ${file} cannot be opened. Make it and its directory readable and writable for this user, then start again.`;
		case "no_database":
			return `The file ${file} is not a database of Tapedeck. Move it away, or name another directory with TAPEDECK_DATA_DIR.`;
		case "corrupt":
			return `The database ${file} is damaged. Restore it from a backup, or recover what is in it with sqlite3 ${file} .recover.`;
	}
}
