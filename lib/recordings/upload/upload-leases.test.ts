import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenDatabase, openDatabase } from "#lib/db/open.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { UploadLeases } from "./upload-leases.ts";

let database: OpenDatabase;
beforeAll(async () => {
	database = openDatabase(await createPostgresDatabase());
});
afterAll(() => database?.db.destroy());

/** A dashboard whose lease ends at a time. */
async function dashboard(id: string, until: number): Promise<UploadLeases> {
	const row = { id, holder: id, internalUrl: "http://127.0.0.1", until };
	await database.db
		.insertInto("dashboardNode")
		.values(row)
		.onConflict((conflict) => conflict.column("id").doUpdateSet({ until }))
		.execute();
	return new UploadLeases(database.db, { id, holds: true, term: 1 });
}
const LATER = Date.now() + 3_600_000;

test("the dashboard that has an upload is looked up once, and again if it turns out not to have it", async () => {
	const here = await dashboard("here", LATER);
	const first = await dashboard("first", LATER);
	const second = await dashboard("second", LATER);
	expect(await here.find("job-1")).toBe("unknown");
	await first.take("job-1");
	expect(await here.find("job-1")).toMatchObject({ nodeId: "first" });

	await dashboard("first", 0);
	await second.take("job-1");
	expect(await here.find("job-1")).toMatchObject({ nodeId: "first" });
	here.forget("job-1");
	expect(await here.find("job-1")).toMatchObject({ nodeId: "second" });
});

test("an upload that this dashboard takes over is here, whatever it remembered", async () => {
	const here = await dashboard("here", LATER);
	const other = await dashboard("other", LATER);
	await other.take("job-2");
	expect(await here.find("job-2")).toMatchObject({ nodeId: "other" });
	await expect(here.take("job-2")).rejects.toMatchObject({ status: 503 });
	await dashboard("other", 0);
	await here.take("job-2");
	expect(await here.find("job-2")).toBe("here");
	expect(here.takeovers).toBe(1);
});
