/** Recordings that begin before their job: the requested, stored and ordered length of the past. */
import { beforeEach, expect, test } from "vitest";
import { TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { protocolRunner } from "#test/runners/protocol-runner.ts";

onOneDatabase((api) => {
	const runner = protocolRunner(api);

	const inPool = (pool: string, more: object = {}) => ({
		...{ selector: { labels: { pool } }, stopCondition: "interrupt" },
		...more,
	});
	/** Signs in once more, as a runner of a pool. */
	const join = async (pool: string, bufferSeconds?: number) => {
		const name = `${runner.name}-${pool}-${bufferSeconds ?? "none"}`;
		const displays = [{ id: ":99", width: 1280, height: 720 }];
		const identity = { name, version: "test", instanceId: `instance-${name}`, displays, labels: { pool } };
		const { body } = await api().call("POST", "/v1/runner/sign-in", {
			...{ token: TEST_RUNNER_TOKEN, body: { ...identity, bufferSeconds } },
		});
		const poll = { sessionId: body.sessionId, jobs: [], waitSeconds: 0 };
		return {
			id: body.runnerId as number,
			sync: async () => (await api().call("POST", "/v1/runner/sync", { token: TEST_RUNNER_TOKEN, body: poll })).body,
		};
	};
	/** Signs in as a runner that keeps so much of the past. */
	const keep = async (seconds: number | null) => {
		runner.bufferSeconds = seconds;
		await runner.signIn();
	};
	beforeEach(() => keep(120));

	test("preSeconds goes to the runner and stays with the job", async () => {
		const { id, preSeconds } = await runner.createJob({ preSeconds: 45 });
		expect(preSeconds).toBe(45);
		expect((await runner.sync()).start).toEqual([expect.objectContaining({ id, preSeconds: 45 })]);
		expect((await runner.readJob(id)).preSeconds).toBe(45);
	});

	test("a runner is shown with the buffer that it had at its last sign-in, and with null without one", async () => {
		const shown = async () => (await api().call("GET", `/v1/runners/${runner.runnerId}`)).body.bufferSeconds;
		expect(await shown()).toBe(120);
		await keep(null);
		expect(await shown()).toBeNull();
	});

	test("a job that begins in the past of a runner without a buffer is refused at once, and none is created", async () => {
		await keep(null);
		const body = { runnerId: runner.runnerId, displayId: ":99", stopCondition: "interrupt", preSeconds: 45 };
		const { status, body: problem } = await api().call("POST", "/v1/jobs", { body });
		expect(status).toBe(422);
		const message = `${runner.name} keeps nothing of what its displays have shown. Set TAPEDECK_BUFFER for the runner, such as to 2m, or leave preSeconds out.`;
		expect(problem.errors).toEqual([{ path: "preSeconds", code: "no_buffer", message }]);
		expect((await runner.sync()).start).toEqual([]);
		expect((await runner.createJob({ preSeconds: 0 })).status).toBe("queued");
	});

	test("a job may ask for more than its runner keeps: it begins where the buffer does", async () => {
		expect((await runner.createJob({ preSeconds: 300 })).preSeconds).toBe(300);
	});

	test("a job that has waited while its runner was started without a buffer is still recorded", async () => {
		const { id } = await runner.createJob({ preSeconds: 45 });
		await keep(null);
		expect((await runner.sync()).start).toEqual([expect.objectContaining({ id, preSeconds: 45 })]);
	});

	test("a job for whichever runner fits that begins in the past is taken by one with a buffer alone", async () => {
		const pool = `${runner.name}-mixed`;
		const without = await join(pool);
		const body = inPool(pool, { preSeconds: 5 });
		const refused = await api().call("POST", "/v1/jobs", { body });
		expect([refused.status, refused.body.errors]).toEqual([
			422,
			[expect.objectContaining({ path: "preSeconds", code: "no_buffer" })],
		]);
		const buffered = await join(pool, 60);
		const { status, body: job } = await api().call("POST", "/v1/jobs", { body });
		expect([status, job.preSeconds, job.runnerId]).toEqual([201, 5, buffered.id]);
		const { body: other } = await api().call("POST", "/v1/jobs", { body: inPool(pool) });
		// The one before it in the queue does not keep it from a runner that can take it.
		expect((await without.sync()).start.map(({ id }: { id: number }) => id)).toEqual([other.id]);
		expect((await buffered.sync()).start.map(({ id }: { id: number }) => id)).toEqual([job.id]);
	});

	test("a runner of an earlier version gets no field that it does not know, where nobody asks for the past", async () => {
		const { id, preSeconds } = await runner.createJob();
		expect(preSeconds).toBe(0);
		const [job] = (await runner.sync()).start;
		expect(job).toMatchObject({ id });
		expect(job).not.toHaveProperty("preSeconds");
	});

	test.each([
		[-1, "Send 0 or more seconds."],
		[3_601, "Send at most 3600 seconds."],
		[1.5, "Send preSeconds as a whole number of seconds, such as 45."],
		["45", "Send preSeconds as a whole number of seconds, such as 45."],
	])("preSeconds: %j is refused", async (preSeconds, message) => {
		const body = { selector: { display: ":99" }, stopCondition: "interrupt", preSeconds };
		const { status, body: problem } = await api().call("POST", "/v1/jobs", { body });
		expect(status).toBe(422);
		expect(problem.errors).toEqual([expect.objectContaining({ path: "preSeconds", message })]);
	});
});
