/** Updating dashboards one after the other: who updates the database, and which versions work with it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { migrations } from "#lib/db/migrations.ts";
import { closeDatabase, type OpenDatabase, openDatabase } from "#lib/db/open.ts";
import { startTestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { readEnv } from "./env.ts";
import { databaseOf } from "./open-app.ts";
import { runOperatorCommand } from "./operator-commands.ts";

describe.each(["SQLite", "PostgreSQL"] as const)("on %s", (database) => {
	let variables: Record<string, string>;
	let opened: OpenDatabase;
	beforeEach(async () => {
		variables = { TAPEDECK_DATA_DIR: await mkdtemp(join(tmpdir(), "tapedeck-update-")), TAPEDECK_LOG_LEVEL: "error" };
		if (database === "PostgreSQL") variables.TAPEDECK_DATABASE_URL = await createPostgresDatabase({ empty: true });
		opened = openDatabase(databaseOf(readEnv(variables)));
	});
	afterEach(async () => {
		await closeDatabase(opened);
		await rm(variables.TAPEDECK_DATA_DIR ?? "", { recursive: true, force: true });
	});

	async function start(): Promise<void> {
		const api = await startTestApi(variables);
		const { status } = await api.call("GET", "/v1/jobs");
		await api.stop();
		expect(status).toBe(200);
	}
	/** Marks the database as updated by a newer version. */
	const updateByNewer = () =>
		sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`.execute(opened.db);

	test("an empty database is set up by the start", start);

	test("a database of an older version is updated, on PostgreSQL by the command that the start names", async () => {
		await start();
		migrations["9999-later-still"] = (db) => db.schema.createTable("later").addColumn("id", "integer").execute();
		onTestFinished(() => {
			delete migrations["9999-later-still"];
		});
		if (database === "PostgreSQL") {
			await expect(start()).rejects.toThrow(/older version.*Back it up, run `npm run dashboard -- migrate`/);
			const said = await runOperatorCommand(readEnv(variables), ["migrate"]);
			expect(said).toBe("The database is up to date.");
		}
		await start();
		expect((await opened.db.introspection.getTables()).map(({ name }) => name)).toContain("later");
	});

	test("a database that a newer version has updated is used as it is", async () => {
		await start();
		await updateByNewer();
		await start();
	});

	test("a database from before the first release, which lacks a part of the baseline, is refused with the remedy, and not changed", async () => {
		await start();
		await sql`delete from kysely_migration where name >= '0016'`.execute(opened.db);
		await expect(start()).rejects.toThrow(/before the first release.*start with an empty data directory/);
		const { rows } = await sql`select 1 from kysely_migration where name >= '0016'`.execute(opened.db);
		expect(rows).toEqual([]);
	});

	test("a database that only newer versions work with is refused with the remedy, and not changed", async () => {
		await start();
		await updateByNewer();
		await sql`update dashboard set "compatibleFrom" = '9999-later'`.execute(opened.db);
		await expect(start()).rejects.toThrow(/to 9999-later.*Start the newer version, or restore a backup/);
	});
});

test("on PostgreSQL, a start on a database that is up to date waits for nobody who writes to it or updates it", async () => {
	const location = await createPostgresDatabase();
	const dataDir = await temporaryFolder("update");
	const variables = { TAPEDECK_DATA_DIR: dataDir, TAPEDECK_LOG_LEVEL: "error", TAPEDECK_DATABASE_URL: location };
	const others = openDatabase(location);
	onTestFinished(() => closeDatabase(others));
	await others.db.transaction().execute(async (trx) => {
		// The locks that a writer holds until it commits, and that an update takes.
		for (const table of ["job", "recording", "testResult", "errorText"] as const) {
			await sql`lock table ${sql.table(table)} in row exclusive mode`.execute(trx);
		}
		await sql`lock table kysely_migration_lock in exclusive mode`.execute(trx);
		const api = await startTestApi(variables);
		await api.stop();
	});
});
