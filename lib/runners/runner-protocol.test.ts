import { beforeEach, expect, test } from "vitest";
import type { JobReport } from "#lib/contract/runner-protocol.ts";
import { contextFor } from "#lib/server/app-context.ts";
import { TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { leaseSweep } from "./expire-leases.ts";

onEachDatabase((api) => {
	let count = 0;
	let box: string;
	let session: { runnerId: number; sessionId: string };
	const seqs = new Map<number, number>();
	beforeEach(async () => {
		count += 1;
		box = `box-${count}`;
		session = await api().signIn(box);
	});

	const runner = (path: string, body: Record<string, unknown>) =>
		api().call("POST", `/v1/runner/${path}`, {
			token: TEST_RUNNER_TOKEN,
			body: { sessionId: session.sessionId, ...body },
		});
	const sync = async (jobs: { id: number; cancelSeen: boolean }[] = [], waitSeconds = 0) =>
		(await runner("sync", { jobs, waitSeconds })).body;
	const create = async (over: Record<string, unknown> = {}) =>
		(
			await api().call("POST", "/v1/jobs", {
				body: { runnerId: session.runnerId, displayId: ":99", stopCondition: "interrupt", ...over },
			})
		).body;
	const read = async (id: number) => (await api().call("GET", `/v1/jobs/${id}`)).body;
	const eventTypes = async (id: number) =>
		(await api().call("GET", `/v1/jobs/${id}/events`)).body.data.map((event: { type: string }) => event.type);

	type TestReport = Partial<JobReport> & { type: JobReport["type"] };
	/** Sends reports of one job, numbered consecutively. */
	const report = async (jobId: number, ...reports: TestReport[]) => {
		const jobs = reports.map((each) => {
			const seq = each.seq ?? (seqs.get(jobId) ?? 0) + 1;
			seqs.set(jobId, seq);
			return { at: new Date().toISOString(), ...each, jobId, seq };
		});
		return (await runner("reports", { sentAt: new Date().toISOString(), clockShiftMs: 0, jobs })).body.jobs;
	};
	const firstFrame: TestReport = { type: "recording", width: 1280, height: 720 } as TestReport;
	const stopped = (stopReason: string, more = {}): TestReport =>
		({ type: "stopped", stopReason, ...more }) as TestReport;

	/** A recording as lib/recordings would have stored it. */
	const storeVideo = (jobId: number, state: "live" | "ready") =>
		api()
			.app.db.insertInto("recording")
			.values({
				organizationId: 1,
				jobId,
				name: "v",
				state,
				contentType: "video/mp4",
				uploadId: `u${jobId}`,
				durationSeconds: 3,
				bytes: 9,
				createdAt: 1,
				updatedAt: 1,
			})
			.execute();
	/** Shifts the job's history ten seconds into the past. */
	const age = (jobId: number) =>
		api()
			.app.db.updateTable("jobEvent")
			.set((event) => ({ at: event("at", "-", 10_000) }))
			.where("jobId", "=", jobId)
			.execute();
	const expireLeases = () => leaseSweep(0)(contextFor(api().app, { kind: "system", organizationId: 0 }));
	const silentFor = (seconds: number) =>
		api()
			.app.db.updateTable("runner")
			.set({ lastSeenAt: Date.now() - seconds * 1000 })
			.where("id", "=", session.runnerId)
			.execute();

	test("a runner gets each queued job once, with the grid password", async () => {
		const job = await create({
			stopCondition: "selenium_idle",
			stopConditionConfig: { gridUrl: "http://127.0.0.1:1", gridUsername: "u", gridPassword: "p" },
		});
		const { start } = await sync();
		expect(start).toEqual([
			expect.objectContaining({
				id: job.id,
				displayId: ":99",
				cancelRequested: false,
				stopConditionConfig: { gridUrl: "http://127.0.0.1:1", gridUsername: "u", gridPassword: "p" },
			}),
		]);
		expect((await read(job.id)).status).toBe("starting");
		expect((await sync([{ id: job.id, cancelSeen: false }])).start).toEqual([]);
	});

	test("the history is in order, and capture ends after its cause, whenever that was reported", async () => {
		const job = await create();
		await sync();
		await age(job.id);
		const at = (ms: number) => new Date(Date.now() + ms).toISOString();
		const [startedAt, stoppedAt] = [at(-9_000), at(-300)];
		await report(job.id, { ...firstFrame, at: startedAt });
		await api().call("POST", `/v1/jobs/${job.id}/cancel`);
		const note = { type: "note", event: "ffmpeg_restarted", message: "late", at: at(-4_000) } as TestReport;
		// The last frame ends slightly before the cancel arrived.
		await report(job.id, note, stopped("cancelled", { at: stoppedAt }));
		const { data } = (await api().call("GET", `/v1/jobs/${job.id}/events`)).body;
		const times = data.map((event: { at: string }) => event.at);
		expect(times).toEqual(times.toSorted());
		const types: string[] = data.map((event: { type: string }) => event.type);
		expect(types.indexOf("ffmpeg_restarted")).toBeLessThan(types.indexOf("cancel_requested"));
		expect(types.indexOf("cancel_requested")).toBeLessThan(types.indexOf("stopped"));
		expect(await read(job.id)).toMatchObject({ startedAt, stoppedAt });
	});

	test("a restarted runner gets the passwords it asks for at once, and no others", async () => {
		const config = { gridUrl: "http://127.0.0.1:1", gridUsername: "u", gridPassword: "p" };
		const secret = await create({ stopCondition: "selenium_idle", stopConditionConfig: config });
		const plain = await create();
		await sync();
		const ask = async (id: number, passwordWanted: boolean) =>
			(
				await runner("sync", {
					jobs: [secret, plain].map((job) => ({
						id: job.id,
						cancelSeen: false,
						passwordWanted: job.id === id && passwordWanted,
					})),
					waitSeconds: 8,
				})
			).body;
		expect((await ask(secret.id, true)).passwords).toEqual([{ id: secret.id, gridPassword: "p" }]);
		expect((await ask(plain.id, true)).passwords).toEqual([]);
		expect(await sync([secret, plain].map(({ id }) => ({ id, cancelSeen: false })))).not.toHaveProperty("passwords");
	});

	test("a grid password is kept while more may be captured, even by a silent runner, and then deleted", async () => {
		const config = { gridUrl: "http://127.0.0.1:1", gridUsername: "u", gridPassword: "p" };
		const job = await create({ stopCondition: "selenium_idle", stopConditionConfig: config });
		const other = await create({ stopCondition: "selenium_idle", stopConditionConfig: config });
		const isKept = async ({ id }: { id: number }) => {
			const rows = api().app.db.selectFrom("job").select("gridPasswordSealed").where("id", "=", id);
			return (await rows.executeTakeFirstOrThrow()).gridPasswordSealed !== null;
		};
		expect((await api().call("POST", `/v1/jobs/${other.id}/cancel`)).status).toBe(202);
		expect(await isKept(other)).toBe(false);
		await sync();
		await report(job.id, firstFrame);
		expect(await isKept(job)).toBe(true);
		await silentFor(31);
		await expireLeases();
		expect((await read(job.id)).stopReason).toBe("runner_lost");
		expect(await isKept(job)).toBe(true);
		await report(job.id, stopped("selenium_idle"));
		expect(await read(job.id)).toMatchObject({ status: "uploading" });
		expect(await isKept(job)).toBe(false);
	});

	test("a job is sent again if the response that carried it was lost", async () => {
		const job = await create();
		await sync();
		expect((await sync()).start.map((each: { id: number }) => each.id)).toEqual([job.id]);
	});

	test("a long poll is answered as soon as a job is created or cancelled", async () => {
		const waiting = sync([], 8);
		const job = await create();
		expect((await waiting).start[0].id).toBe(job.id);
		await report(job.id, firstFrame);
		const listening = sync([{ id: job.id, cancelSeen: false }], 8);
		expect((await api().call("POST", `/v1/jobs/${job.id}/cancel`)).status).toBe(202);
		expect((await listening).cancel).toEqual([job.id]);
		expect((await sync([{ id: job.id, cancelSeen: true }])).cancel).toEqual([]);
		expect(await read(job.id)).toMatchObject({ status: "recording", cancelRequestedAt: expect.any(String) });
	});

	test("a job goes from its first frame to its stored video, with its timestamps and stop reason", async () => {
		const job = await create();
		await sync();
		await age(job.id);
		const startedAt = new Date(Date.now() - 5_000).toISOString();
		const stoppedAt = new Date(Date.now() - 1_000).toISOString();
		await report(job.id, { ...firstFrame, at: startedAt });
		expect(await read(job.id)).toMatchObject({ status: "recording", startedAt });
		expect(await report(job.id, { ...stopped("cancelled"), at: stoppedAt })).toEqual([
			{ jobId: job.id, status: "uploading" },
		]);
		expect(await read(job.id)).toMatchObject({
			status: "uploading",
			stopReason: "cancelled",
			stoppedAt,
			endedAt: null,
		});
		await storeVideo(job.id, "ready");
		const { recordingStored } = await import("#lib/lifecycle/settle-job.ts");
		await recordingStored(contextFor(api().app, { kind: "system", organizationId: 1 }), job.id);
		await recordingStored(contextFor(api().app, { kind: "system", organizationId: 1 }), job.id);
		expect(await read(job.id)).toMatchObject({
			status: "completed",
			stopReason: "cancelled",
			error: null,
			recording: { state: "ready", bytes: 9 },
		});
		expect(await eventTypes(job.id)).toEqual(["created", "starting", "recording", "stopped", "completed"]);
	});

	test("a job whose video is complete before its end is reported completes with that report", async () => {
		const job = await create();
		await sync();
		await report(job.id, firstFrame);
		await storeVideo(job.id, "ready");
		expect((await read(job.id)).status).toBe("recording");
		expect(await report(job.id, stopped("duration_elapsed"))).toEqual([{ jobId: job.id, status: "completed" }]);
	});

	test("a failed capture keeps its video: the job fails once that is stored, with the reason as its error", async () => {
		const job = await create();
		await sync();
		await report(job.id, firstFrame, stopped("display_lost", { message: "The display went away. Start it again." }));
		expect(await read(job.id)).toMatchObject({ status: "uploading", error: null });
		await storeVideo(job.id, "ready");
		await report(job.id, stopped("display_lost", { message: "late" }));
		const { recordingStored } = await import("#lib/lifecycle/settle-job.ts");
		await recordingStored(contextFor(api().app, { kind: "system", organizationId: 1 }), job.id);
		expect(await read(job.id)).toMatchObject({
			status: "failed",
			stopReason: "display_lost",
			error: { code: "display_lost", message: "The display went away. Start it again." },
		});
	});

	test("a repeated report changes nothing, and neither does a late one", async () => {
		const job = await create();
		await sync();
		await report(job.id, firstFrame, stopped("duration_elapsed"));
		const before = [await read(job.id), await eventTypes(job.id)];
		await report(job.id, { ...firstFrame, seq: 1 }, { ...stopped("cancelled"), seq: 2 });
		await report(job.id, firstFrame, { type: "cancelled" }, {
			type: "failed",
			code: "ffmpeg_failed",
			message: "late",
		} as TestReport);
		expect([await read(job.id), await eventTypes(job.id)]).toEqual(before);
	});

	test("the runner decides a cancel in starting: the job is cancelled if nothing was captured", async () => {
		const job = await create();
		await sync();
		expect((await api().call("POST", `/v1/jobs/${job.id}/cancel`)).status).toBe(202);
		expect((await api().call("POST", `/v1/jobs/${job.id}/cancel`)).status).toBe(200);
		expect(await read(job.id)).toMatchObject({ status: "starting", cancelRequestedAt: expect.any(String) });
		await report(job.id, { type: "cancelled" });
		expect(await read(job.id)).toMatchObject({ status: "cancelled", stopReason: "cancelled", recording: null });
	});

	test("a job that fails before anything was captured says why", async () => {
		const job = await create();
		await sync();
		await report(job.id, {
			type: "failed",
			code: "display_unavailable",
			message: "There is no display :99.",
		} as TestReport);
		expect(await read(job.id)).toMatchObject({
			status: "failed",
			error: { code: "display_unavailable", message: "There is no display :99." },
		});
	});

	test("timestamps are in the dashboard's clock, however wrong the runner's is", async () => {
		const job = await create();
		await sync();
		const wrong = (ms: number) => new Date(ms + 3_600_000).toISOString();
		const now = Date.now();
		await runner("reports", {
			sentAt: wrong(now),
			jobs: [{ ...firstFrame, jobId: job.id, seq: 1, at: wrong(now - 2_000) }],
		});
		const startedAt = Date.parse((await read(job.id)).startedAt);
		expect(Math.abs(startedAt - (now - 2_000))).toBeLessThan(1_000);
	});

	test("a delayed report keeps its time if the runner measured the clock difference", async () => {
		const job = await create();
		await sync();
		const sent = Date.now() - 20_000;
		const answer = await runner("reports", {
			sentAt: new Date(sent).toISOString(),
			clockShiftMs: 3,
			jobs: [{ ...firstFrame, jobId: job.id, seq: 1, at: new Date(sent - 100).toISOString() }],
		});
		expect(Date.parse((await read(job.id)).startedAt)).toBe(sent - 100);
		expect(Math.abs(Date.parse(answer.body.serverTime) - Date.now())).toBeLessThan(5_000);
	});

	test("a clock difference of centuries is rejected, and the runner's jobs stay readable", async () => {
		const job = await create();
		await sync();
		const at = new Date().toISOString();
		const reports = [{ ...firstFrame, jobId: job.id, seq: 1, at }];
		for (const clockShiftMs of [9e15, -9e15]) {
			const { status, body } = await runner("reports", { sentAt: at, clockShiftMs, jobs: reports });
			expect([status, body.errors?.[0].path]).toEqual([422, "clockShiftMs"]);
		}
		expect(await eventTypes(job.id)).toEqual(["created", "starting"]);
		expect((await api().call("GET", "/v1/jobs")).status).toBe(200);
		// A clock that starts at 1970 after each boot is valid.
		const since1970 = { sentAt: new Date(0).toISOString(), clockShiftMs: Date.now() };
		await runner("reports", { ...since1970, jobs: [{ ...reports[0], at: new Date(0).toISOString() }] });
		expect((await read(job.id)).status).toBe("recording");
	});

	test("a runner that is silent for 30 s loses its jobs, and resumes them when it returns", async () => {
		const recording = await create();
		const uploading = await create();
		const starting = await create();
		await sync();
		await report(recording.id, firstFrame);
		await report(uploading.id, firstFrame, stopped("duration_elapsed"));
		await storeVideo(recording.id, "live");
		await silentFor(29);
		await expireLeases();
		expect((await read(recording.id)).status).toBe("recording");
		await silentFor(31);
		await expireLeases();
		for (const { id } of [recording, uploading, starting]) {
			expect(await read(id)).toMatchObject({
				status: "failed",
				stopReason: "runner_lost",
				error: { code: "runner_lost" },
			});
		}
		expect((await read(recording.id)).recording.state).toBe("partial");
		expect((await api().call("POST", `/v1/jobs/${recording.id}/cancel`)).status).toBe(202);
		const jobs = [recording, uploading, starting].map(({ id }) => ({ id, cancelSeen: false }));
		expect((await sync(jobs)).cancel).toContain(recording.id);
		expect(await read(recording.id)).toMatchObject({
			status: "recording",
			stopReason: null,
			error: null,
			endedAt: null,
		});
		expect(await read(uploading.id)).toMatchObject({ status: "uploading", stopReason: "duration_elapsed" });
		await report(starting.id, firstFrame);
		expect(await read(starting.id)).toMatchObject({ status: "recording", stopReason: null });
	});

	test("leases restart with the dashboard", async () => {
		const job = await create();
		await sync();
		await report(job.id, firstFrame);
		await silentFor(300);
		await leaseSweep(Date.now() - 10_000)(contextFor(api().app, { kind: "system", organizationId: 0 }));
		expect((await read(job.id)).status).toBe("recording");
	});

	test("a runner that returns without its data is the same runner, and its jobs are declared lost at once", async () => {
		const job = await create();
		await sync();
		await report(job.id, firstFrame);
		await runner("sign-out", {});
		const before = session.runnerId;
		session = await api().signIn(box, [], "another-data-directory");
		expect(session.runnerId).toBe(before);
		await sync();
		expect(await read(job.id)).toMatchObject({ status: "failed", stopReason: "runner_lost" });
	});

	test("a second live process under the same name is rejected with a message that says so", async () => {
		const waiting = sync([], 8);
		const body = { name: box, version: "1", instanceId: "somebody-else", displays: [] };
		const answer = await api().call("POST", "/v1/runner/sign-in", { token: TEST_RUNNER_TOKEN, body });
		expect([answer.status, answer.body.code]).toEqual([409, "runner_name_taken"]);
		expect(answer.body.detail).toContain(box);
		await create();
		await waiting;
	});

	test("a runner that signs in again replaces its predecessor, whose requests are rejected", async () => {
		const old = session.sessionId;
		session = await api().signIn(box);
		const answer = await runner("sync", { sessionId: old, jobs: [], waitSeconds: 0 });
		expect([answer.status, answer.body.code]).toEqual([409, "session_superseded"]);
		expect((await sync()).start).toEqual([]);
	});

	test("reports of another runner's jobs are ignored", async () => {
		const other = session;
		const theirs = await create();
		await sync();
		session = await api().signIn(`${box}-b`);
		await report(theirs.id, firstFrame);
		session = other;
		expect((await read(theirs.id)).status).toBe("starting");
	});

	test("an auto-record job reported twice under its key is one job, held by its runner", async () => {
		const body = {
			sentAt: new Date().toISOString(),
			key: "auto-key-1",
			displayId: ":99",
			at: new Date(Date.now() - 60_000).toISOString(),
			stopCondition: "interrupt",
		};
		const first = await runner("jobs", body);
		const second = await runner("jobs", body);
		expect([first.status, second.body]).toEqual([201, first.body]);
		expect(await read(first.body.id)).toMatchObject({
			status: "starting",
			stopCondition: "interrupt",
			createdBy: { kind: "runner", name: box },
		});
		expect((await sync()).start).toEqual([]);
		await report(first.body.id, firstFrame);
		expect((await read(first.body.id)).status).toBe("recording");
	});

	test("an auto-record job with a bad grid is rejected like any other", async () => {
		const answer = await runner("jobs", {
			sentAt: new Date().toISOString(),
			key: "auto-key-2",
			displayId: ":99",
			at: new Date().toISOString(),
			stopCondition: "selenium_idle",
			stopConditionConfig: { gridUrl: "ftp://x" },
		});
		expect(answer.status).toBe(422);
		expect(answer.body.errors[0].path).toBe("stopConditionConfig.gridUrl");
	});

	test("displays appear and disappear with the reports, and a runner that signs out is offline at once", async () => {
		await runner("reports", {
			sentAt: new Date().toISOString(),
			displays: [{ id: ":7", width: 800, height: 600 }],
			jobs: [],
		});
		const online = await api().call("GET", `/v1/runners/${session.runnerId}`);
		expect(online.body).toMatchObject({ state: "online", displays: [{ id: ":7", width: 800, height: 600 }] });
		await runner("sign-out", {});
		expect((await api().call("GET", `/v1/runners/${session.runnerId}`)).body.state).toBe("offline");
	});

	test("runner endpoints accept only runner tokens", async () => {
		for (const path of ["sign-in", "sync", "reports", "jobs", "sign-out"]) {
			expect((await api().call("POST", `/v1/runner/${path}`, { body: {} })).status).toBe(403);
			expect((await api().call("POST", `/v1/runner/${path}`, { token: null, body: {} })).status).toBe(401);
		}
	});

	test("a runner token can be checked without signing in", async () => {
		const before = await api().call("GET", "/v1/runners");
		const answer = await api().call("GET", "/v1/runner", { token: TEST_RUNNER_TOKEN });
		expect(answer.status).toBe(200);
		expect(answer.body.organizationId).toBe(1);
		expect(Math.abs(Date.parse(answer.body.serverTime) - Date.now())).toBeLessThan(5_000);
		expect((await api().call("GET", "/v1/runners")).body.data.length).toBe(before.body.data.length);
		expect((await api().call("GET", "/v1/runner")).status).toBe(403);
	});

	test("a recording that a runner started by itself may have a fixed duration", async () => {
		const at = new Date().toISOString();
		const fields = { sentAt: at, at, key: `key-of-${box}`, displayId: ":99", name: "By hand" };
		const answer = await runner("jobs", {
			...fields,
			stopCondition: "duration",
			stopConditionConfig: { durationSeconds: 30 },
		});
		expect(answer.status).toBe(201);
		expect(answer.body).toMatchObject({ stopCondition: "duration", stopConditionConfig: { durationSeconds: 30 } });
		expect(await read(answer.body.id)).toMatchObject({
			status: "starting",
			name: "By hand",
			stopCondition: "duration",
		});
		const bad = await runner("jobs", {
			...fields,
			key: `bad-of-${box}`,
			stopCondition: "duration",
			stopConditionConfig: {},
		});
		expect(bad.status).toBe(422);
	});
});
