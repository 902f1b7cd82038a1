/** PostgreSQL's partitions: which of them a query reads, and when they come and go. */
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listAudit } from "#lib/audit/list-audit.ts";
import { sweepAudit } from "#lib/audit/sweep-audit.ts";
import { listJobEvents } from "#lib/jobs/list-job-events.ts";
import { addJobEvent } from "#lib/lifecycle/job-store.ts";
import { contextFor } from "#lib/server/app-context.ts";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { plansOf } from "#test/databases/plans.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { until } from "#test/wait.ts";
import { createPartitions, JOBS_PER_PARTITION, monthOf, monthStart, partitionsOf } from "./partitions.ts";
import type { Tables } from "./schema.ts";

const DAY = 86_400_000;
const now = Date.now();
const month = monthOf(now);
let api: TestApi;
let db: Kysely<Tables>;
let runnerId: number;

const ctx = () => contextFor(api.app, { kind: "user", organizationId: 1, userId: 1, name: "Ada", role: "owner" });

beforeAll(async () => {
	api = await startTestApi({ TAPEDECK_DATABASE_URL: await createPostgresDatabase() });
	db = api.app.db;
	({ runnerId } = await api.signIn("box"));
	for (let range = 0; range < 4; range++) await insertJob(range * JOBS_PER_PARTITION + 5);
});
afterAll(() => api.stop());

const endOf = async (table: "jobEvent" | "auditEntry") => (await partitionsOf(db, table)).at(-1)?.end ?? 0;

/** As the timer does: it tries again when the server itself has locked a table for a moment. */
const createdUpTo = (table: "jobEvent" | "auditEntry", end: number, at = now) =>
	until(async () => {
		await createPartitions(db, at);
		return (await endOf(table)) >= end;
	}, `${table} has partitions up to ${end}`);

/** Inserts a job, then what the sweep creates. */
async function insertJob(id: number): Promise<void> {
	await sql`insert into job (id, "organizationId", "runnerId", type, "displayId", name, "stopCondition",
			"stopConditionConfig", status, "createdAt")
		values (${id}, 1, ${runnerId}, 'recording', ':99', 'job', 'interrupt', '{}', 'completed', 1)`.execute(db);
	await createdUpTo("jobEvent", Math.floor(id / JOBS_PER_PARTITION) + 2);
	for (let seq = 1; seq <= 3; seq++) await addJobEvent(ctx(), id, { type: "note", message: "", runnerSeq: seq });
}

const names = async (table: "jobEvent" | "auditEntry") => (await partitionsOf(db, table)).map(({ name }) => name);

const nameOf = (month: number) =>
	`auditEntry_${new Date(monthStart(month)).toISOString().slice(0, 7).replace("-", "_")}`;

const insertEntry = (at: number) =>
	db
		.insertInto("auditEntry")
		.values({
			...{ organizationId: 1, at, actorKind: "user", actorId: 1, actorName: "Ada", address: null },
			...{ action: "job.created", targetKind: null, targetId: null, targetName: null, detail: "{}" },
		} as const)
		.execute();

const countIn = async (table: string): Promise<number> => {
	const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
	return Number(rows[0]?.count);
};

/** The partitions that the statements of `act` would read, by their plans. */
async function partitionsRead(act: (db: Kysely<Tables>) => Promise<unknown>): Promise<string[]> {
	const read = new Set<string>();
	for (const line of await plansOf(db, act)) {
		const [, partition] = / on "((?:jobEvent|auditEntry)_(?:default|(?:before_)?[\d_]+))"/.exec(line) ?? [];
		if (partition !== undefined) read.add(partition);
	}
	return [...read].sort();
}

test("events of a job are written to the partition of its id, and partitions exist ahead of the newest job", async () => {
	expect(await names("jobEvent")).toEqual([
		"jobEvent_before_1",
		"jobEvent_1",
		"jobEvent_2",
		"jobEvent_3",
		"jobEvent_4",
	]);
	for (const name of ["jobEvent_before_1", "jobEvent_1", "jobEvent_2", "jobEvent_3"]) {
		expect([name, await countIn(name)]).toEqual([name, 3]);
	}
	expect(await countIn("jobEvent_default")).toBe(0);
});

test("a history is read from one partition", async () => {
	const jobId = 2 * JOBS_PER_PARTITION + 5;
	const read = await partitionsRead((db) => listJobEvents({ ...ctx(), db, reads: db }, jobId, { limit: 50 }));
	expect(read).toEqual(["jobEvent_2"]);
});

test("a report that is repeated is stored once", async () => {
	const report = { type: "note", message: "", runnerSeq: 9 };
	expect(await addJobEvent(ctx(), JOBS_PER_PARTITION + 5, report)).toBe(true);
	expect(await addJobEvent(ctx(), JOBS_PER_PARTITION + 5, report)).toBe(false);
});

test("deleting jobs deletes their events, and reads no partition of other jobs", async () => {
	// After a few calls, PostgreSQL may plan the deletion of events once for all jobs.
	const ids = Array.from({ length: 8 }, (_, index) => 2 * JOBS_PER_PARTITION + 5 + index);
	for (const id of ids.slice(1)) await insertJob(id);
	const read = await db.transaction().execute(async (trx) => {
		const scans = async () => {
			const { rows } = await sql<{ name: string; scans: number }>`select relname as name, seq_scan + idx_scan as scans
				from pg_stat_xact_user_tables where relname like 'jobEvent\\_%'`.execute(trx);
			return new Map(rows.map(({ name, scans }) => [name, scans]));
		};
		const before = await scans();
		for (const id of ids) await trx.deleteFrom("job").where("id", "=", id).execute();
		return [...(await scans())].filter(([name, count]) => count !== before.get(name)).map(([name]) => name);
	});
	expect(read).toEqual(["jobEvent_2"]);
	expect(await countIn("jobEvent_2")).toBe(0);
});

test("rows that no partition is for are kept in the default one, whose range then stays there", async () => {
	const far = 40 * JOBS_PER_PARTITION + 1;
	await sql`insert into job (id, "organizationId", "runnerId", type, "displayId", name, "stopCondition",
			"stopConditionConfig", status, "createdAt")
		values (${far}, 1, ${runnerId}, 'recording', ':99', 'job', 'interrupt', '{}', 'completed', 1)`.execute(db);
	await addJobEvent(ctx(), far, { type: "note", message: "" });
	expect(await countIn("jobEvent_default")).toBe(1);
	await createdUpTo("jobEvent", 42);
	expect((await names("jobEvent")).slice(-2)).toEqual(["jobEvent_4", "jobEvent_41"]);
	expect((await listJobEvents(ctx(), far, { limit: 50 })).data).toHaveLength(1);
	await addJobEvent(ctx(), far, { type: "note", message: "" });
	expect(await countIn("jobEvent_default")).toBe(2);
});

test("partitions are created once, by however many dashboards, and not while a call would have to wait for them", async () => {
	for (const later of [1, 2, 3]) {
		await Promise.all(Array.from({ length: 3 }, () => createPartitions(db, monthStart(month + later))));
		await createdUpTo("auditEntry", month + later + 2, monthStart(month + later));
		expect(await endOf("auditEntry")).toBe(month + later + 2);
	}
	const [locked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const reader = db.transaction().execute(async (trx) => {
		await trx.selectFrom("auditEntry").select("id").limit(1).execute();
		locked.resolve();
		await done.promise;
	});
	await locked.promise;
	// Returns while the reader is still there.
	await createPartitions(db, monthStart(month + 4));
	expect(await endOf("auditEntry")).toBe(month + 5);
	done.resolve();
	await reader;
	await createdUpTo("auditEntry", month + 6, monthStart(month + 4));
});

test("the audit log of a time is read from the months of that time", async () => {
	const query = { limit: 50, after: monthStart(month + 2), before: monthStart(month + 3) };
	const read = await partitionsRead((db) => listAudit({ ...ctx(), db, reads: db }, query));
	expect(read).toEqual([nameOf(month + 2)]);
});

test("months of the audit log are dropped once their last day is old, and other old entries go one by one", async () => {
	const cutoff = now - 366 * DAY;
	const [older, partly] = [monthOf(cutoff) - 1, monthOf(cutoff)];
	const [first] = await partitionsOf(db, "auditEntry");
	await sql`drop table ${sql.table(first?.name ?? "")}`.execute(db);
	for (const each of [older, partly]) {
		await sql`create table ${sql.table(nameOf(each))} partition of "auditEntry"
			for values from (${sql.lit(monthStart(each))}) to (${sql.lit(monthStart(each + 1))})`.execute(db);
		for (const at of [monthStart(each), monthStart(each + 1) - 1]) await insertEntry(at);
	}
	await insertEntry(monthStart(older) - 1);
	await insertEntry(now);
	expect(await countIn("auditEntry_default")).toBe(2);
	const ahead = { db, clock: { now: () => now + 2 * 366 * DAY } };
	await expect(sweepAudit(ahead)).rejects.toThrow(/can only be added to/);
	const before = await names("auditEntry");

	expect(await sweepAudit({ db, clock: { now: () => now } })).toBe(1);
	expect(await names("auditEntry")).toEqual(before.filter((name) => name !== nameOf(older)));
	expect(await countIn(nameOf(partly))).toBe(2);
	expect(await countIn("auditEntry_default")).toBe(1);
});

test("no partition of the audit log can be emptied or changed by itself", async () => {
	for (const name of [...(await names("auditEntry")).slice(1), "auditEntry_default"]) {
		await expect(sql`truncate ${sql.table(name)}`.execute(db), name).rejects.toThrow(/can only be added to/);
	}
	await expect(sql`delete from "auditEntry_default"`.execute(db)).rejects.toThrow(/can only be added to/);
});
