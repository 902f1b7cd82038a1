/** Ids are never given out twice, whatever an operator restores and how. */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { backUp, restore } from "#lib/server/backup.ts";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";

async function start(variables: Record<string, string>): Promise<TestApi> {
	const api = await startTestApi(variables);
	onTestFinished(() => api.stop());
	return api;
}

/** @returns the ids of a new runner and a new job. */
async function create(api: TestApi, name: string): Promise<{ runner: number; job: number }> {
	const { runnerId } = await api.signIn(name);
	const body = { runnerId, displayId: ":99", stopCondition: "interrupt" };
	return { runner: runnerId, job: (await api.call("POST", "/v1/jobs", { body })).body.id };
}

/** Removes everything that was created since, as if it had never existed: rows and sequences. */
async function forgetPostgres(api: TestApi, kept: { runner: number; job: number }): Promise<void> {
	const { db } = api.app;
	await db.deleteFrom("jobEvent").where("jobId", ">", kept.job).execute();
	await db.deleteFrom("job").where("id", ">", kept.job).execute();
	await db.deleteFrom("runner").where("id", ">", kept.runner).execute();
	for (const [table, id] of Object.entries(kept)) {
		await sql`select setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), ${id}::bigint)`.execute(db);
	}
}

describe("on SQLite", () => {
	test("after a restore, new ids are beyond all that may have been given out since the backup", async () => {
		const api = await start({});
		await create(api, "before");
		const copy = join(await temporaryFolder("ids"), "copy");
		const source = { dataDir: api.dataDir, databaseUrl: null, storage: { current: null, previous: null } };
		await backUp(source, copy);
		const lost = await create(api, "after");
		const dataDir = join(await temporaryFolder("ids"), "restored");
		await restore({ ...source, dataDir }, copy);
		const again = await start({ TAPEDECK_DATA_DIR: dataDir });
		const created = await create(again, "again");
		expect(created.job).toBeGreaterThan(lost.job + 1_000);
		expect(created.runner).toBeGreaterThan(lost.runner + 1_000);
		expect((await again.call("GET", `/v1/jobs/${lost.job}`)).status).toBe(404);
		expect((await again.call("GET", `/v1/jobs/${created.job}`)).status).toBe(200);
	});

	test("an older copy of the database that somebody put back by hand is noticed at the start", async () => {
		const dataDir = await temporaryFolder("ids");
		const first = await startTestApi({ TAPEDECK_DATA_DIR: dataDir });
		await create(first, "before");
		await first.stop();
		const copy = join(await temporaryFolder("ids"), "tapedeck.db");
		await copyFile(join(dataDir, "tapedeck.db"), copy);
		const second = await startTestApi({ TAPEDECK_DATA_DIR: dataDir });
		const lost = await create(second, "after");
		await second.stop();
		// A start records the ids that the previous process has given out, even if that process crashed.
		await (await startTestApi({ TAPEDECK_DATA_DIR: dataDir })).stop();
		await copyFile(copy, join(dataDir, "tapedeck.db"));
		const created = await create(await start({ TAPEDECK_DATA_DIR: dataDir }), "again");
		expect(created.job).toBeGreaterThan(lost.job);
		expect(created.runner).toBeGreaterThan(lost.runner);
	});
});

describe("on PostgreSQL", () => {
	test("a restored database is noticed by a dashboard that kept its data directory", async () => {
		const [url, dataDir] = [await createPostgresDatabase(), await temporaryFolder("ids")];
		const variables = { TAPEDECK_DATA_DIR: dataDir, TAPEDECK_DATABASE_URL: url };
		const first = await startTestApi(variables);
		const kept = await create(first, "before");
		const lost = await create(first, "after");
		await first.stop();
		const second = await startTestApi(variables);
		await forgetPostgres(second, kept);
		await second.stop();
		const created = await create(await start(variables), "again");
		expect(created.job).toBeGreaterThan(lost.job);
		expect(created.runner).toBeGreaterThan(lost.runner);
	});

	test("the restore of a data directory raises the sequences of the restored database", async () => {
		const [url, dataDir] = [await createPostgresDatabase(), await temporaryFolder("ids")];
		const api = await start({ TAPEDECK_DATA_DIR: dataDir, TAPEDECK_DATABASE_URL: url });
		const kept = await create(api, "before");
		const copy = join(await temporaryFolder("ids"), "copy");
		const source = { dataDir, databaseUrl: url, storage: { current: null, previous: null } };
		await backUp(source, copy);
		const lost = await create(api, "after");
		await forgetPostgres(api, kept);
		await restore({ ...source, dataDir: join(await temporaryFolder("ids"), "restored") }, copy);
		const created = await create(api, "again");
		expect(created.job).toBeGreaterThan(lost.job);
		expect(created.runner).toBeGreaterThan(lost.runner);
	});

	test("a database as it was left keeps its sequence", async () => {
		const [url, dataDir] = [await createPostgresDatabase(), await temporaryFolder("ids")];
		const variables = { TAPEDECK_DATA_DIR: dataDir, TAPEDECK_DATABASE_URL: url };
		const first = await startTestApi(variables);
		const { job } = await create(first, "before");
		await first.stop();
		expect((await create(await start(variables), "again")).job).toBe(job + 1);
	});
});
