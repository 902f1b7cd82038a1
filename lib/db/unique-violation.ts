/** Whether a write failed because another row has what must be there once. SQLite and PostgreSQL say it differently. */
export function isUniqueViolation(error: unknown): boolean {
	if (typeof error !== "object" || error === null) return false;
	const { code, errcode } = error as { code?: unknown; errcode?: unknown };
	const SQLITE_CONSTRAINT_UNIQUE = 2067;
	return code === "23505" || errcode === SQLITE_CONSTRAINT_UNIQUE;
}
