/**
 * What failed, by the time at which that became known: a list by creation would lack what began before somebody looked
 * and failed afterwards. Triggers keep it, because outcomes, verdicts and statuses change in many places.
 */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64, withId } from "../dialect.ts";
import type { Progress } from "../migration-log.ts";

/** A row as SQL names it. */
type Row = "NEW" | "OLD" | "recording";

/** Whether the recording itself shows a failure. Never null. */
const shows = (row: Row) => `(coalesce(${row}.outcome, '') IN ('failed', 'error')
	OR coalesce(${row}.verdict, '') IN ('black', 'frozen'))`;

export async function up(db: Kysely<unknown>, dialect: DialectName, progress: Progress): Promise<void> {
	// Otherwise what fails between the count and the commit would be missing.
	if (dialect === "postgres") await sql`lock table job, recording in share row exclusive mode`.execute(db);
	await createTables(db, dialect);
	await createTriggers(db, dialect);
	progress("what has failed");
	await fill(db);
	await sql`create index recording_passed on recording ("organizationId", name, "createdAt", id)
		where outcome = 'passed'`.execute(db);
}

async function createTables(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	// No foreign keys to jobs and recordings: triggers delete the rows.
	await withId(db.schema.createTable("failure"), dialect)
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("jobId", int, (c) => c.unique())
		.addColumn("recordingId", int, (c) => c.unique())
		.addColumn("failedAt", int, (c) => c.notNull())
		.execute();
	await db.schema.createIndex("failure_by_time").on("failure").columns(["organizationId", "failedAt", "id"]).execute();
	await db.schema
		.createTable("failuresSeen")
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("userId", int, (c) => c.notNull().references("user.id").onDelete("cascade"))
		.addColumn("seenAt", int, (c) => c.notNull())
		.addPrimaryKeyConstraint("failuresSeen_pkey", ["organizationId", "userId"])
		.execute();
}

/** Table, name, event, condition and what to do. */
function triggersOf(now: string) {
	const ofRecording = `INSERT INTO failure ("organizationId", "jobId", "recordingId", "failedAt") VALUES
		(NEW."organizationId", NEW."jobId", CASE WHEN NEW."jobId" IS NULL THEN NEW.id END, ${now}) ON CONFLICT DO NOTHING;`;
	const ofJob = `INSERT INTO failure ("organizationId", "jobId", "failedAt") VALUES
		(NEW."organizationId", NEW.id, ${now}) ON CONFLICT DO NOTHING;`;
	const changes = `UPDATE OF outcome, verdict`;
	return [
		["recording", "added", "INSERT", shows("NEW"), ofRecording],
		["recording", "changed", changes, `${shows("NEW")} AND NOT ${shows("OLD")}`, ofRecording],
		[
			...["recording", "withdrawn", changes, `${shows("OLD")} AND NOT ${shows("NEW")}`],
			`DELETE FROM failure WHERE "recordingId" = OLD.id OR ("jobId" = OLD."jobId"
				AND NOT EXISTS (SELECT 1 FROM job WHERE job.id = OLD."jobId" AND job.status = 'failed'));`,
		],
		[
			...["recording", "removed", "DELETE", ""],
			`DELETE FROM failure WHERE "recordingId" = OLD.id OR "jobId" = OLD."jobId";`,
		],
		["job", "added", "INSERT", `NEW.status = 'failed'`, ofJob],
		["job", "changed", "UPDATE OF status", `NEW.status = 'failed' AND OLD.status <> 'failed'`, ofJob],
		[
			...["job", "withdrawn", "UPDATE OF status", `OLD.status = 'failed' AND NEW.status <> 'failed'`],
			`DELETE FROM failure WHERE "jobId" = OLD.id
				AND NOT EXISTS (SELECT 1 FROM recording WHERE recording."jobId" = OLD.id AND ${shows("recording")});`,
		],
		["job", "removed", "DELETE", "", `DELETE FROM failure WHERE "jobId" = OLD.id;`],
	] as [table: string, name: string, event: string, condition: string, body: string][];
}

async function createTriggers(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const now =
		dialect === "sqlite"
			? `CAST(round(unixepoch('subsec') * 1000) AS INTEGER)`
			: "(extract(epoch from clock_timestamp()) * 1000)::bigint";
	for (const [table, name, event, condition, body] of triggersOf(now)) {
		const trigger = `${table}_failure_${name}`;
		const when = condition === "" ? "" : `WHEN (${condition})`;
		if (dialect === "sqlite") {
			await sql.raw(`CREATE TRIGGER ${trigger} AFTER ${event} ON ${table} ${when} BEGIN ${body} END`).execute(db);
			continue;
		}
		await sql
			.raw(`CREATE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`)
			.execute(db);
		await sql
			.raw(`CREATE TRIGGER ${trigger} AFTER ${event} ON ${table} FOR EACH ROW ${when} EXECUTE FUNCTION ${trigger}()`)
			.execute(db);
	}
}

/** What had failed before. Of a job whose recording was deleted, nobody wants to see more. */
async function fill(db: Kysely<unknown>): Promise<void> {
	await sql`insert into failure ("organizationId", "jobId", "failedAt")
		select "organizationId", id, coalesce("endedAt", "createdAt") from job
		where status = 'failed' and "recordingDeletedAt" is null`.execute(db);
	await sql`insert into failure ("organizationId", "jobId", "recordingId", "failedAt")
		select "organizationId", "jobId", case when "jobId" is null then id end, "updatedAt" from recording
		where ${sql.raw(shows("recording"))} on conflict do nothing`.execute(db);
}
