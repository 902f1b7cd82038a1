/** The columns of better-auth's tables that we write ourselves, where several rows must appear together or not at all. */
import type { Generated, Kysely, Transaction } from "kysely";
import type { Database } from "../../core/context.ts";
import type { MemberTable, OrganizationTable, Tables, UserTable } from "../../db/schema.ts";

/** RFC 3339: SQLite keeps it as text, PostgreSQL reads it as a timestamp. */
type Instant = string;

interface SessionTable {
	id: Generated<number>;
	userId: number;
	ipAddress: string | null;
	userAgent: string | null;
	createdAt: Instant;
	/** When it was last seen: lib/auth/last-use writes it, at most once a minute. */
	updatedAt: Instant;
	expiresAt: Instant;
	activeOrganizationId: string | null;
}

interface AccountTables {
	user: UserTable & { emailVerified: number; createdAt: Instant; updatedAt: Instant };
	account: {
		id: Generated<number>;
		accountId: string;
		/** `credential`: the password; `oidc`: single sign-on. */
		providerId: "credential" | "oidc";
		userId: number;
		password: string;
		createdAt: Instant;
		updatedAt: Instant;
	};
	session: SessionTable;
	organization: OrganizationTable & { createdAt: Instant };
	member: MemberTable & { createdAt: Instant };
	/** Steps of the first set-up that are done; the primary key lets each happen once. */
	installation: { step: "organization" | "owner"; doneAt: number };
}

export type AccountDatabase = Kysely<Omit<Tables, keyof AccountTables> & AccountTables>;

/** An instant as either database hands it out, in RFC 3339. */
export const instantText = (value: Instant | Date): string => new Date(value).toISOString();

export const accountTables = (db: Database | Transaction<Tables>): AccountDatabase => db as unknown as AccountDatabase;
