/** A migration that is killed midway. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { closeDatabase, migrateDatabase, openDatabase } from "./open.ts";
import { hasSearchIndexes } from "./postgres-search.ts";

async function emptyDatabase(database: "SQLite" | "PostgreSQL"): Promise<string> {
	if (database === "PostgreSQL") return createPostgresDatabase({ empty: true });
	const dir = await temporaryFolder("migrate");
	return join(dir, "tapedeck.db");
}

/** Migrates in a process of its own, which kills itself when all tables are created and nothing is committed. */
const migrateKilled = (location: string) =>
	spawnSync(
		process.execPath,
		[
			"--input-type=module",
			"-e",
			`import { migrations } from "#lib/db/migrations.ts";
			import { migrateDatabase, openDatabase } from "#lib/db/open.ts";
			migrations["9999-killed"] = async () => process.kill(process.pid, "SIGKILL");
			await migrateDatabase(openDatabase(${JSON.stringify(location)}));`,
		],
		{ cwd: join(import.meta.dirname, "../.."), encoding: "utf8" },
	);

test.each([
	"SQLite",
	"PostgreSQL",
] as const)("killed midway it has changed nothing, and the next start brings the database up to date and says so, on %s", async (database) => {
	const location = await emptyDatabase(database);
	const killed = migrateKilled(location);
	expect(killed.signal, killed.stderr).toBe("SIGKILL");

	const opened = openDatabase(location);
	onTestFinished(() => closeDatabase(opened));
	expect(await opened.db.introspection.getTables()).toEqual([]);
	const logged: string[] = [];
	const note = (_data: object, message: string) => void logged.push(message);
	await migrateDatabase(opened, { info: note, warn: note });
	expect(logged).toContain("the database is up to date");
	expect(await opened.db.selectFrom("dashboard").select("compatibleFrom").execute()).toHaveLength(1);
});

test("three dashboards that start at once on an empty PostgreSQL database set it up without a warning", async () => {
	for (let round = 0; round < 3; round += 1) {
		const location = await emptyDatabase("PostgreSQL");
		const warnings: unknown[] = [];
		const log = { info: () => undefined, warn: (data: object, message: string) => void warnings.push(message, data) };
		const opened = [1, 2, 3].map(() => openDatabase(location));
		onTestFinished(async () => void (await Promise.all(opened.map(closeDatabase))));
		await Promise.all(opened.map((each) => migrateDatabase(each, log)));
		expect(warnings).toEqual([]);
		for (const { db } of opened) expect(await hasSearchIndexes(db)).toBe(true);
	}
});
