/** A database of SQLite with all tables, which is copied for each test: making it takes most of a dashboard's start. */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { copyFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Bootstrap, bootstrap } from "#lib/auth/sign-in/bootstrap.ts";
import { closeDatabase, migrateDatabase, openDatabase } from "#lib/db/open.ts";

/** The databases that are copied, by their first account and credentials. */
const templates = new Map<string, Promise<string>>();

/**
 * Writes a database with all tables.
 * @param file where there is none yet.
 * @param first the first account and credentials, whose password's hash takes longer than the tables; none if omitted.
 */
export async function copyMigrated(file: string, first: Bootstrap = {}): Promise<void> {
	const key = JSON.stringify(first);
	const template = templates.get(key) ?? makeTemplate(first);
	templates.set(key, template);
	await copyFile(await template, file);
	const copy = new DatabaseSync(file);
	copy.exec("PRAGMA synchronous = OFF");
	// Each dashboard has its own id, by which runners recognize it.
	copy.prepare("UPDATE dashboard SET id = ?").run(randomUUID());
	copy.close();
}

/** Makes one, once for each process. */
async function makeTemplate(first: Bootstrap): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-template-"));
	process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
	const file = join(folder, "tapedeck.db");
	const opened = openDatabase(file);
	await migrateDatabase(opened);
	await bootstrap({ db: opened.db, clock: { now: Date.now } }, first);
	// Puts its log into the file.
	await closeDatabase(opened);
	return file;
}
