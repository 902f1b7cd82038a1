import { expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { recordingStored } from "#lib/lifecycle/settle-job.ts";
import { TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { firstFrame, protocolRunner, stopped } from "#test/runners/protocol-runner.ts";

onEachDatabase((api) => {
	const runner = protocolRunner(api);
	const system = () => contextFor(api().app, { kind: "system", organizationId: 1 });
	/** The dashboard's clock, which on PostgreSQL differs slightly from this machine's clock. */
	const clock = () => api().app.clock.now();
	const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

	/** Shifts the job's history ten seconds into the past. */
	const age = (jobId: number) =>
		api()
			.app.db.updateTable("jobEvent")
			.set((event) => ({ at: event("at", "-", 10_000) }))
			.where("jobId", "=", jobId)
			.execute();

	test("a job goes from its first frame to its stored video, with its timestamps and stop reason", async () => {
		const { id } = await runner.startJob();
		await age(id);
		const [startedAt, stoppedAt] = [ago(5_000), ago(1_000)];
		await runner.report(id, { ...firstFrame, at: startedAt });
		expect(await runner.readJob(id)).toMatchObject({ status: "recording", startedAt });
		const uploading = { jobId: id, status: "uploading" };
		expect(await runner.report(id, stopped("cancelled", { at: stoppedAt }))).toEqual([uploading]);
		expect(await runner.readJob(id)).toMatchObject({
			status: "uploading",
			stopReason: "cancelled",
			stoppedAt,
			endedAt: null,
		});
		await runner.storeRecording(id, "ready");
		await recordingStored(system(), id);
		await recordingStored(system(), id);
		expect(await runner.readJob(id)).toMatchObject({
			status: "completed",
			stopReason: "cancelled",
			error: null,
			recording: { state: "ready", bytes: 9 },
		});
		expect(await runner.eventTypes(id)).toEqual(["created", "starting", "recording", "stopped", "completed"]);
	});

	test("a job whose video is complete before its end is reported completes with that report", async () => {
		const { id } = await runner.startJob();
		await runner.report(id, firstFrame);
		await runner.storeRecording(id, "ready");
		expect((await runner.readJob(id)).status).toBe("recording");
		expect(await runner.report(id, stopped("duration_elapsed"))).toEqual([{ jobId: id, status: "completed" }]);
	});

	test("a failed capture keeps its video: the job fails once that is stored, with the reason as its error", async () => {
		const { id } = await runner.startJob();
		const message = "The display went away. Start it again.";
		await runner.report(id, firstFrame, stopped("display_lost", { message }));
		expect(await runner.readJob(id)).toMatchObject({ status: "uploading", error: null });
		await runner.storeRecording(id, "ready");
		await runner.report(id, stopped("display_lost", { message: "late" }));
		await recordingStored(system(), id);
		expect(await runner.readJob(id)).toMatchObject({
			status: "failed",
			stopReason: "display_lost",
			error: { code: "display_lost", message },
		});
	});

	test("a job that fails before anything was captured says why", async () => {
		const { id } = await runner.startJob();
		const error = { code: "display_unavailable", message: "There is no display :99." };
		await runner.report(id, { type: "failed", ...error });
		expect(await runner.readJob(id)).toMatchObject({ status: "failed", error });
	});

	test("the runner decides a cancel in starting: the job is cancelled if nothing was captured", async () => {
		const { id } = await runner.startJob();
		expect((await runner.cancelJob(id)).status).toBe(202);
		expect((await runner.cancelJob(id)).status).toBe(200);
		expect(await runner.readJob(id)).toMatchObject({ status: "starting", cancelRequestedAt: expect.any(String) });
		await runner.report(id, { type: "cancelled" });
		expect(await runner.readJob(id)).toMatchObject({ status: "cancelled", stopReason: "cancelled", recording: null });
	});

	test("a report from a runner that was thought lost says in the history that it returned, with whatever it comes back", async () => {
		const back = {
			recording: firstFrame,
			stopped: stopped("duration_elapsed"),
			failed: { type: "failed", code: "ffmpeg_failed", message: "It broke." },
		};
		for (const [type, report] of Object.entries(back)) {
			const { id } = await runner.startJob();
			if (type === "stopped") await runner.report(id, firstFrame);
			await runner.beSilentFor(60);
			await runner.sweepLeases();
			expect((await runner.readJob(id)).stopReason).toBe("runner_lost");
			await runner.report(id, report);
			expect(await runner.eventTypes(id)).toEqual(expect.arrayContaining(["runner_lost", "runner_returned", type]));
			await runner.report(id, report);
			expect((await runner.eventTypes(id)).filter((one) => one === "runner_returned")).toHaveLength(1);
		}
	});

	test("a repeated report changes nothing, and neither does a late one", async () => {
		const { id } = await runner.startJob();
		await runner.report(id, firstFrame, stopped("duration_elapsed"));
		const before = [await runner.readJob(id), await runner.eventTypes(id)];
		await runner.report(id, { ...firstFrame, seq: 1 }, stopped("cancelled", { seq: 2 }));
		const failed = { type: "failed", code: "ffmpeg_failed", message: "late" };
		await runner.report(id, firstFrame, { type: "cancelled" }, failed);
		expect([await runner.readJob(id), await runner.eventTypes(id)]).toEqual(before);
	});

	test("reports of another runner's job are ignored", async () => {
		const { id } = await runner.startJob();
		await runner.signIn(`${runner.name}-b`);
		expect(await runner.report(id, firstFrame)).toEqual([{ jobId: id, status: null }]);
		expect((await runner.readJob(id)).status).toBe("starting");
	});

	test("reports and uploads under another key, and uploads without one, do not reach the job with that id", async () => {
		const { id, key } = await runner.startJob();
		const otherKey = "the-key-of-another-job";
		const upload = (jobKey?: string) =>
			api().call("POST", "/v1/uploads", {
				token: TEST_RUNNER_TOKEN,
				headers: {
					"tus-resumable": "1.0.0",
					"tapedeck-session": runner.session.sessionId,
					...(jobKey === undefined ? {} : { "tapedeck-job-key": jobKey }),
					"upload-defer-length": "1",
					"upload-metadata": `jobId ${btoa(String(id))},filetype ${btoa("video/mp4")}`,
				},
			});
		expect(await runner.report(id, { ...firstFrame, jobKey: otherKey })).toEqual([{ jobId: id, status: null }]);
		expect((await upload(otherKey)).status).toBe(403);
		expect((await upload()).status).toBe(403);
		expect((await runner.readJob(id)).status).toBe("starting");
		expect(await runner.report(id, { ...firstFrame, jobKey: key })).toEqual([{ jobId: id, status: "recording" }]);
		expect((await upload(key)).status).toBe(201);
	});

	test("the history is in order, and capture ends after its cause, whenever that was reported", async () => {
		const { id } = await runner.startJob();
		await age(id);
		const [startedAt, stoppedAt] = [ago(9_000), ago(300)];
		await runner.report(id, { ...firstFrame, at: startedAt });
		await runner.cancelJob(id);
		const note = { type: "note", event: "ffmpeg_restarted", message: "late", at: ago(4_000) };
		// The last frame ends slightly before the cancel arrived.
		await runner.report(id, note, stopped("cancelled", { at: stoppedAt }));
		const events = await runner.events(id);
		const times = events.map(({ at }) => at);
		expect(times).toEqual(times.toSorted());
		const types = events.map(({ type }) => type);
		expect(types).toEqual(["created", "starting", "recording", "ffmpeg_restarted", "cancel_requested", "stopped"]);
		expect(await runner.readJob(id)).toMatchObject({ startedAt, stoppedAt });
	});

	test("timestamps are in the dashboard's clock, however wrong the runner's is", async () => {
		const { id, key } = await runner.startJob();
		const wrong = (ms: number) => new Date(ms + 3_600_000).toISOString();
		const now = clock();
		const report = { ...firstFrame, jobId: id, jobKey: key, seq: 1, at: wrong(now - 2_000) };
		await runner.call("reports", { sentAt: wrong(now), jobs: [report] });
		const { startedAt } = await runner.readJob(id);
		// 2 s before the call arrived, which was after it was sent and before it was answered.
		expect(Date.parse(startedAt ?? "")).toBeGreaterThanOrEqual(now - 2_000);
		expect(Date.parse(startedAt ?? "")).toBeLessThanOrEqual(clock() - 2_000);
	});

	test("a delayed report keeps its time if the runner measured the clock difference", async () => {
		const { id, key } = await runner.startJob();
		const [sentAt, at] = [ago(20_000), ago(20_100)];
		const report = { ...firstFrame, jobId: id, jobKey: key, seq: 1, at };
		const before = clock();
		const answer = await runner.call("reports", { sentAt, clockShiftMs: 3, jobs: [report] });
		expect((await runner.readJob(id)).startedAt).toBe(at);
		expect(Date.parse(answer.body.serverTime)).toBeGreaterThanOrEqual(before);
		expect(Date.parse(answer.body.serverTime)).toBeLessThanOrEqual(clock());
	});

	test("a clock difference of centuries is rejected, and the runner's jobs stay readable", async () => {
		const { id, key } = await runner.startJob();
		const at = new Date().toISOString();
		const report = { ...firstFrame, jobId: id, jobKey: key, seq: 1 };
		for (const clockShiftMs of [9e15, -9e15]) {
			const sent = { sentAt: at, clockShiftMs, jobs: [{ ...report, at }] };
			const { status, body } = await runner.call("reports", sent);
			expect([status, body.errors?.[0].path]).toEqual([422, "clockShiftMs"]);
		}
		expect(await runner.eventTypes(id)).toEqual(["created", "starting"]);
		expect((await api().call("GET", "/v1/jobs")).status).toBe(200);
		// A clock that starts at 1970 after each boot is valid.
		const since1970 = new Date(0).toISOString();
		const late = { sentAt: since1970, clockShiftMs: Date.now(), jobs: [{ ...report, at: since1970 }] };
		await runner.call("reports", late);
		expect((await runner.readJob(id)).status).toBe("recording");
	});
});
