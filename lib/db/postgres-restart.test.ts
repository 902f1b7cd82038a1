/** PostgreSQL ends connections of a running dashboard: all at once, even in the middle of a query, or one that stands still. */
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { postgresFault } from "./database-errors.ts";

let api: TestApi;
let admin: pg.Client;
beforeAll(async () => {
	const url = await createPostgresDatabase();
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
