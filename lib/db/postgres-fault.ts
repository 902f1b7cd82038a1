/** What PostgreSQL says, or the way to it, when a statement could not be carried out for a reason outside of it. */

export type PostgresFault = "busy" | "full";

/** The server stops, starts or is away; too many connections; statements that waited for each other. */
const BUSY = /^(08...|57P0[123]|53300|40001|40P01|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
const DISK_FULL = "53100";
/** The driver's own words for a connection that went, or did not come: they have no code. */
const WITHOUT_CODE =
	/^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** @returns null for any other error. */
export function postgresFault(error: unknown): PostgresFault | null {
	if (!(error instanceof Error)) return null;
	const { code } = error as { code?: unknown };
	if (code === DISK_FULL) return "full";
	if (typeof code === "string") return BUSY.test(code) ? "busy" : null;
	return WITHOUT_CODE.test(error.message) ? "busy" : null;
}
