/** Labels, outcome, keep policy and cap of jobs and recordings, by API. */
import type { Labels } from "@tapedeck/contract/labels.ts";
import { afterAll, expect, test } from "vitest";
import { TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { firstFrame, protocolRunner, stopped } from "#test/runners/protocol-runner.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

afterAll(removeTestFolder);

onOneDatabase((api) => {
	const runner = protocolRunner(api);
	const change = (jobId: number, body: object) => api().call("PATCH", `/v1/jobs/${jobId}`, { body });
	/** A job of this runner whose recording is stored. */
	const recorded = async (over: object = {}) => {
		const { id } = await runner.startJob(over);
		await runner.report(id, firstFrame);
		await runner.report(id, stopped("cancelled"));
		const recordingId = await runner.storeRecording(id, "ready");
		return { id, recordingId };
	};
	/** The time by the dashboard's clock, which on PostgreSQL is not exactly this machine's. */
	const now = () => api().app.clock.now();
	const labelRows = (jobId: number) =>
		api().app.db.selectFrom("jobLabel").select(["key", "value"]).where("jobId", "=", jobId).orderBy("key").execute();

	test("labels are set at creation, merged by PATCH, and removed by null, in the job and its index", async () => {
		const { id, labels } = await runner.createJob({ labels: { build: "123", branch: "main" } });
		expect(labels).toEqual({ build: "123", branch: "main" });
		const { body } = await change(id, { labels: { branch: null, team: "web" } });
		expect(body.labels).toEqual({ build: "123", team: "web" });
		expect(await labelRows(id)).toEqual([
			{ key: "build", value: "123" },
			{ key: "team", value: "web" },
		]);
		expect((await runner.readJob(id)).labels).toEqual({ build: "123", team: "web" });
	});

	test("a change of a job reaches its recording, and a change of the recording its job", async () => {
		const { id, recordingId } = await recorded({ labels: { build: "7" } });
		await change(id, { name: "Renamed", labels: { build: "8" }, outcome: "failed", pinned: true });
		const path = `/v1/recordings/${recordingId}`;
		expect((await api().call("GET", path)).body).toMatchObject({
			name: "Renamed",
			labels: { build: "8" },
			outcome: "failed",
			pinned: true,
		});
		await api().call("PATCH", path, { body: { labels: { build: "9" }, outcome: null, pinned: false } });
		expect(await runner.readJob(id)).toMatchObject({ labels: { build: "9" }, outcome: null, pinned: false });
		expect(await runner.eventTypes(id)).toEqual(expect.arrayContaining(["outcome", "labels"]));
	});

	test("the result of the recorded command becomes the outcome of a job and its recording, with a marker for each test", async () => {
		const ended = (outcome: string) =>
			({ type: "command_ended", message: "The command ended with status 1.", outcome }) as const;
		const { id, recordingId } = await recorded();
		await runner.report(id, ended("failed"));
		expect(await runner.readJob(id)).toMatchObject({ outcome: "failed" });
		expect((await api().call("GET", `/v1/recordings/${recordingId}`)).body).toMatchObject({ outcome: "failed" });
		expect(await runner.eventTypes(id)).toEqual(expect.arrayContaining(["command_ended", "outcome"]));
		const markers = [
			{ label: "pays", kind: "fail", message: "a\u001b[0m\nb".padEnd(20_000, "x"), offsetSeconds: 1.5 },
			{ label: "cart", kind: "pass", message: 7, offsetSeconds: 2 },
			{ label: "of a later version", kind: "new", offsetSeconds: 1 },
			{ label: "", kind: "pass", offsetSeconds: 1 },
		];
		await runner.report(id, { ...ended("failed"), markers });
		expect((await api().call("GET", `/v1/jobs/${id}/markers`)).body.data).toMatchObject([
			{ label: "pays", kind: "fail", message: expect.stringMatching(/^a\nbx+\n… \(cut: /), offsetSeconds: 1.5 },
			{ label: "cart", kind: "pass", message: null, offsetSeconds: 2 },
		]);
		const { body: history } = await api().call("GET", `/v1/jobs/${id}/events`);
		const notes = history.data.filter(({ type }: { type: string }) => type === "command_ended");
		// They have a list of their own.
		expect(notes.at(-1).data).toEqual({ outcome: "failed", markers: 2 });
		await runner.report(id, ended("an outcome of a later version"));
		expect(await runner.readJob(id)).toMatchObject({ outcome: "failed" });
	});

	test("the result of a command replaces what a marker or a reporter set while it ran, and not what is set afterwards", async () => {
		const ended = (at: number) => {
			const message = "The command ended with status 0.";
			return { type: "command_ended", message, outcome: "passed", at: new Date(at).toISOString() };
		};
		const marked = await recorded();
		await api().call("POST", `/v1/jobs/${marked.id}/markers`, { body: { label: "flaky", kind: "fail" } });
		expect((await runner.readJob(marked.id)).outcome).toBe("failed");
		await runner.report(marked.id, ended(now()));
		expect((await runner.readJob(marked.id)).outcome).toBe("passed");
		expect((await api().call("GET", `/v1/recordings/${marked.recordingId}`)).body.outcome).toBe("passed");

		const reported = await recorded();
		await change(reported.id, { outcome: "failed" });
		await runner.report(reported.id, ended(now()));
		expect((await runner.readJob(reported.id)).outcome).toBe("passed");

		// The runner had no connection, and a person was faster.
		const corrected = await recorded();
		await change(corrected.id, { outcome: "skipped" });
		await runner.report(corrected.id, ended(now() - 10_000));
		expect((await runner.readJob(corrected.id)).outcome).toBe("skipped");
	});

	test("fail markers set no outcome while the job runs if one is expected, and count if it does not come", async () => {
		const { id } = await runner.startJob({ outcomeExpected: true });
		await runner.report(id, firstFrame);
		const recordingId = await runner.storeRecording(id, "live");
		await api().call("POST", `/v1/jobs/${id}/markers`, { body: { label: "pays", kind: "fail" } });
		expect((await runner.readJob(id)).outcome).toBeNull();
		await api().app.db.updateTable("recording").set({ state: "ready" }).where("id", "=", recordingId).execute();
		await runner.report(id, stopped("cancelled"));
		expect(await runner.readJob(id)).toMatchObject({ status: "completed", outcome: "failed" });
		expect((await api().call("GET", `/v1/recordings/${recordingId}`)).body.outcome).toBe("failed");
		// The command ended before that, and its runner was slow to say so.
		const ended = { type: "command_ended", message: "It ended.", outcome: "passed" };
		await runner.report(id, { ...ended, at: new Date(Date.now() - 1_000).toISOString() });
		expect((await runner.readJob(id)).outcome).toBe("passed");
	});

	test("a runner that is gone reports no outcome: the fail markers of its jobs count", async () => {
		const { id } = await runner.startJob({ outcomeExpected: true });
		await runner.report(id, firstFrame);
		await runner.storeRecording(id, "live");
		await api().call("POST", `/v1/jobs/${id}/markers`, { body: { label: "pays", kind: "fail" } });
		await runner.beSilentFor(60);
		await runner.sweepLeases();
		expect(await runner.readJob(id)).toMatchObject({ stopReason: "runner_lost", outcome: "failed" });
	});

	test("a command adds markers through its runner, at the time of the report", async () => {
		const { id } = await runner.startJob({ outcomeExpected: true });
		const start = Date.now() - 5_000;
		await runner.report(id, { ...firstFrame, at: new Date(start).toISOString() });
		const mark = (marker: object) => {
			const at = new Date(start + 2_500).toISOString();
			return runner.report(id, { type: "command_marker", message: "Marked.", marker, at });
		};
		await mark({ label: "Pay is clicked", kind: "step" });
		await mark({ label: "of a later version", kind: "new" });
		await mark({ label: "pays", kind: "fail", message: "expected 3\n\u001b[31mgot 2" });
		expect((await api().call("GET", `/v1/jobs/${id}/markers`)).body.data).toMatchObject([
			{ label: "Pay is clicked", kind: "step", offsetSeconds: 2.5 },
			{ label: "pays", kind: "fail", message: "expected 3\ngot 2", offsetSeconds: 2.5 },
		]);
		expect((await runner.readJob(id)).outcome).toBeNull();
	});

	test("labels that do not fit are refused, each at its place, and nothing changes", async () => {
		const { id } = await runner.createJob({ labels: { build: "1" } });
		const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`key-${index}`, "x"]));
		for (const [labels, path, message] of [
			[{ Build: "1" }, "labels.Build", /lower-case/],
			[{ "-build": "1" }, "labels.-build", /begins and ends/],
			[{ "": "1" }, "labels.", /1 to 63/],
			[{ ["k".repeat(64)]: "1" }, `labels.${"k".repeat(64)}`, /1 to 63/],
			[{ build: "x".repeat(256) }, "labels.build", /255/],
			[{ build: "a\u0000b" }, "labels.build", /control characters/],
			[{ build: 1 }, "labels.build", /string/],
			[many, "labels", /at most 32/],
			["build=1", "labels", /object/],
		] as const) {
			const body = { runnerId: runner.session.runnerId, displayId: ":99", stopCondition: "interrupt", labels };
			for (const answer of [await change(id, { labels }), await api().call("POST", "/v1/jobs", { body })]) {
				expect([answer.status, answer.body.errors?.[0].path]).toEqual([422, path]);
				expect(answer.body.errors[0].message).toMatch(message);
			}
		}
		const few = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`key-${index}`, "x"]));
		expect((await change(id, { labels: few })).status).toBe(200);
		const over = await change(id, { labels: { "key-31": "x" } });
		expect([over.status, over.body.errors[0]]).toEqual([422, expect.objectContaining({ path: "labels" })]);
		expect((await change(id, { outcome: "green" })).body.errors[0].path).toBe("outcome");
		expect((await runner.readJob(id)).labels).toEqual({ build: "1", ...few });
	});

	test("a job of another organization is not found", async () => {
		expect((await change(999_999, { outcome: "failed" })).status).toBe(404);
	});

	test("a runner's labels, keep policy and cap are copied to the jobs it takes, and the job's own count first", async () => {
		const displays = [{ id: ":99", width: 640, height: 480 }];
		const common = { name: runner.name, version: "1.0.0", instanceId: `instance-${runner.name}`, displays };
		const own = { labels: { pool: "linux", build: "55" }, keep: "failed", maxDurationSeconds: 600 };
		const answer = await api().call("POST", "/v1/runner/sign-in", {
			token: TEST_RUNNER_TOKEN,
			body: { ...common, ...own },
		});
		expect(answer.status, JSON.stringify(answer.body)).toBe(200);
		runner.session = answer.body;
		const { id } = await runner.createJob({ labels: { pool: "mine" } });
		const taken = (await runner.sync()).start.find((job) => job.id === id);
		expect(taken).toMatchObject({ maxDurationSeconds: 600 });
		expect(await runner.readJob(id)).toMatchObject({
			labels: { pool: "mine", build: "55" },
			keep: "failed",
			maxDurationSeconds: 600,
		});
		const listed = (await api().call("GET", `/v1/runners/${runner.session.runnerId}`)).body;
		expect(listed.labels).toEqual({ pool: "linux", build: "55" });
	});

	test("a cap is refused for a job that has a duration", async () => {
		const rule = { stopCondition: "duration", stopConditionConfig: { durationSeconds: 5 }, maxDurationSeconds: 60 };
		const body = { runnerId: runner.session.runnerId, displayId: ":99", ...rule };
		const answer = await api().call("POST", "/v1/jobs", { body });
		expect([answer.status, answer.body.errors[0].path]).toEqual([422, "maxDurationSeconds"]);
	});

	test("a recording of keep failed that passed says when it is deleted, and Keep undoes that", async () => {
		const { id, recordingId } = await recorded({ keep: "failed" });
		expect((await runner.readJob(id)).recording?.deleteAt).toBeNull();
		const before = now();
		const { body } = await change(id, { outcome: "passed" });
		const deleteAt = Date.parse(body.recording.deleteAt);
		expect(deleteAt).toBeGreaterThanOrEqual(before + 3_600_000);
		expect(deleteAt).toBeLessThanOrEqual(now() + 3_600_000);
		expect((await change(id, { labels: { note: "x" } })).body.recording.deleteAt).toBe(body.recording.deleteAt);
		expect((await change(id, { pinned: true })).body.recording.deleteAt).toBeNull();
		await change(id, { pinned: false });
		const kept = await api().call("PATCH", `/v1/recordings/${recordingId}`, { body: { keep: "always" } });
		expect(kept.body).toMatchObject({ keep: "always", deleteAt: null });
	});

	test("a recording without an outcome, or that failed, stays", async () => {
		const { id } = await recorded({ keep: "failed" });
		expect((await change(id, { outcome: "failed" })).body.recording.deleteAt).toBeNull();
		await change(id, { outcome: "passed" });
		expect((await change(id, { outcome: null })).body.recording.deleteAt).toBeNull();
	});

	test("a fail marker sets the outcome of a job that has none, and an outcome beats it", async () => {
		const mark = (id: number) => api().call("POST", `/v1/jobs/${id}/markers`, { body: { label: "x", kind: "fail" } });
		const [silent, said] = [await runner.createJob(), await runner.createJob()];
		await mark(silent.id);
		expect((await runner.readJob(silent.id)).outcome).toBe("failed");
		await change(silent.id, { outcome: "passed" });
		expect((await runner.readJob(silent.id)).outcome).toBe("passed");
		await change(said.id, { outcome: "skipped" });
		await mark(said.id);
		expect((await runner.readJob(said.id)).outcome).toBe("skipped");
	});

	test("an uploaded video has the labels and the outcome of its upload", async () => {
		const { readFile } = await import("node:fs/promises");
		const raw = await readFile(await makeVideo("recorder.mp4"));
		const headers = { "content-type": "video/mp4" };
		const upload = (query: string) => api().call("POST", `/v1/recordings?name=x&${query}`, { raw, headers });
		const { body } = await upload("label=build=1=2&label=branch=main&outcome=failed");
		expect(body).toMatchObject({ labels: { build: "1=2", branch: "main" } satisfies Labels, outcome: "failed" });
		expect((await upload("label=build")).body.errors[0].path).toBe("label");
		expect((await upload("label=Build=1")).status).toBe(422);
		const changed = await api().call("PATCH", `/v1/recordings/${body.id}`, { body: { labels: { build: null } } });
		expect(changed.body.labels).toEqual({ branch: "main" });
	});

	test("keys and values in use are listed by their beginning, for completion", async () => {
		const build = `c-${runner.name}`;
		for (const end of ["a", "b", "b"]) await runner.createJob({ labels: { build: `${build}${end}`, suite: "x" } });
		const list = async (query: string) => (await api().call("GET", `/v1/labels?${query}`)).body.data;
		expect(await list(`key=build&prefix=${build}`)).toEqual([`${build}a`, `${build}b`]);
		expect(await list("prefix=su")).toEqual(["suite"]);
		expect(await list("key=nothing")).toEqual([]);
		expect((await api().call("GET", "/v1/labels?key=No")).status).toBe(422);
	});

	test("builds are counted as recordings come, change and go", async () => {
		const build = `b-${runner.name}`;
		const count = async () => {
			const row = await api()
				.app.db.selectFrom("build")
				.select("recordings")
				.where("name", "=", build)
				.executeTakeFirst();
			return row?.recordings ?? null;
		};
		const { id, recordingId } = await recorded();
		expect(await count()).toBeNull();
		await change(id, { labels: { build } });
		expect(await count()).toBe(1);
		await change(id, { labels: { build: `${build}-2` } });
		expect(await count()).toBe(0);
		await change(id, { labels: { build } });
		await api().app.db.deleteFrom("recording").where("id", "=", recordingId).execute();
		expect(await count()).toBe(0);
	});
});
