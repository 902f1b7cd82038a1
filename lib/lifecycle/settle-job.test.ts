import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#lib/core/context.ts";
import { contextFor } from "#lib/http/app-context.ts";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { until } from "#test/wait.ts";
import { moveJob } from "./job-store.ts";
import { recordingStored, settleJob } from "./settle-job.ts";

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi({ TAPEDECK_DATABASE_URL: await createPostgresDatabase() });
});
afterAll(() => api.stop());

test("a job ends when its capture and its upload end at the same instant, on a database with concurrent writers", async () => {
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

	const [reported, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const report = inTransaction(ctx, async (ctx) => {
		await moveJob(ctx, id, "uploading", { stopReason: "cancelled" });
		expect(await settleJob(ctx, id)).toBeUndefined();
		reported.resolve();
		await commit.promise;
	});
	await reported.promise;
	await ctx.db.updateTable("recording").set({ state: "ready" }).where("jobId", "=", id).execute();
	let isOver = false;
	const stored = recordingStored(ctx, id).finally(() => {
		isOver = true;
	});
	// The upload waits for the report's transaction. Without the lock it would finish here without seeing the report.
	await until(async () => {
		const { rows } = await sql<{ waits: boolean }>`select true as waits from pg_locks where not granted`.execute(
			ctx.db,
		);
		return isOver || rows.length > 0;
	}, "the upload waits for a lock");
	commit.resolve();
	await Promise.all([report, stored]);
	expect((await api.call("GET", `/v1/jobs/${id}`)).body).toMatchObject({
		status: "completed",
		stopReason: "cancelled",
	});
});
