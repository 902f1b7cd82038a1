/** Removes the list of what failed: test results have it, also for jobs and recordings without reported results. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";

export async function removeFailureList(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	for (const table of ["recording", "job"]) {
		for (const change of ["added", "changed", "withdrawn", "removed"]) {
			const name = `${table}_failure_${change}`;
			const statements =
				dialect === "sqlite"
					? [`drop trigger ${name}`]
					: [`drop trigger ${name} on ${table}`, `drop function ${name}()`];
			for (const statement of statements) await sql.raw(statement).execute(db);
		}
	}
	await sql`drop table failure`.execute(db);
}
