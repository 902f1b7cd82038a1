/** A database that has results of two repositories when it learns to tell their tests apart. */
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
] as const)("results that are there become those of their repository's test, with what people decided about it, on %s", async (database) => {
	const dir = await temporaryFolder("repositories");
	const location = database === "PostgreSQL" ? await createPostgresDatabase({ empty: true }) : join(dir, "tapedeck.db");
	const opened = openDatabase(location);
	onTestFinished(() => closeDatabase(opened));
	const { db, dialect } = opened;
	const { error } = await new Migrator({ db, provider: migrationProvider(dialect) }).migrateTo("0016-buffer-seconds");
	expect(error).toBeUndefined();
	const jobs = [
		{ build: "same 1", repository: "acme/alpha", workflow: "CI" },
		{ build: "same 1", repository: "acme/beta" },
		{ build: "nightly 7" },
		{},
	];
	for (const statement of [
		`insert into organization (id, name, slug, "createdAt") values (1, 'One', 'one', ${dialect === "sqlite" ? "1" : "now()"})`,
		`insert into runner (id, "organizationId", "signInName", name, version, displays, "createdAt")
			values (1, 1, 'r', 'r', '1', '[]', 1)`,
		...jobs.map(
			(labels, index) => `insert into job (id, "organizationId", "runnerId", type, "displayId", name, "stopCondition",
				"stopConditionConfig", status, "createdAt", key, labels) values (${index + 1}, 1, 1, 'recording', ':0', 'Job', 'interrupt',
				'{}', 'completed', ${index * 100}, 'k${index}', '${JSON.stringify(labels)}')`,
		),
		`insert into test ("organizationId", project, name, suite, "firstAt", "lastAt")
			values (1, '', 'test_health', 'health', 1, 400), (1, '', 'only in alpha', null, 1, 1), (1, '', 'deleted', null, 1, 1)`,
		`delete from test where name = 'deleted'`,
		...[
			[1, 1, "failed", 10],
			[2, 1, "passed", 200],
			[3, 1, "passed", 300],
			[4, 1, "passed", 400],
			[1, 2, "passed", 15],
		].map(
			([
				job,
				of,
				outcome,
				at,
			]) => `insert into "testResult" ("organizationId", "jobId", "testId", key, name, project, attempt,
				outcome, "startedAt", build, bytes, "createdAt") values (1, ${job}, ${of}, 'k${at}', 'a', '', 1, '${outcome}', ${at},
				${Number(job) <= 2 ? "'same 1'" : job === 3 ? "'nightly 7'" : "null"}, 1, 1)`,
		),
		`insert into "failureTriage" ("organizationId", kind, key, "mutedUntil") values (1, 'test', '1', 99), (1, 'cause', '1', 98)`,
	]) {
		await sql.raw(statement).execute(db);
	}
	await migrateDatabase(opened);
	const tests = await db.selectFrom("test").selectAll().orderBy("repository").orderBy("name").execute();
	expect(tests).toMatchObject([
		// The newest result's keeps the id.
		{ id: 1, repository: "", name: "test_health", firstAt: 400, lastAt: 400 },
		{ id: 2, repository: "acme/alpha", name: "only in alpha" },
		{ repository: "acme/alpha", name: "test_health", suite: "health", firstAt: 10, lastAt: 10 },
		{ repository: "acme/beta", name: "test_health", firstAt: 200 },
		{ repository: "nightly", name: "test_health" },
	]);
	expect(Math.min(...tests.map(({ id }) => id).filter((id) => id > 2))).toBe(4);
	const results = await db
		.selectFrom("testResult")
		.innerJoin("test", "test.id", "testResult.testId")
		.select(["jobId", "test.repository", "isLast"])
		.where("test.name", "=", "test_health")
		.orderBy("jobId")
		.execute();
	expect(results).toEqual([
		// Each is the last one of its test in the build that both repositories have.
		{ jobId: 1, repository: "acme/alpha", isLast: 1 },
		{ jobId: 2, repository: "acme/beta", isLast: 1 },
		{ jobId: 3, repository: "nightly", isLast: 1 },
		{ jobId: 4, repository: "", isLast: 1 },
	]);
	const builds = await db.selectFrom("build").selectAll().orderBy("name").execute();
	expect(builds).toMatchObject([
		{ name: "nightly 7", repository: null, workflow: null, tests: 1 },
		{ name: "same 1", repository: "acme/beta", tests: 3, testsFailed: 1, testsPassed: 2 },
	]);
	const muted = await db.selectFrom("failureTriage").selectAll().where("mutedUntil", "=", 99).execute();
	expect(muted.map(({ key }) => Number(key)).sort()).toEqual(
		tests.flatMap(({ id, name }) => (name === "test_health" ? [id] : [])).sort(),
	);
	// The triggers still keep builds, and tests are still what their results refer to.
	await sql
		.raw(`update job set labels = '{"build":"nightly 8","repository":"acme/shop","workflow":"CI"}' where id = 3`)
		.execute(db);
	const moved = await db.selectFrom("build").selectAll().where("name", "=", "nightly 8").execute();
	expect(moved).toMatchObject([{ repository: "acme/shop", workflow: "CI", jobs: 1 }]);
	await expect(sql.raw("delete from test").execute(db)).rejects.toThrow();
});
