/** Test results by API: what is stored, how they are found, and what follows from comparing them. */

import { readFile } from "node:fs/promises";
import type { FailureGroup } from "@tapedeck/contract/test-failure.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { sweepResults } from "#lib/test-results/sweep-results.ts";
import { connect } from "#test/api-client.ts";
import { signIn } from "#test/api-people.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { type ScriptedRunner, scriptRunner } from "#test/runners/scripted-runner.ts";
import { decodePicture } from "#test/videos/decode-picture.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { until } from "#test/wait.ts";

const VIDEO_SECONDS = 4;
let video: Buffer;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4", VIDEO_SECONDS));
});
afterAll(removeTestFolder);

const BEGIN = Date.parse("2026-11-01T00:00:00.000Z");
const at = (seconds: number): string => new Date(BEGIN + seconds * 1_000).toISOString();

onEachDatabase((api) => {
	let runner: ScriptedRunner;
	const dashboard = () => ({
		url: api().url,
		api: connect(api().url, TEST_API_KEY),
		runnerToken: TEST_RUNNER_TOKEN,
	});
	beforeAll(async () => {
		runner = await scriptRunner(dashboard(), "runner of tests");
	});
	afterAll(() => runner.stop());

	/** A job that waits, with these labels. @returns its id. */
	async function jobWith(labels: Record<string, string> = {}, more: object = {}): Promise<number> {
		const body = { runnerId: runner.runnerId, displayId: ":77", stopCondition: "interrupt", labels, ...more };
		const { status, body: job } = await api().call("POST", "/v1/jobs", { body });
		expect(status).toBe(201);
		return job.id;
	}
	const post = (jobId: number, results: object[]) => api().call("POST", `/v1/jobs/${jobId}/tests`, { body: results });
	async function add(jobId: number, ...results: object[]): Promise<TestResult[]> {
		const { status, body } = await post(
			jobId,
			results.map((result, index) => ({ key: String(index), startedAt: at(index), ...result })),
		);
		expect(status, JSON.stringify(body)).toBe(201);
		return body.data;
	}
	const list = async (query: string): Promise<TestResult[]> =>
		(await api().call("GET", `/v1/tests?${query}`)).body.data;
	const search = (q: string) => list(`q=${encodeURIComponent(q)}`);
	const read = async (id: number): Promise<TestResult> => (await api().call("GET", `/v1/tests/${id}`)).body;
	/** A job that has recorded the video. @returns its id, and when its first frame was captured, in milliseconds. */
	async function recorded(name: string): Promise<{ jobId: number; startedAt: number }> {
		const jobId = await runner.record(name);
		expect(await runner.send(jobId, 0, video, video.length)).toBe(204);
		await runner.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
		const job = await dashboard().api.waitFor(jobId, "playable");
		return { jobId, startedAt: Date.parse(job.startedAt ?? "") };
	}

	test("a result is answered as it was sent, with what its job says of it", async () => {
		const jobId = await jobWith({ build: "b-1", branch: "main" });
		const sent = {
			...{ key: "k1", test: "Login › wrong password [de]", suite: "Login", file: "login.spec.ts", line: 12 },
			...{ project: "chromium", attempt: 2, outcome: "failed", startedAt: at(0), endedAt: at(2.5) },
			...{ message: "Error: \u001b[31mnot found\u001b[0m", stack: "at login.spec.ts:14" },
			steps: [
				{ title: "open", startedAt: at(0), durationSeconds: 1, outcome: "passed" },
				{
					...{ title: "submit", category: "test.step", startedAt: at(1), outcome: "failed" },
					steps: [{ title: "click", startedAt: at(1), endedAt: at(2), outcome: "failed", message: "no button" }],
				},
			],
		};
		const [result] = await add(jobId, sent);
		expect(result).toMatchObject({
			...{ jobId, recordingId: null, key: "k1", test: sent.test, suite: "Login", file: "login.spec.ts", line: 12 },
			...{ project: "chromium", attempt: 2, outcome: "failed", startedAt: at(0), endedAt: at(2.5) },
			...{ durationSeconds: 2.5, offsetSeconds: null, message: "Error: not found", stack: "at login.spec.ts:14" },
			reason: "not found",
			...{ new: true, flaky: false, labels: { build: "b-1", branch: "main" }, stepsLeftOut: 0, changes: [] },
		});
		expect(result?.cause).toMatch(/^[0-9a-f]{16}$/);
		expect(result?.steps[1]).toMatchObject({
			...{ title: "submit", category: "test.step", outcome: "failed", durationSeconds: null },
			steps: [{ title: "click", durationSeconds: 1, message: "no button", outcome: "failed", steps: [] }],
		});
		expect(await read(result?.id ?? 0)).toEqual({ ...result, attachments: [] });
		expect(await list(`jobId=${jobId}`)).toEqual([result]);
		const [passed] = await add(await jobWith(), { test: "Logout", outcome: "passed" });
		expect(passed).toMatchObject({ cause: null, message: null, reason: null, new: false });
	});

	test("a result that is sent again under its key changes itself, keeps what is left out, and its earlier outcomes", async () => {
		const jobId = await jobWith();
		const [begun] = await add(jobId, { key: "a", test: "Pay", file: "pay.py" });
		expect(begun).toMatchObject({ outcome: null, endedAt: null });
		const [ended] = await add(jobId, { key: "a", test: "Pay", outcome: "failed", endedAt: at(3), message: "no money" });
		expect(ended).toMatchObject({ id: begun?.id, outcome: "failed", durationSeconds: 3, file: "pay.py", changes: [] });
		const again = await add(jobId, { key: "a", test: "Pay", outcome: "failed", endedAt: at(3), message: "no money" });
		expect(again).toEqual([ended]);
		const [passed] = await add(jobId, { key: "a", test: "Pay", outcome: "passed", endedAt: at(3) });
		expect(passed).toMatchObject({ outcome: "passed", cause: null, changes: [{ outcome: "failed" }] });
		// The later one of two results with the same key in one call counts.
		const twice = await add(
			jobId,
			{ key: "b", test: "Two", outcome: "passed" },
			{ key: "b", test: "Two", outcome: "error" },
		);
		expect(twice.map(({ id, outcome }) => ({ id, outcome }))).toEqual([
			{ id: twice[0]?.id, outcome: "error" },
			{ id: twice[0]?.id, outcome: "error" },
		]);
		expect(await list(`jobId=${jobId}`)).toHaveLength(2);
	});

	test("a test that passed and failed for one commit is flaky in all its results, and so is one that passed on a retry", async () => {
		const [first] = await add(await jobWith({ commit: "c1" }), { test: "Flaky", outcome: "failed" });
		expect(first?.flaky).toBe(false);
		const [second] = await add(await jobWith({ commit: "c1" }), { test: "Flaky", outcome: "passed" });
		expect([second?.flaky, (await read(first?.id ?? 0)).flaky]).toEqual([true, true]);
		const [other] = await add(await jobWith({ commit: "c2" }), { test: "Flaky", outcome: "failed" });
		expect(other?.flaky).toBe(false);
		const retried = await add(
			await jobWith(),
			{ test: "Retried", attempt: 1, outcome: "failed" },
			{ test: "Retried", attempt: 2, outcome: "passed" },
			{ test: "Stable", outcome: "passed" },
		);
		expect(retried.map(({ flaky }) => flaky)).toEqual([true, true, false]);
		// Another project is another test.
		const projects = await add(
			await jobWith({ commit: "c3" }),
			{ test: "Elsewhere", project: "firefox", outcome: "failed" },
			{ test: "Elsewhere", project: "webkit", outcome: "passed" },
		);
		expect(projects.map(({ flaky }) => flaky)).toEqual([false, false]);
		expect((await search("flaky:yes test:Flaky")).map(({ id }) => id).sort()).toEqual([first?.id, second?.id].sort());
	});

	test("a failure is new unless its test failed before on this branch with this cause in another build", async () => {
		const failure = { test: "Known", outcome: "failed", message: "expected 3 rows, got 17" };
		const isNew = async (labels: Record<string, string>, more: object = {}) =>
			(await add(await jobWith(labels), { ...failure, ...more }))[0]?.new;
		expect(await isNew({ branch: "main", build: "1" })).toBe(true);
		// Another job of the same build, such as a shard or a retry.
		expect(await isNew({ branch: "main", build: "1" })).toBe(true);
		expect(await isNew({ branch: "main", build: "2" }, { message: "expected 4 rows, got 5" })).toBe(false);
		expect(await isNew({ branch: "main", build: "3" }, { message: "the server is away" })).toBe(true);
		expect(await isNew({ branch: "topic", build: "4" })).toBe(true);
		expect(await isNew({ branch: "main", build: "5" }, { test: "Renamed" })).toBe(true);
		expect((await search("new:yes test:Known")).length).toBe(4);
	});

	test("labels that a job gets later count as if it had had them", async () => {
		await add(await jobWith({ branch: "late", build: "1" }), { test: "Late", outcome: "failed" });
		const jobId = await jobWith();
		const [result] = await add(jobId, { test: "Late", outcome: "failed" });
		expect(result?.new).toBe(true);
		await api().call("PATCH", `/v1/jobs/${jobId}`, { body: { labels: { branch: "late", build: "2" } } });
		expect(await read(result?.id ?? 0)).toMatchObject({ new: false, labels: { branch: "late", build: "2" } });
		expect((await search("build:2 test:Late")).map(({ id }) => id)).toEqual([result?.id]);
	});

	test("results are found by every word and filter", async () => {
		const jobId = await jobWith({ build: "find-1", branch: "find", team: "blue" });
		const [failed, passed, skipped] = await add(
			jobId,
			{ test: "Basket › empties itself", suite: "Basket", outcome: "failed", message: "Zaunkönig was not found" },
			{ test: "Basket › fills", outcome: "passed" },
			{ test: "Basket › is skipped", outcome: "skipped" },
		);
		const found = async (q: string) => (await search(q)).map(({ id }) => id).sort();
		const ids = (...results: (TestResult | undefined)[]) => results.map((result) => result?.id).sort();
		expect(await found("build:find-1 empties")).toEqual(ids(failed));
		expect(await found("zaunkönig")).toEqual(ids(failed));
		expect(await found("build:find-1 message:zaun")).toEqual(ids(failed));
		expect(await found(`cause:${failed?.cause} build:find-1`)).toEqual(ids(failed));
		expect(await found('test:"Basket › fills"')).toEqual(ids(passed));
		expect(await found("build:find-1 outcome:skipped")).toEqual(ids(skipped));
		expect(await found("build:find-1 -outcome:failed")).toEqual(ids(passed, skipped));
		expect(await found("label:team=blue branch:find")).toEqual(ids(failed, passed, skipped));
		expect(await found("build:find-1 suite:Basket")).toEqual(ids(failed));
		// Its runner may have taken it by now.
		const going = "status:queued status:starting status:recording";
		expect(await found(`build:find-1 ${going} runner:${runner.runnerId}`)).toEqual(ids(failed, passed, skipped));
		expect(await found("build:find-1 status:completed")).toEqual([]);
		expect(await found("build:find-1 status:completed")).toEqual([]);
		expect(await found("build:find-1 after:2026-11-02")).toEqual([]);
		expect(await found("build:find-1 before:2026-11-02")).toEqual(ids(failed, passed, skipped));
		expect(await found('test:"no such test"')).toEqual([]);
		// Jobs with such results.
		const jobs = await api().call("GET", `/v1/jobs?q=${encodeURIComponent("message:zaun build:find-1")}`);
		expect(jobs.body.data.map(({ id }: { id: number }) => id)).toEqual([jobId]);
		expect((await api().call("GET", "/v1/tests?q=flaky:maybe")).status).toBe(422);
	});

	test("pages have every result once, the newest first", async () => {
		const jobId = await jobWith({ build: "paged" });
		await add(jobId, ...Array.from({ length: 7 }, (_, index) => ({ test: `Page ${index}`, outcome: "passed" })));
		for (const query of [`jobId=${jobId}`, "q=build:paged"]) {
			const names: string[] = [];
			let cursor: string | null = "";
			while (cursor !== null) {
				const page: { data: TestResult[]; nextCursor: string | null } = (
					await api().call("GET", `/v1/tests?${query}&limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`)
				).body;
				names.push(...page.data.map(({ test }) => test));
				cursor = page.nextCursor;
			}
			expect(names).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `Page ${index}`));
		}
	});

	test("each test of a build is listed once, with its last result there, by every filter and page by page", async () => {
		const first = await jobWith({ build: "last/1", branch: "last" });
		const [, , , , retried, gone] = await add(
			first,
			{ test: "Stays green", outcome: "passed" },
			{ test: "Needs a retry", outcome: "failed" },
			{ test: "Turns red", outcome: "passed" },
			{ test: "Is left out", outcome: "skipped" },
			{ test: "Needs a retry", outcome: "passed", attempt: 2 },
			{ test: "Stays green", project: "other", outcome: "passed" },
		);
		const [red] = await add(await jobWith({ build: "last/1" }), {
			test: "Turns red",
			outcome: "failed",
			startedAt: at(9),
		});
		await add(await jobWith({ build: "last/2" }), { test: "Stays green", outcome: "failed", startedAt: at(20) });
		const last = async (query = "") =>
			(await list(`lastOfBuild=last%2F1${query}`)).map(({ test, project }) => `${test}${project ?? ""}`);
		expect(await last()).toEqual([...["Turns red", "Stays greenother", "Needs a retry", "Is left out", "Stays green"]]);
		expect(await last("&q=outcome:passed")).toEqual(["Stays greenother", "Needs a retry", "Stays green"]);
		expect(await last("&q=outcome:failed")).toEqual(["Turns red"]);
		expect((await list("lastOfBuild=last%2F1&q=retry")).map(({ id }) => id)).toEqual([retried?.id]);
		expect(await last("&q=build:last%2F2")).toHaveLength(5);
		const { data, nextCursor } = (await api().call("GET", "/v1/tests?lastOfBuild=last%2F1&limit=2")).body;
		expect(data.map(({ id }: TestResult) => id)).toEqual([red?.id, gone?.id]);
		const next = (await api().call("GET", `/v1/tests?lastOfBuild=last%2F1&limit=2&cursor=${nextCursor}`)).body;
		expect(next.data.map(({ test }: TestResult) => test)).toEqual(["Needs a retry", "Is left out"]);
		expect(await list("lastOfBuild=nothing")).toEqual([]);
	});

	test("a test's history has its results, and since when it fails", async () => {
		for (const [build, outcome] of [
			["1", "passed"],
			["2", "failed"],
			["3", "error"],
			["4", "skipped"],
		] as const) {
			const jobId = await jobWith({ build: `h${build}`, branch: "main", commit: `h${build}` });
			await add(jobId, { test: "History", project: "x", outcome, startedAt: at(Number(build)), endedAt: at(10) });
		}
		const { body } = await api().call("GET", "/v1/test-history?test=History");
		expect(body.data.map(({ outcome }: TestResult) => outcome)).toEqual(["skipped", "error", "failed", "passed"]);
		expect(body.summary).toMatchObject({ results: 4, passed: 1, failed: 1, error: 1, skipped: 1, flaky: 0 });
		expect(body.summary).toMatchObject({ failingSince: { build: "h2" }, branches: ["main"], projects: ["x"] });
		expect(body.test).toMatchObject({ test: "History", project: "x", firstAt: at(1), lastAt: at(4) });
		const byId = await api().call("GET", `/v1/test-history?testId=${body.test.id}&branch=other`);
		expect(byId.body).toMatchObject({
			test: { id: body.test.id },
			data: [],
			summary: { results: 0, failingSince: null },
		});
		expect((await api().call("GET", "/v1/test-history?test=nobody")).body).toMatchObject({ test: null, data: [] });
		expect((await api().call("GET", "/v1/test-history")).status).toBe(422);
	});

	test("the same title in another repository is another test, with its own history, new failures and last pass", async () => {
		const results = new Map<string, TestResult>();
		for (const [repository, build, outcome] of [
			["acme/alpha", "1", "passed"],
			["acme/beta", "1", "failed"],
			["acme/alpha", "2", "failed"],
			["acme/beta", "2", "failed"],
			["acme/beta", "3", "passed"],
		] as const) {
			const labels = { repository, build: `${repository} ${build}`, branch: "main", commit: "same" };
			const [result] = await add(await jobWith(labels), {
				...{ test: "test_health", outcome, startedAt: at(results.size), endedAt: at(10) },
				...(outcome === "failed" ? { message: "the same words" } : {}),
			});
			if (result !== undefined) results.set(labels.build, result);
		}
		const of = (build: string) => results.get(build) as TestResult;
		expect(of("acme/alpha 2")).toMatchObject({ new: true, flaky: true });
		expect(of("acme/beta 1")).toMatchObject({ new: true, flaky: false });
		expect(of("acme/beta 2")).toMatchObject({ new: false, flaky: false });
		const history = async (query: string) => (await api().call("GET", `/v1/test-history?${query}`)).body;
		const alpha = await history(`testId=${of("acme/alpha 1").testId}`);
		expect(alpha).toMatchObject({
			test: { repository: "acme/alpha" },
			summary: { results: 2, failingSince: { build: "acme/alpha 2" }, lastPassedId: of("acme/alpha 1").id },
		});
		const beta = await history("test=test_health");
		expect(beta).toMatchObject({ test: { repository: "acme/beta" }, summary: { results: 3, failingSince: null } });
		expect((await history("test=test_health&repository=acme%2Falpha")).summary).toEqual(alpha.summary);
		const triage = { testId: of("acme/alpha 1").testId, mutedUntil: new Date(Date.now() + 60_000).toISOString() };
		await api().call("PUT", "/v1/failure-triage", { body: { ...triage, reason: "known" } });
		const groups = (await api().call("GET", "/v1/test-failures?by=test&q=test_health")).body;
		expect(groups).toMatchObject({
			muted: 1,
			groups: 1,
			data: [{ key: String(of("acme/beta 1").testId), failures: 2 }],
		});
	});

	test("without a repository, a test is that of its build's series; a change of the labels moves its results", async () => {
		const [one] = await add(await jobWith({ build: "nightly 1" }), { test: "Of a series", outcome: "passed" });
		const [two] = await add(await jobWith({ build: "nightly 2" }), { test: "Of a series", outcome: "passed" });
		const jobId = await jobWith({ build: "release 2" });
		const [three] = await add(jobId, { test: "Of a series", outcome: "passed" });
		expect(two?.testId).toBe(one?.testId);
		expect(three?.testId).not.toBe(one?.testId);
		await api().call("PATCH", `/v1/jobs/${jobId}`, { body: { labels: { build: "nightly 3" } } });
		expect(await list(`jobId=${jobId}`)).toMatchObject([{ testId: one?.testId }]);
		await api().call("PATCH", `/v1/jobs/${jobId}`, { body: { labels: { repository: "acme/shop" } } });
		const [moved] = await list(`jobId=${jobId}`);
		expect([one?.testId, three?.testId]).not.toContain(moved?.testId);
		const { body } = await api().call("GET", `/v1/test-history?testId=${moved?.testId}`);
		expect(body.test).toMatchObject({ repository: "acme/shop", test: "Of a series" });
	});

	test("the video shows where a test began and failed; what is outside of it is at its ends", async () => {
		const { jobId, startedAt } = await recorded("Placed");
		const time = (seconds: number) => new Date(startedAt + seconds * 1_000).toISOString();
		const [within, before, beyond, step] = await add(
			jobId,
			{ test: "Within", outcome: "failed", startedAt: time(1), endedAt: time(2.5) },
			{ test: "Before", outcome: "passed", startedAt: time(-60), endedAt: time(-50) },
			{ test: "Beyond", outcome: "failed", startedAt: time(900), endedAt: time(901) },
			{
				...{ test: "Step", outcome: "failed", startedAt: time(0), endedAt: time(3.9) },
				steps: [{ title: "a", startedAt: time(1), durationSeconds: 0.5, outcome: "failed" }, { title: "teardown" }],
			},
		);
		expect(within).toMatchObject({ offsetSeconds: 1, failureOffsetSeconds: 2.5, clampedTo: null });
		expect(before).toMatchObject({ offsetSeconds: 0, failureOffsetSeconds: null, clampedTo: "start" });
		expect(beyond?.clampedTo).toBe("end");
		expect(step).toMatchObject({ failureOffsetSeconds: 1.5, steps: [{ offsetSeconds: 1 }, { offsetSeconds: null }] });
	});

	test("the frame of a failure is kept when the video is deleted, with the reason why that is gone", async () => {
		const { jobId, startedAt } = await recorded("Framed");
		const time = (seconds: number) => new Date(startedAt + seconds * 1_000).toISOString();
		const [result] = await add(jobId, { test: "Framed", outcome: "failed", startedAt: time(0), endedAt: time(2) });
		const id = result?.id ?? 0;
		// ffmpeg has the lowest priority: on a busy machine, others of this file may be ahead of it for long.
		const framed = await until(
			async () => {
				const now = await read(id);
				return now.hasFrame ? now : null;
			},
			"the result has its frame",
			110_000,
		);
		expect(framed.screen).toMatch(/^[0-9a-f]{16}$/);
		// Up to 5 of its 64 bits may differ.
		const like = (BigInt(`0x${framed.screen}`) ^ 0b10101n).toString(16).padStart(16, "0");
		const unlike = (BigInt(`0x${framed.screen}`) ^ 0b111111n).toString(16).padStart(16, "0");
		expect((await search(`screen:${like} test:Framed`)).map((one) => one.id)).toEqual([id]);
		expect(await search(`screen:${unlike} test:Framed`)).toEqual([]);
		expect((await api().call("DELETE", `/v1/recordings/${framed.recordingId}`)).status).toBe(204);
		expect(await read(id)).toMatchObject({
			...{ recordingId: null, hasFrame: true, outcome: "failed" },
			deletedRecording: { id: framed.recordingId, reason: "request" },
		});
		const frame = await fetch(`${api().url}/v1/tests/${id}/frame`, {
			headers: { authorization: `Bearer ${TEST_API_KEY}` },
		});
		const jpeg = Buffer.from(await frame.arrayBuffer());
		expect([frame.status, frame.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
		expect((await decodePicture(jpeg)).width).toBe(160);
		const [passed] = await add(jobId, { key: "p", test: "Fine", outcome: "passed" });
		expect((await api().call("GET", `/v1/tests/${passed?.id}/frame`)).status).toBe(404);
	}, 120_000);

	test("failures are grouped by cause, test, build and screen, counted, and can be muted and assigned", async () => {
		const branch = { branch: "grouped" };
		const one = await jobWith({ ...branch, build: "g1" });
		await add(
			one,
			{ test: "G1", outcome: "failed", message: "no row 1" },
			{ test: "G2", outcome: "failed", message: "no row 2" },
		);
		await add(
			await jobWith({ ...branch, build: "g2" }),
			{ test: "G1", outcome: "failed", message: "no row 9", startedAt: at(60) },
			{ test: "G3", outcome: "error", message: "lost" },
		);
		const groups = async (more: string) => (await api().call("GET", `/v1/test-failures?q=branch:grouped${more}`)).body;
		const byCause = await groups("");
		expect(byCause).toMatchObject({ by: "cause", failures: 4, tests: 3, groups: 2, muted: 0, isMore: false });
		const rows = byCause.data.find(({ failures }: { failures: number }) => failures === 3);
		expect(rows).toMatchObject({
			tests: 2,
			builds: 2,
			// Each test counts once, by its newest failure.
			new: 1,
			known: 1,
			flaky: 0,
			title: "no row 9",
			newest: { test: "G1", message: "no row 9", reason: "no row 9" },
		});
		expect((await groups("&by=test")).data.map(({ title }: { title: string }) => title).sort()).toEqual([
			"G1",
			"G2",
			"G3",
		]);
		expect((await groups("&by=build")).data.map(({ key }: { key: string }) => key).sort()).toEqual(["g1", "g2"]);
		expect((await groups("&by=screen")).data).toMatchObject([{ key: null, failures: 4 }]);
		// A member has seen one group: its failures are seen in every grouping, until a newer one comes.
		const reader = await signIn(api());
		const seenBy = async (more: string) => (await reader.call("GET", `/v1/test-failures?q=branch:grouped${more}`)).body;
		const unseen = async (more = "") =>
			(await seenBy(more)).data.map(({ title, unseen }: FailureGroup) => `${title} ${unseen}`).sort();
		// Grouped by cause, two tests failed with three attempts.
		expect(await unseen()).toEqual(["lost 1", "no row 9 2"]);
		expect(await unseen("&by=test")).toEqual(["G1 1", "G2 1", "G3 1"]);
		const mark = { cause: rows.key, seenAt: rows.newestAt };
		expect((await reader.call("PUT", "/v1/failures/seen", { body: mark })).body).toEqual({ seenAt: rows.newestAt });
		expect(await unseen()).toEqual(["lost 1", "no row 9 0"]);
		expect(await unseen("&by=test")).toEqual(["G1 0", "G2 0", "G3 1"]);
		expect(await seenBy("")).toMatchObject({ unseen: 1 });
		expect((await groups("")).unseen).toBe(3);
		await add(one, { key: "g4", test: "G4", outcome: "failed", message: "no row 10", startedAt: at(90) });
		expect(await unseen()).toEqual(["lost 1", "no row 10 1"]);
		const build = (await seenBy("&by=build")).data.find(({ key }: FailureGroup) => key === "g2");
		await reader.call("PUT", "/v1/failures/seen", { body: { build: "g2", seenAt: build.newestAt } });
		expect(await unseen("&by=test")).toEqual(["G1 0", "G2 0", "G3 0", "G4 1"]);
		await reader.call("PUT", "/v1/failures/seen", { body: { cause: rows.key, seenAt: null } });
		expect(await unseen("&by=test")).toEqual(["G1 1", "G2 1", "G3 0", "G4 1"]);
		expect((await reader.call("PUT", "/v1/failures/seen", { body: { ...mark, build: "g2" } })).status).toBe(422);
		// Without a mark of all failures, older ones than those of the page are seen.
		const failedAt = Date.now() - 8 * 86_400_000;
		await api().app.db.updateTable("testResult").set({ failedAt }).where("name", "=", "G2").execute();
		expect(await unseen("&by=test")).toEqual(["G1 1", "G2 0", "G3 0", "G4 1"]);
		await api().app.db.deleteFrom("testResult").where("name", "=", "G4").execute();

		const mutedUntil = new Date(Date.now() + 60_000).toISOString();
		const mute = { cause: rows.key, mutedUntil, reason: "the shop moves" };
		const muted = await api().call("PUT", "/v1/failure-triage", { body: mute });
		expect(muted).toMatchObject({ status: 200, body: { mutedUntil, muteReason: "the shop moves", assignee: null } });
		expect(await groups("")).toMatchObject({ failures: 1, groups: 1, muted: 1 });
		expect(await groups("&muted=yes")).toMatchObject({ failures: 4, groups: 2, muted: 1 });
		await api().call("PUT", "/v1/failure-triage", { body: { cause: rows.key, mutedUntil: null } });
		expect(await groups("")).toMatchObject({ failures: 4, muted: 0 });
		for (const [body, path] of [
			[{ cause: rows.key, mutedUntil }, "reason"],
			[{ cause: rows.key, mutedUntil: at(0), reason: "past" }, "mutedUntil"],
			[{ cause: rows.key, assigneeUserId: 4_711 }, "assigneeUserId"],
			[{}, ""],
		] as const) {
			const refused = await api().call("PUT", "/v1/failure-triage", { body });
			expect([refused.status, refused.body.errors?.[0]?.path ?? ""]).toEqual([422, path]);
		}
		expect((await api().call("PUT", "/v1/failure-triage", { body: { testId: 999_999 } })).status).toBe(404);
	});

	test("a job without reported results is a test by its label, or by its name; a reported one takes its place", async () => {
		const labelled = await jobWith({ test: "Nightly › run" });
		expect(await list(`jobId=${labelled}`)).toEqual([]);
		await api().call("PATCH", `/v1/jobs/${labelled}`, { body: { outcome: "failed" } });
		expect(await list(`jobId=${labelled}`)).toMatchObject([
			{ test: "Nightly › run", outcome: "failed", jobId: labelled },
		]);
		await api().call("PATCH", `/v1/jobs/${labelled}`, { body: { outcome: "passed" } });
		expect(await list(`jobId=${labelled}`)).toMatchObject([{ outcome: "passed", changes: [{ outcome: "failed" }] }]);
		await add(labelled, { test: "A real one", outcome: "passed" });
		expect((await list(`jobId=${labelled}`)).map(({ test }) => test)).toEqual(["A real one"]);
		const named = await jobWith({}, { name: "Just a job" });
		await api().call("PATCH", `/v1/jobs/${named}`, { body: { outcome: "error" } });
		expect(await list(`jobId=${named}`)).toMatchObject([{ test: "Just a job", outcome: "error" }]);
		await api().call("PATCH", `/v1/jobs/${named}`, { body: { outcome: null } });
		expect(await list(`jobId=${named}`)).toEqual([]);
	});

	test("a job that fails to record is an error with its reason, at the moment of its first fail marker if it has one", async () => {
		const jobId = await runner.record("Lost display");
		await runner.report(jobId, { type: "failed", code: "display_lost", message: "The display went away." });
		expect(await list(`jobId=${jobId}`)).toMatchObject([
			{ test: "Lost display", outcome: "error", message: "Recording failed: The display went away." },
		]);
		const { jobId: marked, startedAt } = await recorded("Marked");
		const marker = { label: "assert", kind: "fail", message: "3 != 4", at: new Date(startedAt + 1_500).toISOString() };
		expect((await api().call("POST", `/v1/jobs/${marked}/markers`, { body: marker })).status).toBe(201);
		expect(await list(`jobId=${marked}`)).toMatchObject([
			{ test: "Marked", outcome: "failed", message: "3 != 4", failureOffsetSeconds: 1.5 },
		]);
	});

	test("named sessions of a grid are tests of their job, with its outcome", async () => {
		const jobId = await runner.record("Grid");
		const session = (sessionId: string, name: string | null) => ({ sessionId, name, capabilities: {}, labels: {} });
		for (const one of [session("s1", "Checkout"), session("s2", "Search"), session("s3", null)]) {
			await runner.report(jobId, { type: "session_started", message: "began", session: one });
		}
		await api().call("PATCH", `/v1/jobs/${jobId}`, { body: { outcome: "failed" } });
		expect((await list(`jobId=${jobId}`)).map(({ test, outcome }) => `${test} ${outcome}`).sort()).toEqual([
			"Checkout failed",
			"Search failed",
		]);
	});

	test("a fail marker in a session of a grid makes only that session's test fail, with its message at its moment", async () => {
		const session = (sessionId: string, name: string) => ({ sessionId, name, capabilities: {}, labels: {} });
		const of = async (name: string): Promise<{ jobId: number; time(seconds: number): string }> => {
			const jobId = await runner.record(name, undefined, 60_000);
			const begin = Date.now() - 50_000;
			const time = (seconds: number) => new Date(begin + seconds * 1_000).toISOString();
			for (const [index, one] of [session(`${name} 1`, "Checkout"), session(`${name} 2`, "Search")].entries()) {
				const report = { message: "seen", session: one };
				await runner.report(jobId, { type: "session_started", at: time(index * 10), ...report });
				await runner.report(jobId, { type: "session_ended", at: time(index * 10 + 8), ...report });
			}
			return { jobId, time };
		};
		const mark = (jobId: number, at: string, message: string) =>
			api().call("POST", `/v1/jobs/${jobId}/markers`, { body: { label: "failed", kind: "fail", message, at } });
		const { jobId, time } = await of("one marker");
		await mark(jobId, time(13), "no results");
		expect(await list(`jobId=${jobId}`)).toMatchObject([
			{ test: "Search", outcome: "failed", message: "no results", failureOffsetSeconds: expect.closeTo(23, 0) },
		]);
		// A second one, just after its session has ended.
		await mark(jobId, time(9), "no button");
		expect((await list(`jobId=${jobId}`)).map(({ test, message }) => [test, message])).toEqual([
			["Search", "no results"],
			["Checkout", "no button"],
		]);
		const path = `/v1/sessions/${encodeURIComponent("one marker 1")}`;
		await api().call("PATCH", path, { body: { outcome: "passed" } });
		expect((await list(`jobId=${jobId}`)).map(({ test, outcome }) => `${test} ${outcome}`)).toEqual([
			...["Search failed", "Checkout passed"],
		]);
		// In no session: the job is a test of its own.
		const outside = await of("outside of sessions");
		await mark(outside.jobId, outside.time(30), "the machine slept");
		expect(await list(`jobId=${outside.jobId}`)).toMatchObject([
			{ test: "outside of sessions", outcome: "failed", message: "the machine slept" },
		]);
	});

	test("a test that is reported is not also the session in which it ran, whichever the dashboard learns of first", async () => {
		const session = { sessionId: "", name: "Checkout", capabilities: {}, labels: {} };
		const begin = (jobId: number, sessionId: string) =>
			runner.report(jobId, { type: "session_started", message: "began", session: { ...session, sessionId } });
		const report = {
			...{ key: "Checkout#1", test: "Checkout", suite: null, file: null, attempt: 1 },
			...{ outcome: "failed", message: "3 != 4", stack: null, offsetSeconds: 0, durationSeconds: 1 },
		};
		const reportsOf: Record<string, (jobId: number) => Promise<unknown>> = {
			// Failures come by a JUnit report of `tapedeck run`, and by a reporter.
			junit: (jobId) => runner.report(jobId, { type: "command_tests", message: "tests", tests: [report] }),
			api: (jobId) => add(jobId, { key: "a", test: "Checkout", outcome: "failed", message: "3 != 4" }),
		};
		for (const [name, addReport] of Object.entries(reportsOf)) {
			for (const isReportFirst of [false, true]) {
				const sessionId = `covered ${name} ${isReportFirst}`;
				const jobId = await runner.record(sessionId);
				if (isReportFirst) await addReport(jobId);
				await begin(jobId, sessionId);
				const path = `/v1/sessions/${encodeURIComponent(sessionId)}`;
				expect((await api().call("PATCH", path, { body: { outcome: "error", message: "said" } })).status).toBe(200);
				const expected = isReportFirst ? { outcome: "failed" } : { outcome: "error", message: "said" };
				expect(await list(`jobId=${jobId}`)).toMatchObject([{ test: "Checkout", ...expected }]);
				if (!isReportFirst) await addReport(jobId);
				expect((await api().call("PATCH", path, { body: { outcome: "passed" } })).status).toBe(200);
				await runner.report(jobId, { type: "session_ended", message: "ended", session: { ...session, sessionId } });
				expect(await list(`jobId=${jobId}`)).toMatchObject([
					{ test: "Checkout", outcome: "failed", message: "3 != 4", changes: [] },
				]);
			}
		}
	});

	test("tests that have not ended when their job does are errors", async () => {
		const jobId = await runner.record("Killed");
		await add(jobId, { key: "begun", test: "Begun" }, { key: "done", test: "Done", outcome: "passed" });
		await runner.report(jobId, { type: "failed", code: "display_lost", message: "gone" });
		const results = await list(`jobId=${jobId}`);
		expect(results.map(({ test, outcome }) => `${test} ${outcome}`).sort()).toEqual(["Begun error", "Done passed"]);
		expect(results.find(({ test }) => test === "Begun")?.message).toMatch(/^No result: /);
		// Its reporter was only late.
		await add(jobId, { key: "begun", test: "Begun", outcome: "passed" });
		expect(await list(`jobId=${jobId}`)).toContainEqual(
			expect.objectContaining({
				test: "Begun",
				outcome: "passed",
				changes: [expect.objectContaining({ outcome: "error" })],
			}),
		);
	});

	test("bad results are refused at their own path, and then none is stored", async () => {
		const jobId = await jobWith();
		const good = { key: "good", test: "Good", outcome: "passed" };
		for (const [bad, path] of [
			[{ key: "x", test: "T", outcome: "sometimes" }, "1.outcome"],
			[{ key: "", test: "T" }, "1.key"],
			[{ test: "T" }, "1.key"],
			[{ key: "x", test: " \u0007 " }, "1.test"],
			[{ key: "x", test: "T", startedAt: "yesterday" }, "1.startedAt"],
			[{ key: "x", test: "T", startedAt: at(5), endedAt: at(4) }, "1.endedAt"],
			[{ key: "x", test: "T", attempt: 0 }, "1.attempt"],
			[{ key: "x", test: "T", steps: "none" }, "1.steps"],
			[{ key: "x", test: "T", surprise: 1 }, "1.surprise"],
		] as const) {
			const { status, body } = await post(jobId, [good, bad]);
			expect([status, body.errors?.[0]?.path], JSON.stringify(body)).toEqual([422, path]);
		}
		for (const body of [[], {}, Array.from({ length: 1_001 }, (_, index) => ({ ...good, key: String(index) }))]) {
			expect((await api().call("POST", `/v1/jobs/${jobId}/tests`, { body })).status).toBe(422);
		}
		expect(await list(`jobId=${jobId}`)).toEqual([]);
		expect((await post(999_999, [good])).status).toBe(404);
	});

	test("a body that is nested thousands of levels deep is refused with a sentence, and nothing of it is stored", async () => {
		const jobId = await jobWith();
		const levels = 5_000;
		const steps = `${'[{"title":"s","steps":'.repeat(levels)}[]${"}]".repeat(levels)}`;
		const raw = `[{"key":"deep","test":"Deep","outcome":"failed","steps":${steps}}]`;
		const { status, body } = await api().call("POST", `/v1/jobs/${jobId}/tests`, {
			raw,
			headers: { "content-type": "application/json" },
		});
		expect([status, body.errors?.[0]?.message]).toEqual([
			422,
			"The body is nested more than 1000 levels deep. Send fewer levels.",
		]);
		expect(await list(`jobId=${jobId}`)).toEqual([]);
	});

	test("titles of tests are kept as tools write them: long ones stay apart, markup stays text, steps beyond the limit are counted", async () => {
		const jobId = await jobWith();
		const long = "Ü".repeat(10_000);
		const deep = (depth: number): object => ({ title: `d${depth}`, steps: depth === 0 ? [] : [deep(depth - 1)] });
		const results = await add(
			jobId,
			{ test: `${long}1`, outcome: "passed" },
			{ test: `${long}2`, outcome: "passed" },
			{ test: "<b>bold</b>\u0000\u202e & \u001b[31mred", outcome: "failed", message: "<script>alert(1)</script>" },
			{ test: "Many", outcome: "passed", steps: Array.from({ length: 50_000 }, () => ({ title: "s" })) },
			{ test: "Deep", outcome: "passed", steps: [deep(11), 7, { title: 8 }] },
		);
		expect(new Set(results.slice(0, 2).map(({ testId }) => testId)).size).toBe(2);
		for (const { test } of results) expect([test.length > 0, test.length <= 1_000]).toEqual([true, true]);
		expect(results[2]).toMatchObject({ message: "<script>alert(1)</script>" });
		expect(results[2]?.test).toContain("<b>bold</b>");
		expect([results[3]?.steps.length, results[3]?.stepsLeftOut]).toEqual([2_000, 48_000]);
		let depth = 0;
		for (let step = results[4]?.steps[0]; step !== undefined; step = step.steps[0]) depth += 1;
		expect([depth, results[4]?.stepsLeftOut]).toEqual([8, 6]);
		const listed = (await list(`jobId=${jobId}`)).find(({ test }) => test === "Many");
		expect([listed?.steps.length, listed?.stepsLeftOut]).toEqual([100, 49_900]);
	});

	test("results are kept for as long as their organization says, and a test for as long as it has any", async () => {
		const { app } = api();
		const { body: policy } = await api().call("GET", "/v1/retention");
		expect(policy.testResultDays).toBe(400);
		const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
		const jobId = await jobWith();
		const [old, young] = await add(
			jobId,
			{ test: "Kept for a while", outcome: "failed", startedAt: daysAgo(20) },
			{ test: "Kept", outcome: "failed", startedAt: daysAgo(5) },
		);
		const ctx = contextFor(app, { kind: "system", organizationId: 0 });
		await sweepResults(ctx, new AbortController().signal);
		expect(await list(`jobId=${jobId}`)).toHaveLength(2);
		const limits = { maxAgeDays: 30, maxDiskPercent: 80, maxBytes: null };
		const set = await api().call("PUT", "/v1/retention", { body: { ...limits, testResultDays: 10 } });
		expect(set).toMatchObject({ status: 200, body: { testResultDays: 10 } });
		await sweepResults(ctx, new AbortController().signal);
		expect((await list(`jobId=${jobId}`)).map(({ id }) => id)).toEqual([young?.id]);
		expect((await api().call("GET", `/v1/test-history?testId=${old?.testId}`)).body.test).toBeNull();
		await api().call("PUT", "/v1/retention", { body: { ...limits, testResultDays: 400 } });
	});

	test("results count to the storage of their organization, and no longer when they are gone", async () => {
		const use = async (): Promise<number> =>
			(await api().app.db.selectFrom("organizationUse").select("bytes").execute()).reduce(
				(sum, { bytes }) => sum + bytes,
				0,
			);
		const jobId = await jobWith();
		const before = await use();
		await add(jobId, { test: "Big", outcome: "failed", stack: "x".repeat(20_000) });
		expect(await use()).toBeGreaterThan(before + 20_000);
		await api().app.db.deleteFrom("testResult").where("jobId", "=", jobId).execute();
		expect(await use()).toBe(before);
	});
});
