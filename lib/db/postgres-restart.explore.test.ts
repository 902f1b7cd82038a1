/**
 * PostgreSQL ends connections of a running dashboard: all at once, even in the middle of a query, or a single idle one.
 * Or the network between them forgets the connections, and neither end knows.
 */
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { startPgBouncer } from "#test/servers/pgbouncer.ts";
import { startTcpProxy, type TcpProxy, throughProxy } from "#test/servers/tcp-proxy.ts";
import { pause, until } from "#test/wait.ts";
import { postgresFault } from "./database-errors.ts";
import { closeDatabase, type OpenDatabase, openDatabase } from "./open.ts";

/**
 * The urgent limit includes opening the urgent connection, which a busy machine does while it opens those of the pool.
 */
const LIMITS = { usual: 30_000, urgent: 3_000 };

let url: string;
let api: TestApi;
let admin: pg.Client;
beforeAll(async () => {
	url = await createPostgresDatabase();
	api = await startTestApi({ TAPEDECK_DATABASE_URL: url });
	admin = new pg.Client({ connectionString: url });
	await admin.connect();
});
afterAll(async () => {
	await admin.end();
	await api.stop();
});

test("calls that lose their connection are asked to retry, and later calls succeed", async () => {
	const { runnerId } = await api.signIn();
	const job = { runnerId, displayId: ":99", stopCondition: "interrupt" };
	const statuses = new Set<number>();
	for (let round = 0; round < 10; round++) {
		const calls = Array.from({ length: 40 }, (_, index) =>
			index % 2 === 0 ? api.call("POST", "/v1/jobs", { body: job }) : api.call("GET", "/v1/jobs?limit=100"),
		);
		await admin.query(
			"select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
		);
		for (const { status, headers } of await Promise.all(calls)) {
			statuses.add(status);
			if (status === 503) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
		}
		expect((await api.call("GET", "/v1/jobs")).status).toBe(200);
	}
	expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
});

test("a transaction that stands still gives up its locks, and the call in it is asked to retry", async () => {
	const { runnerId } = await api.signIn();
	const { db } = api.app;
	const lock = (trx: typeof db) =>
		trx.updateTable("runner").set({ name: "locked" }).where("id", "=", runnerId).execute();
	const frozen = db.transaction().execute(async (trx) => {
		const shown = await sql<{
			timeout: string;
		}>`select current_setting('idle_in_transaction_session_timeout') as timeout`;
		expect((await shown.execute(trx)).rows).toEqual([{ timeout: "30s" }]);
		await sql`set local idle_in_transaction_session_timeout = '200ms'`.execute(trx);
		await lock(trx);
		// Others wait for the lock, and get it although this transaction has not ended.
		await lock(db);
		await lock(trx);
	});
	const error = await frozen.catch((reason: unknown) => reason);
	expect(postgresFault(error)).toBe("busy");
});

test("it gives up its locks also behind a pooler that has connected anew to PostgreSQL", async () => {
	const pooler = await startPgBouncer(url);
	onTestFinished(() => pooler.stop());
	const { db } = opened(openDatabase(pooler.url));
	const timeout = () =>
		db.transaction().execute(async (trx) => {
			const { rows } = await sql<{ pid: number; timeout: string }>`select pg_backend_pid() as pid,
				current_setting('idle_in_transaction_session_timeout') as timeout`.execute(trx);
			return rows[0] as { pid: number; timeout: string };
		});
	const before = await timeout();
	await admin.query("select pg_terminate_backend($1)", [before.pid]);
	// The pooler notices it when it uses the connection.
	const after = await until(() => timeout().catch(() => null), "the pooler connects anew");
	expect(after.pid).not.toBe(before.pid);
	expect([before.timeout, after.timeout]).toEqual(["30s", "30s"]);
});

test("statements whose connections the network has forgotten fail in time, and later ones use new connections", async () => {
	const { network, location } = await startNetwork();
	const { db } = opened(openDatabase(location, { ...LIMITS, usual: 2_000 }));
	const ask = () => sql`select 1`.execute(db);
	// As many statements as the pool has connections.
	await Promise.all(Array.from({ length: 10 }, ask));
	network.forget();
	const errors = await Promise.all(Array.from({ length: 10 }, () => ask().catch((error: Error) => error)));
	expect(errors.map(postgresFault)).toEqual(Array(10).fill("busy"));
	expect(String(errors[0])).toContain("PostgreSQL did not answer a statement within 2 s");
	await Promise.all(Array.from({ length: 20 }, ask));
});

test("an urgent statement finds within its limit that the network has forgotten its connection, and no other statement waits longer then", async () => {
	const { network, location } = await startNetwork();
	const { db, urgent } = opened(openDatabase(location, LIMITS));
	const ask = (on = db) => sql`select 1`.execute(on);
	await Promise.all([ask(urgent), ...Array.from({ length: 10 }, () => ask())]);
	let inTransaction: Promise<unknown> = Promise.resolve();
	const transaction = db.transaction().execute(async (trx) => {
		await ask(trx);
		network.forget();
		// Asked before the urgent one, and after it.
		const before = ask();
		const found = ask(urgent).catch((error: Error) => error);
		const after = ask();
		inTransaction = Promise.all([before, after].map((each) => each.catch((error: Error) => error)));
		expect(String(await found)).toContain("PostgreSQL did not answer a statement within 3 s");
		await ask(trx);
	});
	expect(postgresFault(await transaction.catch((error: unknown) => error))).toBe("busy");
	expect(((await inTransaction) as Error[]).map(postgresFault)).toEqual(["busy", "busy"]);
	// None of them is left in the pool.
	await Promise.all(Array.from({ length: 20 }, () => ask()));
	await ask(urgent);
});

test("a statement may take long while what is urgent is answered", async () => {
	const { db, urgent } = opened(openDatabase(url, LIMITS));
	const slow = sql`select pg_sleep(6)`.execute(db);
	for (let isOver = false; !isOver; ) {
		await sql`select 1`.execute(urgent);
		isOver = await Promise.race([slow.then(() => true), pause(100).then(() => false)]);
	}
});

/** A network between a dashboard and PostgreSQL. */
async function startNetwork(): Promise<{ network: TcpProxy; location: string }> {
	const network = await startTcpProxy(url);
	onTestFinished(() => network.stop());
	return { network, location: throughProxy(network, url) };
}

function opened(database: OpenDatabase): OpenDatabase {
	onTestFinished(() => closeDatabase(database));
	return database;
}
