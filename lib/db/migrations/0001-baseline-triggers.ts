/**
 * Triggers for data that changes in many places: the sums of each organization, labels as rows, what failed, and SQLite's
 * search tables; and that the audit log can only be added to. Those of builds: 0001-baseline-builds.ts.
 */
import type { DialectName } from "../dialect.ts";

/** A row as SQL names it. */
type Row = "new" | "old" | "recording";

interface Trigger {
	name: string;
	/** Such as `insert on recording`. */
	after: string;
	when?: string;
	/** Statements, each with its semicolon. */
	body: string;
}

/** Entries younger than this cannot be deleted by anyone. */
const AUDIT_KEPT_DAYS = 365;

/** @returns the statements that create all of them. */
export function triggersOf(dialect: DialectName): string[] {
	const triggers = [
		...usageTriggers(),
		...usageTriggersOfTests(),
		...labelTriggers(dialect),
		...failureTriggers(dialect),
		...errorTextTriggers(dialect),
		...(dialect === "sqlite" ? searchTriggers() : []),
	];
	return [
		...(dialect === "sqlite" ? auditTriggersOnSqlite() : auditTriggersOnPostgres()),
		...triggers.flatMap((trigger) => (dialect === "sqlite" ? createOnSqlite(trigger) : createOnPostgres(trigger))),
	];
}

const createOnSqlite = ({ name, after, when, body }: Trigger): string =>
	`create trigger ${name} after ${after} ${when === undefined ? "" : `when ${when}`} begin ${body} end`;

/** PostgreSQL's trigger calls a function, which has the same name. */
const createOnPostgres = ({ name, after, when, body }: Trigger): string[] => [
	`create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
	`create trigger ${name} after ${after} for each row ${when === undefined ? "" : `when (${when})`}
		execute function ${name}()`,
];

const REFUSAL = "the audit log can only be added to";

function auditTriggersOnSqlite(): string[] {
	const refuse = `begin select raise(abort, '${REFUSAL}'); end`;
	const isYoung = `old.at > (unixepoch() - ${AUDIT_KEPT_DAYS} * 86400) * 1000`;
	return [
		`create trigger audit_no_update before update on "auditEntry" ${refuse}`,
		`create trigger audit_no_delete before delete on "auditEntry" when ${isYoung} ${refuse}`,
	];
}

function auditTriggersOnPostgres(): string[] {
	const refuse = "execute function audit_refuse()";
	const isYoung = `old.at > (extract(epoch from now()) - ${AUDIT_KEPT_DAYS} * 86400) * 1000`;
	return [
		`create function audit_refuse() returns trigger language plpgsql as $$ begin raise exception '${REFUSAL}'; end $$`,
		`create trigger audit_no_update before update on "auditEntry" for each row ${refuse}`,
		`create trigger audit_no_delete before delete on "auditEntry" for each row when (${isYoung}) ${refuse}`,
		`create trigger audit_no_truncate before truncate on "auditEntry" for each statement ${refuse}`,
	];
}

/** An organization's recordings are those that are not deleted; its bytes count the trash too. */
function usageTriggers(): Trigger[] {
	const counted = (row: Row, bytes: string, recordings: number) => `
		insert into "organizationUse" ("organizationId", bytes, recordings)
			values (${row}."organizationId", ${bytes}, ${recordings})
		on conflict ("organizationId") do update set bytes = "organizationUse".bytes + excluded.bytes,
			recordings = "organizationUse".recordings + excluded.recordings;`;
	const grown = `insert into "organizationUse" ("organizationId", bytes)
		values (new."organizationId", new.bytes - old.bytes)
		on conflict ("organizationId") do update set bytes = "organizationUse".bytes + excluded.bytes;`;
	const recounted = (row: Row, recordings: string) =>
		`update "organizationUse" set recordings = recordings + ${recordings} where "organizationId" = ${row}."organizationId";`;
	const isDeleted = (row: Row) => `case when ${row}."deletedAt" is null then 0 else 1 end`;
	return [
		{ name: "recording_grew", after: "update of bytes on recording", when: "new.bytes <> old.bytes", body: grown },
		{ name: "recording_added", after: "insert on recording", body: counted("new", "new.bytes", 1) },
		{ name: "recording_removed", after: "delete on recording", body: counted("old", "-old.bytes", -1) },
		{
			name: "recording_deletion_changed",
			after: 'update of "deletedAt" on recording',
			when: '(new."deletedAt" is null) <> (old."deletedAt" is null)',
			body: recounted("new", `(${isDeleted("old")}) - (${isDeleted("new")})`),
		},
		// The trigger of every row that goes has counted it as one that was there.
		{
			name: "recording_deleted_removed",
			after: "delete on recording",
			when: 'old."deletedAt" is not null',
			body: recounted("old", "1"),
		},
	];
}

/** Results and tracks count as they are stored. */
function usageTriggersOfTests(): Trigger[] {
	const counted = (bytes: string, row: "new" | "old") => `
		insert into "organizationUse" ("organizationId", bytes) values (${row}."organizationId", ${bytes})
		on conflict ("organizationId") do update set bytes = "organizationUse".bytes + excluded.bytes;`;
	const grown = (column: string) => ({
		when: `new.${column} <> old.${column}`,
		body: counted(`new.${column} - old.${column}`, "new"),
	});
	return [
		{
			name: "test_result_added",
			after: 'insert on "testResult"',
			when: "new.bytes > 0",
			body: counted("new.bytes", "new"),
		},
		{
			name: "test_result_removed",
			after: 'delete on "testResult"',
			when: "old.bytes > 0",
			body: counted("-old.bytes", "old"),
		},
		{ name: "test_result_changed", after: 'update of bytes on "testResult"', ...grown("bytes") },
		{
			name: "track_removed",
			after: "delete on track",
			when: 'old."storedBytes" > 0',
			body: counted('-old."storedBytes"', "old"),
		},
		{ name: "track_changed", after: 'update of "storedBytes" on track', ...grown('"storedBytes"') },
	];
}

function labelTriggers(dialect: DialectName): Trigger[] {
	const each = (row: Row) =>
		dialect === "sqlite" ? `json_each(${row}.labels) as label` : `jsonb_each_text(${row}.labels::jsonb) as label`;
	/** Deletes the rows of these labels. @param others the rest of the primary key. */
	const removed = (table: string, others: string) =>
		dialect === "sqlite"
			? `delete from "${table}" where "organizationId" = old."organizationId" and ${others}
				and (key, value) in (select label.key, label.value from ${each("old")});`
			: `delete from "${table}" using ${each("old")} where "organizationId" = old."organizationId"
				and "${table}".key = label.key and "${table}".value = label.value and ${others};`;
	const statements = {
		job: {
			add: `insert into "jobLabel" select new."organizationId", label.key, label.value, new.id from ${each("new")};`,
			remove: removed("jobLabel", `"jobId" = old.id`),
		},
		recording: {
			add: `insert into "recordingLabel"
				select new."organizationId", label.key, label.value, new."createdAt", new.id from ${each("new")};`,
			remove: removed("recordingLabel", `"createdAt" = old."createdAt" and "recordingId" = old.id`),
		},
	};
	return Object.entries(statements).flatMap(([table, { add, remove }]) => [
		{ name: `${table}_labels_added`, after: `insert on ${table}`, when: "new.labels <> '{}'", body: add },
		{ name: `${table}_labels_removed`, after: `delete on ${table}`, when: "old.labels <> '{}'", body: remove },
		{
			name: `${table}_labels_changed`,
			after: `update of labels on ${table}`,
			when: "new.labels <> old.labels",
			body: `${remove} ${add}`,
		},
	]);
}

/**
 * Failures by the time at which they became known: a list by creation would lack those that began before a person looked
 * and failed afterwards.
 */
function failureTriggers(dialect: DialectName): Trigger[] {
	const now =
		dialect === "sqlite"
			? "cast(round(unixepoch('subsec') * 1000) as integer)"
			: "(extract(epoch from clock_timestamp()) * 1000)::bigint";
	/** Whether the recording itself shows a failure. Never null. */
	const shows = (row: Row) => `(coalesce(${row}.outcome, '') in ('failed', 'error')
		or coalesce(${row}.verdict, '') in ('black', 'frozen'))`;
	const ofRecording = `insert into failure ("organizationId", "jobId", "recordingId", "failedAt") values
		(new."organizationId", new."jobId", case when new."jobId" is null then new.id end, ${now}) on conflict do nothing;`;
	const ofJob = `insert into failure ("organizationId", "jobId", "failedAt") values
		(new."organizationId", new.id, ${now}) on conflict do nothing;`;
	const changes = "update of outcome, verdict on recording";
	return [
		{ name: "recording_failure_added", after: "insert on recording", when: shows("new"), body: ofRecording },
		{
			name: "recording_failure_changed",
			after: changes,
			when: `${shows("new")} and not ${shows("old")}`,
			body: ofRecording,
		},
		{
			name: "recording_failure_withdrawn",
			after: changes,
			when: `${shows("old")} and not ${shows("new")}`,
			body: `delete from failure where "recordingId" = old.id or ("jobId" = old."jobId"
				and not exists (select 1 from job where job.id = old."jobId" and job.status = 'failed'));`,
		},
		{
			name: "recording_failure_removed",
			after: "delete on recording",
			body: `delete from failure where "recordingId" = old.id or "jobId" = old."jobId";`,
		},
		{ name: "job_failure_added", after: "insert on job", when: "new.status = 'failed'", body: ofJob },
		{
			name: "job_failure_changed",
			after: "update of status on job",
			when: "new.status = 'failed' and old.status <> 'failed'",
			body: ofJob,
		},
		{
			name: "job_failure_withdrawn",
			after: "update of status on job",
			when: "old.status = 'failed' and new.status <> 'failed'",
			body: `delete from failure where "jobId" = old.id
				and not exists (select 1 from recording where recording."jobId" = old.id and ${shows("recording")});`,
		},
		{ name: "job_failure_removed", after: "delete on job", body: `delete from failure where "jobId" = old.id;` },
	];
}

/** Errors of a deleted recording are not found, and names are those of the job. */
function errorTextTriggers(dialect: DialectName): Trigger[] {
	const newLine = dialect === "sqlite" ? "char(10)" : "chr(10)";
	return [
		{
			name: "error_text_of_track",
			after: "delete on track",
			body: `delete from "errorText" where "jobId" = old."jobId";`,
		},
		{
			name: "error_text_of_job",
			after: 'update of name, "searchText" on job',
			body: `update "errorText" set named = lower(new.name || coalesce(${newLine} || new."searchText", '')) where "jobId" = new.id;`,
		},
	];
}

function searchTriggers(): Trigger[] {
	const text = (row: Row) => `${row}.name || coalesce(char(10) || ${row}."searchText", '')`;
	const names = { job: "job", recording: "recording", testResult: "test_result" };
	const ofNames = Object.entries(names).flatMap(([table, prefix]): Trigger[] => {
		const search = `"${table}Search"`;
		const add = `insert into ${search} (rowid, name) values (new.id, ${text("new")});`;
		const remove = `insert into ${search} (${search}, rowid, name) values ('delete', old.id, ${text("old")});`;
		return [
			{ name: `${prefix}_name_added`, after: `insert on "${table}"`, body: add },
			{ name: `${prefix}_name_removed`, after: `delete on "${table}"`, body: remove },
			{
				name: `${prefix}_name_changed`,
				after: `update of name, "searchText" on "${table}"`,
				when: `${text("new")} <> ${text("old")}`,
				body: `${remove} ${add}`,
			},
		];
	});
	const search = '"errorTextSearch"';
	const add = `insert into ${search} (rowid, named, text) values (new."jobId", new.named, new.text);`;
	const remove = `insert into ${search} (${search}, rowid, named, text) values ('delete', old."jobId", old.named, old.text);`;
	return [
		...ofNames,
		{ name: "error_text_added", after: 'insert on "errorText"', body: add },
		{ name: "error_text_removed", after: 'delete on "errorText"', body: remove },
		{ name: "error_text_changed", after: 'update of named, text on "errorText"', body: `${remove} ${add}` },
	];
}
