/**
 * On PostgreSQL, events of jobs and the audit log in partitions. What a table has becomes its first partition as it is:
 * no row is copied.
 */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import type { Progress } from "../migration-log.ts";
import {
	attachFirst,
	createDefault,
	firstPartition,
	JOBS_PER_PARTITION,
	monthOf,
	type PartitionedTable,
} from "../partitions.ts";
import { AUDIT_KEPT_DAYS } from "./0007-trust.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName, progress: Progress): Promise<void> {
	if (dialect === "sqlite") return;
	await partitionEvents(db, progress);
	await partitionAudit(db, progress);
}

async function partitionEvents(db: Kysely<unknown>, progress: Progress): Promise<void> {
	const end = Math.floor((await maxOf(db, "job", "id")) / JOBS_PER_PARTITION) + 1;
	const first = sql.table(firstPartition("jobEvent", end));
	const nextId = (await maxOf(db, "jobEvent", "id")) + 1;
	await sql`alter table "jobEvent" rename to ${first}`.execute(db);
	await sql`alter table ${first} drop constraint "jobEvent_pkey", alter column id drop identity`.execute(db);
	await sql`alter table ${first} rename constraint job_event_runner_seq to job_event_before_runner_seq`.execute(db);
	progress("primary key of the events");
	await sql`drop index job_event_by_job`.execute(db);
	await sql`alter table ${first} add primary key ("jobId", id)`.execute(db);
	await sql`create table "jobEvent" (
		like ${first},
		primary key ("jobId", id),
		constraint job_event_runner_seq unique ("jobId", "runnerSeq"),
		constraint "jobEvent_jobId_fkey" foreign key ("jobId") references job (id) on delete cascade
	) partition by range ("jobId")`.execute(db);
	await numberRows(db, "jobEvent", nextId);
	progress("first partition of the events");
	await attachFirst(db, "jobEvent", end);
	await createDefault(db, "jobEvent");
}

const AUDIT_INDEXES = {
	audit_by_organization: `"organizationId", id`,
	audit_by_time: `"organizationId", at, id`,
	audit_by_actor: `"organizationId", "actorKind", "actorId", id`,
	audit_by_action: `"organizationId", action, id`,
	audit_by_target: `"organizationId", "targetKind", "targetId", id`,
	audit_by_age: "at",
};

async function partitionAudit(db: Kysely<unknown>, progress: Progress): Promise<void> {
	const end = monthOf(Math.max(Date.now(), await maxOf(db, "auditEntry", "at"))) + 1;
	const first = sql.table(firstPartition("auditEntry", end));
	const nextId = (await maxOf(db, "auditEntry", "id")) + 1;
	await sql`alter table "auditEntry" rename to ${first}`.execute(db);
	await sql`alter table ${first} drop constraint "auditEntry_pkey", alter column id drop identity`.execute(db);
	for (const name of ["audit_no_update", "audit_no_delete", "audit_no_truncate"]) {
		await sql`drop trigger ${sql.ref(name)} on ${first}`.execute(db);
	}
	progress("primary key of the audit log");
	await sql`alter table ${first} add primary key (id, at)`.execute(db);
	await sql`create table "auditEntry" (like ${first}, primary key (id, at)) partition by range (at)`.execute(db);
	await numberRows(db, "auditEntry", nextId);
	for (const [name, columns] of Object.entries(AUDIT_INDEXES)) {
		await sql.raw(`alter index ${name} rename to ${name.replace("audit_", "audit_before_")}`).execute(db);
		await sql.raw(`create index ${name} on "auditEntry" (${columns})`).execute(db);
	}
	const young = sql.raw(`OLD."at" > (extract(epoch from now()) - ${AUDIT_KEPT_DAYS} * 86400) * 1000`);
	await sql`create trigger audit_no_update before update on "auditEntry" for each row
		execute function audit_refuse()`.execute(db);
	await sql`create trigger audit_no_delete before delete on "auditEntry" for each row when (${young})
		execute function audit_refuse()`.execute(db);
	await sql`create trigger audit_no_truncate before truncate on "auditEntry" for each statement
		execute function audit_refuse()`.execute(db);
	progress("first partition of the audit log");
	await attachFirst(db, "auditEntry", end);
	await createDefault(db, "auditEntry");
}

async function maxOf(db: Kysely<unknown>, table: string, column: string): Promise<number> {
	const { rows } = await sql<{ max: number | null }>`select max(${sql.ref(column)}) as max
		from ${sql.table(table)}`.execute(db);
	return rows[0]?.max ?? 0;
}

/** By a sequence: before PostgreSQL 17, a partitioned table has no identity columns. */
async function numberRows(db: Kysely<unknown>, table: PartitionedTable, next: number): Promise<void> {
	const sequence = `${table}_id_seq`;
	await sql`create sequence ${sql.table(sequence)} start with ${sql.lit(next)}
		owned by ${sql.table(table)}.id`.execute(db);
	await sql`alter table ${sql.table(table)} alter column id
		set default nextval(${sql.lit(`"${sequence}"`)}::regclass)`.execute(db);
}
