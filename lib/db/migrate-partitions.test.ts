/** The migration of a PostgreSQL database with many events to partitions, which is killed midway. */
import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { beforeAll, expect, test } from "vitest";
import { migrateKilledAt } from "#test/databases/killed-migration.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { migrationProvider } from "./migrations.ts";
import { migrateDatabase, openDatabase } from "./open.ts";
import type { Tables } from "./schema.ts";

const JOBS = 20_000;
const BEFORE = "0013-runner-sessions";
const DAY = 86_400_000;
const newest = Date.now();
let url: string;

beforeAll(async () => {
	url = await createPostgresDatabase({ empty: true });
	const { db } = openDatabase(url);
	const provider = migrationProvider("postgres", () => undefined);
	const { error } = await new Migrator({ db, provider }).migrateTo(BEFORE);
	expect(error).toBeUndefined();
	await sql`insert into organization (id, name, slug, "createdAt") values (1, 'o', 'o', '2026-01-01')`.execute(db);
	await sql`insert into runner (id, "organizationId", name, "signInName", version, displays, "createdAt")
		values (1, 1, 'r', 'r', '1', '[]', 1)`.execute(db);
	await sql`insert into job ("organizationId", "runnerId", type, "displayId", name, "stopCondition", "stopConditionConfig", status, "createdAt")
		select 1, 1, 'recording', ':99', 'job number ' || i, 'duration', '{}', 'completed', i from generate_series(1, ${sql.lit(JOBS)}) i`.execute(
		db,
	);
	await sql`insert into "jobEvent" ("jobId", type, at, message, data, "runnerSeq")
		select job.id, 'note', 1, 'm', '{}', seq from job, generate_series(1, 3) seq`.execute(db);
	await sql`insert into "auditEntry" ("organizationId", at, "actorKind", "actorName", action, detail)
		select 1, ${sql.lit(newest)} - i::bigint * ${sql.lit(DAY / 50)}, 'system', 'Tapedeck', 'job.created', '{}'
		from generate_series(1, ${sql.lit(JOBS)}) i`.execute(db);
	await db.destroy();
});

const tablesOf = async (db: Kysely<Tables>): Promise<string[]> => {
	const { rows } = await sql<{ name: string }>`select relname as name from pg_class
		where relkind in ('r', 'p') and (relname like 'jobEvent%' or relname like 'auditEntry%') order by 1`.execute(db);
	return rows.map(({ name }) => name);
};

test("killed midway it has changed nothing, and the next start partitions the tables, says so, and keeps every row", async () => {
	for (const step of ["first partition of the events", "first partition of the audit log"]) {
		const killed = migrateKilledAt(url, step);
		expect(killed.signal, killed.stderr).toBe("SIGKILL");
		const { db } = openDatabase(url);
		expect(await tablesOf(db)).toEqual(["auditEntry", "jobEvent"]);
		await db.destroy();
	}
	const opened = openDatabase(url);
	const { db } = opened;
	const logged: string[] = [];
	const note = (data: object, message: string) => {
		logged.push(`${message} ${(data as { step?: string }).step ?? ""}`);
	};
	await migrateDatabase(opened, { info: note, warn: note });
	expect(logged).toContainEqual("updating the database 0014-partitions: primary key of the events");
	expect(logged).toContainEqual(expect.stringMatching(/^the database is up to date/));

	const [audit, ...rest] = await tablesOf(db);
	expect(audit).toBe("auditEntry");
	expect(rest.filter((name) => !/^auditEntry_\d/.test(name))).toEqual([
		expect.stringMatching(/^auditEntry_before_\d{4}_\d\d$/),
		...["auditEntry_default", "jobEvent", "jobEvent_1", "jobEvent_before_1", "jobEvent_default"],
	]);
	const counts = await sql<{ events: number; entries: number; strays: number }>`select
		(select count(*) from "jobEvent") as events, (select count(*) from "auditEntry") as entries,
		(select count(*) from "jobEvent_default") + (select count(*) from "auditEntry_default") as strays`.execute(db);
	expect(counts.rows[0]).toEqual({ events: 3 * JOBS, entries: JOBS, strays: 0 });

	// New rows go on after the old ones, a repeated report is still one, and a job's events go with it.
	const event = { jobId: 7, type: "note", at: 1, message: "", data: "{}", runnerSeq: 3 };
	const added = (runnerSeq: number) =>
		db
			.insertInto("jobEvent")
			.values({ ...event, runnerSeq })
			.onConflict((conflict) => conflict.columns(["jobId", "runnerSeq"]).doNothing())
			.returning("id")
			.execute();
	expect(await added(3)).toEqual([]);
	const [{ id } = { id: 0 }] = await added(4);
	expect(id).toBeGreaterThan(3 * JOBS);
	await db.deleteFrom("job").where("id", "=", 7).execute();
	expect(await db.selectFrom("jobEvent").select("id").where("jobId", "=", 7).execute()).toEqual([]);
	await expect(db.updateTable("auditEntry").set({ actorName: "Eve" }).execute()).rejects.toThrow(/only be added to/);
	await db.destroy();
});
