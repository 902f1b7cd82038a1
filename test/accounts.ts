/** A migrated database in a real file, with authentication. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type AuthDeps, createAuth } from "#lib/auth/better-auth/auth.ts";
import type { AuthOptions } from "#lib/auth/better-auth/auth-options.ts";
import { CredentialCache } from "#lib/auth/credentials/credential-cache.ts";
import { LastUses } from "#lib/auth/credentials/last-use.ts";
import type { Context, EventBus } from "#lib/core/context.ts";
import { createSecretBox } from "#lib/core/secret-box.ts";
import { migrateDatabase, type OpenDatabase, openDatabase } from "#lib/db/open.ts";
import { RESULT_FOLLOWERS } from "#lib/test-results/store/implied-results.ts";
import { copyMigrated } from "./databases/migrated-sqlite.ts";

export const TEST_SECRET = "0123456789abcdef0123456789abcdef-test";
export const TEST_BASE_URL = "http://localhost:3000";

const NO_EVENTS: EventBus = { delivered: 0, publish: () => {}, subscribe: () => () => {} };

export interface TestAccounts extends AuthDeps, OpenDatabase {
	clock: { now(): number; advance(ms: number): void };
	logged: string[];
	/** A second process on the same database. */
	again(): Promise<TestAccounts>;
	close(): Promise<void>;
}

/** @param location a PostgreSQL URL; if omitted, a new SQLite file, which close() deletes. */
export async function openTestAccounts(
	location?: string,
	options: Partial<Omit<AuthOptions, "db" | "dialect" | "credentials" | "clock" | "events">> = {},
): Promise<TestAccounts> {
	const folder = location === undefined ? await mkdtemp(path.join(tmpdir(), "tapedeck-auth-")) : null;
	const file = location ?? path.join(folder ?? "", "tapedeck.sqlite");
	if (location === undefined) await copyMigrated(file);
	const open = openDatabase(file);
	await migrateDatabase(open);
	const accounts = onDatabase(open, file, options);
	return {
		...accounts,
		async close() {
			await open.db.destroy();
			if (folder !== null) await rm(folder, { recursive: true, force: true });
		},
	};
}

function onDatabase(
	open: OpenDatabase,
	location: string,
	options: Partial<Omit<AuthOptions, "db" | "dialect" | "credentials" | "clock" | "events">>,
): TestAccounts {
	const logged: string[] = [];
	const note = (data: object, message: string) => logged.push(`${message} ${JSON.stringify(data)}`);
	const log = { debug: note, info: note, warn: note, error: note };
	const credentials = new CredentialCache();
	let offset = 0;
	const clock = {
		now: () => Date.now() + offset,
		advance: (ms: number) => {
			offset += ms;
		},
	};
	return {
		...open,
		log,
		credentials,
		lastUses: new LastUses({ db: open.db, log }),
		logged,
		clock,
		auth: createAuth({
			...open,
			credentials,
			clock,
			events: NO_EVENTS,
			baseUrl: TEST_BASE_URL,
			secret: TEST_SECRET,
			throttle: false,
			log,
			...options,
		}),
		again: async () => onDatabase(openDatabase(location), location, options),
		close: () => open.db.destroy(),
	};
}

/** A context for operations. */
export const contextOf = (deps: AuthDeps, actor: Context["actor"]): Context => ({
	actor,
	db: deps.db,
	reads: deps.db,
	dialect: "sqlite",
	clock: deps.clock,
	log: deps.log,
	events: NO_EVENTS,
	followers: RESULT_FOLLOWERS,
	secrets: createSecretBox(randomBytes(32)),
	credentials: deps.credentials,
	quotas: { queuedJobs: 0, uploadBytes: 0, organizationBytes: 0 },
	baseUrl: TEST_BASE_URL,
});

/** Cookie request header from Set-Cookie values. */
export const cookieHeader = (setCookies: readonly string[]): string =>
	setCookies.map((each) => each.split(";")[0]).join("; ");
