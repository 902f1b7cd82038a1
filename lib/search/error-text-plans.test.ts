/** Error lines are found by their index in small tables too, because each row takes long to compare. */
import { listJobsQuerySchema } from "@tapedeck/contract/job.ts";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { listJobs } from "#lib/jobs/list-jobs.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { plansOf } from "#test/databases/plans.ts";
import { LOOKED_AT } from "./plan.ts";

/** Few: without its error lines, the table has a hundred kilobytes. */
const JOBS = LOOKED_AT + 300;

onEachDatabase((api) => {
	beforeAll(async () => {
		const { db, dialect } = api().app;
		const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(JOBS)})`;
		await sql`insert into runner ("organizationId", name, "signInName", version, displays, "createdAt")
			values (1, 'machine', 'machine', '1', '[]', 1)`.execute(db);
		await sql`insert into job (id, "organizationId", "runnerId", name, status, "createdAt", type, "displayId", "stopCondition",
				"stopConditionConfig", key)
			${numbers} select i, 1, 1, 'login', 'completed', i, 'recording', ':99', 'interrupt', '{}', 'key-' || i from n`.execute(
			db,
		);
		const line = "timeout waiting for selector #checkout at step 17 of order ";
		await sql`insert into "errorText" ("jobId", lines, named, text)
			${numbers} select i, 100, 'login', ${line.repeat(100)} || i from n`.execute(db);
		await sql.raw(dialect === "postgres" ? "vacuum analyze" : "analyze").execute(db);
	});

	test.each([
		"does-not-occur",
		"does-not-occur timeout",
		`"order ${JOBS / 2}"`,
	])("%s is found by the index of error lines", async (q) => {
		const { app } = api();
		const ctx = contextFor(app, { kind: "system", organizationId: 1 });
		const query = listJobsQuerySchema.parse({ q });
		const plans = (await plansOf(app.db, (db) => listJobs({ ...ctx, db, reads: db }, query))).join("\n");
		expect(plans).toMatch(/error_?text_?search/i);
		expect(plans).not.toMatch(/Seq Scan on "errorText"/);
	});
});
