/**
 * What is deleted stays known: the row of a deleted recording stays, first with its video (the trash), then without.
 * Lists leave these rows out, and so do their indexes.
 */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64 } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	for (const column of ["deletedAt", "purgeAt"]) {
		await db.schema.alterTable("recording").addColumn(column, int).execute();
	}
	for (const column of ["deletedBy", "deletedFor"]) {
		await db.schema.alterTable("recording").addColumn(column, "text").execute();
	}
	await db.schema
		.alterTable("retention")
		.addColumn("trashHours", int, (c) => c.notNull().defaultTo(24))
		.execute();
	await replaceIndexes(db);
	await countUndeleted(db, dialect);
}

/** Whether a recording shows a failure: retention deletes those last. */
export const SHOWS_FAILURE = `(CASE WHEN coalesce(outcome, '') IN ('failed', 'error')
	OR coalesce(verdict, '') IN ('black', 'frozen') THEN 1 ELSE 0 END)`;

async function replaceIndexes(db: Kysely<unknown>): Promise<void> {
	const kind = `state, coalesce(verdict, '')`;
	const stored = `"deletedAt" is null`;
	for (const [name, columns, condition] of [
		["recording_by_age", `"organizationId", "createdAt", id`, stored],
		["recording_by_kind", `"organizationId", ${kind}, "createdAt", id`, stored],
		["recording_by_runner", `"runnerId", ${kind}, "createdAt", id`, stored],
		["recording_by_length", `"organizationId", ${kind}, "durationSeconds", id`, `state <> 'live' and ${stored}`],
		["recording_by_size", `"organizationId", ${kind}, bytes, id`, `state <> 'live' and ${stored}`],
		["recording_by_runner_length", `"runnerId", ${kind}, "durationSeconds", id`, `state <> 'live' and ${stored}`],
		["recording_by_runner_size", `"runnerId", ${kind}, bytes, id`, `state <> 'live' and ${stored}`],
		["recording_deletable", `"organizationId", "createdAt", id`, `pinned = 0 and state <> 'live' and ${stored}`],
		["recording_unfinished", "id", `state <> 'ready' and ${stored}`],
		["recording_to_delete", `"organizationId", "deleteAt", id`, `"deleteAt" is not null and ${stored}`],
	]) {
		await sql.raw(`drop index if exists ${name}`).execute(db);
		await sql.raw(`create index ${name} on recording (${columns}) where ${condition}`).execute(db);
	}
	for (const index of [
		`recording_expendable on recording ("organizationId", ${SHOWS_FAILURE}, "createdAt", id)
			where pinned = 0 and state <> 'live' and ${stored}`,
		`recording_deleted on recording ("organizationId", "deletedAt", id) where "deletedAt" is not null`,
		`recording_trash on recording ("purgeAt", id, "organizationId", bytes) where "purgeAt" is not null`,
	]) {
		await sql.raw(`create index ${index}`).execute(db);
	}
}

/** An organization's recordings are those that are not deleted; its bytes count the trash too. */
async function countUndeleted(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const add = (row: "NEW" | "OLD", recordings: string) =>
		`UPDATE "organizationUse" SET recordings = recordings + ${recordings} WHERE "organizationId" = ${row}."organizationId";`;
	const isDeleted = (row: "NEW" | "OLD") => `CASE WHEN ${row}."deletedAt" IS NULL THEN 0 ELSE 1 END`;
	for (const [name, event, condition, body] of [
		[
			"recording_deletion_changed",
			`UPDATE OF "deletedAt"`,
			`(NEW."deletedAt" IS NULL) <> (OLD."deletedAt" IS NULL)`,
			add("NEW", `(${isDeleted("OLD")}) - (${isDeleted("NEW")})`),
		],
		// The trigger of every row that goes has counted it as one that was there.
		["recording_deleted_removed", "DELETE", `OLD."deletedAt" IS NOT NULL`, add("OLD", "1")],
	] as const) {
		if (dialect === "sqlite") {
			await sql
				.raw(`CREATE TRIGGER ${name} AFTER ${event} ON recording WHEN ${condition} BEGIN ${body} END`)
				.execute(db);
			continue;
		}
		await sql
			.raw(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`)
			.execute(db);
		await sql
			.raw(
				`CREATE TRIGGER ${name} AFTER ${event} ON recording FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION ${name}()`,
			)
			.execute(db);
	}
}
