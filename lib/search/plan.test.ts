/** Each term is found by the index that TERMS names, on both databases. */
import { listJobsQuerySchema } from "@tapedeck/contract/job.ts";
import { listRecordingsQuerySchema } from "@tapedeck/contract/recording.ts";
import { listTestResultsQuerySchema } from "@tapedeck/contract/test-result.ts";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { listJobs } from "#lib/jobs/list-jobs.ts";
import { listRecordings } from "#lib/recordings/list-recordings.ts";
import { listResults } from "#lib/test-results/list-results.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { plansOf } from "#test/databases/plans.ts";
import { LOOKED_AT, rarestPartOf, TERMS } from "./plan.ts";

test.each([
	["test-4321", "-4321"],
	["b1515", "b1515"],
	["2026-11-23T", "2026-11-23T"],
	["v1.2.34-rc 567890", " 567890"],
	["x12", "x12"],
	["checkout", "checkout"],
	["a1b2c3", "a1b2c3"],
	["12", "12"],
	["Größe 4321", "Größe 4321"],
])("the index looks for %j by %j, of which every trigram has two digits, or by the whole", (word, part) => {
	expect(rarestPartOf(word)).toBe(part);
});

/** A search for each term that finds few of the rows. */
const SEARCHES: Record<keyof typeof TERMS, string> = {
	...{
		word: "checkout",
		label: "build:1",
		outcome: "outcome:failed",
		status: "status:failed",
		verdict: "verdict:black",
	},
	...{
		test: "test:Checkout",
		message: "message:rows",
		cause: "cause:c7",
		screen: "screen:00ff00ff00ff00ff",
		flaky: "flaky:yes",
		new: "new:yes",
	},
	...{ runner: "runner:2", session: "session:session-7", after: "after:2026-01-01", before: "before:2026-01-01" },
};
/**
 * Enough rows that a planner prefers the index of words. A page uses that index after it has compared LOOKED_AT rows.
 */
const ROWS = LOOKED_AT * 20;

onEachDatabase((api) => {
	beforeAll(async () => {
		const { db } = api().app;
		await sql`insert into organization (id, name, slug, "createdAt") values (2, 'o', 'o', '2026-01-01')`.execute(db);
		for (const id of [1, 2]) {
			await sql`insert into runner ("organizationId", name, "signInName", version, displays, "createdAt")
				values (1, ${`machine ${id}`}, ${`machine ${id}`}, '1', '[]', 1)`.execute(db);
		}
		const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(ROWS)})`;
		const rare = (rare: string, usual: string) => sql.raw(`case when i % 500 = 7 then ${rare} else ${usual} end`);
		// All rows of the other organization have the rare values, too.
		const organization = sql`1 + i / ${sql.lit(ROWS / 2)} % 2`;
		const values = [rare("2", "1"), rare("'checkout'", "'login'"), rare(`'{"build":"1"}'`, "'{}'")];
		const kind = (rare: string, usual: string) =>
			sql.raw(`case when i % 500 = 7 or i >= ${ROWS / 2} then '${rare}' else '${usual}' end`);
		await sql`insert into job (id, "organizationId", "runnerId", name, labels, status, outcome, "createdAt", type, "displayId",
				"stopCondition", "stopConditionConfig", key)
			${numbers} select i, ${organization}, ${sql.join(values)}, ${kind("failed", "completed")}, ${kind("failed", "passed")}, i,
				'recording', ':99', 'interrupt', '{}', 'key-' || i from n`.execute(db);
		await sql`insert into recording (id, "organizationId", "runnerId", name, labels, verdict, outcome, "createdAt", state,
				"contentType", "uploadId", "durationSeconds", bytes, "updatedAt")
			${numbers} select i, ${organization}, ${sql.join(values)}, ${kind("black", "ok")}, ${kind("failed", "passed")}, i,
				'ready', 'video/mp4', 'upload-' || i, 1, 1, 1 from n`.execute(db);
		await sql`insert into "recordedSession" ("organizationId", "jobId", "sessionId", "startedAt", capabilities)
			${numbers} select ${organization}, i, 'session-' || i, 1, '{}' from n`.execute(db);
		// Inserting a result looks up the last one of the same build, so each test has only a few results.
		await sql`insert into test (id, "organizationId", project, name, "firstAt", "lastAt")
			${numbers} select i + 1, 1, '', 'Login ' || i, 1, 1 from n union all select 1, 1, '', 'Checkout', 1, 1`.execute(
			db,
		);
		await sql`insert into "testResult" (id, "organizationId", "jobId", "testId", key, name, project, attempt, outcome, "startedAt",
				build, cause, screen, "failedAt", "isFlaky", "isNew", bytes, "createdAt")
			${numbers} select i, ${organization}, i, ${rare("1", "i + 1")}, i, ${rare("'checkout'", "'login'")}, '', 1,
				${kind("failed", "passed")}, i, ${rare("'1'", "'2'")}, ${rare("'c7'", "null")}, ${rare("'00ff00ff00ff00ff'", "null")}, ${rare("i", "null")}, ${rare("1", "0")}, ${rare("1", "0")},
				0, 1 from n`.execute(db);
		await sql`analyze`.execute(db);
	});

	const listed = {
		job: (ctx: Parameters<typeof listJobs>[0], q: string) => listJobs(ctx, listJobsQuerySchema.parse({ q })),
		recording: (ctx: Parameters<typeof listJobs>[0], q: string) =>
			listRecordings(ctx, listRecordingsQuerySchema.parse({ q })),
		testResult: (ctx: Parameters<typeof listJobs>[0], q: string) =>
			listResults(ctx, listTestResultsQuerySchema.parse({ q })),
	};
	const indexed = Object.entries(TERMS).flatMap(([kind, access]) =>
		(["job", "recording", "testResult"] as const).flatMap((table) =>
			access[table].way === "compared" ? [] : [[SEARCHES[kind as keyof typeof TERMS], table, access[table]] as const],
		),
	);

	test.each(indexed)("%s in the list of %ss is found by its index", async (q, table, access) => {
		const { app } = api();
		const ctx = contextFor(app, { kind: "system", organizationId: 1 });
		const plans = await app.db.connection().execute(async (connection) => {
			// PostgreSQL scans tiny tables sequentially, although it would use the index on a large one.
			if (app.dialect === "postgres") await sql`set enable_seqscan = off`.execute(connection);
			const plans = await plansOf(connection, (db) => listed[table]({ ...ctx, db, reads: db }, q));
			if (app.dialect === "postgres") await sql`reset enable_seqscan`.execute(connection);
			return plans;
		});
		expect(plans.join("\n")).toMatch(new RegExp(`\\b${access[app.dialect]}\\b`, "i"));
	});
});
