/** The composition root: opens the database and everything that hangs on it. */
import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { createAuth } from "../auth/auth.ts";
import { bootstrap } from "../auth/sign-in/bootstrap.ts";
import { announceSetup } from "../auth/sign-in/setup.ts";
import { makeDirectory } from "../core/make-directory.ts";
import { createSecretBox, deriveSecret } from "../core/secret-box.ts";
import { loadSecretKeys } from "../core/secret-key.ts";
import { migrateDatabase, type OpenDatabase, openDatabase } from "../db/open.ts";
import { sqliteErrorAtStart } from "../db/database-errors.ts";
import { LinkSigner } from "../recordings/playback/signed-link.ts";
import { DisplayPictures } from "../runners/display-pictures.ts";
import { RunnerPresence } from "../runners/presence.ts";
import type { AppContext } from "./app-context.ts";
import { CallLimits } from "./call-limits.ts";
import { lockDataDir } from "./data-dir-lock.ts";
import type { Env } from "./env.ts";
import { createFactBus } from "./fact-bus.ts";
import { createLogger } from "./logger.ts";
import { createMetrics } from "./metrics.ts";
import { renewSeals } from "./renew-seals.ts";

/**
 * @param where the address that the server listens at, known by now: links and sign-in follow from it.
 * @param stopping aborted when the server begins to stop.
 * @returns also what gives the data directory free again.
 * @throws an Error with one sentence and the remedy.
 */
export async function openApp(
	env: Env,
	where: { host: string; port: number },
	stopping: AbortSignal,
): Promise<{ app: AppContext; unlock: () => void }> {
	const videosDir = join(env.dataDir, "videos");
	await makeWritable(env.dataDir, videosDir);
	const unlock = lockDataDir(env.dataDir);
	try {
		return { app: await openLocked(env, videosDir, where, stopping), unlock };
	} catch (error) {
		unlock();
		throw error;
	}
}

async function openLocked(
	env: Env,
	videosDir: string,
	where: { host: string; port: number },
	stopping: AbortSignal,
): Promise<AppContext> {
	const log = createLogger(env.logLevel);
	const opened = await openMigrated(databaseOf(env));
	const { current: key, previous } = await loadSecretKeys(env.dataDir, env.secretKeys);
	const secrets = createSecretBox(key, previous);
	await renewSeals({ db: opened.db, secrets, log });
	const baseUrl = baseUrlOf(env, where);
	const clock = { now: () => Date.now() };
	const auth = createAuth({
		db: opened.db,
		dialect: opened.dialect,
		baseUrl,
		secret: deriveSecret(key, "sessions"),
		trustedOrigins: [`http://localhost:${where.port}`, `http://127.0.0.1:${where.port}`],
		singleSignOn: env.singleSignOn,
		log,
	});
	const accounts = { db: opened.db, auth, clock, log };
	await bootstrap(accounts, env.bootstrap);
	await announceSetup(accounts, baseUrl);
	return {
		env,
		...opened,
		clock,
		facts: createFactBus(log),
		log,
		secrets,
		videosDir,
		diskReserveBytes: env.diskReserveBytes,
		quotas: env.quotas,
		baseUrl,
		auth,
		presence: new RunnerPresence(),
		pictures: new DisplayPictures(),
		metrics: createMetrics({ db: opened.db, clock, videosDir, diskReserveBytes: env.diskReserveBytes }),
		limits: new CallLimits(env.limits),
		links: new LinkSigner(deriveSecret(key, "signed links")),
		stopping,
		routes: [],
	};
}

async function openMigrated(location: string): Promise<OpenDatabase> {
	try {
		const opened = openDatabase(location);
		await migrateDatabase(opened);
		return opened;
	} catch (error) {
		throw sqliteErrorAtStart(error, location);
	}
}

/** Where the database is: a URL, or the file in the data directory. */
export const databaseOf = (env: Env): string => env.databaseUrl ?? join(env.dataDir, "tapedeck.db");

/** The address that people use, without a trailing slash. */
export function baseUrlOf(env: Env, { host, port }: { host: string; port: number }): string {
	const shown = host === "0.0.0.0" || host === "::" ? "localhost" : host;
	return env.url ?? `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
}

/** What is there and may not be written: SQLite would open it for reading, and say so at the first write only. */
const WRITTEN = ["tapedeck.db", "tapedeck.db-wal", "tapedeck.db-shm", "dashboard.lock"];

async function makeWritable(dataDir: string, videosDir: string): Promise<void> {
	try {
		await makeDirectory(videosDir);
		for (const dir of [dataDir, videosDir]) await access(dir, constants.W_OK);
		for (const name of WRITTEN) {
			const file = join(dataDir, name);
			if (existsSync(file)) await access(file, constants.R_OK | constants.W_OK);
		}
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		throw new Error(
			`The data directory cannot be written (${why}). Let this user write to it and what is in it, or set TAPEDECK_DATA_DIR to another directory.`,
			{ cause },
		);
	}
}
