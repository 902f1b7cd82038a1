/**
 * What the recordings of each build came to, counted as they change, so that no list of builds has to look at them.
 * Triggers of their own replace the count of migration 0017, which the triggers of labels made.
 */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64 } from "../dialect.ts";
import type { Progress } from "../migration-log.ts";

/** A row as SQL names it. */
type Row = "NEW" | "OLD" | "recording";

const is = (condition: string) => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;
/** What a recording adds to each column of its build. */
const ADDS: Record<string, (row: Row) => string> = {
	recordings: () => "1",
	passed: (row) => is(`${row}.outcome = 'passed'`),
	failed: (row) => is(`${row}.outcome = 'failed'`),
	error: (row) => is(`${row}.outcome = 'error'`),
	skipped: (row) => is(`${row}.outcome = 'skipped'`),
	black: (row) => is(`${row}.verdict = 'black'`),
	running: (row) => is(`${row}.state = 'live'`),
	// A live one grows all the time, and counts once it is complete.
	durationMs: (row) =>
		`CASE WHEN ${row}.state = 'live' THEN 0 ELSE CAST(round(${row}."durationSeconds" * 1000) AS bigint) END`,
};
const COLUMNS = Object.keys(ADDS);

export async function up(db: Kysely<unknown>, dialect: DialectName, progress: Progress): Promise<void> {
	// Before the table of builds, in the order in which an insert takes its locks.
	if (dialect === "postgres") await sql`lock table recording in share row exclusive mode`.execute(db);
	for (const column of COLUMNS.slice(1)) {
		await db.schema
			.alterTable("build")
			.addColumn(column, int64(dialect), (c) => c.notNull().defaultTo(0))
			.execute();
	}
	await (dialect === "sqlite" ? maintainOnSqlite(db) : maintainOnPostgres(db));
	progress("outcomes of the recordings of each build");
	await countWhatIsThere(db);
}

function counted(row: "NEW" | "OLD", build: string): string {
	const sign = row === "NEW" ? "" : "-";
	const names = COLUMNS.map((column) => `"${column}"`).join(", ");
	const values = Object.values(ADDS).map((adds) => `${sign}(${adds(row)})`);
	const sums = COLUMNS.map((column) => `"${column}" = build."${column}" + excluded."${column}"`);
	const widened = ["firstAt", "lastAt"].map((column) => {
		const isFurther = `excluded."${column}" ${column === "firstAt" ? "<" : ">"} build."${column}"`;
		return `"${column}" = CASE WHEN build.recordings = 0 OR ${isFurther} THEN excluded."${column}" ELSE build."${column}" END`;
	});
	return `INSERT INTO build ("organizationId", name, "firstAt", "lastAt", ${names})
		SELECT ${row}."organizationId", ${build}, ${row}."createdAt", ${row}."createdAt", ${values.join(", ")}
		WHERE ${build} IS NOT NULL
		ON CONFLICT ("organizationId", name) DO UPDATE SET ${[...sums, ...(row === "NEW" ? widened : [])].join(", ")};`;
}

const HAS_CHANGED = `(NEW.labels <> '{}' OR OLD.labels <> '{}') AND (NEW.labels <> OLD.labels
	OR NEW.outcome IS DISTINCT FROM OLD.outcome OR NEW.verdict IS DISTINCT FROM OLD.verdict OR NEW.state <> OLD.state
	OR (NEW.state <> 'live' AND NEW."durationSeconds" <> OLD."durationSeconds"))`;

/** Name, event, condition and what to count. */
const triggers = (buildOf: (row: "NEW" | "OLD") => string) => {
	const added = counted("NEW", buildOf("NEW"));
	const removed = counted("OLD", buildOf("OLD"));
	return [
		["recording_build_added", "INSERT", "NEW.labels <> '{}'", added],
		["recording_build_removed", "DELETE", "OLD.labels <> '{}'", removed],
		[
			"recording_build_changed",
			`UPDATE OF labels, outcome, verdict, state, "durationSeconds"`,
			HAS_CHANGED,
			`${removed} ${added}`,
		],
	] as const;
};

async function maintainOnSqlite(db: Kysely<unknown>): Promise<void> {
	const each = (row: Row) => `json_each(${row}.labels) AS label`;
	const add = `INSERT INTO "recordingLabel"
		SELECT NEW."organizationId", label.key, label.value, NEW."createdAt", NEW.id FROM ${each("NEW")};`;
	const remove = `DELETE FROM "recordingLabel" WHERE "organizationId" = OLD."organizationId"
		AND "createdAt" = OLD."createdAt" AND "recordingId" = OLD.id
		AND (key, value) IN (SELECT label.key, label.value FROM ${each("OLD")});`;
	for (const [name, event, condition, body] of [
		["recording_labels_added", "INSERT", `NEW.labels <> '{}'`, add],
		["recording_labels_removed", "DELETE", `OLD.labels <> '{}'`, remove],
		["recording_labels_changed", "UPDATE OF labels", "NEW.labels <> OLD.labels", `${remove} ${add}`],
		...triggers((row) => `json_extract(${row}.labels, '$.build')`),
	]) {
		await sql.raw(`DROP TRIGGER IF EXISTS ${name}`).execute(db);
		await sql.raw(`CREATE TRIGGER ${name} AFTER ${event} ON recording WHEN ${condition} BEGIN ${body} END`).execute(db);
	}
}

async function maintainOnPostgres(db: Kysely<unknown>): Promise<void> {
	const each = (row: Row) => `jsonb_each_text(${row}.labels::jsonb) AS label`;
	const add = `INSERT INTO "recordingLabel"
		SELECT NEW."organizationId", label.key, label.value, NEW."createdAt", NEW.id FROM ${each("NEW")};`;
	const remove = `DELETE FROM "recordingLabel" USING ${each("OLD")} WHERE "organizationId" = OLD."organizationId"
		AND "recordingLabel".key = label.key AND "recordingLabel".value = label.value
		AND "createdAt" = OLD."createdAt" AND "recordingId" = OLD.id;`;
	const define = (name: string, body: string) =>
		sql
			.raw(`CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql
				AS $$ BEGIN ${body} RETURN NULL; END $$`)
			.execute(db);
	await define("recording_labels_added", add);
	await define("recording_labels_removed", remove);
	await define("recording_labels_changed", `${remove} ${add}`);
	for (const [name, event, condition, body] of triggers((row) => `(${row}.labels::jsonb ->> 'build')`)) {
		await define(name, body);
		await sql
			.raw(
				`CREATE TRIGGER ${name} AFTER ${event} ON recording FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION ${name}()`,
			)
			.execute(db);
	}
}

async function countWhatIsThere(db: Kysely<unknown>): Promise<void> {
	const sums = COLUMNS.map((column) => `sum(${ADDS[column]?.("recording")}) AS "${column}"`);
	await sql
		.raw(`UPDATE build SET ${COLUMNS.map((column) => `"${column}" = counted."${column}"`).join(", ")}
			FROM (SELECT "recordingLabel"."organizationId", value, ${sums.join(", ")} FROM "recordingLabel"
				JOIN recording ON recording.id = "recordingLabel"."recordingId" WHERE key = 'build'
				GROUP BY "recordingLabel"."organizationId", value) AS counted
			WHERE build."organizationId" = counted."organizationId" AND build.name = counted.value`)
		.execute(db);
}
