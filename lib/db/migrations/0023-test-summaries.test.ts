/** A database that has results when it learns to sum up what the newest ones of each test come to. */
import { join } from "node:path";
import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import { expect, onTestFinished, test } from "vitest";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { migrationProvider } from "../migrations.ts";
import { closeDatabase, migrateDatabase, openDatabase } from "../open.ts";

test.each([
	"SQLite",
	"PostgreSQL",
] as const)("tests that are there have a summary of their results after the migration, on %s", async (database) => {
	const dir = await temporaryFolder("summaries");
	const location = database === "PostgreSQL" ? await createPostgresDatabase({ empty: true }) : join(dir, "tapedeck.db");
	const opened = openDatabase(location);
	onTestFinished(() => closeDatabase(opened));
	const { db, dialect } = opened;
	const { error } = await new Migrator({ db, provider: migrationProvider(dialect) }).migrateTo("0020-marker-bytes");
	expect(error).toBeUndefined();
	for (const statement of [
		`insert into organization (id, name, slug, "createdAt") values (1, 'One', 'one', ${dialect === "sqlite" ? "1" : "now()"})`,
		`insert into test (id, "organizationId", project, name, "firstAt", "lastAt")
			values (1, 1, '', 'flaky', 1, 9000), (2, 1, '', 'without results', 1, 1)`,
		...[
			["'passed'", 2_000, 1_000, 0, 0],
			["'failed'", 3_000, 5_000, 1, 0],
			["'skipped'", 4_000, 0, 0, 0],
			["'failed'", 5_000, null, 0, 1],
			["null", 6_000, null, 0, 0],
		].map(
			(
				[outcome, at, took, isFlaky, isNew],
				index,
			) => `insert into "testResult" ("organizationId", "testId", key, name, project, attempt, outcome, "startedAt",
				"endedAt", "isFlaky", "isNew", bytes, "createdAt") values (1, 1, 'k${index}', 'flaky', '', 1, ${outcome}, ${at},
				${took === null ? "null" : Number(at) + Number(took)}, ${isFlaky}, ${isNew}, 1, 1)`,
		),
	]) {
		await sql.raw(statement).execute(db);
	}
	await migrateDatabase(opened);
	const summary = ["lastOutcome", "lastIsNew", "recentResults", "passRate", "flakyRate", "durationMs"] as const;
	const tests = await db.selectFrom("test").select(summary).select("durationChangeMs").orderBy("id").execute();
	expect(tests).toEqual([
		{
			...{ lastOutcome: "failed", lastIsNew: 1, recentResults: 3, passRate: expect.closeTo(1 / 3) },
			...{ flakyRate: expect.closeTo(1 / 3), durationMs: 3_000, durationChangeMs: 0 },
		},
		{
			...{ lastOutcome: null, lastIsNew: 0, recentResults: 0, passRate: 1, flakyRate: 0 },
			...{ durationMs: -1, durationChangeMs: 0 },
		},
	]);
});
