import { sql } from "kysely";
import { expect, test } from "vitest";
import { onEachDatabase } from "#test/databases/each-database.ts";

onEachDatabase((api) => {
	test.each([
		["the audit log", 'select id from "auditEntry" where "at" < 5 order by "at" limit 1000', "audit_by_age"],
		["a job's history", 'select id from "jobEvent" where "jobId" = 5 order by at, id', /jobEvent_pkey|job_event_/],
		["idempotency keys", 'delete from "idempotencyKey" where "createdAt" < 5', "idempotency_key_by_age"],
		["builds by their end", `select name from build where "organizationId" = 1 and "endedAt" > 5`, "build_by_end"],
		[
			"a runner by its session",
			`select * from runner where "organizationId" = 1 and "sessionId" = 'x'`,
			"runner_by_session",
		],
	])("the query of %s reads an index, not the whole table", async (_what, query, index) => {
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
