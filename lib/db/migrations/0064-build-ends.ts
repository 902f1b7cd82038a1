/** Finds builds by their end: those of jobs that took longer than a day ended long after their last job was created. */
import { type Kysely, sql } from "kysely";

export async function addBuildEnds(db: Kysely<unknown>): Promise<void> {
	await sql`create index build_by_end on build ("organizationId", "endedAt") where "endedAt" is not null`.execute(db);
}
