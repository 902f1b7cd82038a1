import { expect, test, vi } from "vitest";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { firstFrame, protocolRunner, stopped } from "#test/runners/protocol-runner.ts";

const GRID = { gridUrl: "http://127.0.0.1:1", gridUsername: "u", gridPassword: "p" };
const IDLE = { stopCondition: "selenium_idle", stopConditionConfig: GRID };
const OTHER_KEY = "the-key-of-another-job";

onEachDatabase((api) => {
	const runner = protocolRunner(api);

	test("a runner gets each queued job once, with the grid password", async () => {
		const { id } = await runner.createJob(IDLE);
		const { start } = await runner.sync();
		expect(start).toEqual([
			expect.objectContaining({ id, displayId: ":99", cancelRequested: false, stopConditionConfig: GRID }),
		]);
		expect((await runner.readJob(id)).status).toBe("starting");
		expect((await runner.sync([{ id }])).start).toEqual([]);
	});

	test("a job is sent again if the response that carried it was lost", async () => {
		const { id } = await runner.startJob();
		expect((await runner.sync()).start.map((job) => job.id)).toEqual([id]);
	});

	test("a long poll is answered as soon as a job is created or cancelled", async () => {
		const waiting = runner.sync([], 8);
		const { id } = await runner.createJob();
		expect((await waiting).start[0]?.id).toBe(id);
		await runner.report(id, firstFrame);
		const listening = runner.sync([{ id }], 8);
		expect((await runner.cancelJob(id)).status).toBe(202);
		expect((await listening).cancel).toEqual([id]);
		expect((await runner.sync([{ id, cancelSeen: true }])).cancel).toEqual([]);
		expect(await runner.readJob(id)).toMatchObject({ status: "recording", cancelRequestedAt: expect.any(String) });
	});

	test("a poll that finds nothing writes nothing, also while the runner records", async () => {
		const { id } = await runner.startJob();
		await runner.report(id, firstFrame);
		await runner.sync([{ id }]);
		const { lastSeen, db } = api().app;
		await lastSeen.write();
		const commits: string[] = [];
		const transaction = vi.spyOn(db, "transaction").mockImplementation(() => {
			commits.push("a transaction");
			throw new Error("a poll began a transaction");
		});
		try {
			expect(await runner.sync([{ id }])).toEqual({ start: [], cancel: [] });
			expect(commits).toEqual([]);
		} finally {
			transaction.mockRestore();
		}
	});

	test("a runner that is only uploading gets no jobs; they wait for its next start", async () => {
		const { id } = await runner.createJob();
		const answer = await runner.call("sync", { jobs: [], waitSeconds: 0, takesJobs: false });
		expect(answer.body.start).toEqual([]);
		expect((await runner.readJob(id)).status).toBe("queued");
		expect((await runner.sync()).start).toMatchObject([{ id }]);
	});

	test("a restarted runner gets the passwords it asks for at once, and no others", async () => {
		const secret = await runner.createJob(IDLE);
		const plain = await runner.createJob();
		await runner.sync();
		const ask = (wanted: number) =>
			runner.sync(
				[secret, plain].map(({ id }) => ({ id, passwordWanted: id === wanted })),
				8,
			);
		expect((await ask(secret.id)).passwords).toEqual([{ id: secret.id, gridPassword: GRID.gridPassword }]);
		expect((await ask(plain.id)).passwords).toEqual([]);
		expect(await runner.sync([secret, plain].map(({ id }) => ({ id })))).not.toHaveProperty("passwords");
	});

	test("a grid password is kept while more may be captured, even by a silent runner, and then deleted", async () => {
		const [job, cancelled] = [await runner.createJob(IDLE), await runner.createJob(IDLE)];
		const isKept = async ({ id }: { id: number }) => {
			const rows = api().app.db.selectFrom("job").select("gridPasswordSealed").where("id", "=", id);
			return (await rows.executeTakeFirstOrThrow()).gridPasswordSealed !== null;
		};
		expect((await runner.cancelJob(cancelled.id)).status).toBe(202);
		expect(await isKept(cancelled)).toBe(false);
		await runner.sync();
		await runner.report(job.id, firstFrame);
		expect(await isKept(job)).toBe(true);
		await runner.beSilentFor(31);
		await runner.sweepLeases();
		expect((await runner.readJob(job.id)).stopReason).toBe("runner_lost");
		expect(await isKept(job)).toBe(true);
		await runner.report(job.id, stopped("selenium_idle"));
		expect(await runner.readJob(job.id)).toMatchObject({ status: "uploading" });
		expect(await isKept(job)).toBe(false);
	});

	test("a listed job whose id now belongs to another job is forgotten, and the other job is started", async () => {
		const { id, key } = await runner.startJob();
		expect(await runner.sync([{ id, key: OTHER_KEY }], 8)).toMatchObject({
			start: [{ id, key }],
			forgotten: [{ id, key: OTHER_KEY }],
		});
		expect(await runner.sync([{ id, key }])).not.toHaveProperty("forgotten");
	});

	test("only the first poll that a dashboard process answers requests all reports again", async () => {
		const job = await runner.startJob();
		await runner.signIn();
		expect(await runner.sync([job], 8)).toMatchObject({ resendReports: true });
		expect(await runner.sync([job])).not.toHaveProperty("resendReports");
	});
});
