import { expect, test } from "vitest";
import { TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { firstFrame, protocolRunner } from "#test/runners/protocol-runner.ts";

onOneDatabase((api) => {
	const runner = protocolRunner(api);

	test("every sign-in returns the same dashboard id", async () => {
		const { dashboardId } = runner.session;
		expect(dashboardId).toMatch(/^[\w-]{8,}$/);
		expect((await runner.signIn(`${runner.name}-b`)).dashboardId).toBe(dashboardId);
	});

	test("a runner that returns without its data is the same runner, and its jobs are declared lost at once", async () => {
		const job = await runner.startJob();
		await runner.report(job.id, firstFrame);
		await runner.call("sign-out", {});
		const before = runner.session.runnerId;
		expect((await runner.signIn(runner.name, [], "another-data-directory")).runnerId).toBe(before);
		await runner.sync();
		expect(await runner.readJob(job.id)).toMatchObject({ status: "failed", stopReason: "runner_lost" });
	});

	test("a second live process under the same name is rejected with a message that says so", async () => {
		const held = runner.sync([], 8);
		const body = { name: runner.name, version: "1", instanceId: "somebody-else", displays: [] };
		const answer = await api().call("POST", "/v1/runner/sign-in", { token: TEST_RUNNER_TOKEN, body });
		expect([answer.status, answer.body.code]).toEqual([409, "runner_name_taken"]);
		expect(answer.body.detail).toContain(runner.name);
		await runner.createJob();
		await held;
	});

	test("a runner that signs in again replaces its predecessor, whose requests are rejected", async () => {
		const { sessionId } = runner.session;
		await runner.signIn();
		const answer = await runner.call("sync", { sessionId, jobs: [], waitSeconds: 0 });
		expect([answer.status, answer.body.code]).toEqual([409, "session_superseded"]);
		expect((await runner.sync()).start).toEqual([]);
	});

	test("displays appear and disappear with the reports, and a runner that signs out is offline at once", async () => {
		const displays = [{ id: ":7", width: 800, height: 600 }];
		await runner.call("reports", { sentAt: new Date().toISOString(), displays, jobs: [] });
		const path = `/v1/runners/${runner.session.runnerId}`;
		expect((await api().call("GET", path)).body).toMatchObject({ state: "online", displays });
		await runner.call("sign-out", {});
		expect((await api().call("GET", path)).body.state).toBe("offline");
	});

	test("a runner token can be checked without signing in", async () => {
		const runners = async () => (await api().call("GET", "/v1/runners")).body.data.length;
		const before = await runners();
		// On PostgreSQL, the clock is the database's, measured with the delay of its answer on a busy machine.
		const tolerance = 1_000;
		const askedAt = Date.now();
		const answer = await api().call("GET", "/v1/runner", { token: TEST_RUNNER_TOKEN });
		expect([answer.status, answer.body.organizationId]).toEqual([200, 1]);
		expect(Date.parse(answer.body.serverTime)).toBeGreaterThanOrEqual(askedAt - tolerance);
		expect(Date.parse(answer.body.serverTime)).toBeLessThanOrEqual(Date.now() + tolerance);
		expect(await runners()).toBe(before);
	});
});
