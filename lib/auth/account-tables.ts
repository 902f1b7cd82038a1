/** The columns of better-auth's tables that we write ourselves, where several rows must appear together or not at all. */
import type { Generated, Kysely, Transaction } from "kysely";
import type { Database } from "../core/context.ts";
import type { MemberTable, OrganizationTable, Tables, UserTable } from "../db/schema.ts";

/** RFC 3339: SQLite keeps it as text, PostgreSQL reads it as a timestamp. */
type Instant = string;

interface AccountTables {
	user: UserTable & { emailVerified: number; createdAt: Instant; updatedAt: Instant };
	account: {
		id: Generated<number>;
		accountId: string;
		providerId: "credential";
		userId: number;
		password: string;
		createdAt: Instant;
		updatedAt: Instant;
	};
	organization: OrganizationTable & { createdAt: Instant };
	member: MemberTable & { createdAt: Instant };
	/** Steps of the first set-up that are done; the primary key lets each happen once. */
	installation: { step: "organization" | "owner"; doneAt: number };
}

export type AccountDatabase = Kysely<Omit<Tables, keyof AccountTables> & AccountTables>;

export const accountTables = (db: Database | Transaction<Tables>): AccountDatabase => db as unknown as AccountDatabase;
