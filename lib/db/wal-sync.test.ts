import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { startChild } from "#test/processes/child.ts";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";

type Tables = { item: { id: number; name: string } };

/** A disk whose syncs a test lets through one by one. */
function slowDisk() {
	const waiting: PromiseWithResolvers<void>[] = [];
	const arrivals: (() => void)[] = [];
	let syncs = 0;
	return {
		get syncs() {
			return syncs;
		},
		sync(): Promise<void> {
			syncs += 1;
			const one = Promise.withResolvers<void>();
			waiting.push(one);
			arrivals.shift()?.();
			return one.promise;
		},
		/** Waits for a sync that has begun. */
		async begun(): Promise<PromiseWithResolvers<void>> {
			if (waiting.length === 0) await new Promise<void>((resolve) => arrivals.push(resolve));
			return waiting.shift() as PromiseWithResolvers<void>;
		},
	};
}

async function openTable() {
	const folder = mkdtempSync(join(tmpdir(), "tapedeck-wal-"));
	const file = join(folder, "test.db");
	const disk = slowDisk();
	let sync = (): Promise<void> => Promise.resolve();
	const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(file, () => sync()) });
	await sql`create table item (id integer primary key, name text)`.execute(db);
	sync = () => disk.sync();
	onTestFinished(async () => {
		sync = () => Promise.resolve();
		await db.destroy();
		rmSync(folder, { recursive: true });
	});
	const insert = (name: string) =>
		db
			.insertInto("item")
			.values({ name } as never)
			.execute();
	const names = async () => (await db.selectFrom("item").select("name").orderBy("id").execute()).map((row) => row.name);
	return { db, disk, file, insert, names };
}

/** @returns a function that tells whether a promise has settled. */
function watch(promise: Promise<unknown>): () => Promise<boolean> {
	let settled = false;
	promise.then(
		() => {
			settled = true;
		},
		() => {
			settled = true;
		},
	);
	return async () => {
		await sleep(20);
		return settled;
	};
}

test("a commit is not acknowledged before its log is on the disk, by itself or in a transaction", async () => {
	const { db, disk, insert } = await openTable();
	const transaction = () =>
		db.transaction().execute((trx) =>
			trx
				.insertInto("item")
				.values({ name: "b" } as never)
				.execute(),
		);
	for (const write of [() => insert("a"), transaction]) {
		const written = write();
		const isSettled = watch(written);
		const sync = await disk.begun();
		expect(await isSettled()).toBe(false);
		sync.resolve();
		await written;
	}
	expect(disk.syncs).toBe(2);
});

test("commits that arrive while the disk is busy share the next sync", async () => {
	const { disk, insert, names } = await openTable();
	const first = insert("first");
	const sync = await disk.begun();
	const rest = Promise.all(Array.from({ length: 50 }, (_, index) => insert(`${index}`)));
	const isSettled = watch(rest);
	expect(await isSettled()).toBe(false);
	sync.resolve();
	await first;
	// The sync in progress does not count for data that was committed after it began.
	expect(await isSettled()).toBe(false);
	(await disk.begun()).resolve();
	await rest;
	expect(disk.syncs).toBe(2);
	expect(await names()).toHaveLength(51);
});

test("a disk that takes long for a sync holds up neither the event loop nor reads", async () => {
	const { disk, insert, names } = await openTable();
	const written = insert("slow");
	const sync = await disk.begun();
	expect(await names()).toEqual(["slow"]);
	sync.resolve();
	await written;
});

test("a transaction that changes nothing waits for the changes that it has seen", async () => {
	const { db, disk, insert } = await openTable();
	const written = insert("a");
	const sync = await disk.begun();
	const seen = db.transaction().execute((trx) => trx.selectFrom("item").selectAll().execute());
	const isSettled = watch(seen);
	expect(await isSettled()).toBe(false);
	sync.resolve();
	await written;
	expect(await seen).toHaveLength(1);
	expect(disk.syncs).toBe(1);
});

test("reads and statements that match no row need no sync", async () => {
	const { db, disk, names } = await openTable();
	await names();
	await db.updateTable("item").set({ name: "x" }).where("id", "=", 1).execute();
	await db.transaction().execute((trx) => trx.selectFrom("item").selectAll().execute());
	expect(disk.syncs).toBe(0);
});

test("a sync that fails fails every commit that waited for it, and no later change is accepted", async () => {
	const { db, disk, insert, names } = await openTable();
	const first = insert("first");
	const sync = await disk.begun();
	const second = db.transaction().execute((trx) =>
		trx
			.insertInto("item")
			.values({ name: "second" } as never)
			.execute(),
	);
	const settled = Promise.allSettled([first, second]);
	await sleep(20);
	sync.reject(new Error("EIO: i/o error, fdatasync"));
	for (const result of await settled) {
		expect(result).toMatchObject({ status: "rejected", reason: { databaseFault: "not_synced" } });
	}
	await expect(insert("third")).rejects.toThrow("EIO");
	await expect(db.transaction().execute(async () => undefined)).rejects.toThrow("restarted");
	expect(await names()).not.toContain("third");
	expect(disk.syncs).toBe(1);
});

test("a transaction that fails is rolled back, and the next one has the connection", async () => {
	const { db, disk, insert, names } = await openTable();
	const failing = db.transaction().execute(async (trx) => {
		await trx
			.insertInto("item")
			.values({ name: "never" } as never)
			.execute();
		throw new Error("changed its mind");
	});
	await expect(failing).rejects.toThrow("changed its mind");
	const written = insert("after");
	(await disk.begun()).resolve();
	await written;
	expect(await names()).toEqual(["after"]);
});

test("the log is copied into the database in the background", async () => {
	const folder = mkdtempSync(join(tmpdir(), "tapedeck-wal-"));
	const file = join(folder, "test.db");
	const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(file) });
	onTestFinished(async () => {
		await db.destroy();
		rmSync(folder, { recursive: true });
	});
	await sql`create table item (id integer primary key, name text)`.execute(db);
	const rows = Array.from({ length: 400 }, (_, index) => ({ name: `${index} `.repeat(100) }));
	const emptySize = statSync(file).size;
	for (let round = 0; round < 6; round += 1)
		await db
			.insertInto("item")
			.values(rows as never)
			.execute();
	// Nothing but a checkpoint writes to the database's own file.
	await expect.poll(() => statSync(file).size, { timeout: 10_000 }).toBeGreaterThan(emptySize + 100_000);
});

test("the log shrinks after a large change", async () => {
	const { db, disk, file, insert } = await openTable();
	const synced = async (work: Promise<unknown>) => {
		(await disk.begun()).resolve();
		await work;
	};
	const LIMIT = 64 * 2 ** 20;
	const size = () => statSync(`${file}-wal`).size;
	const large = "x".repeat(36_000);
	await synced(
		sql`insert into item (name) with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
			select ${large} from n`.execute(db),
	);
	expect(size()).toBeGreaterThan(LIMIT);
	const end = Date.now() + 30_000;
	while (size() > LIMIT && Date.now() < end) {
		await synced(insert("small"));
		await sleep(50);
	}
	expect(size()).toBeLessThanOrEqual(LIMIT);
});

test("a command that closes the database ends after the checkpoint of what it wrote", async () => {
	const folder = mkdtempSync(join(tmpdir(), "tapedeck-wal-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const program = `
		import { Kysely, sql } from "kysely";
		import { NodeSqliteDialect } from "#lib/db/node-sqlite-dialect.ts";
		const db = new Kysely({ dialect: new NodeSqliteDialect(process.argv[1]) });
		await sql\`create table item (id integer primary key)\`.execute(db);
		await sql\`with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
			insert into item select i from n\`.execute(db);
		await db.destroy();
		console.log("closed");`;
	const child = startChild(process.execPath, ["--input-type=module", "--eval", program, join(folder, "test.db")], {
		cwd: join(import.meta.dirname, "..", ".."),
	});
	expect(await child.exited).toBe(0);
	expect(child.output()).toBe("closed\n");
});
