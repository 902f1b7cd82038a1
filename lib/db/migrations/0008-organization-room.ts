/** Storage used by each organization: a sum that triggers maintain, and the reservations of uploads in progress. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64 } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	await db.schema
		.createTable("organizationUse")
		.addColumn("organizationId", int, (c) => c.primaryKey())
		.addColumn("bytes", int, (c) => c.notNull())
		.execute();
	await db.schema
		.createTable("heldRoom")
		.addColumn("uploadId", "text", (c) => c.primaryKey())
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("bytes", int, (c) => c.notNull())
		.addColumn("createdAt", int, (c) => c.notNull())
		.execute();
	await db.schema.createIndex("held_room_by_organization").on("heldRoom").column("organizationId").execute();
	await sql`INSERT INTO "organizationUse" ("organizationId", "bytes")
		SELECT "organizationId", sum("bytes") FROM "recording" GROUP BY "organizationId"`.execute(db);
	await (dialect === "sqlite" ? sumOnSqlite(db) : sumOnPostgres(db));
}

const add = (organizationId: string, bytes: string) => `INSERT INTO "organizationUse" ("organizationId", "bytes")
	VALUES (${organizationId}, ${bytes})
	ON CONFLICT ("organizationId") DO UPDATE SET "bytes" = "organizationUse"."bytes" + excluded."bytes";`;
const ADDED = add(`NEW."organizationId"`, `NEW."bytes"`);
const REMOVED = add(`OLD."organizationId"`, `-OLD."bytes"`);
const GREW = add(`NEW."organizationId"`, `NEW."bytes" - OLD."bytes"`);

async function sumOnSqlite(db: Kysely<unknown>): Promise<void> {
	for (const statement of [
		`CREATE TRIGGER recording_added AFTER INSERT ON "recording" BEGIN ${ADDED} END`,
		`CREATE TRIGGER recording_removed AFTER DELETE ON "recording" BEGIN ${REMOVED} END`,
		`CREATE TRIGGER recording_grew AFTER UPDATE OF "bytes" ON "recording" WHEN NEW."bytes" <> OLD."bytes"
			BEGIN ${GREW} END`,
	]) {
		await sql.raw(statement).execute(db);
	}
}

async function sumOnPostgres(db: Kysely<unknown>): Promise<void> {
	const trigger = (name: string, body: string, when: string) => [
		`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`,
		`CREATE TRIGGER ${name} AFTER ${when} EXECUTE FUNCTION ${name}()`,
	];
	for (const statement of [
		...trigger("recording_added", ADDED, `INSERT ON "recording" FOR EACH ROW`),
		...trigger("recording_removed", REMOVED, `DELETE ON "recording" FOR EACH ROW`),
		...trigger(
			"recording_grew",
			GREW,
			`UPDATE OF "bytes" ON "recording" FOR EACH ROW WHEN (NEW."bytes" <> OLD."bytes")`,
		),
	]) {
		await sql.raw(statement).execute(db);
	}
}
