import { expect, test } from "vitest";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { firstFrame, protocolRunner } from "#test/runners/protocol-runner.ts";

onEachDatabase((api) => {
	const runner = protocolRunner(api);

	/** Requests the job of a recording that began a minute ago. */
	const request = (fields: object) => {
		const at = new Date(Date.now() - 60_000).toISOString();
		const common = { sentAt: new Date().toISOString(), at, displayId: ":99", stopCondition: "interrupt" };
		return runner.call("jobs", { ...common, key: `key-of-${runner.name}`, ...fields });
	};

	test("a recording that a runner started by itself becomes one job, held by its runner, however often it is requested", async () => {
		const first = await request({ name: "By hand" });
		const second = await request({ name: "By hand" });
		expect([first.status, second.body]).toEqual([201, first.body]);
		const { id } = first.body;
		expect(await runner.readJob(id)).toMatchObject({
			name: "By hand",
			status: "starting",
			stopCondition: "interrupt",
			createdBy: { kind: "runner", name: runner.name },
		});
		expect((await runner.sync()).start).toEqual([]);
		await runner.report(id, { ...firstFrame, jobKey: `key-of-${runner.name}` });
		expect((await runner.readJob(id)).status).toBe("recording");
	});

	test("its stop condition may be a duration, and an invalid one is rejected as in any other job", async () => {
		const rule = { stopCondition: "duration", stopConditionConfig: { durationSeconds: 30 } };
		const { status, body } = await request(rule);
		expect([status, body]).toEqual([201, expect.objectContaining(rule)]);
		expect(await runner.readJob(body.id)).toMatchObject({ status: "starting", ...rule });
		for (const [stopCondition, stopConditionConfig, path] of [
			["duration", {}, "durationSeconds"],
			["selenium_idle", { gridUrl: "ftp://x" }, "gridUrl"],
		]) {
			const refused = await request({ key: "key-of-a-bad-one", stopCondition, stopConditionConfig });
			expect([refused.status, refused.body.errors[0].path]).toEqual([422, `stopConditionConfig.${path}`]);
		}
	});

	test("a lost job is restored under its key, with its start, and its former id in its history", async () => {
		const at = new Date(Date.now() - 60_000).toISOString();
		const { id, key } = (await request({ at, name: "lost", formerId: 77 })).body;
		expect(await runner.readJob(id)).toMatchObject({ name: "lost", status: "starting", createdAt: at });
		expect((await runner.events(id))[0]?.message).toContain("it was job 77");
		expect(await runner.sync([{ id, key }])).not.toHaveProperty("forgotten");
	});

	test("restoring a job that the dashboard still has returns that job", async () => {
		const { id, key } = await runner.startJob();
		expect((await request({ key, formerId: 5 })).body.id).toBe(id);
	});

	test("a lost job whose recording was deleted is not restored, not by another runner either", async () => {
		const job = await runner.startJob();
		await runner.report(job.id, firstFrame);
		const recordingId = await runner.storeRecording(job.id, "live");
		await runner.beSilentFor(60);
		await runner.sweepLeases();
		expect((await api().call("DELETE", `/v1/recordings/${recordingId}`)).status).toBe(204);
		expect(await runner.sync([job], 8)).toMatchObject({ deleted: [job.key] });
		await runner.report(job.id, { type: "stopped", stopReason: "cancelled" });
		expect(await runner.readJob(job.id)).toMatchObject({
			status: "failed",
			stopReason: "runner_lost",
			recording: null,
		});
		await runner.signIn(`${runner.name}-b`);
		const elsewhere = await runner.sync([job], 8);
		expect(elsewhere.deleted).toEqual([job.key]);
		expect(elsewhere).not.toHaveProperty("forgotten");
	});
});
