import { sql } from "kysely";
import { expect, test } from "vitest";
import { onEachDatabase } from "#test/databases/each-database.ts";

onEachDatabase((api) => {
	test.each([
		["audit log", 'select id from "auditEntry" where "at" < 5 limit 1000', /audit_(before_)?by_age/],
		["idempotency keys", 'delete from "idempotencyKey" where "createdAt" < 5', "idempotency_key_by_age"],
		[
			"runners by session",
			`select * from runner where "organizationId" = 1 and "sessionId" = 'x'`,
			"runner_by_session",
		],
	])("the query of the %s reads an index, not the whole table", async (_what, query, index) => {
		const { db, dialect } = api().app;
		const plan = await db.connection().execute(async (db) => {
			// Postgres scans tiny tables sequentially, although it would use the index on a large one.
			if (dialect === "postgres") await sql`set enable_seqscan = off`.execute(db);
			const explain = dialect === "postgres" ? "explain" : "explain query plan";
			const { rows } = await sql.raw(`${explain} ${query}`).execute(db);
			if (dialect === "postgres") await sql`reset enable_seqscan`.execute(db);
			return JSON.stringify(rows);
		});
		expect(plan).toMatch(index);
	});
});
