/**
 * Commands for the operator of the dashboard's machine: `npm run dashboard -- <command>`, with the dashboard's own
 * environment. Safe while the dashboard runs, unless a command says otherwise.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { createPasswordResetAsOperator } from "#lib/auth/account/password-reset.ts";
import { removeSecondFactorAsOperator } from "#lib/auth/account/second-factor.ts";
import type { Context } from "#lib/core/context.ts";
import { loadNodeId } from "#lib/core/node-id.ts";
import { createSecretBox } from "#lib/core/secret-box.ts";
import { loadSecretKeys, rotateSecretKey, SECRET_KEY_FILE } from "#lib/core/secret-key.ts";
import { moveToPostgres } from "#lib/db/move-to-postgres.ts";
import { openDatabase } from "#lib/db/open.ts";
import { forgetUnreadablePasswords } from "#lib/jobs/reencrypt-passwords.ts";
import { removeNode } from "#lib/nodes/dashboard-node.ts";
import { VideoFiles } from "#lib/recordings/playback/video-files.ts";
import { moveStorage } from "#lib/recordings/store/move-storage.ts";
import { backUp, restore } from "./backup.ts";
import type { Env } from "./env.ts";
import { createLogger } from "./logger.ts";
import { baseUrlOf, databaseOf, lockDataDir, migrate, openStorage } from "./open-app.ts";

export const OPERATOR_HELP = `usage: npm run dashboard                                    starts the dashboard
       npm run dashboard -- check-config                    says what is wrong with the variables, or prints the configuration without secrets
       npm run dashboard -- migrate                         updates the database for this version; a SQLite one is updated at the start
       npm run dashboard -- reset-password <email>          prints a link to set a new password, usable once, valid for 24 hours
       npm run dashboard -- remove-second-factor <email>    removes it, for a person who has lost the app and the backup codes
       npm run dashboard -- rotate-key                      creates a new secret key, used from the next start
       npm run dashboard -- forget-passwords                removes grid passwords that no secret key can decrypt
       npm run dashboard -- move-storage                    moves videos to where TAPEDECK_STORAGE_URL says; can be stopped and run again
       npm run dashboard -- move-database                   copies a SQLite database to the empty PostgreSQL one of TAPEDECK_DATABASE_URL; stop the dashboard before
       npm run dashboard -- remove-node <id>                forgets a node, one of several dashboards, that will not return
       npm run dashboard -- backup <directory>              copies the database, videos and secret key
       npm run dashboard -- restore <directory>             restores such a copy into a new TAPEDECK_DATA_DIR`;

const COMMANDS = [
	...["migrate", "reset-password", "rotate-key", "forget-passwords", "move-storage", "move-database"],
	...["remove-second-factor", "remove-node", "backup", "restore"],
];

/** @returns the text to print. @throws an Error whose message names the problem and the remedy. */
export async function runOperatorCommand(env: Env, args: readonly string[]): Promise<string> {
	const [command, argument, ...more] = args;
	if (command === "reset-password" && argument !== undefined && more.length === 0) return resetPassword(env, argument);
	if (command === "remove-second-factor" && argument !== undefined && more.length === 0)
		return removeSecondFactor(env, argument);
	if (command === "migrate" && argument === undefined) return migrateByCommand(env);
	if (command === "rotate-key" && argument === undefined) return rotateKey(env);
	if (command === "forget-passwords" && argument === undefined) return forgetPasswords(env);
	if (command === "move-storage" && argument === undefined) return moveStorageByCommand(env);
	if (command === "move-database" && argument === undefined) return moveDatabaseByCommand(env);
	if (command === "remove-node" && argument !== undefined && more.length === 0)
		return removeNodeByCommand(env, argument);
	if (command === "backup" && argument !== undefined && more.length === 0) return backUp(env, argument);
	if (command === "restore" && argument !== undefined && more.length === 0) return restore(env, argument);
	const problem = COMMANDS.includes(command ?? "") ? "Wrong number of arguments" : "Unknown command";
	throw new Error(`${problem}: ${args.join(" ")}.\n\n${OPERATOR_HELP}`);
}

async function migrateByCommand(env: Env): Promise<string> {
	if (env.databaseUrl === null) await assertOwnFile(databaseOf(env));
	await migrate(env, createLogger(env.logLevel));
	return "The database is up to date.";
}

function resetPassword(env: Env, email: string): Promise<string> {
	const baseUrl = baseUrlOf(env, env);
	return withDatabase(env, async (db) => {
		const link = await createPasswordResetAsOperator({ db, clock: { now: () => Date.now() }, baseUrl }, email);
		return `This link sets a new password for ${email}, once, until ${link.expiresAt}:\n${link.url}`;
	});
}

function removeSecondFactor(env: Env, email: string): Promise<string> {
	return withDatabase(env, async (db) => {
		await removeSecondFactorAsOperator({ db, clock: { now: () => Date.now() } }, email);
		return `The second factor of ${email} is removed: the password alone signs in.`;
	});
}

async function rotateKey(env: Env): Promise<string> {
	if (env.secretKeys.current !== null) {
		throw new Error(
			"The secret key is set by TAPEDECK_SECRET_KEY. Move its value to TAPEDECK_SECRET_KEY_PREVIOUS, set TAPEDECK_SECRET_KEY to a new one (openssl rand -hex 32), and restart the dashboard.",
		);
	}
	await assertOwnFile(join(env.dataDir, SECRET_KEY_FILE));
	await rotateSecretKey(env.dataDir);
	return "Created a new secret key. Restart the dashboard: it re-encrypts secrets, everyone has to sign in again, and signed URLs stop working.";
}

function forgetPasswords(env: Env): Promise<string> {
	return withDatabase(env, async (db) => {
		await assertOwnFile(join(env.dataDir, SECRET_KEY_FILE));
		const { current, previous } = await loadSecretKeys(env.dataDir, env.secretKeys);
		const jobs = await forgetUnreadablePasswords({ db, secrets: createSecretBox(current, previous) });
		if (jobs.length === 0) return "All grid passwords can be decrypted. Nothing was removed.";
		return `The grid ${jobs.length === 1 ? "password of job" : "passwords of jobs"} ${jobs.join(", ")} ${jobs.length === 1 ? "was" : "were"} removed.`;
	});
}

async function moveStorageByCommand(env: Env): Promise<string> {
	const log = createLogger(env.logLevel);
	const { bucket, storesInBucket } = await openStorage(env, log);
	if (bucket === null) {
		throw new Error(
			"No bucket is configured. To move videos to a bucket, set TAPEDECK_STORAGE_URL to it. To move them back to the disk, set TAPEDECK_STORAGE_URL_PREVIOUS to the bucket and leave TAPEDECK_STORAGE_URL out. Restart the dashboard with the same variables first.",
		);
	}
	const nodeId = env.databaseUrl === null ? null : await loadNodeId(env.dataDir);
	return withDatabase(env, (db) =>
		moveStorage({
			nodeId,
			db,
			clock: { now: () => Date.now() },
			log,
			bucket,
			files: new VideoFiles(join(env.dataDir, "videos")),
			to: storesInBucket ? "bucket" : "disk",
			report: (line) => console.log(line),
		}),
	).finally(() => bucket.close());
}

async function moveDatabaseByCommand(env: Env): Promise<string> {
	if (env.databaseUrl === null) {
		throw new Error("Set TAPEDECK_DATABASE_URL to an empty PostgreSQL database, then run this again.");
	}
	const sqlite = { ...env, databaseUrl: null, databaseDirectUrl: null };
	const file = databaseOf(sqlite);
	await assertOwnFile(file);
	const unlock = lockDataDir(env.dataDir);
	try {
		const log = createLogger(env.logLevel);
		// Both get this version's tables.
		await migrate(sqlite, log);
		await migrate(env, log);
		const { db } = openDatabase(env.databaseDirectUrl ?? env.databaseUrl);
		const rows = await moveToPostgres(file, db, (line) => console.log(line)).finally(() => db.destroy());
		return `Copied ${rows} rows to PostgreSQL. Start the dashboard with the same TAPEDECK_DATA_DIR, where its videos are. ${file} is as it was and not used any more: keep it until you have seen that everything is there.`;
	} finally {
		unlock();
	}
}

function removeNodeByCommand(env: Env, id: string): Promise<string> {
	if (env.databaseUrl === null) throw new Error("Only dashboards on PostgreSQL are nodes. Set TAPEDECK_DATABASE_URL.");
	return withDatabase(env, async (db) => {
		await removeNode(db, id);
		return `The node ${id} is removed. Recordings that only its disk had stay in the list until you delete them.`;
	});
}

/** Opens the existing database; never creates one. */
async function withDatabase(env: Env, work: (db: Context["db"]) => Promise<string>): Promise<string> {
	if (env.databaseUrl === null) await assertOwnFile(databaseOf(env));
	const { db } = openDatabase(databaseOf(env));
	try {
		return await work(db);
	} finally {
		await db.destroy();
	}
}

/** The dashboard could not read a file written by another user. @throws an Error with the remedy. */
async function assertOwnFile(file: string): Promise<void> {
	const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return null;
		throw error;
	});
	if (found === null) {
		throw new Error(
			`${file} does not exist. Run this with the same variables as the dashboard, especially TAPEDECK_DATA_DIR.`,
		);
	}
	const user = process.getuid?.();
	if (user !== undefined && user !== found.uid) {
		throw new Error(`${file} belongs to user ${found.uid}. Run this as the user that the dashboard runs as.`);
	}
}
