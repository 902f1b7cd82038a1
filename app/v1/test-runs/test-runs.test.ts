/** Test runs by API: results that no job recorded, compared, counted and kept as those of jobs. */
import type { Build } from "@tapedeck/contract/build.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import type { TestRun } from "@tapedeck/contract/test-run.ts";
import { expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { sweepResults } from "#lib/test-results/sweep-results.ts";
import { sweepTestRuns } from "#lib/test-results/test-runs.ts";
import { signIn } from "#test/api-people.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";

const BEGIN = Date.parse("2026-11-01T00:00:00.000Z");
const at = (seconds: number): string => new Date(BEGIN + seconds * 1_000).toISOString();
const HOUR_MS = 3_600_000;

onEachDatabase((api) => {
	async function runWith(labels: Record<string, string> = {}, more: object = {}): Promise<TestRun> {
		const { status, body } = await api().call("POST", "/v1/test-runs", { body: { labels, ...more } });
		expect(status, JSON.stringify(body)).toBe(201);
		return body;
	}
	async function add({ id }: TestRun, ...results: object[]): Promise<TestResult[]> {
		const { status, body } = await api().call("POST", `/v1/test-runs/${id}/tests`, {
			body: results.map((result, index) => ({
				key: String(index),
				startedAt: at(index),
				endedAt: at(index + 1),
				...result,
			})),
		});
		expect(status, JSON.stringify(body)).toBe(201);
		return body.data;
	}
	async function end({ id }: TestRun, outcome = "passed", more: object = {}): Promise<TestRun> {
		const { status, body } = await api().call("POST", `/v1/test-runs/${id}/end`, { body: { outcome, ...more } });
		expect(status, JSON.stringify(body)).toBe(200);
		return body;
	}
	const read = async (path: string) => (await api().call("GET", path)).body;
	const readRun = (id: number): Promise<TestRun> => read(`/v1/test-runs/${id}`);
	const readBuild = (name: string): Promise<Build> => read(`/v1/builds/${name}`);
	const system = () => contextFor(api().app, { kind: "system", organizationId: 0 });
	/** A context whose clock is later. */
	const later = (ms: number) => ({ ...system(), clock: { now: () => Date.now() + ms } });

	test("a test run answers with what it was created with, and its results with its labels and without a job", async () => {
		const labels = { build: "r-1", branch: "main", repository: "shop/web" };
		const run = await runWith(labels, { name: "Headless", source: "playwright" });
		expect(run).toMatchObject({
			...{ name: "Headless", source: "playwright", key: null, labels, outcome: null, endedAt: null },
			...{ isAbandoned: false, quietHistory: false, createdBy: { kind: "apiKey" } },
			results: { all: 0, passed: 0, failed: 0, error: 0, skipped: 0, running: 0 },
			url: `${api().app.baseUrl}/builds/r-1`,
		});
		const [result] = await add(run, { test: "Pay", outcome: "failed", message: "Error: declined" });
		expect(result).toMatchObject({
			...{ testRunId: run.id, jobId: null, recordingId: null, offsetSeconds: null, labels, new: true },
			...{ reason: "declined", durationSeconds: 1, hasFrame: false, deletedRecording: null },
		});
		expect(await read(`/v1/tests?testRunId=${run.id}`)).toEqual({ data: [result], nextCursor: null });
		expect((await read(`/v1/tests?q=${encodeURIComponent("label:repository=shop/web")}`)).data).toEqual([result]);
		const ended = await end(run, "failed");
		expect(ended).toMatchObject({ outcome: "failed", results: { all: 1, failed: 1 } });
		expect(ended.endedAt).not.toBeNull();
		expect(await readRun(run.id)).toEqual({ ...ended, attachments: [] });
		expect((await read("/v1/test-runs?build=r-1")).data).toEqual([ended]);
		expect((await read("/v1/test-runs?build=r-2")).data).toEqual([]);
		expect((await read("/v1/test-runs?limit=1")).data).toHaveLength(1);
	});

	test("without a build, a run links to its first failure, then to its first result", async () => {
		const run = await runWith();
		expect(run.url).toBeNull();
		expect(run.name).toMatch(/^Test run, \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
		const [passed, failed] = await add(run, { test: "A", outcome: "passed" }, { test: "B", outcome: "failed" });
		expect((await readRun(run.id)).url).toBe(`${api().app.baseUrl}/tests/${failed?.testId}?result=${failed?.id}`);
		const other = await runWith();
		const [only] = await add(other, { test: "A", outcome: "passed" });
		expect((await readRun(other.id)).url).toBe(`${api().app.baseUrl}/tests/${passed?.testId}?result=${only?.id}`);
	});

	test("flaky, new and known are derived across test runs, and a result that is sent again replaces itself", async () => {
		const labels = (build: string) => ({ build, branch: "main", repository: "derive" });
		const first = await runWith(labels("d-1"));
		const [broken, flaky] = await add(
			first,
			{ test: "Broken", outcome: "failed", message: "no button" },
			{ key: "f1", test: "Flaky", outcome: "failed", message: "timeout" },
			{ key: "f2", test: "Flaky", attempt: 2, outcome: "passed" },
			{ test: "Fixed later", outcome: "failed", message: "wrong total" },
		);
		expect([broken?.new, broken?.flaky]).toEqual([true, false]);
		expect((await read(`/v1/tests/${flaky?.id}`)).flaky).toBe(true);
		await end(first, "failed");
		// Two shards of the next build.
		const [one, two] = [await runWith(labels("d-2")), await runWith(labels("d-2"))];
		const [still] = await add(one, { test: "Broken", outcome: "failed", message: "no button" });
		expect(still?.new).toBe(false);
		const [otherCause] = await add(
			two,
			{ test: "Fixed later", outcome: "passed" },
			{ test: "Added", outcome: "failed" },
		);
		expect(otherCause?.outcome).toBe("passed");
		const again = await add(one, { test: "Broken", outcome: "failed", message: "no button" });
		expect(again.map(({ id }) => id)).toEqual([still?.id]);
		await end(one, "failed");
		await end(two, "failed");
		const report = await read("/v1/builds/d-2/report");
		const names = (part: { data: TestResult[] }) => part.data.map(({ test }) => test);
		expect(report).toMatchObject({
			previous: "d-1",
			branch: "main",
			repository: "derive",
			tests: { all: 3, failed: 2 },
		});
		expect(names(report.newlyFailing)).toEqual(["Added"]);
		expect(names(report.stillFailing)).toEqual(["Broken"]);
		expect(names(report.fixed)).toEqual(["Fixed later"]);
		const groups = (await read("/v1/test-failures?by=build")).data;
		expect(groups.find(({ key }: { key: string }) => key === "d-2")).toMatchObject({ failures: 2, new: 1, known: 1 });
		const history = await read(`/v1/test-history?testId=${broken?.testId}`);
		expect(history.data.map(({ testRunId }: TestResult) => testRunId)).toEqual([one.id, first.id]);
	});

	test("failures of a run with a quiet history are not new", async () => {
		const run = await runWith({ build: "q-1", branch: "main" }, { quietHistory: true });
		const [old] = await add(run, { test: "Old failure", outcome: "failed", message: "old" });
		expect(old?.new).toBe(false);
	});

	test("a build counts its test runs, is running while one is, and is gone with the last one", async () => {
		const [one, two] = [await runWith({ build: "b-1", branch: "main" }), await runWith({ build: "b-1" })];
		await add(one, { test: "A", outcome: "passed" });
		expect(await readBuild("b-1")).toMatchObject({
			...{ status: "running", jobs: 0, testRuns: 2, recordings: 0, branch: "main", endedAt: null },
			tests: { all: 1, passed: 1 },
		});
		await end(one);
		expect((await readBuild("b-1")).status).toBe("running");
		await end(two);
		const ended = await readBuild("b-1");
		expect(ended).toMatchObject({ status: "passed", testRuns: 2 });
		expect(ended.endedAt).not.toBeNull();
		expect((await read("/v1/builds?q=build:b-1")).data).toEqual([ended]);
		const usedBefore = await usedBytes();
		expect((await api().call("DELETE", `/v1/test-runs/${one.id}`)).status).toBe(204);
		expect(await usedBytes()).toBeLessThan(usedBefore);
		expect((await api().call("DELETE", `/v1/test-runs/${one.id}`)).status).toBe(404);
		expect((await api().call("GET", `/v1/test-runs/${one.id}`)).status).toBe(404);
		expect((await read(`/v1/tests?testRunId=${one.id}`)).data).toEqual([]);
		// A run without results counts as one test.
		expect(await readBuild("b-1")).toMatchObject({ testRuns: 1, tests: { all: 1, passed: 1 } });
		await api().call("DELETE", `/v1/test-runs/${two.id}`);
		expect((await api().call("GET", "/v1/builds/b-1")).status).toBe(404);
	});
	const usedBytes = async (): Promise<number> =>
		Number((await api().app.db.selectFrom("organizationUse").select("bytes").executeTakeFirstOrThrow()).bytes);

	test("tests without an outcome are errors when their run ends, and so are those that begin later", async () => {
		const run = await runWith({ build: "e-1" });
		await add(run, { key: "a", test: "Begun", endedAt: undefined });
		await end(run, "failed");
		const [begun] = (await read(`/v1/tests?testRunId=${run.id}`)).data;
		expect(begun).toMatchObject({ outcome: "error", message: expect.stringContaining("the test run ended") });
		await add(run, { key: "b", test: "Late", endedAt: undefined });
		expect((await readRun(run.id)).results).toMatchObject({ all: 2, error: 2, running: 0 });
		// A corrected outcome counts, and the run has ended when it did.
		const corrected = await end(run, "error");
		expect(corrected).toMatchObject({ outcome: "error", endedAt: (await readRun(run.id)).endedAt });
	});

	test("a run that ends without results is a result of its own, with the message of its end", async () => {
		const run = await runWith({ build: "i-1" }, { name: "Nothing ran" });
		await end(run, "failed", { message: "npm: not found" });
		const { data } = await read(`/v1/tests?testRunId=${run.id}`);
		expect(data).toMatchObject([{ test: "Nothing ran", outcome: "failed", message: "npm: not found", new: true }]);
		await add(run, { test: "It did", outcome: "passed" });
		expect((await read(`/v1/tests?testRunId=${run.id}`)).data).toMatchObject([{ test: "It did" }]);
		expect(await readBuild("i-1")).toMatchObject({ status: "passed", tests: { all: 1 } });
	});

	test("a run that nobody ends becomes an error after 2 hours without a report, and continues with the next one", async () => {
		const run = await runWith({ build: "a-1" });
		await add(run, { test: "Slow", endedAt: undefined });
		await sweepTestRuns(later(1.9 * HOUR_MS));
		expect(await readRun(run.id)).toMatchObject({ outcome: null, isAbandoned: false });
		await sweepTestRuns(later(2.1 * HOUR_MS));
		expect(await readRun(run.id)).toMatchObject({ outcome: "error", isAbandoned: true, results: { error: 1 } });
		expect((await readBuild("a-1")).status).toBe("failed");
		await add(run, { test: "Slow", outcome: "passed" });
		expect(await readRun(run.id)).toMatchObject({ outcome: null, isAbandoned: false, endedAt: null });
		expect((await readBuild("a-1")).status).toBe("running");
		expect(await end(run)).toMatchObject({ outcome: "passed", results: { all: 1, passed: 1 } });
		await sweepTestRuns(later(24 * HOUR_MS));
		expect(await readRun(run.id)).toMatchObject({ outcome: "passed", isAbandoned: false });
	});

	test("two calls with one key at once create one run", async () => {
		const create = () => api().call("POST", "/v1/test-runs", { body: { key: "shard 1 of 12", name: "Keyed" } });
		const answers = await Promise.all([create(), create(), create()]);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
		expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
		expect(answers[0]?.headers.get("location")).toBe(`/v1/test-runs/${answers[0]?.body.id}`);
	});

	test("a test run of another organization is not found, and its key is free", async () => {
		const run = await runWith({ build: "mine" }, { key: "shared key" });
		const owner = await signIn(api());
		const { body: other } = await owner.call("POST", "/v1/organizations", { body: { name: "Strangers" } });
		const as = (method: string, path: string, body?: object) =>
			owner.call(method, `${path}${path.includes("?") ? "&" : "?"}organizationId=${other.id}`, { body });
		const path = `/v1/test-runs/${run.id}`;
		const statuses = [
			await as("GET", path),
			await as("DELETE", path),
			await as("POST", `${path}/end`, { outcome: "passed" }),
			await as("POST", `${path}/tests`, [{ key: "a", test: "A" }]),
		].map(({ status }) => status);
		expect(statuses).toEqual([404, 404, 404, 404]);
		expect((await as("GET", "/v1/test-runs")).body.data).toEqual([]);
		expect((await as("GET", "/v1/test-runs?build=mine")).body.data).toEqual([]);
		expect((await as("GET", `/v1/tests?testRunId=${run.id}`)).body.data).toEqual([]);
		expect((await as("POST", "/v1/test-runs", { key: "shared key" })).status).toBe(201);
	});

	test.each([
		[{ outcome: "passed" }, "outcome"],
		[{ name: "\u0007" }, "name"],
		[{ labels: { Build: "1" } }, "labels"],
		[{ key: "" }, "key"],
		[{ quietHistory: "yes" }, "quietHistory"],
	])("a body like %j is refused at %s", async (body, path) => {
		const answer = await api().call("POST", "/v1/test-runs", { body });
		expect(answer.status).toBe(422);
		expect(answer.body.errors[0].path).toMatch(new RegExp(`^${path}`));
	});

	test("a run goes with its last result, when results have been kept for as long as the organization says", async () => {
		const run = await runWith({ build: "old-1" });
		await add(run, { test: "Aged", outcome: "passed" });
		await end(run);
		const unfinished = await runWith({ build: "old-2" });
		await sweepResults(later(401 * 24 * HOUR_MS), new AbortController().signal);
		expect((await api().call("GET", `/v1/test-runs/${run.id}`)).status).toBe(404);
		expect((await api().call("GET", "/v1/builds/old-1")).status).toBe(404);
		expect((await readRun(unfinished.id)).endedAt).toBeNull();
	});
});
