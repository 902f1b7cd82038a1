/** A database that has jobs, results and recordings when it learns to count them by build. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import { expect, onTestFinished, test } from "vitest";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { migrationProvider } from "../migrations.ts";
import { closeDatabase, migrateDatabase, openDatabase } from "../open.ts";

test.each([
	"SQLite",
	"PostgreSQL",
] as const)("what is there already is counted, and builds without a video appear, on %s", async (database) => {
	const dir = await mkdtemp(join(tmpdir(), "tapedeck-builds-"));
	onTestFinished(() => rm(dir, { recursive: true, force: true }));
	const location = database === "PostgreSQL" ? await createPostgresDatabase({ empty: true }) : join(dir, "tapedeck.db");
	const opened = openDatabase(location);
	onTestFinished(() => closeDatabase(opened));
	const { db, dialect } = opened;
	const { error } = await new Migrator({ db, provider: migrationProvider(dialect) }).migrateTo("0004-session-outcome");
	expect(error).toBeUndefined();
	for (const statement of [
		`insert into organization (id, name, slug, "createdAt") values (1, 'One', 'one', ${dialect === "sqlite" ? "1" : "now()"})`,
		`insert into runner (id, "organizationId", "signInName", name, version, displays, "createdAt")
			values (1, 1, 'r', 'r', '1', '[]', 1)`,
		...[1, 2, 3].map(
			(
				id,
			) => `insert into job (id, "organizationId", "runnerId", type, "displayId", name, "stopCondition", "stopConditionConfig",
				status, "createdAt", "startedAt", "endedAt", key, labels) values (${id}, 1, 1, 'recording', ':0', 'Job', 'interrupt', '{}',
				'${id === 3 ? "queued" : "completed"}', ${id * 100}, ${id === 3 ? "null" : id * 100 + 1}, ${id === 3 ? "null" : id * 100 + 50},
				'k${id}', '{"build":"${id === 3 ? "waits" : "ran"}","branch":"b${id}"}')`,
		),
		`insert into test (id, "organizationId", project, name, "firstAt", "lastAt") values (1, 1, '', 'a', 1, 1), (2, 1, '', 'b', 1, 1)`,
		...[
			[1, 1, "failed", 110],
			[1, 2, "passed", 120],
			[2, 1, "passed", 210],
		].map(
			([
				job,
				of,
				outcome,
				at,
			]) => `insert into "testResult" ("organizationId", "jobId", "testId", key, name, project, attempt,
				outcome, "startedAt", build, bytes, "createdAt")
				values (1, ${job}, ${of}, 'k${at}', 'a', '', 1, '${outcome}', ${at}, 'ran', 1, 1)`,
		),
	]) {
		await sql.raw(statement).execute(db);
	}
	await migrateDatabase(opened);
	const builds = await db.selectFrom("build").selectAll().orderBy("name").execute();
	expect(builds).toMatchObject([
		{
			...{
				name: "ran",
				jobs: 2,
				unfinishedJobs: 0,
				startedAt: 101,
				endedAt: 250,
				branch: "b2",
				firstAt: 100,
				lastAt: 200,
			},
			...{ tests: 2, testsPassed: 2, testsFailed: 0 },
		},
		{ name: "waits", jobs: 1, unfinishedJobs: 1, startedAt: null, endedAt: null, branch: "b3", tests: 0 },
	]);
});
