/** The append-only audit log, expiring tokens, and share links. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64, withId } from "../dialect.ts";

/** Entries younger than this cannot be deleted by anyone. */
export const AUDIT_KEPT_DAYS = 365;

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await createAuditTable(db, dialect);
	await (dialect === "sqlite" ? guardOnSqlite(db) : guardOnPostgres(db));
	await db.schema.alterTable("runnerToken").addColumn("expiresAt", int64(dialect)).execute();
	await createShareLinkTable(db, dialect);
}

/** No foreign key to the organization: its entries outlive it. */
async function createAuditTable(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	await withId(db.schema.createTable("auditEntry"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull())
		.addColumn("at", int, (c) => c.notNull())
		.addColumn("actorKind", "text", (c) => c.notNull())
		.addColumn("actorId", int)
		.addColumn("actorName", "text", (c) => c.notNull())
		.addColumn("address", "text")
		.addColumn("action", "text", (c) => c.notNull())
		.addColumn("targetKind", "text")
		.addColumn("targetId", int)
		.addColumn("targetName", "text")
		.addColumn("detail", "text", (c) => c.notNull())
		.execute();
	const index = (name: string, columns: string[]) =>
		db.schema.createIndex(name).on("auditEntry").columns(columns).execute();
	await index("audit_by_organization", ["organizationId", "id"]);
	await index("audit_by_time", ["organizationId", "at", "id"]);
	await index("audit_by_actor", ["organizationId", "actorKind", "actorId", "id"]);
	await index("audit_by_action", ["organizationId", "action", "id"]);
	await index("audit_by_target", ["organizationId", "targetKind", "targetId", "id"]);
}

const REFUSAL = "the audit log can only be added to";

async function guardOnSqlite(db: Kysely<unknown>): Promise<void> {
	const refuse = sql.raw(`BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`);
	await sql`CREATE TRIGGER audit_no_update BEFORE UPDATE ON "auditEntry" ${refuse}`.execute(db);
	const young = sql.raw(`OLD."at" > (unixepoch() - ${AUDIT_KEPT_DAYS} * 86400) * 1000`);
	await sql`CREATE TRIGGER audit_no_delete BEFORE DELETE ON "auditEntry" WHEN ${young} ${refuse}`.execute(db);
}

async function guardOnPostgres(db: Kysely<unknown>): Promise<void> {
	const refuse = sql.raw(`BEGIN RAISE EXCEPTION '${REFUSAL}'; END`);
	await sql`CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ ${refuse} $$`.execute(db);
	const young = sql.raw(`OLD."at" > (extract(epoch from now()) - ${AUDIT_KEPT_DAYS} * 86400) * 1000`);
	await sql`CREATE TRIGGER audit_no_update BEFORE UPDATE ON "auditEntry" FOR EACH ROW EXECUTE FUNCTION audit_refuse()`.execute(
		db,
	);
	await sql`CREATE TRIGGER audit_no_delete BEFORE DELETE ON "auditEntry" FOR EACH ROW WHEN (${young}) EXECUTE FUNCTION audit_refuse()`.execute(
		db,
	);
	await sql`CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON "auditEntry" FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()`.execute(
		db,
	);
}

async function createShareLinkTable(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	await withId(db.schema.createTable("shareLink"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("recordingId", int, (c) => c.notNull().references("recording.id").onDelete("cascade"))
		.addColumn("hash", "text", (c) => c.notNull().unique())
		.addColumn("prefix", "text", (c) => c.notNull())
		.addColumn("createdByUserId", int)
		.addColumn("createdByName", "text", (c) => c.notNull())
		.addColumn("createdAt", int, (c) => c.notNull())
		.addColumn("expiresAt", int)
		.addColumn("revokedAt", int)
		.execute();
	await db.schema.createIndex("share_link_by_recording").on("shareLink").columns(["recordingId", "id"]).execute();
}
