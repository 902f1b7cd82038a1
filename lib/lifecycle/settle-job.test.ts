import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { contextFor } from "../server/app-context.ts";
import { startTestApi, type TestApi } from "../../test/api-server.ts";
import { inTransaction, moveJob } from "./job-store.ts";
import { recordingStored, settleJob } from "./settle-job.ts";

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi({ TAPEDECK_DATABASE_URL: await createPostgresDatabase() });
});
afterAll(() => api.stop());

test("the end of capture and the end of the upload at the same instant end the job, on a database with many writers", async () => {
	const ctx = contextFor(api.app, { kind: "system", organizationId: 0 });
	const { runnerId } = await api.signIn("box");
	const body = { runnerId, displayId: ":99", stopCondition: "interrupt" };
	const { id } = (await api.call("POST", "/v1/jobs", { body })).body;
	await ctx.db.updateTable("job").set({ status: "recording" }).where("id", "=", id).execute();
	const video = { organizationId: 1, jobId: id, name: "v", contentType: "video/mp4", uploadId: `job-${id}` };
	const facts = { durationSeconds: 3, bytes: 9, createdAt: 1, updatedAt: 1 };
	await ctx.db
		.insertInto("recording")
		.values({ ...video, ...facts, state: "live" })
		.execute();

	const [told, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const report = inTransaction(ctx, async (ctx) => {
		await moveJob(ctx, id, "uploading", { stopReason: "cancelled" });
		expect(await settleJob(ctx, id)).toBeUndefined();
		told.resolve();
		await commit.promise;
	});
	await told.promise;
	await ctx.db.updateTable("recording").set({ state: "ready" }).where("jobId", "=", id).execute();
	let isOver = false;
	const stored = recordingStored(ctx, id).finally(() => {
		isOver = true;
	});
	// It waits for the report's transaction; had it not, it would be over now without having seen it.
	await vi.waitFor(async () => {
		const { rows } = await sql<{ waits: boolean }>`select true as waits from pg_locks where not granted`.execute(
			ctx.db,
		);
		expect(isOver || rows.length > 0).toBe(true);
	});
	commit.resolve();
	await Promise.all([report, stored]);
	expect((await api.call("GET", `/v1/jobs/${id}`)).body).toMatchObject({
		status: "completed",
		stopReason: "cancelled",
	});
});
