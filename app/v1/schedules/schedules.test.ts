/** Schedules by the API, and starts by several dashboards at once. */
import { beforeAll, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { startScheduledJobs } from "#lib/jobs/start-scheduled-jobs.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { until } from "#test/wait.ts";

onEachDatabase((api) => {
	let runnerId: number;
	beforeAll(async () => {
		({ runnerId } = await api().signIn());
	});
	const body = (over: object = {}, job: object = {}) => ({
		everySeconds: 3_600,
		job: { runnerId, displayId: ":99", stopCondition: "interrupt", name: "Again", ...job },
		...over,
	});
	const create = async (over?: object, job?: object) => {
		const answer = await api().call("POST", "/v1/schedules", { body: body(over, job) });
		expect(answer.status).toBe(201);
		return answer.body;
	};
	const read = async (id: number) => (await api().call("GET", `/v1/schedules/${id}`)).body;

	test("a schedule is created with its first job, listed, paused, resumed and deleted", async () => {
		const schedule = await create();
		expect(schedule).toMatchObject({
			...{ everySeconds: 3_600, endsAt: null, paused: false, startedJobs: 1, skippedStarts: 0, lastSkip: null },
			job: { type: "recording", runnerId, displayId: ":99", stopCondition: "interrupt", stopConditionConfig: {} },
		});
		const job = await api().call("GET", `/v1/jobs/${schedule.lastJob.id}`);
		expect(job.body).toMatchObject({ name: "Again", status: "queued", createdBy: null });
		expect((await api().call("GET", "/v1/schedules")).body.data).toContainEqual(schedule);
		const change = (paused: boolean) => api().call("PATCH", `/v1/schedules/${schedule.id}`, { body: { paused } });
		expect((await change(true)).body).toMatchObject({ paused: true, pausedBecause: null, nextStartAt: null });
		expect((await change(false)).body).toEqual(schedule);
		expect((await api().call("DELETE", `/v1/schedules/${schedule.id}`)).status).toBe(204);
		expect((await api().call("GET", `/v1/schedules/${schedule.id}`)).status).toBe(404);
		expect((await api().call("GET", `/v1/jobs/${schedule.lastJob.id}`)).status).toBe(200);
	});

	test("a due start happens once however many dashboards look for it at a time", async () => {
		const { id, lastJob } = await create();
		await api().call("POST", `/v1/jobs/${lastJob.id}/cancel`);
		const { db } = api().app;
		const row = await db.selectFrom("schedule").select("createdAt").where("id", "=", id).executeTakeFirstOrThrow();
		// Its next start is now.
		const createdAt = api().app.clock.now() - 3_600_000;
		const set = { createdAt, nextAt: createdAt + 3_600_000 };
		expect(createdAt).toBeLessThan(row.createdAt);
		await db.updateTable("schedule").set(set).where("id", "=", id).execute();
		const ctx = contextFor(api().app, { kind: "system", organizationId: 0 });
		await Promise.all(Array.from({ length: 4 }, () => startScheduledJobs(ctx)));
		const { startedJobs, skippedStarts } = await read(id);
		expect(startedJobs - 1 + skippedStarts).toBe(1);
	});

	test("the dashboard starts a job that is due by itself", async () => {
		const { id, lastJob } = await create();
		await api().call("POST", `/v1/jobs/${lastJob.id}/cancel`);
		const createdAt = api().app.clock.now() - 3_600_000;
		const set = { createdAt, nextAt: createdAt + 3_600_000 };
		await api().app.db.updateTable("schedule").set(set).where("id", "=", id).execute();
		// A start that is late is skipped, on a machine that is too busy for it.
		await until(async () => {
			const { startedJobs, skippedStarts } = await read(id);
			return startedJobs - 1 + skippedStarts === 1;
		}, "the start happened");
	});

	test.each([
		["everySeconds", { everySeconds: 9 }, {}, "too_small"],
		["everySeconds", { everySeconds: 10.5 }, {}, "invalid_type"],
		["endsAt", { endsAt: "2020-01-01T00:00:00Z" }, {}, "too_small"],
		["job.runnerId", {}, { runnerId: 9_999 }, "not_found"],
		["job.displayId", {}, { displayId: "99" }, "invalid_format"],
		["job.stopCondition", {}, { stopCondition: "never" }, "invalid_value"],
	])("a schedule is refused at %s: %j %j", async (path, over, job, code) => {
		const before = (await api().call("GET", "/v1/schedules")).body.data.length;
		const answer = await api().call("POST", "/v1/schedules", { body: body(over, job) });
		expect(answer).toMatchObject({ status: 422, body: { errors: [{ path, code }] } });
		expect((await api().call("GET", "/v1/schedules")).body.data).toHaveLength(before);
	});
});
