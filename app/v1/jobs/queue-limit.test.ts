/** The limit on jobs that wait for one runner. */
import { beforeEach, expect, test } from "vitest";
import { readEnv } from "#lib/server/env.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";

test("a thousand jobs may wait for a runner by default, and 0 disables the limit", () => {
	expect(readEnv({}).quotas.queuedJobs).toBe(1000);
	expect(readEnv({ TAPEDECK_LIMIT_QUEUED_JOBS: "0" }).quotas.queuedJobs).toBe(0);
	expect(() => readEnv({ TAPEDECK_LIMIT_QUEUED_JOBS: "many" })).toThrow("TAPEDECK_LIMIT_QUEUED_JOBS must be");
});

onEachDatabase((api) => {
	let runners = 0;
	let runnerId: number;
	beforeEach(async () => {
		api().app.quotas.queuedJobs = 3;
		runners += 1;
		runnerId = (await api().signIn(`crowded-${runners}`)).runnerId;
	});
	const create = (headers: Record<string, string> = {}, to = runnerId) =>
		api().call("POST", "/v1/jobs", { body: { runnerId: to, displayId: ":99", stopCondition: "interrupt" }, headers });
	const waiting = async () =>
		(await api().call("GET", `/v1/jobs?status=queued&runnerId=${runnerId}`)).body.data.map(
			({ id }: { id: number }) => id,
		);

	test("a job over the limit is refused with the remedy, leaves nothing behind, and is accepted once another has left the queue", async () => {
		for (let count = 0; count < 3; count += 1) expect((await create()).status).toBe(201);
		const refused = await create();
		expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
		expect(refused.body.detail).toMatch(/^The queue for crowded-\d+ is full \(3 jobs\)\. Wait.*cancel/);
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(await waiting()).toHaveLength(3);
		// Another runner has its own queue.
		expect((await create({}, (await api().signIn("free")).runnerId)).status).toBe(201);
		expect((await api().call("POST", `/v1/jobs/${(await waiting())[0]}/cancel`)).status).toBe(202);
		expect((await create()).status).toBe(201);
		expect((await create()).status).toBe(429);
	});

	test("parallel calls cannot exceed the limit together", async () => {
		const statuses = (await Promise.all(Array.from({ length: 12 }, () => create()))).map(({ status }) => status);
		expect(statuses.sort()).toEqual([201, 201, 201, ...Array.from({ length: 9 }, () => 429)]);
		expect(await waiting()).toHaveLength(3);
	});

	test("repeating an Idempotency-Key returns the first response, even when the queue is full", async () => {
		const key = { "idempotency-key": `full ${runnerId}` };
		const first = await create(key);
		for (let count = 0; count < 2; count += 1) await create();
		expect((await create()).status).toBe(429);
		expect(await create(key)).toMatchObject({ status: 201, body: { id: first.body.id } });
	});

	test("0 disables the limit", async () => {
		api().app.quotas.queuedJobs = 0;
		for (let count = 0; count < 5; count += 1) expect((await create()).status).toBe(201);
	});
});
