import { beforeEach, expect, test } from "vitest";
import { TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { firstFrame, protocolRunner, stopped } from "#test/runners/protocol-runner.ts";

/** The length of a poll without events, in seconds: long enough for a busy machine to answer another one first. */
const POLL_SECONDS = 3;

onOneDatabase((api) => {
	const runner = protocolRunner(api);
	/** The runner's own name, while a test has renamed it. */
	let box: string;
	let runnerId: number;
	beforeEach(() => {
		box = runner.name;
		({ runnerId } = runner.session);
	});

	const rename = (id: number, name: unknown) => api().call("PATCH", `/v1/runners/${id}`, { body: { name } });
	const remove = (id: number) => api().call("DELETE", `/v1/runners/${id}`);
	const names = async (query = "?limit=100") =>
		(await api().call("GET", `/v1/runners${query}`)).body.data.map((listed: { name: string }) => listed.name);

	test("a renamed runner that returns under its sign-in name is the same runner and keeps its new name", async () => {
		const renamed = await rename(runnerId, `  nice-${box} `);
		expect([renamed.status, renamed.body.name]).toEqual([200, `nice-${box}`]);
		expect((await api().signIn(box)).runnerId).toBe(runnerId);
		expect((await api().call("GET", `/v1/runners/${runnerId}`)).body.name).toBe(`nice-${box}`);
	});

	test("a name in use is rejected at name, even when two renames race, and so are invalid names", async () => {
		const other = await api().signIn(`${box}-other`);
		const taken = await rename(other.runnerId, box);
		expect([taken.status, taken.body.errors.map(({ path, code }: never) => [path, code])]).toEqual([
			422,
			[["name", "taken"]],
		]);
		const both = await Promise.all([rename(runnerId, `one-${box}`), rename(other.runnerId, `one-${box}`)]);
		expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
		for (const name of ["", " ", "x".repeat(101), "a\nb", 7]) expect((await rename(runnerId, name)).status).toBe(422);
		expect((await rename(999_999, "x")).status).toBe(404);
	});

	test("a new runner whose name is in use by a renamed one gets a number appended", async () => {
		await rename(runnerId, `wanted-${box}`);
		const second = await api().signIn(`wanted-${box}`);
		expect(second.runnerId).not.toBe(runnerId);
		expect((await api().call("GET", `/v1/runners/${second.runnerId}`)).body.name).toBe(`wanted-${box} (2)`);
	});

	test("a removed runner is not listed, cannot be read, gets no jobs, and cannot be removed twice", async () => {
		const both = await Promise.all([remove(runnerId), remove(runnerId)]);
		expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
		expect(await names()).not.toContain(box);
		expect(await names("?removed=true&limit=100")).toContain(box);
		expect((await api().call("GET", `/v1/runners/${runnerId}`)).status).toBe(404);
		expect((await rename(runnerId, "again")).status).toBe(404);
		const refused = await api().call("POST", "/v1/jobs", {
			body: { runnerId, displayId: ":99", stopCondition: "interrupt" },
		});
		expect([refused.status, refused.body.errors[0].path]).toEqual([422, "runnerId"]);
	});

	test("the same token and name return as a new runner", async () => {
		await remove(runnerId);
		const back = await api().signIn(box);
		expect(back.runnerId).not.toBe(runnerId);
		expect(await names()).toContain(box);
	});

	test("queued jobs of a removed runner fail at once as runner_removed", async () => {
		const job = await runner.createJob();
		await remove(runnerId);
		const ended = await runner.readJob(job.id);
		expect([ended.status, ended.stopReason, ended.error?.code]).toEqual(["failed", "runner_removed", "runner_removed"]);
		expect(ended.error?.message).toContain(box);
		expect(await runner.eventTypes(job.id)).toEqual(["created", "runner_removed"]);
	});

	test("a connected runner learns of its removal at once, ends and uploads its recording, and only then is its session over", async () => {
		const job = await runner.createJob();
		await runner.sync();
		await runner.report(job.id, firstFrame);
		const { sessionId } = await api().signIn(`${box}-other`);
		const otherSync = async (waitSeconds: number) =>
			(
				await api().call("POST", "/v1/runner/sync", {
					token: TEST_RUNNER_TOKEN,
					body: { sessionId, jobs: [], waitSeconds },
				})
			).body;
		await otherSync(0);
		// Began earlier, and nothing ends it.
		const other = otherSync(POLL_SECONDS);
		const held = runner.sync([{ id: job.id }], POLL_SECONDS);
		await remove(runnerId);
		expect(await Promise.race([held, other])).toMatchObject({ removed: true, start: [], cancel: [] });
		expect(await other).not.toHaveProperty("removed");
		expect((await runner.readJob(job.id)).status).toBe("recording");
		// Restarted while uploading, with its data directory, it continues.
		expect((await runner.signIn()).runnerId).toBe(runnerId);
		await runner.report(job.id, stopped("runner_removed", { message: "It was removed." }));
		expect((await runner.readJob(job.id)).status).toBe("uploading");
		expect((await runner.sync([{ id: job.id }])).removed).toBe(true);
		await runner.storeRecording(job.id, "live");
		// The runner falls silent before the upload is complete: the uploaded part can be played.
		await runner.sweepLeases();
		expect((await runner.readJob(job.id)).status).toBe("uploading");
		await runner.beSilentFor(31);
		await runner.sweepLeases();
		const ended = await runner.readJob(job.id);
		expect([ended.status, ended.stopReason, ended.recording?.state]).toEqual(["failed", "runner_removed", "partial"]);
		const over = await runner.call("sync", { jobs: [], waitSeconds: 0 });
		expect([over.status, over.body.code]).toEqual([410, "runner_removed"]);
	});

	test("jobs of an offline runner, lost ones included, end at once with what was uploaded", async () => {
		const [running, lost] = [await runner.createJob(), await runner.createJob()];
		await runner.sync();
		await runner.report(running.id, firstFrame);
		await runner.report(lost.id, firstFrame);
		await runner.beSilentFor(31);
		await runner.sweepLeases();
		expect((await runner.readJob(lost.id)).stopReason).toBe("runner_lost");
		await api().app.db.updateTable("job").set({ status: "recording" }).where("id", "=", running.id).execute();
		await remove(runnerId);
		for (const { id } of [running, lost]) {
			const ended = await runner.readJob(id);
			expect([ended.status, ended.error?.code]).toEqual(["failed", "runner_removed"]);
		}
	});

	test("a job created at the moment of the removal fails with the next sweep", async () => {
		const job = await runner.createJob();
		await remove(runnerId);
		await api()
			.app.db.updateTable("job")
			.set({ status: "queued", stopReason: null, endedAt: null })
			.where("id", "=", job.id)
			.execute();
		await runner.sweepLeases();
		expect((await runner.readJob(job.id)).error?.code).toBe("runner_removed");
	});

	test("a runner without jobs learns of its removal by its poll", async () => {
		const held = runner.call("sync", { jobs: [], waitSeconds: 5 });
		await remove(runnerId);
		const { status, body } = await held;
		expect([status, body.code]).toEqual([410, "runner_removed"]);
		expect(body.detail).toContain("was removed");
	});
});
