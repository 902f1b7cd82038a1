/**
 * Triggers for data that changes in many places: the sums of each organization and build, labels
 * as rows, what failed, and SQLite's search tables; and that the audit log can only be added to.
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
		...labelTriggers(dialect),
		...buildTriggers(dialect),
		...failureTriggers(dialect),
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

/** Keeps totals of each build's recordings, so that no list of builds has to look at them. */
function buildTriggers(dialect: DialectName): Trigger[] {
	const is = (condition: string) => `case when ${condition} then 1 else 0 end`;
	/** The amount that a recording adds to each column of its build. */
	const adds: Record<string, (row: Row) => string> = {
		recordings: () => "1",
		passed: (row) => is(`${row}.outcome = 'passed'`),
		failed: (row) => is(`${row}.outcome = 'failed'`),
		error: (row) => is(`${row}.outcome = 'error'`),
		skipped: (row) => is(`${row}.outcome = 'skipped'`),
		black: (row) => is(`${row}.verdict = 'black'`),
		running: (row) => is(`${row}.state = 'live'`),
		// A live one grows all the time, and counts once it is complete.
		durationMs: (row) =>
			`case when ${row}.state = 'live' then 0 else cast(round(${row}."durationSeconds" * 1000) as bigint) end`,
	};
	const columns = Object.keys(adds);
	const buildOf = (row: Row) =>
		dialect === "sqlite" ? `json_extract(${row}.labels, '$.build')` : `(${row}.labels::jsonb ->> 'build')`;
	const counted = (row: "new" | "old") => {
		const names = columns.map((column) => `"${column}"`).join(", ");
		const values = Object.values(adds).map((added) => `${row === "new" ? "" : "-"}(${added(row)})`);
		const sums = columns.map((column) => `"${column}" = build."${column}" + excluded."${column}"`);
		const widened = ["firstAt", "lastAt"].map((column) => {
			const isFurther = `excluded."${column}" ${column === "firstAt" ? "<" : ">"} build."${column}"`;
			return `"${column}" = case when build.recordings = 0 or ${isFurther} then excluded."${column}" else build."${column}" end`;
		});
		return `insert into build ("organizationId", name, "firstAt", "lastAt", ${names})
			select ${row}."organizationId", ${buildOf(row)}, ${row}."createdAt", ${row}."createdAt", ${values.join(", ")}
			where ${buildOf(row)} is not null
			on conflict ("organizationId", name) do update set ${[...sums, ...(row === "new" ? widened : [])].join(", ")};`;
	};
	const hasChanged = `(new.labels <> '{}' or old.labels <> '{}') and (new.labels <> old.labels
		or new.outcome is distinct from old.outcome or new.verdict is distinct from old.verdict or new.state <> old.state
		or (new.state <> 'live' and new."durationSeconds" <> old."durationSeconds"))`;
	return [
		{ name: "recording_build_added", after: "insert on recording", when: "new.labels <> '{}'", body: counted("new") },
		{ name: "recording_build_removed", after: "delete on recording", when: "old.labels <> '{}'", body: counted("old") },
		{
			name: "recording_build_changed",
			after: 'update of labels, outcome, verdict, state, "durationSeconds" on recording',
			when: hasChanged,
			body: `${counted("old")} ${counted("new")}`,
		},
	];
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

function searchTriggers(): Trigger[] {
	const text = (row: Row) => `${row}.name || coalesce(char(10) || ${row}."searchText", '')`;
	return ["job", "recording"].flatMap((table) => {
		const search = `"${table}Search"`;
		const add = `insert into ${search} (rowid, name) values (new.id, ${text("new")});`;
		const remove = `insert into ${search} (${search}, rowid, name) values ('delete', old.id, ${text("old")});`;
		return [
			{ name: `${table}_name_added`, after: `insert on ${table}`, body: add },
			{ name: `${table}_name_removed`, after: `delete on ${table}`, body: remove },
			{
				name: `${table}_name_changed`,
				after: `update of name, "searchText" on ${table}`,
				when: `${text("new")} <> ${text("old")}`,
				body: `${remove} ${add}`,
			},
		];
	});
}
