/** How much of what a display showed before its job a recording has: what is asked for, stored and ordered. */
import { expect, test } from "vitest";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { protocolRunner } from "#test/runners/protocol-runner.ts";

onEachDatabase((api) => {
	const runner = protocolRunner(api);

	test("preSeconds goes to the runner and stays with the job", async () => {
		const { id, preSeconds } = await runner.createJob({ preSeconds: 45 });
		expect(preSeconds).toBe(45);
		expect((await runner.sync()).start).toEqual([expect.objectContaining({ id, preSeconds: 45 })]);
		expect((await runner.readJob(id)).preSeconds).toBe(45);
	});

	test("a job for whichever runner fits can begin in the past too", async () => {
		const body = { selector: { display: ":99" }, stopCondition: "interrupt", preSeconds: 5 };
		const { status, body: job } = await api().call("POST", "/v1/jobs", { body });
		expect([status, job.preSeconds]).toEqual([201, 5]);
		await api().call("POST", `/v1/jobs/${job.id}/cancel`);
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
