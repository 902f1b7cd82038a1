/**
 * Labels, outcome and keep policy of jobs and recordings, and what is found by them. A label's index goes on in the
 * order of its list, so a filter reads as many rows as it returns.
 */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64, withId } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await addColumns(db, dialect);
	await createLabelTables(db, dialect);
	await createBuildTable(db, dialect);
	await (dialect === "sqlite" ? maintainOnSqlite(db) : maintainOnPostgres(db));
	if (dialect === "sqlite") await searchMoreThanNames(db);
	await createIndexes(db);
	await createSettings(db, dialect);
}

async function addColumns(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	for (const table of ["job", "recording"]) {
		await db.schema
			.alterTable(table)
			.addColumn("labels", "text", (c) => c.notNull().defaultTo("{}"))
			.execute();
		for (const column of ["searchText", "outcome", "keep"]) {
			await db.schema.alterTable(table).addColumn(column, "text").execute();
		}
	}
	await db.schema
		.alterTable("job")
		.addColumn("pinned", "integer", (c) => c.notNull().defaultTo(0))
		.execute();
	await db.schema.alterTable("job").addColumn("maxDurationSeconds", int).execute();
	await db.schema.alterTable("job").addColumn("selector", "text").execute();
	await db.schema.alterTable("recording").addColumn("deleteAt", int).execute();
	await db.schema
		.alterTable("runner")
		.addColumn("labels", "text", (c) => c.notNull().defaultTo("{}"))
		.execute();
	await db.schema.alterTable("runner").addColumn("keep", "text").execute();
	await db.schema.alterTable("runner").addColumn("maxDurationSeconds", int).execute();
}

/** No foreign keys: triggers delete the rows, and a check would need one index more. */
async function createLabelTables(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	// On SQLite, the table is its primary key.
	const end = dialect === "sqlite" ? sql` without rowid` : sql``;
	const common = sql`"organizationId" ${int} not null, key text not null, value text not null`;
	await sql`create table "jobLabel" (${common}, "jobId" ${int} not null,
		primary key ("organizationId", key, value, "jobId"))${end}`.execute(db);
	await sql`create table "recordingLabel" (${common}, "createdAt" ${int} not null, "recordingId" ${int} not null,
		primary key ("organizationId", key, value, "createdAt", "recordingId"))${end}`.execute(db);
}

async function createBuildTable(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	await db.schema
		.createTable("build")
		.addColumn("organizationId", int, (c) => c.notNull())
		.addColumn("name", "text", (c) => c.notNull())
		.addColumn("recordings", int, (c) => c.notNull())
		.addColumn("firstAt", int, (c) => c.notNull())
		.addColumn("lastAt", int, (c) => c.notNull())
		.addPrimaryKeyConstraint("build_pkey", ["organizationId", "name"])
		.execute();
	await sql`create index build_by_time on build ("organizationId", "lastAt", name) where recordings > 0`.execute(db);
}

/** A row of a table, as its triggers name it, with the labels in it. */
type Row = "NEW" | "OLD";

const ON_CONFLICT = `ON CONFLICT ("organizationId", name) DO UPDATE SET
	recordings = build.recordings + excluded.recordings`;

function buildCounted(row: Row, name: string, present: string): string {
	const added = row === "NEW";
	const values = `${row}."organizationId", ${name}, ${added ? 1 : -1}, ${row}."createdAt", ${row}."createdAt"`;
	const widened = added
		? `, "firstAt" = CASE WHEN build."firstAt" < excluded."firstAt" THEN build."firstAt" ELSE excluded."firstAt" END,
			"lastAt" = CASE WHEN build."lastAt" > excluded."lastAt" THEN build."lastAt" ELSE excluded."lastAt" END`
		: "";
	return `INSERT INTO build ("organizationId", name, recordings, "firstAt", "lastAt")
		SELECT ${values} WHERE ${present} ${ON_CONFLICT}${widened};`;
}

async function maintainOnSqlite(db: Kysely<unknown>): Promise<void> {
	const each = (row: Row) => `json_each(${row}.labels) AS label`;
	const jobs = {
		add: `INSERT INTO "jobLabel" SELECT NEW."organizationId", label.key, label.value, NEW.id FROM ${each("NEW")};`,
		remove: `DELETE FROM "jobLabel" WHERE "organizationId" = OLD."organizationId" AND "jobId" = OLD.id
			AND (key, value) IN (SELECT label.key, label.value FROM ${each("OLD")});`,
	};
	const buildOf = (row: Row) => `json_extract(${row}.labels, '$.build')`;
	const recordings = {
		add: `INSERT INTO "recordingLabel"
				SELECT NEW."organizationId", label.key, label.value, NEW."createdAt", NEW.id FROM ${each("NEW")};
			${buildCounted("NEW", buildOf("NEW"), `${buildOf("NEW")} IS NOT NULL`)}`,
		remove: `DELETE FROM "recordingLabel" WHERE "organizationId" = OLD."organizationId"
				AND "createdAt" = OLD."createdAt" AND "recordingId" = OLD.id
				AND (key, value) IN (SELECT label.key, label.value FROM ${each("OLD")});
			${buildCounted("OLD", buildOf("OLD"), `${buildOf("OLD")} IS NOT NULL`)}`,
	};
	for (const [table, { add, remove }] of [
		["job", jobs],
		["recording", recordings],
	] as const) {
		for (const trigger of [
			`${table}_labels_added AFTER INSERT ON ${table} WHEN NEW.labels <> '{}' BEGIN ${add} END`,
			`${table}_labels_removed AFTER DELETE ON ${table} WHEN OLD.labels <> '{}' BEGIN ${remove} END`,
			`${table}_labels_changed AFTER UPDATE OF labels ON ${table} WHEN NEW.labels <> OLD.labels
				BEGIN ${remove} ${add} END`,
		]) {
			await sql.raw(`CREATE TRIGGER ${trigger}`).execute(db);
		}
	}
}

async function maintainOnPostgres(db: Kysely<unknown>): Promise<void> {
	const each = (row: Row) => `jsonb_each_text(${row}.labels::jsonb) AS label`;
	const jobs = {
		add: `INSERT INTO "jobLabel" SELECT NEW."organizationId", label.key, label.value, NEW.id FROM ${each("NEW")};`,
		remove: `DELETE FROM "jobLabel" USING ${each("OLD")} WHERE "organizationId" = OLD."organizationId"
			AND "jobLabel".key = label.key AND "jobLabel".value = label.value AND "jobId" = OLD.id;`,
	};
	const buildOf = (row: Row) => `(${row}.labels::jsonb ->> 'build')`;
	const recordings = {
		add: `INSERT INTO "recordingLabel"
				SELECT NEW."organizationId", label.key, label.value, NEW."createdAt", NEW.id FROM ${each("NEW")};
			${buildCounted("NEW", buildOf("NEW"), `${buildOf("NEW")} IS NOT NULL`)}`,
		remove: `DELETE FROM "recordingLabel" USING ${each("OLD")} WHERE "organizationId" = OLD."organizationId"
				AND "recordingLabel".key = label.key AND "recordingLabel".value = label.value
				AND "createdAt" = OLD."createdAt" AND "recordingId" = OLD.id;
			${buildCounted("OLD", buildOf("OLD"), `${buildOf("OLD")} IS NOT NULL`)}`,
	};
	for (const [table, { add, remove }] of [
		["job", jobs],
		["recording", recordings],
	] as const) {
		for (const [name, event, condition, body] of [
			["added", "INSERT", `NEW.labels <> '{}'`, add],
			["removed", "DELETE", `OLD.labels <> '{}'`, remove],
			["changed", "UPDATE OF labels", `NEW.labels <> OLD.labels`, `${remove} ${add}`],
		] as const) {
			const trigger = `${table}_labels_${name}`;
			await sql
				.raw(`CREATE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`)
				.execute(db);
			await sql
				.raw(
					`CREATE TRIGGER ${trigger} AFTER ${event} ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION ${trigger}()`,
				)
				.execute(db);
		}
	}
}

/** The trigram index of names also has the search text, which no row has yet. (PostgreSQL: postgres-search.ts) */
async function searchMoreThanNames(db: Kysely<unknown>): Promise<void> {
	const text = (row: Row) => `${row}.name || coalesce(char(10) || ${row}."searchText", '')`;
	for (const table of ["job", "recording"]) {
		const search = `"${table}Search"`;
		const add = `INSERT INTO ${search} (rowid, name) VALUES (NEW.id, ${text("NEW")});`;
		const remove = `INSERT INTO ${search} (${search}, rowid, name) VALUES ('delete', OLD.id, ${text("OLD")});`;
		for (const [name, rest] of [
			["added", `AFTER INSERT ON ${table} BEGIN ${add} END`],
			["removed", `AFTER DELETE ON ${table} BEGIN ${remove} END`],
			[
				"changed",
				`AFTER UPDATE OF name, "searchText" ON ${table} WHEN ${text("NEW")} <> ${text("OLD")} BEGIN ${remove} ${add} END`,
			],
		]) {
			await sql.raw(`DROP TRIGGER ${table}_name_${name}`).execute(db);
			await sql.raw(`CREATE TRIGGER ${table}_name_${name} ${rest}`).execute(db);
		}
	}
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
	for (const index of [
		`job_by_outcome on job ("organizationId", outcome, id) where outcome is not null`,
		`job_for_any_runner on job ("organizationId", selector, id) where selector is not null and status = 'queued'`,
		`recording_by_outcome on recording ("organizationId", outcome, "createdAt", id) where outcome is not null`,
		`recording_to_delete on recording ("organizationId", "deleteAt", id) where "deleteAt" is not null`,
	]) {
		await sql.raw(`create index ${index}`).execute(db);
	}
}

async function createSettings(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	await db.schema
		.createTable("recordingSettings")
		.addColumn("organizationId", int, (c) => c.primaryKey().references("organization.id").onDelete("cascade"))
		.addColumn("keep", "text", (c) => c.notNull())
		.addColumn("graceSeconds", int, (c) => c.notNull())
		.addColumn("maxDurationSeconds", int)
		.execute();
	await withId(db.schema.createTable("savedView"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("userId", int, (c) => c.references("user.id").onDelete("cascade"))
		.addColumn("page", "text", (c) => c.notNull())
		.addColumn("name", "text", (c) => c.notNull())
		.addColumn("query", "text", (c) => c.notNull())
		.addColumn("createdAt", int, (c) => c.notNull())
		.execute();
	await db.schema
		.createIndex("saved_view_by_owner")
		.on("savedView")
		.columns(["organizationId", "page", "userId"])
		.execute();
}
