import { readFile } from "node:fs/promises";
import type { ReportedSession } from "@tapedeck/contract/session.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#test/api-client.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { type ScriptedRunner, scriptRunner } from "#test/runners/scripted-runner.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

const VIDEO_SECONDS = 4;
let video: Buffer;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4", VIDEO_SECONDS));
});
afterAll(removeTestFolder);

const reported = (
	runner: ScriptedRunner,
	jobId: number,
	type: "session_started" | "session_ended",
	session: Partial<ReportedSession>,
) => runner.report(jobId, { type, message: "It did.", session: session as ReportedSession });

onEachDatabase((api) => {
	const dashboard = () => ({
		url: api().url,
		runnerToken: TEST_RUNNER_TOKEN,
		api: connect(api().url, TEST_API_KEY),
	});
	const get = (path: string) => api().call("GET", path);

	test("a session is found by its id while it is recorded and afterwards, and is a chapter of the recording", async () => {
		const runner = await scriptRunner(dashboard(), "runner of sessions");
		const sessionId = "a/session with ?%";
		const path = `/v1/sessions/${encodeURIComponent(sessionId)}`;
		expect((await get(path)).status).toBe(404);
		const jobId = await runner.record("Two tests");
		await reported(runner, jobId, "session_started", {
			...{ sessionId, name: "<b>login</b> works" },
			capabilities: { browserName: "chrome", "se:build": "123" },
		});
		// Seen again by a runner that restarted.
		await reported(runner, jobId, "session_started", { sessionId, name: "login works", capabilities: {} });
		await reported(runner, jobId, "session_started", { sessionId: "without a name" });
		const running = await get(path);
		expect([running.status, running.body]).toMatchObject([
			202,
			{ sessionId, name: "<b>login</b> works", state: "recording", reason: null, jobId, endedAt: null },
		]);
		await runner.send(jobId, 0, video, video.length);
		await reported(runner, jobId, "session_ended", { sessionId });
		await runner.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
		const job = await dashboard().api.waitFor(jobId, "playable");
		const recordingId = job.recording?.id;
		const found = await get(path);
		expect([found.status, found.body]).toMatchObject([
			200,
			{
				...{ sessionId, state: "recorded", recordingId, endedAt: expect.any(String) },
				url: expect.stringMatching(new RegExp(`/recordings/${recordingId}\\?t=${found.body.offsetSeconds}$`)),
				capabilities: { browserName: "chrome", "se:build": "123" },
			},
		]);
		const { sessions } = (await get(`/v1/recordings/${recordingId}`)).body;
		const { sessionId: id, name, startedAt, endedAt, offsetSeconds } = found.body;
		expect(sessions).toEqual([
			{ sessionId: id, name, startedAt, endedAt, offsetSeconds },
			expect.objectContaining({ sessionId: "without a name", name: null, endedAt: null }),
		]);
		const chapters = (await get(`/v1/recordings/${recordingId}/markers`)).body.data;
		expect(chapters).toMatchObject([
			{ kind: "session", label: "<b>login</b> works", offsetSeconds },
			{ kind: "session", label: "Session without a name" },
		]);
		await api().call("DELETE", `/v1/recordings/${recordingId}`);
		expect((await get(path)).body).toMatchObject({ state: "recorded", recordingId: null, url: null });
		await runner.stop();
	});

	test("a session names and labels its recording where nobody else has, and its name is found", async () => {
		const runner = await scriptRunner(dashboard(), "runner of session capabilities");
		const until = { stopCondition: "selenium_session", stopConditionConfig: { gridUrl: "http://grid:4444" } } as const;
		const { body: unnamed } = await api().call("POST", "/v1/jobs", {
			body: { ...until, runnerId: runner.runnerId, displayId: ":77", labels: { branch: "main" } },
		});
		await runner.stop();
		const again = await scriptRunner(dashboard(), "runner of session capabilities");
		await again.take();
		const named = await again.record("Named by a person", until);
		const note = { name: "login works", labels: { build: "7", branch: "other" }, capabilities: {} };
		for (const [jobId, sessionId] of [
			[unnamed.id, "wish 1"],
			[named, "wish 2"],
		]) {
			await reported(again, jobId, "session_started", { sessionId, ...note });
		}
		expect((await get(`/v1/jobs/${unnamed.id}`)).body).toMatchObject({
			name: "login works",
			labels: { build: "7", branch: "main" },
		});
		expect((await get(`/v1/jobs/${named}`)).body).toMatchObject({
			name: "Named by a person",
			labels: { build: "7", branch: "other" },
		});
		const found = (await get("/v1/jobs?q=login%20works")).body.data.map(({ id }: { id: number }) => id);
		expect(found).toContain(unnamed.id);
		await again.stop();
	});

	const resultsOf = async (jobId: number): Promise<TestResult[]> =>
		(await get(`/v1/tests?jobId=${jobId}`)).body.data.sort((a: TestResult, b: TestResult) => a.id - b.id);
	const say = (sessionId: string, body: object) =>
		api().call("PATCH", `/v1/sessions/${encodeURIComponent(sessionId)}`, { body });

	test("each named session of a recording is a test with what became of it, and its failure is where it was said", async () => {
		const runner = await scriptRunner(dashboard(), "runner of outcomes");
		const jobId = await runner.record("A run of two tests");
		for (const [sessionId, name] of [
			["o1", "login works"],
			["o2", "pays"],
		] as const) {
			await reported(runner, jobId, "session_started", { sessionId, name });
		}
		expect(await resultsOf(jobId)).toEqual([]);
		const said = await say("o1", { outcome: "failed", message: "\u001b[31mno menu\u001b[0m" });
		expect([said.status, said.body]).toMatchObject([200, { sessionId: "o1", outcome: "failed", message: "no menu" }]);
		await reported(runner, jobId, "session_ended", { sessionId: "o1" });
		const [login, ...others] = await resultsOf(jobId);
		expect(others).toEqual([]);
		expect(login).toMatchObject({ test: "login works", outcome: "failed", message: "no menu" });
		await runner.send(jobId, 0, video, video.length);
		expect((await get("/v1/sessions/o1")).body.url).toMatch(new RegExp(`/recordings/\\d+\\?result=${login?.id}$`));
		// The other has what became of the job, which may be said later.
		await api().call("PATCH", `/v1/jobs/${jobId}`, { body: { outcome: "passed" } });
		expect((await resultsOf(jobId)).map(({ test, outcome }) => [test, outcome])).toEqual([
			["login works", "failed"],
			["pays", "passed"],
		]);
		expect((await get(`/v1/jobs/${jobId}`)).body.outcome).toBe("passed");
		// Said again: the later one counts.
		await say("o1", { outcome: "passed" });
		expect((await resultsOf(jobId))[0]).toMatchObject({
			...{ outcome: "passed", message: null, changes: [{ outcome: "failed" }] },
		});
		await runner.stop();
	});

	test("a recording of one session has its outcome, and nobody else can say it", async () => {
		const runner = await scriptRunner(dashboard(), "runner of one outcome");
		const until = { stopCondition: "selenium_session", stopConditionConfig: { gridUrl: "http://grid:4444" } } as const;
		const own = await runner.record("A session's own", until);
		const around = await runner.record("Around it");
		for (const jobId of [own, around]) await reported(runner, jobId, "session_started", { sessionId: "o3", name: "x" });
		expect((await say("o3", { outcome: "error" })).status).toBe(200);
		expect((await get(`/v1/jobs/${own}`)).body.outcome).toBe("error");
		expect((await get(`/v1/jobs/${around}`)).body.outcome).toBeNull();
		for (const jobId of [own, around]) expect(await resultsOf(jobId)).toMatchObject([{ test: "x", outcome: "error" }]);
		expect((await say("o3", { outcome: null })).body.outcome).toBeNull();
		expect(await resultsOf(own)).toEqual([]);
		const refused = await Promise.all([
			say("unknown", { outcome: "passed" }),
			say("o3", { outcome: "great" }),
			say("o3", {}),
			say("o3", { outcome: "passed", more: 1 }),
		]);
		expect(refused.map(({ status }) => status)).toEqual([404, 422, 422, 422]);
		await runner.stop();
	});

	test("the recording made for a session is found if several hold it", async () => {
		const runner = await scriptRunner(dashboard(), "runner of both");
		const sessionId = "of two jobs";
		const until = { stopCondition: "selenium_session", stopConditionConfig: { gridUrl: "http://grid:4444" } } as const;
		const own = await runner.record("Its own", until);
		const other = await runner.record("The whole run");
		for (const jobId of [own, other]) await reported(runner, jobId, "session_started", { sessionId });
		for (const jobId of [own, other]) await runner.send(jobId, 0, video);
		expect((await get(`/v1/sessions/${encodeURIComponent(sessionId)}`)).body.jobId).toBe(own);
		await runner.stop();
	});

	test("reports that describe no session are kept as events only, and a job has at most 500 sessions", async () => {
		const runner = await scriptRunner(dashboard(), "runner of many");
		const jobId = await runner.record("Many");
		await reported(runner, jobId, "session_started", { sessionId: "" });
		await reported(runner, jobId, "session_started", { name: "no id" });
		await reported(runner, jobId, "session_ended", { sessionId: "never began" });
		await reported(runner, jobId, "session_started", {
			...{ sessionId: "odd", name: "x".repeat(300) },
			capabilities: { "se:name": "y".repeat(1_000) },
		});
		const at = new Date().toISOString();
		const notes = Array.from({ length: 510 }, (_, index) => index);
		for (const index of notes) {
			if (index % 100 === 0)
				await Promise.all(
					notes
						.slice(index, index + 100)
						.map((one) => reported(runner, jobId, "session_started", { sessionId: `s${one} ${at}` })),
				);
		}
		await runner.send(jobId, 0, video);
		const job = await dashboard().api.readJob(jobId);
		const { sessions } = (await get(`/v1/recordings/${job.recording?.id}`)).body;
		expect(sessions).toHaveLength(500);
		expect(sessions[0]).toMatchObject({ sessionId: "odd", name: null });
		expect((await get("/v1/sessions/odd")).body.capabilities).toEqual({});
		await runner.stop();
	});

	test("sessions without a recording are counted and listed with the reason", async () => {
		const before = (await get("/v1/coverage?days=1")).body;
		const runner = await scriptRunner(dashboard(), "runner of coverage");
		const seen = (sessionId: string, more: object = {}) => ({
			...{ sessionId, name: null, node: "http://own:5555", startedAt: new Date().toISOString(), endedAt: null },
			...{ reason: "recording_failed", ...more },
		});
		const jobId = await runner.record("Covered");
		await runner.saw([seen("covered"), seen("refused", { name: "no video", reason: "not_wanted" })]);
		await reported(runner, jobId, "session_started", { sessionId: "covered" });
		await runner.saw([seen("elsewhere", { node: "http://other:5555", reason: null })]);
		// Repeated, from a later version, and unreadable.
		await runner.saw([
			seen("refused", { reason: "not_wanted" }),
			seen("later", { reason: "of_tomorrow" }),
			{ sessionId: 7 },
		]);
		const old = new Date(Date.now() - 2 * 86_400_000).toISOString();
		await runner.saw([seen("long ago", { startedAt: old })]);
		const { body } = await get("/v1/coverage?days=1&limit=2");
		expect([body.seen - before.seen, body.recorded - before.recorded, body.missed - before.missed]).toEqual([4, 1, 3]);
		expect(body.data).toMatchObject([
			{ sessionId: "later", reason: "recording_failed" },
			{ sessionId: "elsewhere", reason: "no_runner", node: "http://other:5555", runnerId: runner.runnerId },
		]);
		const next = (await get(`/v1/coverage?days=1&limit=2&cursor=${body.nextCursor}`)).body;
		expect(next.data[0]).toMatchObject({ sessionId: "refused", reason: "not_wanted" });
		expect((await get("/v1/sessions/refused")).body).toMatchObject({
			state: "not_recorded",
			reason: "not_wanted",
			url: null,
		});
		expect((await get("/v1/coverage?days=3")).body.missed).toBeGreaterThan(body.missed);
		expect((await get("/v1/coverage?days=0")).status).toBe(422);
		// The runner that recorded this node is gone now.
		await reported(runner, jobId, "session_started", { sessionId: "on its node" });
		await runner.saw([seen("on its node", { node: "http://left:5555" })]);
		await runner.stop();
		const other = await scriptRunner(dashboard(), "runner beside another node");
		await other.saw([seen("missed", { node: "http://left:5555", reason: null })]);
		expect((await get("/v1/coverage?days=1&limit=1")).body.data).toMatchObject([{ reason: "runner_offline" }]);
		await other.stop();
	});

	test("a session that is known by its slot alone is counted once, and by the runner of its node while that is online", async () => {
		const before = (await get("/v1/coverage?days=1")).body;
		const counts = async () => {
			const { seen, recorded, missed } = (await get("/v1/coverage?days=1")).body;
			return [seen - before.seen, recorded - before.recorded, missed - before.missed];
		};
		const node = "http://brief:5555";
		const [own, other] = [
			await scriptRunner(dashboard(), "runner of its node"),
			await scriptRunner(dashboard(), "runner of another node"),
		];
		const short = (at: number, reason: string | null) => {
			const startedAt = new Date(Date.UTC(2026, 2, 1) + at).toISOString();
			const sessionId = `short:6e1f0a52-6a3b-4f0e-9d0c-3c1b7f0f8a11/0b7a1f6e-52c4-4e55-8a0e-6c9f1d2b3a44@${startedAt}`;
			const times = { startedAt: new Date().toISOString(), endedAt: new Date().toISOString() };
			return { sessionId, name: "Short session (chrome)", node, ...times, reason };
		};
		// Nobody records the node yet.
		await other.saw([short(1, null)]);
		await own.saw([short(1, "display_unavailable")]);
		expect(await counts()).toEqual([1, 0, 1]);
		expect((await get("/v1/coverage?days=1&limit=1")).body.data).toMatchObject([
			{ ...short(1, "display_unavailable"), startedAt: expect.any(String), endedAt: expect.any(String) },
		]);
		const found = (await get(`/v1/sessions/${encodeURIComponent(short(1, null).sessionId)}`)).body;
		expect(found).toMatchObject({ state: "not_recorded", reason: "display_unavailable" });
		// Its runner recorded it with its own id.
		const jobId = await own.record("Brief");
		await reported(own, jobId, "session_started", { sessionId: "brief" });
		await own.saw([{ ...short(2, "recording_failed"), sessionId: "brief" }]);
		await other.saw([short(2, null)]);
		expect(await counts()).toEqual([2, 1, 1]);
		// It recorded one whose id it did not see either.
		await reported(own, jobId, "session_started", { sessionId: short(3, null).sessionId });
		await own.saw([short(3, "recording_failed")]);
		expect(await counts()).toEqual([3, 2, 1]);
		await own.stop();
		await other.saw([short(4, null)]);
		expect(await counts()).toEqual([4, 2, 2]);
		await other.stop();
	});

	test("ids that no grid can have are not found", async () => {
		for (const id of ["x".repeat(201), "%00", "%ED%A0%80", "%2e%2e%2f"]) {
			expect((await get(`/v1/sessions/${id}`)).status).toBe(404);
		}
	});
});
