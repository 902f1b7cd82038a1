/**
 * Partitions of PostgreSQL's append-only tables: events of jobs by ranges of job ids, the audit log by months. They are
 * created ahead of what is written. What belongs to none goes into a default partition, so that an insert never fails.
 */
import { type Kysely, sql, type Transaction } from "kysely";
import { dialectOf } from "./dialect.ts";
import type { MigrationLog } from "./migration-log.ts";

export type PartitionedTable = "jobEvent" | "auditEntry";

/** About six million events. */
export const JOBS_PER_PARTITION = 1_000_000;
/** New partitions take locks that calls wait for: better later than long. */
const LOCK_TIMEOUT = sql.lit("20ms");
const LOCK_NOT_AVAILABLE = "55P03";
/** Any number that no other advisory lock has. */
const ADVISORY_LOCK = sql.lit(7_301_422);

/** A partition by its name: `jobEvent_7` and `auditEntry_2026_11`, or `…_before_…` for all that is older. */
interface Partition {
	name: string;
	/** Whether it begins at the beginning. */
	isFirst: boolean;
	/** Number of the range of jobs, or of the month, after its last one. */
	end: number;
}

/** A month as a number, so that months can be counted. @param at in milliseconds */
export const monthOf = (at: number): number => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth();
/** When a month begins. */
export const monthStart = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12);

const SCHEMES = {
	jobEvent: {
		key: "jobId",
		nameOf: (range: number) => String(range),
		rangeIn: (name: string) => Number(name),
		startOf: (range: number) => range * JOBS_PER_PARTITION,
	},
	auditEntry: {
		key: "at",
		nameOf: (month: number) => new Date(monthStart(month)).toISOString().slice(0, 7).replace("-", "_"),
		rangeIn: (name: string) => Number(name.slice(0, 4)) * 12 + Number(name.slice(5)) - 1,
		startOf: monthStart,
	},
} as const;

/** The name of the partition of all that is older than a range of jobs or a month. */
export const firstPartition = (table: PartitionedTable, end: number): string =>
	`${table}_before_${SCHEMES[table].nameOf(end)}`;
export const defaultPartition = (table: PartitionedTable): string => `${table}_default`;

/** The table's partitions but the default one, oldest first. */
export async function partitionsOf<T>(db: Kysely<T>, table: PartitionedTable): Promise<Partition[]> {
	const { rows } = await sql<{ name: string }>`select relname as name from pg_inherits
		join pg_class on pg_class.oid = inhrelid where inhparent = ${`"${table}"`}::regclass`.execute(db);
	return rows
		.flatMap(({ name }): Partition[] => {
			const [, before, range] = /^[^_]+_(before_)?(\d+(?:_\d+)?)$/.exec(name) ?? [];
			if (range === undefined) return [];
			const number = SCHEMES[table].rangeIn(range);
			return [{ name, isFirst: before !== undefined, end: before === undefined ? number + 1 : number }];
		})
		.sort((a, b) => a.end - b.end);
}

/** Attaches a table as the partition of everything before a range of jobs or a month. */
export async function attachFirst<T>(db: Kysely<T>, table: PartitionedTable, end: number): Promise<void> {
	const to = sql.lit(SCHEMES[table].startOf(end));
	await sql`alter table ${sql.table(table)} attach partition ${sql.table(firstPartition(table, end))}
		for values from (minvalue) to (${to})`.execute(db);
	await refuseTruncate(db, table, firstPartition(table, end));
}

export async function createDefault<T>(db: Kysely<T>, table: PartitionedTable): Promise<void> {
	const name = defaultPartition(table);
	await sql`create table ${sql.table(name)} partition of ${sql.table(table)} default`.execute(db);
	await refuseTruncate(db, table, name);
}

/** Partitions inherit the triggers of rows, but not those of statements. */
async function refuseTruncate<T>(db: Kysely<T>, table: PartitionedTable, name: string): Promise<void> {
	if (table !== "auditEntry") return;
	await sql`create trigger audit_no_truncate before truncate on ${sql.table(name)}
		for each statement execute function audit_refuse()`.execute(db);
}

/** Creates partitions ahead. Never fails: what is written goes into the default partition meanwhile. For the start. */
export async function preparePartitions<T>(db: Kysely<T>, log?: MigrationLog): Promise<void> {
	try {
		await createPartitions(db, Date.now());
	} catch (error) {
		log?.warn({ err: error }, "Partitions of the database could not be created ahead. Retrying in a minute.");
	}
}

/**
 * Creates the partitions of this and the next month, and of this and the next range of jobs. On a timer.
 * @param jobId the newest job's, unless it is the newest one in the database.
 */
export async function createPartitions<T>(db: Kysely<T>, now: number, jobId?: number): Promise<void> {
	if (dialectOf(db) === "sqlite") return;
	const newest = jobId ?? (await newestJob(db));
	const wanted = { jobEvent: Math.floor(newest / JOBS_PER_PARTITION), auditEntry: monthOf(now) };
	for (const table of ["jobEvent", "auditEntry"] as const) {
		const current = wanted[table];
		const isMissing = async (db: Kysely<T>) => ((await partitionsOf(db, table)).at(-1)?.end ?? 0) <= current + 1;
		if (!(await isMissing(db))) continue;
		await withoutWaiting(db, async (trx) => {
			// Another dashboard may have created them in the meantime.
			const from = Math.max(current, (await partitionsOf(trx, table)).at(-1)?.end ?? 0);
			for (let range = from; range <= current + 1; range++) await createPartition(trx, table, range);
		});
	}
}

async function newestJob<T>(db: Kysely<T>): Promise<number> {
	const { rows } = await sql<{ id: number | null }>`select max(id) as id from job`.execute(db);
	return rows[0]?.id ?? 0;
}

/** Does nothing when rows of the range are in the default partition already: they and what follows them stay there. */
async function createPartition<T>(db: Transaction<T>, table: PartitionedTable, range: number): Promise<void> {
	const { key, nameOf, startOf } = SCHEMES[table];
	const [from, to] = [sql.lit(startOf(range)), sql.lit(startOf(range + 1))];
	const strays = await sql`select 1 from ${sql.table(defaultPartition(table))}
		where ${sql.ref(key)} >= ${from} and ${sql.ref(key)} < ${to} limit 1`.execute(db);
	if (strays.rows.length > 0) return;
	const name = `${table}_${nameOf(range)}`;
	// Attaching takes weaker locks than creating it as a partition.
	await sql`create table ${sql.table(name)} (like ${sql.table(table)} including defaults)`.execute(db);
	await sql`alter table ${sql.table(table)} attach partition ${sql.table(name)} for values from (${from}) to (${to})`.execute(
		db,
	);
	await refuseTruncate(db, table, name);
}

/** Drops a partition, if no call has to wait for it. @returns whether it did. */
export function dropPartition<T>(db: Kysely<T>, { name }: Partition): Promise<boolean> {
	return withoutWaiting(db, async (trx) => {
		await sql`drop table if exists ${sql.table(name)}`.execute(trx);
	});
}

/** Runs a change of partitions in a transaction. @returns false when it would have had to wait for a lock. */
async function withoutWaiting<T>(db: Kysely<T>, change: (trx: Transaction<T>) => Promise<void>): Promise<boolean> {
	try {
		await db.transaction().execute(async (trx) => {
			await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(trx);
			await sql`set local lock_timeout = ${LOCK_TIMEOUT}`.execute(trx);
			await change(trx);
		});
		return true;
	} catch (error) {
		if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return false;
		throw error;
	}
}
