/** Indexes for the sweeps; and removes unkeyed hashes of request bodies, which could contain a password. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
	await db.schema.createIndex("audit_by_age").on("auditEntry").column("at").execute();
	await db.schema.createIndex("idempotency_key_by_age").on("idempotencyKey").column("createdAt").execute();
	// An empty hash matches any body: a call repeated during the update still gets its original response.
	await sql`UPDATE "idempotencyKey" SET "bodyHash" = ''`.execute(db);
}
