/** The supported databases. */
import { type Kysely, PostgresAdapter, sql } from "kysely";

export type DialectName = "sqlite" | "postgres";

/** The dialect of a database or transaction. */
export const dialectOf = <T>(db: Kysely<T>): DialectName =>
	db.getExecutor().adapter instanceof PostgresAdapter ? "postgres" : "sqlite";

/** The time of PostgreSQL's machine, in milliseconds since 1970. */
export const postgresNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
