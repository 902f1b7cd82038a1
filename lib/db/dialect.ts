/** The databases that the tables are kept in. */
export type DialectName = "sqlite" | "postgres";
