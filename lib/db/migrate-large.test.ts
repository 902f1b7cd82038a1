/** The migration of a database with many rows, which is killed midway. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrateKilledAt } from "#test/databases/killed-migration.ts";
import { migrationProvider } from "./migrations.ts";
import { migrateDatabase, openDatabase } from "./open.ts";

const JOBS = 20_000;
const BEFORE = "0011-sweep-indexes";
let dir: string;
let file: string;

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "tapedeck-migrate-"));
	file = join(dir, "tapedeck.db");
	const { db } = openDatabase(file);
	const { error } = await new Migrator({ db, provider: migrationProvider("sqlite", () => undefined) }).migrateTo(
		BEFORE,
	);
	expect(error).toBeUndefined();
	await sql`insert into organization (id, name, slug, "createdAt") values (1, 'o', 'o', '2026-01-01')`.execute(db);
	await sql`insert into runner (id, "organizationId", name, "signInName", version, displays, "createdAt")
		values (1, 1, 'r', 'r', '1', '[]', 1)`.execute(db);
	await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${JOBS})
		insert into job (id, "organizationId", "runnerId", type, "displayId", name, "stopCondition", "stopConditionConfig", status, "createdAt")
		select i, 1, 1, 'recording', ':99', 'job number ' || i, 'duration', '{}', 'completed', i * 1000 from n`.execute(db);
	await sql`insert into recording ("organizationId", "jobId", "runnerId", name, state, "contentType", "uploadId", "durationSeconds",
			bytes, "createdAt", "updatedAt")
		select 1, id, 1, name, 'ready', 'video/mp4', 'job-' || id, 30, 7, "createdAt", "createdAt" from job`.execute(db);
	await db.destroy();
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test("killed midway it has changed nothing, and the next start brings the database up to date and says so", async () => {
	for (const step of ["indexes of recordings", "names of the recordings"]) {
		const killed = migrateKilledAt(file, step);
		expect(killed.signal, killed.stderr).toBe("SIGKILL");
		const { db } = openDatabase(file);
		const { rows } = await sql<{ name: string }>`select name from sqlite_master where name in ('jobZone', 'jobSearch',
			'recording_by_state', 'job_by_condition')`.execute(db);
		expect(rows).toEqual([{ name: "recording_by_state" }]);
		await db.destroy();
	}
	const opened = openDatabase(file);
	const logged: string[] = [];
	const note = (data: object, message: string) => {
		logged.push(`${message} ${(data as { step?: string }).step ?? ""}`);
	};
	await migrateDatabase(opened, { info: note, warn: note });
	expect(logged.at(-1)).toMatch(/^the database is up to date/);
	expect(logged.some((line) => line.includes(`names of the jobs for search, from 1 of ${JOBS}`))).toBe(true);
	const { rows } = await sql<{
		id: number;
	}>`select rowid as id from "recordingSearch" where "recordingSearch" match '"number 777"'
		order by rowid`.execute(opened.db);
	expect(rows.map(({ id }) => id)).toEqual([777, ...Array.from({ length: 10 }, (_, last) => 7770 + last)]);
	expect(await opened.db.selectFrom("organizationUse").selectAll().execute()).toEqual([
		{ organizationId: 1, bytes: 7 * JOBS, recordings: JOBS },
	]);
	await opened.db.destroy();
});
