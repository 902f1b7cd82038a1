/** A database of SQLite with all tables, which is copied for each test: making it takes most of a dashboard's start. */
import { rmSync } from "node:fs";
import { copyFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeDatabase, migrateDatabase, openDatabase } from "#lib/db/open.ts";

let template: Promise<string> | undefined;

/** Writes an empty database with all tables. @param file where there is none yet. */
export async function copyMigrated(file: string): Promise<void> {
	template ??= makeTemplate();
	await copyFile(await template, file);
}

/** Makes it once for each process. */
async function makeTemplate(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-template-"));
	process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
	const file = join(folder, "tapedeck.db");
	const opened = openDatabase(file);
	await migrateDatabase(opened);
	// Puts its log into the file.
	await closeDatabase(opened);
	return file;
}
