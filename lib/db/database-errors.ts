/** Classifies operational errors of SQLite and PostgreSQL, by their own codes. */

export type SqliteFault = "busy" | "full" | "read_only" | "cannot_open" | "no_database" | "corrupt";

/** SQLite's primary result codes; extended codes contain them in their low byte. */
const FAULTS: Record<number, SqliteFault> = {
	5: "busy",
	6: "busy",
	8: "read_only",
	11: "corrupt",
	13: "full",
	14: "cannot_open",
	26: "no_database",
};

type DatabaseFault = "not_synced" | "slow_read" | "reads_busy";

/** The dashboard's own refusals of a database operation. Errors of the database itself have no class here. */
export class DatabaseError extends Error {
	readonly databaseFault: DatabaseFault;

	constructor(fault: DatabaseFault, message: string, cause?: unknown) {
		super(message, { cause });
		this.name = "DatabaseError";
		this.databaseFault = fault;
	}
}

/**
 * A commit that could not be written to the disk. It is in the database and may be lost in a power failure, so it is
 * not acknowledged, and no later one is either.
 */
export function notSynced(cause: unknown): DatabaseError {
	const why = cause instanceof Error ? cause.message : String(cause);
	const message = `The database's log could not be written to its disk (${why}). No change is accepted until the disk has been checked and Tapedeck restarted.`;
	return new DatabaseError("not_synced", message, cause);
}

/** A read took longer than anyone waits for it. */
export const slowRead = (): DatabaseError => new DatabaseError("slow_read", "A read of the database took too long.");

/** A read has waited for its turn for longer than anyone waits for an answer. */
export const readsBusy = (): DatabaseError =>
	new DatabaseError("reads_busy", "Too many reads of the database are waiting.");

const hasFault = (error: unknown, fault: DatabaseFault): boolean =>
	typeof error === "object" && error !== null && (error as Partial<DatabaseError>).databaseFault === fault;

/**
 * Compares the fault, because the server and Next have their own copies of the class. PostgreSQL's is that of a
 * statement timeout.
 */
export const isSlowRead = (error: unknown): boolean =>
	hasFault(error, "slow_read") || (error as { code?: unknown } | null)?.code === "57014";

/** Compares the fault, like isSlowRead. */
export const isBusyReads = (error: unknown): boolean => hasFault(error, "reads_busy");

/** @returns null for any other error. */
export function sqliteFault(error: unknown): SqliteFault | null {
	const code = typeof error === "object" && error !== null ? (error as { errcode?: unknown }).errcode : undefined;
	return typeof code === "number" ? (FAULTS[code & 0xff] ?? null) : null;
}

/** @returns an Error with one sentence and a remedy, for the operator who starts the dashboard; others unchanged. */
export function sqliteErrorAtStart(error: unknown, file: string): unknown {
	const fault = sqliteFault(error) ?? (error instanceof Error ? sqliteFault(error.cause) : null);
	return fault === null ? error : new Error(sentence(fault, file), { cause: error });
}

function sentence(fault: SqliteFault, file: string): string {
	switch (fault) {
		case "busy":
			return `Another program has locked the database ${file}. Stop it (fuser ${file} shows its process id), then start again.`;
		case "full":
			return `The disk that holds the database ${file} is full. Free some space on it, then start again.`;
		case "read_only":
			return `The database ${file} is not writable. Make it and its directory writable for this user, then start again.`;
		case "cannot_open":
			return `The database ${file} cannot be opened. Make it and its directory readable and writable for this user, then start again.`;
		case "no_database":
			return `The file ${file} is not a Tapedeck database. Move it away, or set TAPEDECK_DATA_DIR to another directory.`;
		case "corrupt":
			return `The database ${file} is damaged. Restore it from a backup, or recover its contents with sqlite3 ${file} .recover.`;
	}
}

/** Why PostgreSQL or the connection to it failed, if not because of the statement itself. */
export type PostgresFault = "busy" | "full";

/**
 * The server is stopping, starting, unreachable or a standby that is about to take over; too many connections; a
 * transaction that stood still; deadlocks and serialization failures.
 */
const BUSY =
	/^(08...|57P0[123]|53300|25006|25P03|40001|40P01|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
const DISK_FULL = "53100";
/** The driver's messages for lost or failed connections, which have no code. */
const WITHOUT_CODE =
	/^(Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** @returns null for any other error. */
export function postgresFault(error: unknown): PostgresFault | null {
	if (!(error instanceof Error)) return null;
	const { code } = error as { code?: unknown };
	if (code === DISK_FULL) return "full";
	if (typeof code === "string") return BUSY.test(code) ? "busy" : null;
	return WITHOUT_CODE.test(error.message) ? "busy" : null;
}

/** Codes of a connection that worked, and that the network has lost. */
const LOST = /^(ECONNRESET|EPIPE|ETIMEDOUT)$/;

/** Whether PostgreSQL left a connection unanswered, or the network lost it: a new one may work. */
export function hasLostConnection(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	const { code } = error as { code?: unknown };
	if (code === undefined) return WITHOUT_CODE.test(error.message) || hasLostConnection(error.cause);
	return typeof code === "string" && LOST.test(code);
}

/** The operator's remedy, by PostgreSQL's code. */
const AT_START: Record<string, string> = {
	"53300":
		"PostgreSQL has no connection left for this dashboard, which needs up to 11. Raise max_connections, or set TAPEDECK_DATABASE_URL to a connection pooler and TAPEDECK_DATABASE_DIRECT_URL to PostgreSQL itself, then start again.",
	"25006":
		"This PostgreSQL server is a standby in recovery, which accepts no changes. Set TAPEDECK_DATABASE_URL to the primary server, or promote this one, then start again.",
	"57P03": "PostgreSQL is starting, stopping or recovering. Wait until it accepts connections, then start again.",
};

/**
 * @returns an Error with one sentence and a remedy, for the operator who starts the dashboard; without the URL, which may
 * contain a password. Errors that come neither from the connection nor from the server are returned unchanged.
 */
export function postgresErrorAtStart(error: unknown): unknown {
	if (!(error instanceof Error)) return error;
	const { code } = error as { code?: unknown };
	if (typeof code !== "string" && postgresFault(error) === null) return error;
	const known = AT_START[String(code)];
	if (known !== undefined) return new Error(known, { cause: error });
	const why = error instanceof AggregateError ? error.errors.map((each) => each.message).join(", ") : error.message;
	return new Error(
		`The PostgreSQL database cannot be opened (${why}). Check that the server is running and that TAPEDECK_DATABASE_URL is correct, then start again.`,
		{ cause: error },
	);
}

/** Whether a write failed because of a unique constraint, on SQLite or PostgreSQL. */
export function isUniqueViolation(error: unknown): boolean {
	if (typeof error !== "object" || error === null) return false;
	const { code, errcode } = error as { code?: unknown; errcode?: unknown };
	const SQLITE_CONSTRAINT_UNIQUE = 2067;
	return code === "23505" || errcode === SQLITE_CONSTRAINT_UNIQUE;
}
