/**
 * Users, sessions and organizations: better-auth's tables with exactly the columns that it expects (a test asks
 * better-auth itself), and one row that marks the first set-up as done.
 */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64, withId } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await createUserTables(db, dialect);
	await createOrganizationTables(db, dialect);
	await createInstallationTable(db, dialect);
	await createIndexes(db);
}

/** better-auth binds dates as ISO text on SQLite and as timestamps on PostgreSQL. */
const instant = (dialect: DialectName) => (dialect === "sqlite" ? sql`date` : sql`timestamptz`);
const flag = (dialect: DialectName) => (dialect === "sqlite" ? sql`integer` : sql`boolean`);

async function createUserTables(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const date = instant(dialect);
	const int = int64(dialect);
	await withId(db.schema.createTable("user"), dialect)
		.addColumn("name", "text", (c) => c.notNull())
		.addColumn("email", "text", (c) => c.notNull().unique())
		.addColumn("emailVerified", flag(dialect), (c) => c.notNull())
		.addColumn("image", "text")
		.addColumn("createdAt", date, (c) => c.notNull())
		.addColumn("updatedAt", date, (c) => c.notNull())
		.execute();
	await withId(db.schema.createTable("session"), dialect)
		.addColumn("expiresAt", date, (c) => c.notNull())
		.addColumn("token", "text", (c) => c.notNull().unique())
		.addColumn("createdAt", date, (c) => c.notNull())
		.addColumn("updatedAt", date, (c) => c.notNull())
		.addColumn("ipAddress", "text")
		.addColumn("userAgent", "text")
		.addColumn("userId", int, (c) => c.notNull().references("user.id").onDelete("cascade"))
		.addColumn("activeOrganizationId", "text")
		.execute();
	await withId(db.schema.createTable("account"), dialect)
		.addColumn("accountId", "text", (c) => c.notNull())
		.addColumn("providerId", "text", (c) => c.notNull())
		.addColumn("userId", int, (c) => c.notNull().references("user.id").onDelete("cascade"))
		.addColumn("accessToken", "text")
		.addColumn("refreshToken", "text")
		.addColumn("idToken", "text")
		.addColumn("accessTokenExpiresAt", date)
		.addColumn("refreshTokenExpiresAt", date)
		.addColumn("scope", "text")
		.addColumn("password", "text")
		.addColumn("createdAt", date, (c) => c.notNull())
		.addColumn("updatedAt", date, (c) => c.notNull())
		.execute();
	await withId(db.schema.createTable("verification"), dialect)
		.addColumn("identifier", "text", (c) => c.notNull())
		.addColumn("value", "text", (c) => c.notNull())
		.addColumn("expiresAt", date, (c) => c.notNull())
		.addColumn("createdAt", date, (c) => c.notNull())
		.addColumn("updatedAt", date, (c) => c.notNull())
		.execute();
}

async function createOrganizationTables(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const date = instant(dialect);
	const int = int64(dialect);
	await withId(db.schema.createTable("organization"), dialect)
		.addColumn("name", "text", (c) => c.notNull())
		.addColumn("slug", "text", (c) => c.notNull().unique())
		.addColumn("logo", "text")
		.addColumn("createdAt", date, (c) => c.notNull())
		.addColumn("metadata", "text")
		.execute();
	await withId(db.schema.createTable("member"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("userId", int, (c) => c.notNull().references("user.id").onDelete("cascade"))
		.addColumn("role", "text", (c) => c.notNull())
		.addColumn("createdAt", date, (c) => c.notNull())
		.execute();
	await withId(db.schema.createTable("invitation"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("email", "text", (c) => c.notNull())
		.addColumn("role", "text")
		.addColumn("status", "text", (c) => c.notNull())
		.addColumn("expiresAt", date, (c) => c.notNull())
		.addColumn("createdAt", date, (c) => c.notNull())
		.addColumn("inviterId", int, (c) => c.notNull().references("user.id").onDelete("cascade"))
		.execute();
}

/** Its primary key settles a race of two first set-ups: the second finds the row and is refused. */
async function createInstallationTable(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await db.schema
		.createTable("installation")
		.addColumn("step", "text", (c) => c.primaryKey())
		.addColumn("doneAt", int64(dialect), (c) => c.notNull())
		.execute();
}

/** Named as better-auth names them, so that it doesn't create duplicates. */
async function createIndexes(db: Kysely<unknown>): Promise<void> {
	const indexes = [
		["session", "userId"],
		["account", "userId"],
		["verification", "identifier"],
		["member", "organizationId"],
		["member", "userId"],
		["invitation", "organizationId"],
		["invitation", "email"],
	] as const;
	for (const [table, column] of indexes) {
		await db.schema.createIndex(`${table}_${column}_idx`).on(table).column(column).execute();
	}
}
