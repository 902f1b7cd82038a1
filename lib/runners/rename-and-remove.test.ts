import { beforeEach, expect, test } from "vitest";
import { contextFor } from "#lib/server/app-context.ts";
import { TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { leaseSweep } from "./expire-leases.ts";

onEachDatabase((api) => {
	let count = 0;
	let box: string;
	let runnerId: number;
	let sessionId: string;
	beforeEach(async () => {
		count += 1;
		box = `crate-${count}`;
		({ runnerId, sessionId } = await api().signIn(box));
	});

	const asRunner = (path: string, body: Record<string, unknown>) =>
		api().call("POST", `/v1/runner/${path}`, { token: TEST_RUNNER_TOKEN, body: { sessionId, ...body } });
	const sync = (jobs: { id: number; cancelSeen: boolean }[] = [], waitSeconds = 0) =>
		asRunner("sync", { jobs, waitSeconds });
	const report = (jobId: number, seq: number, fields: Record<string, unknown>) =>
		asRunner("reports", {
			sentAt: new Date().toISOString(),
			jobs: [{ jobId, seq, at: new Date().toISOString(), ...fields }],
		});
	const firstFrame = { type: "recording", width: 1280, height: 720 };
	const create = async () =>
		(
			await api().call("POST", "/v1/jobs", {
				body: { runnerId, displayId: ":99", stopCondition: "interrupt" },
			})
		).body;
	const read = async (id: number) => (await api().call("GET", `/v1/jobs/${id}`)).body;
	const eventTypes = async (id: number) =>
		(await api().call("GET", `/v1/jobs/${id}/events`)).body.data.map((event: { type: string }) => event.type);
	const rename = (id: number, name: unknown) => api().call("PATCH", `/v1/runners/${id}`, { body: { name } });
	const remove = (id: number) => api().call("DELETE", `/v1/runners/${id}`);
	const names = async (query = "?limit=100") =>
		(await api().call("GET", `/v1/runners${query}`)).body.data.map((runner: { name: string }) => runner.name);
	const sweep = () => leaseSweep(0)(contextFor(api().app, { kind: "system", organizationId: 0 }));
	const setRunner = (values: { lastSeenAt?: number; sessionId?: string | null }) =>
		api().app.db.updateTable("runner").set(values).where("id", "=", runnerId).execute();
	const silentFor = (seconds: number) => setRunner({ lastSeenAt: Date.now() - seconds * 1000 });

	test("a renamed runner that returns under its sign-in name is the same runner and keeps its new name", async () => {
		const renamed = await rename(runnerId, `  nice-${count} `);
		expect([renamed.status, renamed.body.name]).toEqual([200, `nice-${count}`]);
		expect((await api().signIn(box)).runnerId).toBe(runnerId);
		expect((await api().call("GET", `/v1/runners/${runnerId}`)).body.name).toBe(`nice-${count}`);
	});

	test("a name in use is rejected at name, even when two renames race, and so are invalid names", async () => {
		const other = await api().signIn(`${box}-other`);
		const taken = await rename(other.runnerId, box);
		expect([taken.status, taken.body.errors.map(({ path, code }: never) => [path, code])]).toEqual([
			422,
			[["name", "taken"]],
		]);
		const both = await Promise.all([rename(runnerId, `one-${count}`), rename(other.runnerId, `one-${count}`)]);
		expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
		for (const name of ["", " ", "x".repeat(101), "a\nb", 7]) expect((await rename(runnerId, name)).status).toBe(422);
		expect((await rename(999_999, "x")).status).toBe(404);
	});

	test("a new runner whose name is in use by a renamed one gets a number appended", async () => {
		await rename(runnerId, `wanted-${count}`);
		const second = await api().signIn(`wanted-${count}`);
		expect(second.runnerId).not.toBe(runnerId);
		expect((await api().call("GET", `/v1/runners/${second.runnerId}`)).body.name).toBe(`wanted-${count} (2)`);
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
		const job = await create();
		await remove(runnerId);
		const ended = await read(job.id);
		expect([ended.status, ended.stopReason, ended.error.code]).toEqual(["failed", "runner_removed", "runner_removed"]);
		expect(ended.error.message).toContain(box);
		expect(await eventTypes(job.id)).toEqual(["created", "runner_removed"]);
	});

	test("a connected runner learns of its removal at once, ends and uploads its recording, and only then is its session over", async () => {
		const job = await create();
		await sync();
		await report(job.id, 1, firstFrame);
		const listed = [{ id: job.id, cancelSeen: false }];
		const held = sync(listed, 5);
		const since = performance.now();
		await remove(runnerId);
		expect((await held).body).toMatchObject({ removed: true, start: [], cancel: [job.id] });
		expect(performance.now() - since).toBeLessThan(2_000);
		expect((await read(job.id)).status).toBe("recording");
		// Restarted while uploading, with its data directory, it continues.
		const again = await api().signIn(box);
		expect(again.runnerId).toBe(runnerId);
		sessionId = again.sessionId;
		await report(job.id, 2, { type: "stopped", stopReason: "runner_removed", message: "It was removed." });
		expect((await read(job.id)).status).toBe("uploading");
		expect((await sync(listed)).body.removed).toBe(true);
		await api()
			.app.db.insertInto("recording")
			.values({
				organizationId: 1,
				jobId: job.id,
				name: "v",
				state: "live",
				contentType: "video/mp4",
				uploadId: `u${runnerId}`,
				durationSeconds: 3,
				bytes: 9,
				createdAt: 1,
				updatedAt: 1,
			})
			.execute();
		// It falls silent before the upload is complete: what was uploaded plays.
		await sweep();
		expect((await read(job.id)).status).toBe("uploading");
		await silentFor(31);
		await sweep();
		const ended = await read(job.id);
		expect([ended.status, ended.stopReason, ended.recording.state]).toEqual(["failed", "runner_removed", "partial"]);
		const over = await sync();
		expect([over.status, over.body.code]).toEqual([410, "runner_removed"]);
	});

	test("jobs of an offline runner, lost ones included, end at once with what was uploaded", async () => {
		const [running, lost] = [await create(), await create()];
		await sync();
		await report(running.id, 1, firstFrame);
		await report(lost.id, 1, firstFrame);
		await silentFor(31);
		await sweep();
		expect((await read(lost.id)).stopReason).toBe("runner_lost");
		await api().app.db.updateTable("job").set({ status: "recording" }).where("id", "=", running.id).execute();
		await remove(runnerId);
		for (const { id } of [running, lost]) {
			const ended = await read(id);
			expect([ended.status, ended.error.code]).toEqual(["failed", "runner_removed"]);
		}
	});

	test("a job created at the moment of the removal fails with the next sweep", async () => {
		const job = await create();
		await remove(runnerId);
		await api()
			.app.db.updateTable("job")
			.set({ status: "queued", stopReason: null, endedAt: null })
			.where("id", "=", job.id)
			.execute();
		await sweep();
		expect((await read(job.id)).error.code).toBe("runner_removed");
	});

	test("a runner without jobs learns of its removal by its poll", async () => {
		const held = sync([], 5);
		await remove(runnerId);
		const { status, body } = await held;
		expect([status, body.code]).toEqual([410, "runner_removed"]);
		expect(body.detail).toContain("was removed");
	});
});
