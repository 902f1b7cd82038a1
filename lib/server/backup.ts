/**
 * Backs up and restores a dashboard's data directory: the database, the videos and the secret key. A backup has the
 * layout of the data directory, and a manifest that says whether it is complete.
 */
import { constants, existsSync } from "node:fs";
import { copyFile, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { backup as copyDatabase, DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { makeDirectory } from "#lib/core/make-directory.ts";
import { NODE_ID_FILE } from "#lib/core/node-id.ts";
import { PREVIOUS_KEYS_FILE, SECRET_KEY_FILE } from "#lib/core/secret-key.ts";
import { syncFolder } from "#lib/core/sync-folder.ts";
import { closeDatabase, type OpenDatabase, openDatabase } from "#lib/db/open.ts";
import { isOurFile } from "#lib/recordings/playback/video-files.ts";
import type { Env } from "./env.ts";
import { raiseIds } from "./id-watermark.ts";

const MANIFEST = "backup.json";
const DATABASE = "tapedeck.db";
const VIDEOS = "videos";
const KEYS = [SECRET_KEY_FILE, PREVIOUS_KEYS_FILE, NODE_ID_FILE];
const ALL_PAGES = 2 ** 31 - 1;
/** A file in the data directory: a restore has not finished. The dashboard does not start while it exists. */
const RESTORING = "restore-in-progress";

const manifestSchema = z.object({
	version: z.literal(1),
	complete: z.boolean(),
	/** When the backup began, ISO 8601. */
	startedAt: z.string(),
	database: z.enum(["sqlite", "postgres"]),
});
type Manifest = z.infer<typeof manifestSchema>;

/** The locations of the database and of the videos. Data in PostgreSQL or in a bucket is not part of a backup. */
type Source = Pick<Env, "dataDir" | "databaseUrl" | "storage">;

/** Files copied, and their size. */
interface Copied {
	files: number;
	bytes: number;
}

/**
 * Writes a backup, even while the dashboard runs: the database as of one moment, and the videos of that moment. A
 * growing video is copied up to its current end; its runner uploads the rest after a restore.
 *
 * @param into a directory that is new, empty or holds an earlier backup; with an earlier one, only changes are copied.
 * @returns the text to print.
 * @throws an Error whose message names the problem and the remedy.
 */
export async function backUp(source: Source, into: string): Promise<string> {
	const { dataDir, databaseUrl } = source;
	const target = resolve(into);
	await assertBackupDirectory(target, resolve(dataDir));
	const manifest: Manifest = {
		version: 1,
		complete: false,
		startedAt: new Date().toISOString(),
		database: databaseUrl === null ? "sqlite" : "postgres",
	};
	try {
		// Written first, so that all other files belong to a backup that is known to be unfinished.
		await makeDirectory(target);
		await writeManifest(target, manifest);
		await makeDirectory(join(target, VIDEOS));
		// Copied before the database too: a video that is deleted later is still there for the database of that moment.
		const before = await copyVideos(join(dataDir, VIDEOS), join(target, VIDEOS));
		if (databaseUrl === null) await copySqlite(join(dataDir, DATABASE), join(target, DATABASE));
		const after = await copyVideos(join(dataDir, VIDEOS), join(target, VIDEOS));
		await removeAllBut(join(target, VIDEOS), new Set([...before.names, ...after.names]));
		for (const name of KEYS) await copyIfThere(join(dataDir, name), join(target, name));
		await writeManifest(target, { ...manifest, complete: true });
		const copied = { files: before.files + after.files, bytes: before.bytes + after.bytes };
		return summaryOfBackup(target, copied, source);
	} catch (error) {
		throw new Error(
			`The backup in ${target} is not complete: ${messageOf(error)}. Solve this and run the same command again; it continues with what is missing.`,
			{ cause: error },
		);
	}
}

function summaryOfBackup(target: string, copied: Copied, { dataDir, databaseUrl, storage }: Source): string {
	const lines = [`Backed up to ${target} (${sizeOf(copied)} copied).`];
	if (databaseUrl !== null) {
		lines.push(
			"The database is in PostgreSQL and not part of it. Back it up now with PostgreSQL's pg_dump, then run this command again, so that no video of that database is missing.",
		);
	}
	const bucket = storage.current ?? storage.previous;
	if (bucket) {
		lines.push(
			`Videos in the bucket ${bucket.bucket} are not part of it. Protect them by the means of the store, such as versioning or replication.`,
		);
	}
	if (!existsSync(join(dataDir, SECRET_KEY_FILE))) {
		lines.push("The secret key is in TAPEDECK_SECRET_KEY and not part of it. Keep that key with the backup.");
	}
	return lines.join("\n");
}

/**
 * Restores a backup into a data directory that has no dashboard yet. If it is killed midway, it can be run again. Until
 * it has finished, no dashboard starts there.
 *
 * @returns the text to print.
 * @throws an Error whose message names the problem and the remedy.
 */
export async function restore({ dataDir, databaseUrl }: Source, from: string): Promise<string> {
	const source = resolve(from);
	const begun = await readdir(source).catch(() => []);
	const manifest = begun.length > 0 && isBarelyBegun(begun) ? null : await readManifest(source);
	if (manifest === null || !manifest.complete) {
		throw new Error(
			`The backup in ${source} is not complete. Use another one, or finish it with: npm run dashboard -- backup ${from}`,
		);
	}
	if ((manifest.database === "sqlite") !== (databaseUrl === null)) {
		throw new Error(
			manifest.database === "sqlite"
				? `The backup in ${source} contains a SQLite database, but TAPEDECK_DATABASE_URL is set. Unset it and try again.`
				: `The backup in ${source} belongs to a PostgreSQL database. Restore that with pg_restore, set TAPEDECK_DATABASE_URL, and try again.`,
		);
	}
	const marker = join(dataDir, RESTORING);
	if (!existsSync(marker)) await assertNoDashboard(dataDir);
	try {
		await makeDirectory(join(dataDir, VIDEOS));
		await writeDurably(marker, "");
		const copied = await copyVideos(join(source, VIDEOS), join(dataDir, VIDEOS));
		for (const name of KEYS) await copyIfThere(join(source, name), join(dataDir, name));
		if (databaseUrl === null) {
			for (const ending of ["", "-wal", "-shm"]) await rm(join(dataDir, DATABASE + ending), { force: true });
			await copyIfThere(join(source, DATABASE), join(dataDir, DATABASE));
		}
		await withDatabase(databaseUrl ?? join(dataDir, DATABASE), (db) => raiseIds(db, new Date(manifest.startedAt)));
		await rm(marker);
		await syncFolder(dataDir);
		return `Restored the backup of ${manifest.startedAt} into ${dataDir} (${sizeOf(copied)} of videos copied). Start the dashboard.`;
	} catch (error) {
		throw new Error(`The restore is not complete: ${messageOf(error)}. Solve this and run the same command again.`, {
			cause: error,
		});
	}
}

async function withDatabase(location: string, work: (db: OpenDatabase["db"]) => Promise<void>): Promise<void> {
	const opened = openDatabase(location);
	try {
		await work(opened.db);
	} finally {
		await closeDatabase(opened);
	}
}

/** @throws an Error with the remedy while a restore into the data directory has not finished. */
export function assertRestored(dataDir: string): void {
	if (!existsSync(join(dataDir, RESTORING))) return;
	throw new Error(
		`A restore into ${dataDir} was interrupted. Run it again (npm run dashboard -- restore <directory>), then start the dashboard.`,
	);
}

async function assertBackupDirectory(target: string, dataDir: string): Promise<void> {
	if (`${target}${sep}`.startsWith(`${dataDir}${sep}`) || `${dataDir}${sep}`.startsWith(`${target}${sep}`)) {
		throw new Error(
			`${target} and the data directory ${dataDir} contain one another. Choose another directory for the backup.`,
		);
	}
	if (!existsSync(dataDir)) {
		throw new Error(
			`${dataDir} does not exist. Run this with the same variables as the dashboard, especially TAPEDECK_DATA_DIR.`,
		);
	}
	const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return [] as string[];
		if (error.code === "ENOTDIR") throw new Error(`${target} is not a directory. Choose another one for the backup.`);
		throw error;
	});
	if (isBarelyBegun(names)) return;
	if (!names.includes(MANIFEST)) {
		throw new Error(`${target} contains other files and no backup. Choose a new or empty directory.`);
	}
	await readManifest(target);
}

/** The only file of a backup that was killed before it wrote its manifest. */
const isBarelyBegun = (names: readonly string[]): boolean => names.every((name) => name === `${MANIFEST}.new`);

async function assertNoDashboard(dataDir: string): Promise<void> {
	const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return [] as string[];
		throw error;
	});
	const videos = names.includes(VIDEOS) ? await readdir(join(dataDir, VIDEOS)) : [];
	if (!names.includes(DATABASE) && !names.includes(SECRET_KEY_FILE) && videos.length === 0) return;
	throw new Error(
		`${dataDir} already contains a dashboard. Stop it and move this directory away, or set TAPEDECK_DATA_DIR to a new one.`,
	);
}

async function readManifest(dir: string): Promise<Manifest> {
	const text = await readFile(join(dir, MANIFEST), "utf8").catch((error: NodeJS.ErrnoException) => {
		if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
		throw new Error(
			`${dir} is not a backup: it has no ${MANIFEST}. Give the directory that the backup was written to.`,
		);
	});
	try {
		return manifestSchema.parse(JSON.parse(text));
	} catch (cause) {
		throw new Error(`${join(dir, MANIFEST)} cannot be read: it is damaged, or from a newer version of Tapedeck.`, {
			cause,
		});
	}
}

async function writeManifest(dir: string, manifest: Manifest): Promise<void> {
	await writeDurably(join(dir, `${MANIFEST}.new`), `${JSON.stringify(manifest, null, "\t")}\n`);
	await rename(join(dir, `${MANIFEST}.new`), join(dir, MANIFEST));
	await syncFolder(dir);
}

/** The database as it is at one moment. All pages in one step: writes meanwhile neither wait nor restart the copy. */
async function copySqlite(from: string, to: string): Promise<void> {
	if (!existsSync(from)) {
		throw new Error(
			`${from} does not exist. Run this with the same variables as the dashboard, especially TAPEDECK_DATA_DIR`,
		);
	}
	const partial = `${to}.new`;
	await rm(partial, { force: true });
	const source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 });
	try {
		await copyDatabase(source, partial, { rate: ALL_PAGES });
	} finally {
		source.close();
	}
	await syncFile(partial);
	await rename(partial, to);
	await syncFolder(dirname(to));
}

/** Copies the videos that are missing or have changed. @returns also the names of all. */
async function copyVideos(from: string, to: string): Promise<Copied & { names: string[] }> {
	const names = existsSync(from)
		? (await readdir(from)).filter((name) => isOurFile(name) && !name.endsWith(".new"))
		: [];
	const copied = { files: 0, bytes: 0, names };
	for (const name of names) {
		const bytes = await copyIfThere(join(from, name), join(to, name));
		if (bytes === null) continue;
		copied.files += 1;
		copied.bytes += bytes;
	}
	await syncFolder(to);
	return copied;
}

/**
 * Copies a file with its times, unless the target has the same size and time already. The target is never half-written.
 *
 * @returns how many bytes were copied; null if none had to be, or if the file has been deleted.
 */
async function copyIfThere(from: string, to: string): Promise<number | null> {
	try {
		const { size, atime, mtime } = await stat(from);
		const there = await stat(to).catch(() => null);
		if (there !== null && there.size === size && Math.abs(there.mtimeMs - mtime.getTime()) < 2) return null;
		const partial = `${to}.new`;
		await copyFile(from, partial, constants.COPYFILE_FICLONE);
		await utimes(partial, atime, mtime);
		await syncFile(partial);
		await rename(partial, to);
		return size;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT" && !existsSync(from)) return null;
		throw error;
	}
}

async function removeAllBut(dir: string, names: Set<string>): Promise<void> {
	for (const name of await readdir(dir)) if (!names.has(name)) await rm(join(dir, name));
}

async function writeDurably(path: string, text: string): Promise<void> {
	await writeFile(path, text, { flush: true });
}

async function syncFile(path: string): Promise<void> {
	const file = await open(path, "r+");
	await file.sync().finally(() => file.close());
}

const messageOf = (error: unknown): string =>
	(error instanceof Error ? error.message : String(error)).replace(/\.$/, "");

const sizeOf = ({ files, bytes }: Copied): string =>
	`${files} ${files === 1 ? "file" : "files"}, ${(bytes / 1e6).toFixed(1)} MB`;
