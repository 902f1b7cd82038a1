/** The columns of better-auth's tables that we write ourselves, where several rows must be created atomically. */
import type { Generated, Kysely, Transaction } from "kysely";
import type { Database } from "#lib/core/context.ts";
import type { MemberTable, OrganizationTable, Tables, UserTable } from "#lib/db/schema.ts";

/** RFC 3339: SQLite stores it as text, PostgreSQL parses it as a timestamp. */
type Instant = string;

interface SessionTable {
	id: Generated<number>;
	userId: number;
	ipAddress: string | null;
	userAgent: string | null;
	createdAt: Instant;
	/** When the session was last used, written by LastUses at most once a minute. */
	updatedAt: Instant;
	expiresAt: Instant;
	activeOrganizationId: string | null;
}

interface AccountTables {
	user: UserTable & {
		emailVerified: number;
		createdAt: Instant;
		updatedAt: Instant;
		/** Whether signing in by password needs a second factor; a boolean on PostgreSQL, 0 or 1 on SQLite. */
		twoFactorEnabled: boolean | number | null;
	};
	/** The second factor of an account, encrypted with a secret derived from the secret key. */
	twoFactor: {
		id: Generated<number>;
		userId: number;
		secret: string;
		backupCodes: string;
		/** The time step of the last code that was used: its number since 1970, as in RFC 6238. */
		lastUsedStep: number | null;
	};
	/** Written by better-auth's plug-in. */
	passkey: { id: Generated<number>; userId: number; name: string; createdAt: Instant };
	account: {
		id: Generated<number>;
		accountId: string;
		/** `credential` is a password; `oidc` is single sign-on. */
		providerId: "credential" | "oidc";
		userId: number;
		password: string;
		createdAt: Instant;
		updatedAt: Instant;
	};
	session: SessionTable;
	organization: OrganizationTable & { createdAt: Instant };
	member: MemberTable & { createdAt: Instant };
	/** Completed steps of the first set-up; the primary key makes each happen once. */
	installation: { step: "organization" | "owner"; doneAt: number };
}

export type AccountDatabase = Kysely<Omit<Tables, keyof AccountTables> & AccountTables>;

/** An instant from either database, as RFC 3339. */
export const instantText = (value: Instant | Date): string => new Date(value).toISOString();

export const accountTables = (db: Database | Transaction<Tables>): AccountDatabase => db as unknown as AccountDatabase;
