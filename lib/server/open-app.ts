/** The composition root: opens the database and everything that depends on it. */

import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { createAuth } from "#lib/auth/better-auth/auth.ts";
import { CredentialCache } from "#lib/auth/credentials/credential-cache.ts";
import { LastUses } from "#lib/auth/credentials/last-use.ts";
import { bootstrap } from "#lib/auth/sign-in/bootstrap.ts";
import { announceSetup } from "#lib/auth/sign-in/setup.ts";
import type { Log } from "#lib/core/context.ts";
import { makeDirectory } from "#lib/core/make-directory.ts";
import { loadNodeId } from "#lib/core/node-id.ts";
import { createSecretBox, deriveSecret } from "#lib/core/secret-box.ts";
import { loadSecretKeys, SECRET_KEY_FILE } from "#lib/core/secret-key.ts";
import { Claims } from "#lib/db/claims.ts";
import { hasLostConnection, postgresErrorAtStart, sqliteErrorAtStart, sqliteFault } from "#lib/db/database-errors.ts";
import {
	closeDatabase,
	isUpToDate,
	migrateDatabase,
	migrationState,
	type OpenDatabase,
	openDatabase,
} from "#lib/db/open.ts";
import type { AppContext } from "#lib/http/app-context.ts";
import { LiveEvents } from "#lib/http/live-events.ts";
import { createMetrics } from "#lib/http/metrics.ts";
import { RateLimits } from "#lib/http/rate-limits.ts";
import { createMailer } from "#lib/mail/mailer.ts";
import { DashboardNode, internalUrlOf, type NodeLeaseRules } from "#lib/nodes/dashboard-node.ts";
import {
	assertSameSecretKey,
	assertSameStorage,
	joinDashboards,
	type ProcessConfiguration,
	storageAddresses,
} from "#lib/nodes/dashboard-processes.ts";
import { DatabaseClock } from "#lib/nodes/database-clock.ts";
import { createEventBus, type OpenEventBus } from "#lib/nodes/event-bus.ts";
import { CallSigner } from "#lib/nodes/forward.ts";
import { PostgresEventBus } from "#lib/nodes/postgres-event-bus.ts";
import { LinkSigner } from "#lib/recordings/playback/signed-link.ts";
import { ReceiptSigner } from "#lib/recordings/receipts/receipt-signer.ts";
import { openStoredVideos, type RecordingContext, type StorageChoice } from "#lib/recordings/recording-context.ts";
import { UploadLeases } from "#lib/recordings/upload/upload-leases.ts";
import { UploadReceiver } from "#lib/recordings/upload/upload-receiver.ts";
import { DisplayPictures } from "#lib/runners/display-pictures.ts";
import { RunnerDownloads, rootFolder } from "#lib/runners/install/runner-downloads.ts";
import { LastSeen } from "#lib/runners/last-seen.ts";
import { RunnerPresence } from "#lib/runners/presence.ts";
import { Bucket } from "#lib/s3/bucket.ts";
import { checkBucket } from "#lib/s3/check-bucket.ts";
import { RESULT_FOLLOWERS } from "#lib/test-results/store/implied-results.ts";
import { allowedAddresses } from "#lib/webhooks/allowed-address.ts";
import { webhookDelivery } from "#lib/webhooks/deliver.ts";
import { createSend } from "#lib/webhooks/send.ts";
import { assertRestored } from "./backup.ts";
import type { Env } from "./env.ts";
import { raiseRestoredIds } from "./id-watermark.ts";
import { createLogger, repeatedLog } from "./logger.ts";
import { reencryptSecrets } from "./reencrypt-secrets.ts";

/** Times that tests shorten. The units that use them have the usual values. */
export interface AppRules {
	nodeLease?: NodeLeaseRules;
	/** The interval at which PostgreSQL's clock is read. */
	measureClockMs?: number;
	/** The maximum time for receivers of webhooks to answer. */
	webhookAnswerMs?: number;
}

/**
 * @param where the address that the server listens on, already known: links and sign-in derive from it.
 * @param stopping aborted when the server begins to stop.
 * @param rules the usual ones if omitted.
 * @returns also a function that unlocks the data directory.
 * @throws an Error whose message names the problem and the remedy.
 */
export async function openApp(
	env: Env,
	where: { host: string; port: number },
	stopping: AbortSignal,
	rules: AppRules = {},
): Promise<{ app: AppContext; unlock: () => void }> {
	const videosDir = join(env.dataDir, "videos");
	assertRestored(env.dataDir);
	await makeWritable(env.dataDir, videosDir);
	const unlock = lockDataDir(env.dataDir);
	try {
		assertShareable(env);
		const nodeId = env.databaseUrl === null ? null : await loadNodeId(env.dataDir);
		const log = createLogger(env.logLevel, nodeId ?? undefined);
		const open = (attempt: Attempt) => openLocked(env, { videosDir, where, rules, nodeId, log }, attempt);
		return { app: await whileConnectionsAreLost(open, log, stopping), unlock };
	} catch (error) {
		unlock();
		throw error;
	}
}

/** One attempt to open the app. Everything that it opened is closed when it fails. */
interface Attempt {
	/** Aborted when the server begins to stop, or when the attempt has failed. */
	stopping: AbortSignal;
	closers: (() => Promise<void>)[];
}

const MAX_ATTEMPTS = 5;
const NEXT_ATTEMPT_MS = 1_000;

/** The network may forget the connections to PostgreSQL while the dashboard starts, such as in an update of its nodes. */
async function whileConnectionsAreLost<T>(
	open: (attempt: Attempt) => Promise<T>,
	log: Log,
	stopping: AbortSignal,
): Promise<T> {
	for (let count = 1; ; count += 1) {
		const failed = new AbortController();
		const attempt: Attempt = { stopping: AbortSignal.any([stopping, failed.signal]), closers: [] };
		try {
			return await open(attempt);
		} catch (error) {
			failed.abort();
			// Not awaited: closing a lost connection takes too long.
			for (const close of attempt.closers) void close().catch(() => undefined);
			if (!hasLostConnection(error) || count === MAX_ATTEMPTS || stopping.aborted) throw error;
			log.warn({ err: error }, "the dashboard waits for PostgreSQL, which did not answer; trying again");
			await sleep(NEXT_ATTEMPT_MS);
		}
	}
}

interface Opening {
	videosDir: string;
	where: { host: string; port: number };
	rules: AppRules;
	nodeId: string | null;
	log: Log;
}

async function openLocked(
	env: Env,
	{ videosDir, where, rules, nodeId, log }: Opening,
	{ stopping, closers }: Attempt,
): Promise<AppContext> {
	const events = await openEventBus(env, log);
	closers.push(() => events.close());
	const opened = await openMigrated(env, log);
	closers.push(() => closeDatabase(opened));
	await raiseRestoredIds(opened.db, env.dataDir, log);
	const { current: key, previous } = await loadSecretKeys(env.dataDir, env.secretKeys);
	const clock =
		opened.dialect === "postgres"
			? await DatabaseClock.open(opened.db, log, stopping, rules.measureClockMs)
			: { now: () => Date.now() };
	if (opened.dialect === "postgres") {
		const keyIds = [key, ...previous].map((each) => createSecretBox(each).head);
		await assertSameSecretKey({ db: opened.db, clock }, keyIds);
		await assertSameStorage({ db: opened.db, clock }, storageAddresses(env.storage));
	}
	const secrets = createSecretBox(key, previous);
	const sessionSecret = deriveSecret(key, "sessions");
	const earlier = previous.map((each) => deriveSecret(each, "sessions"));
	await reencryptSecrets({ db: opened.db, secrets, log }, [sessionSecret, ...earlier]);
	const baseUrl = baseUrlOf(env, where);
	const credentials = new CredentialCache();
	const lastUses = new LastUses({ db: opened.db, log });
	const auth = createAuth({
		db: opened.db,
		credentials,
		clock,
		events,
		dialect: opened.dialect,
		baseUrl,
		secret: sessionSecret,
		trustedOrigins: [`http://localhost:${where.port}`, `http://127.0.0.1:${where.port}`],
		singleSignOn: env.singleSignOn,
		log,
	});
	const accounts = { db: opened.db, auth, credentials, lastUses, clock, log };
	await bootstrap(accounts, env.bootstrap);
	await announceSetup(accounts, baseUrl);
	const node =
		nodeId === null
			? null
			: new DashboardNode({ ...opened, events, log }, nodeId, env.internalUrl ?? internalUrlOf(where), rules.nodeLease);
	const leases = new UploadLeases(opened.db, node);
	const shared = {
		...opened,
		leases,
		clock,
		events,
		followers: RESULT_FOLLOWERS,
		log,
		secrets,
		...openStoredVideos(
			{ ...opened, clock, log, leases },
			{ dir: videosDir, reserveBytes: env.diskReserveBytes, ...(await openStorage(env, log)) },
		),
		quotas: env.quotas,
		defaultRetention: env.defaultRetention,
		credentials,
		baseUrl,
	};
	const runnerDownloads = new RunnerDownloads();
	const isAllowed = allowedAddresses(env.webhookAllow);
	const metrics = createMetrics({ ...shared, node });
	if (shared.bucket !== null) shared.bucket.onFault = metrics.objectStoreFailed;
	if (events instanceof PostgresEventBus) events.onDelay = (ms) => metrics.notified(ms / 1_000);
	return {
		rootDir: rootFolder(),
		dataDir: env.dataDir,
		operator: { addresses: env.metricsAddresses, token: env.metricsToken },
		...shared,
		measures: metrics,
		auth,
		lastUses,
		claims: new Claims(opened.db),
		presence: new RunnerPresence(node?.id),
		lastSeen: new LastSeen({ db: opened.db, log, nodeId: node?.id }),
		pictures: new DisplayPictures(node === null ? null : { db: opened.db, events, node }),
		metrics,
		runnerDownloads,
		runnerOfflineDays: env.runnerOfflineDays,
		liveEvents: new LiveEvents(shared, runnerDownloads),
		uploads: new UploadReceiver(shared),
		limits: new RateLimits(env.limits, () => node?.count ?? 1),
		embedOrigins: env.embedOrigins,
		mailer: env.mail === null ? null : createMailer(env.mail, log),
		traceViewer: null,
		webhooks: { isAllowed, delivery: webhookDelivery(createSend(isAllowed, rules.webhookAnswerMs)) },
		links: new LinkSigner(deriveSecret(key, "signed links")),
		receipts: new ReceiptSigner([
			deriveSecret(key, "receipts"),
			...previous.map((each) => deriveSecret(each, "receipts")),
		]),
		stopping,
		node,
		callSigner: new CallSigner(
			[key, ...previous].map((each) => deriveSecret(each, "calls between dashboards")),
			clock,
		),
		// At the end: a start that failed must not stand in the way of the next.
		leave:
			node === null
				? async () => {}
				: await joinAll(shared, node, { secretKeyId: secrets.head, ...storageAddresses(env.storage) }, stopping),
		routes: [],
	};
}

/** @throws an Error with a sentence for each thing that is wrong with the bucket. */
export async function openStorage({ storage: { current, previous } }: Env, log: Log): Promise<StorageChoice> {
	const location = current ?? previous;
	if (location === null) return { bucket: null, storesInBucket: false };
	// Problems found by the check are reported once, with messages of their own.
	let isChecked = false;
	const repeated = repeatedLog(log);
	const bucket = await Bucket.open(location, (error, isProbe) => {
		const data = { err: error, fault: error.objectFault };
		// Probes have a key of their own, so that the log also names the failures of actual requests.
		if (isChecked) repeated(`${error.objectFault} ${isProbe}`, "warn", data, error.what);
		else log.debug(data, error.what);
	});
	await checkBucket(bucket, current === null ? "TAPEDECK_STORAGE_URL_PREVIOUS" : "TAPEDECK_STORAGE_URL");
	isChecked = true;
	return { bucket, storesInBucket: current !== null };
}

/**
 * On PostgreSQL, other dashboards may run at the same time or later. Settings that must be equal in all of them may not
 * be chosen by a single one.
 * @throws an Error that names every missing variable and the value to set.
 */
export function assertShareable({ databaseUrl, secretKeys, url, dataDir }: Env): void {
	if (databaseUrl === null) return;
	const problems: string[] = [];
	const keyFile = join(dataDir, SECRET_KEY_FILE);
	if (secretKeys.current === null) {
		const value = existsSync(keyFile)
			? `the content of ${keyFile}, which this dashboard has used so far`
			: "the output of openssl rand -hex 32";
		problems.push(
			`With TAPEDECK_DATABASE_URL, set TAPEDECK_SECRET_KEY, to the same value for every dashboard: ${value}.`,
		);
	}
	if (url === null) {
		problems.push(
			"With TAPEDECK_DATABASE_URL, set TAPEDECK_URL to the address that people use, such as https://tapedeck.example.com.",
		);
	}
	if (problems.length > 0) throw new Error(problems.join("\n"));
}

async function joinAll(
	shared: Parameters<typeof joinDashboards>[0] & Pick<RecordingContext, "videoStore">,
	node: DashboardNode,
	configuration: ProcessConfiguration,
	stopping: AbortSignal,
): Promise<() => Promise<void>> {
	const leave = await joinDashboards(shared, configuration, stopping);
	await node.join();
	return async () => {
		await node.leave(shared.videoStore.fillsDisk);
		await leave();
	};
}

/** Many times what any statement takes that a call or a sweep makes; and less than a dashboard's lease. */
const ANSWER_LIMITS = { usual: 30_000, urgent: 3_000 };

/** Opens the event bus. On PostgreSQL, changes also reach the other dashboard processes on the same database. */
async function openEventBus({ databaseDirectUrl }: Env, log: Log): Promise<OpenEventBus> {
	if (databaseDirectUrl === null) return createEventBus(log);
	const events = new PostgresEventBus(databaseDirectUrl, log);
	try {
		await events.open();
		return events;
	} catch (error) {
		// Otherwise it would connect again and again.
		void events.close();
		throw postgresErrorAtStart(error);
	}
}

async function openMigrated(env: Env, log: Log): Promise<OpenDatabase> {
	const location = databaseOf(env);
	try {
		const opened = openDatabase(location, ANSWER_LIMITS);
		if (opened.dialect === "sqlite") await migrateDatabase(opened, log);
		else await migratePostgres(env, opened, log);
		return opened;
	} catch (error) {
		if (location === env.databaseUrl) throw postgresErrorAtStart(error);
		throw sqliteErrorAtStart(error, location);
	}
}

/**
 * Other dashboards may be using the database: only an empty one is set up here, others by `migrate`.
 * @throws an Error with the remedy if the database is older than this version.
 */
async function migratePostgres(env: Env, opened: OpenDatabase, log: Log): Promise<void> {
	const state = await migrationState(opened.db);
	const { executed, pending } = state;
	if (executed.length > 0 && pending.length > 0) {
		throw new Error(
			`The database is of an older version of Tapedeck (it lacks ${pending.join(", ")}). Back it up, run \`npm run dashboard -- migrate\`, then start again.`,
		);
	}
	// A migration may take as long as it takes, and so may a network that has forgotten its connection: up to a quarter of an
	// hour. Where there is nothing to migrate, the start has the limits of all other statements.
	if (await isUpToDate(opened.db, state)) await migrateDatabase(opened, log);
	else await migrate(env, log);
}

/**
 * Migrates over a direct connection to the database: migrations hold a lock for their session, which a pooler would
 * share.
 */
export async function migrate(env: Env, log: Log): Promise<void> {
	const location = env.databaseDirectUrl ?? databaseOf(env);
	const direct = openDatabase(location);
	try {
		await migrateDatabase(direct, log);
	} catch (error) {
		throw direct.dialect === "postgres" ? postgresErrorAtStart(error) : sqliteErrorAtStart(error, location);
	} finally {
		await closeDatabase(direct);
	}
}

/** The database's location: a URL, or a file in the data directory. */
export const databaseOf = (env: Env): string => env.databaseUrl ?? join(env.dataDir, "tapedeck.db");

/** The address of the dashboard for people, without a trailing slash. */
export function baseUrlOf(env: Env, { host, port }: { host: string; port: number }): string {
	const shown = host === "0.0.0.0" || host === "::" ? "localhost" : host;
	return env.url ?? `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
}

/** Files that must be writable if they exist: SQLite would open them read-only and fail at the first write. */
const MUST_BE_WRITABLE = ["tapedeck.db", "tapedeck.db-wal", "tapedeck.db-shm", "dashboard.lock"];

async function makeWritable(dataDir: string, videosDir: string): Promise<void> {
	try {
		await makeDirectory(videosDir);
		for (const dir of [dataDir, videosDir]) await access(dir, constants.W_OK);
		for (const name of MUST_BE_WRITABLE) {
			const file = join(dataDir, name);
			if (existsSync(file)) await access(file, constants.R_OK | constants.W_OK);
		}
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		throw new Error(
			`The data directory is not writable (${why}). Give this user write access to it and its files, or set TAPEDECK_DATA_DIR to another directory.`,
			{ cause },
		);
	}
}

/**
 * Locks the data directory until the returned function is called or the process ends, however it ends. Two dashboards
 * on one directory would delete each other's uploads and answer from stale state. Node has no file locks, so this uses
 * the lock that SQLite takes on a database file.
 *
 * @throws an Error with the remedy when another dashboard holds the lock, or this user cannot write there.
 */
export function lockDataDir(dataDir: string): () => void {
	const file = join(dataDir, "dashboard.lock");
	let lock: DatabaseSync | null = null;
	try {
		const held = new DatabaseSync(file, { timeout: 0 });
		lock = held;
		held.exec("BEGIN EXCLUSIVE");
		return () => held.close();
	} catch (cause) {
		lock?.close();
		if (sqliteFault(cause) !== "busy") throw sqliteErrorAtStart(cause, file);
		throw new Error(
			`Another dashboard uses the data directory ${dataDir}. Stop it, or choose another directory with TAPEDECK_DATA_DIR.`,
			{ cause },
		);
	}
}
