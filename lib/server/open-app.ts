/** The composition root: opens the database and everything that hangs on it. */
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { createAuth } from "../auth/auth.ts";
import { bootstrap } from "../auth/bootstrap.ts";
import { announceSetup } from "../auth/setup.ts";
import { makeDirectory } from "../core/make-directory.ts";
import { createSecretBox, deriveSecret } from "../core/secret-box.ts";
import { loadSecretKey } from "../core/secret-key.ts";
import { migrateDatabase, openDatabase } from "../db/open.ts";
import { LinkSigner } from "../recordings/signed-link.ts";
import { DisplayPictures } from "../runners/display-pictures.ts";
import { RunnerPresence } from "../runners/presence.ts";
import type { AppContext } from "./app-context.ts";
import { CallLimits } from "./call-limits.ts";
import type { Env } from "./env.ts";
import { createFactBus } from "./fact-bus.ts";
import { createLogger } from "./logger.ts";
import { createMetrics } from "./metrics.ts";

/**
 * @param where the address that the server listens at, known by now: links and sign-in follow from it.
 * @param stopping aborted when the server begins to stop.
 * @throws an Error with one sentence and the remedy.
 */
export async function openApp(
	env: Env,
	where: { host: string; port: number },
	stopping: AbortSignal,
): Promise<AppContext> {
	const log = createLogger(env.logLevel);
	const videosDir = join(env.dataDir, "videos");
	await makeWritable(videosDir);
	const opened = openDatabase(env.databaseUrl ?? join(env.dataDir, "tapedeck.db"));
	await migrateDatabase(opened);
	const key = await loadSecretKey(env.dataDir);
	const shownHost = where.host === "0.0.0.0" || where.host === "::" ? "localhost" : where.host;
	const baseUrl = env.url ?? `http://${shownHost.includes(":") ? `[${shownHost}]` : shownHost}:${where.port}`;
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
		secrets: createSecretBox(key),
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

async function makeWritable(dir: string): Promise<void> {
	try {
		await makeDirectory(dir);
		await access(dir, constants.W_OK);
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		throw new Error(
			`The data directory cannot be written (${why}). Set TAPEDECK_DATA_DIR to a directory that this user may write to.`,
			{ cause },
		);
	}
}
