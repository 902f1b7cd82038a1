/** An index for the runners' sessions, by which every poll and piece finds its runner. */
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
	await db.schema.createIndex("runner_by_session").on("runner").column("sessionId").execute();
}
