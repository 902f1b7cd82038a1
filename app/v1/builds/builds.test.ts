/** Builds and the sums of their recordings, jobs and tests, by API. */
import type { Build } from "@tapedeck/contract/build.ts";
import { type Insertable, sql, type Updateable } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RecordingTable } from "#lib/db/schema.ts";
import { contextFor } from "#lib/http/app-context.ts";
import { listBuilds } from "#lib/recordings/builds.ts";
import { connect } from "#test/api-client.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { plansOf } from "#test/databases/plans.ts";
import { type ScriptedRunner, scriptRunner } from "#test/runners/scripted-runner.ts";

const BEGIN = Date.parse("2026-11-01T00:00:00.000Z");
const COMMON = { jobId: null, name: "Take", state: "ready", contentType: "video/mp4", bytes: 7 } as const;
let count = 0;

type Values = Partial<Omit<Insertable<RecordingTable>, "id" | "labels">> & { build?: string };
function recordingOf({ build, createdAt = BEGIN, ...values }: Values) {
	count += 1;
	const labels = JSON.stringify(build === undefined ? { branch: "main" } : { build, branch: "main" });
	const times = { createdAt, updatedAt: BEGIN };
	return {
		...COMMON,
		organizationId: 1,
		uploadId: `build-${count}`,
		durationSeconds: 1.5,
		...values,
		labels,
		...times,
	};
}

onEachDatabase((api) => {
	let runner: ScriptedRunner;
	beforeAll(async () => {
		const dashboard = { url: api().url, api: connect(api().url, TEST_API_KEY), runnerToken: TEST_RUNNER_TOKEN };
		runner = await scriptRunner(dashboard, "runner of counts");
	});
	afterAll(() => runner.stop());

	const db = () => api().app.db;
	const add = async (values: Values): Promise<number> => {
		const inserted = db().insertInto("recording").values(recordingOf(values)).returning("id");
		return (await inserted.executeTakeFirstOrThrow()).id;
	};
	const change = (id: number, values: Updateable<RecordingTable>) =>
		db().updateTable("recording").set(values).where("id", "=", id).execute();
	const read = (build: string) => api().call("GET", `/v1/builds/${encodeURIComponent(build)}`);

	test("a build counts its recordings by outcome, the black and the live ones, and their length and times", async () => {
		for (const outcome of ["passed", "failed", "failed", "error", "skipped", null] as const) {
			await add({ build: "of all kinds", outcome, createdAt: BEGIN + count * 1_000 });
		}
		const last = BEGIN + 3_600_000;
		await add({ build: "of all kinds", state: "live", durationSeconds: 60, createdAt: last });
		await add({ build: "of all kinds", verdict: "black", createdAt: BEGIN - 1 });
		await add({});
		const { status, body } = await read("of all kinds");
		expect([status, body]).toEqual([
			200,
			{
				...{ build: "of all kinds", recordings: 8, passed: 1, failed: 2, error: 1, skipped: 1, withoutOutcome: 3 },
				...{ black: 1, running: 1, durationSeconds: 10.5 },
				// A recording is in progress.
				...{
					jobs: 0,
					testRuns: 0,
					letThrough: 0,
					status: "running",
					branch: "main",
					commit: null,
					repository: null,
					workflow: null,
					startedAt: null,
					endedAt: null,
				},
				tests: { all: 0, passed: 0, failed: 0, error: 0, skipped: 0, running: 0, flaky: 0 },
				...{ firstAt: new Date(BEGIN - 1).toISOString(), lastAt: new Date(last).toISOString() },
			} satisfies Build,
		]);
	});

	test("the counts follow every change of a recording, and a build without recordings is gone", async () => {
		const id = await add({ build: "moving", state: "live", durationSeconds: 2 });
		await change(id, { durationSeconds: 3 });
		expect((await read("moving")).body).toMatchObject({ recordings: 1, running: 1, durationSeconds: 0 });
		await change(id, { state: "ready", durationSeconds: 4.25, verdict: "black" });
		expect((await read("moving")).body).toMatchObject({
			running: 0,
			black: 1,
			durationSeconds: 4.25,
			withoutOutcome: 1,
		});
		await change(id, { outcome: "failed" });
		await change(id, { outcome: "passed", verdict: "ok" });
		expect((await read("moving")).body).toMatchObject({ passed: 1, failed: 0, black: 0, withoutOutcome: 0 });
		await change(id, { labels: '{"build":"moved"}' });
		expect((await read("moving")).status).toBe(404);
		expect((await read("moved")).body).toMatchObject({ recordings: 1, passed: 1, durationSeconds: 4.25 });
		await change(id, { labels: "{}" });
		expect((await read("moved")).status).toBe(404);
		// Again, later: its times are those of what is there.
		const at = BEGIN + 86_400_000;
		const again = await add({ build: "moved", outcome: "failed", createdAt: at });
		const time = new Date(at).toISOString();
		expect((await read("moved")).body).toMatchObject({
			recordings: 1,
			passed: 0,
			failed: 1,
			firstAt: time,
			lastAt: time,
		});
		await db().deleteFrom("recording").where("id", "=", again).execute();
		expect((await read("moved")).status).toBe(404);
	});

	test("names with slashes, spaces and other writing are read, and nothing else is found by them", async () => {
		for (const build of ["release/1.2 #3", "сборка ☃ %2F", "x".repeat(255)]) {
			await add({ build });
			expect((await read(build)).body).toMatchObject({ build, recordings: 1 });
		}
		expect((await read("release")).status).toBe(404);
		expect((await api().call("GET", "/v1/builds/a%00b")).status).toBe(404);
		expect((await read("x".repeat(256))).status).toBe(404);
	});

	test("the list begins with the newest, in pages that add up, and has nothing of other organizations", async () => {
		const values = { organizationId: 2, recordings: 1, firstAt: BEGIN, lastAt: BEGIN * 2 };
		await db()
			.insertInto("build")
			.values({ ...values, name: "of others" })
			.execute();
		const at = BEGIN + 10 * 86_400_000;
		for (const [build, createdAt] of [
			["p-1", at],
			["p-3", at + 2],
			["p-2: ☃", at + 1],
			["p-2: b", at + 1],
		] as const) {
			await add({ build, createdAt });
		}
		await add({ build: "", createdAt: at + 9 });
		const names: string[] = [];
		let cursor: string | null = null;
		do {
			const { body } = await api().call("GET", `/v1/builds?limit=2${cursor === null ? "" : `&cursor=${cursor}`}`);
			names.push(...body.data.map(({ build }: Build) => build));
			cursor = body.nextCursor;
		} while (cursor !== null);
		expect(names.slice(0, 4)).toEqual(["p-3", "p-2: ☃", "p-2: b", "p-1"]);
		expect(new Set(names).size).toBe(names.length);
		expect(names).not.toContain("of others");
		expect((await read("of others")).status).toBe(404);
		for (const bad of ["x", Buffer.from("12").toString("base64url"), Buffer.from("1:\0").toString("base64url")]) {
			const { status, body } = await api().call("GET", `/v1/builds?cursor=${bad}`);
			expect([status, body.errors[0].path]).toEqual([422, "cursor"]);
		}
	});

	test("a search finds the builds whose names have all its words, and refuses what is no search", async () => {
		for (const build of ["E2E / nightly #7", "e2e / nightly #8", "unit #7", "100%_#7"]) await add({ build });
		const find = async (q: string) => {
			const { status, body } = await api().call("GET", `/v1/builds?q=${encodeURIComponent(q)}`);
			return status === 200 ? body.data.map(({ build }: Build) => build).sort() : [status, body.errors[0].path];
		};
		expect(await find("NIGHTLY e2e")).toEqual(["E2E / nightly #7", "e2e / nightly #8"]);
		expect(await find('"nightly #7"')).toEqual(["E2E / nightly #7"]);
		expect(await find("#7 -nightly -unit")).toEqual(["100%_#7"]);
		expect(await find("0%_")).toEqual(["100%_#7"]);
		expect(await find("nowhere")).toEqual([]);
		for (const refused of ['open "quote', "outcome:green", "colour:red", "a".repeat(1_001)]) {
			expect(await find(refused)).toEqual([422, "q"]);
		}
	});

	test("builds are found by all filters of searches: their own, those of their jobs and recordings, and those of their results", async () => {
		const commit = "3f2a1b0c9d8e7f60718293a4b5c6d7e8f9012345";
		const labels = { repository: "acme/find", workflow: "CI", branch: "found" };
		const passedId = await run({ ...labels, build: "found 1", commit }, ["Cart › adds", "passed"]);
		const failedId = await run(
			{ ...labels, build: "found 2", team: "web" },
			["Cart › pays", "failed"],
			["Cart › adds", "passed"],
		);
		await run({ ...labels, build: "found 3" }, ["Cart › later", "skipped"], ["Cart › adds", "passed", 2]);
		const broken = { key: "m", test: "Cart › breaks", outcome: "failed", message: "it broke" };
		await api().call("POST", `/v1/jobs/${failedId}/tests`, { body: [broken] });
		await add({ build: "found 4", verdict: "black", outcome: "error", createdAt: BEGIN });
		const find = async (q: string) => {
			const { status, body } = await api().call("GET", `/v1/builds?q=${encodeURIComponent(`found ${q}`)}`);
			expect(status, JSON.stringify(body)).toBe(200);
			return body.data.map(({ build }: Build) => build.slice(-1)).sort();
		};
		expect(await find("")).toEqual(["1", "2", "3", "4"]);
		expect(await find(`commit:${commit}`)).toEqual(["1"]);
		expect(await find("commit:3f2a1b0")).toEqual(["1"]);
		expect(await find("3f2a1b0")).toEqual(["1"]);
		expect(await find("outcome:failed")).toEqual(["2"]);
		expect(await find("outcome:passed")).toEqual(["1", "3"]);
		expect(await find("outcome:failed outcome:error")).toEqual(["2", "4"]);
		expect(await find("-outcome:failed -outcome:error")).toEqual(["1", "3"]);
		expect(await find("outcome:skipped")).toEqual(["3"]);
		expect(await find("status:recording")).toEqual(["1", "2", "3"]);
		expect(await find("status:failed")).toEqual(["2", "4"]);
		expect(await find('test:"Cart › pays"')).toEqual(["2"]);
		expect(await find('-test:"Cart › pays"')).toEqual(["1", "3", "4"]);
		expect(await find("label:team=web")).toEqual(["2"]);
		expect(await find("label:repository=acme/find -label:team")).toEqual(["1", "3"]);
		expect(await find('build:"found 1" build:"found 3"')).toEqual(["1", "3"]);
		expect(await find("flaky:yes")).toEqual(["3"]);
		expect(await find("new:yes")).toEqual(["2"]);
		expect(await find("message:broke")).toEqual(["2"]);
		expect(await find("verdict:black")).toEqual(["4"]);
		expect(await find(`runner:${runner.runnerId}`)).toEqual(["1", "2", "3"]);
		expect(await find("runner:nobody")).toEqual([]);
		expect(await find("session:none cause:none screen:00ff00ff00ff00ff")).toEqual([]);
		expect(await find("before:2026-11-02")).toEqual(["4"]);
		expect(await find("after:2026-11-02")).toEqual(["1", "2", "3"]);
		await api().call("PATCH", `/v1/jobs/${passedId}`, { body: { labels: { team: "api" } } });
		expect(await find("label:team=api label:team=web of is")).toEqual(["1", "2"]);
	});

	/** A second after the one before in its list, in the minute of its attempt. */
	type Reported = readonly [test: string, outcome: string | null, attempt?: number, minute?: number];
	/** Tests of a job that records. @returns the job's id. */
	async function run(labels: Record<string, string>, ...tests: Reported[]): Promise<number> {
		const jobId = await runner.record("Run");
		await api().call("PATCH", `/v1/jobs/${jobId}`, { body: { labels } });
		await report(jobId, ...tests);
		return jobId;
	}
	async function report(jobId: number, ...tests: Reported[]): Promise<void> {
		if (tests.length === 0) return;
		const body = tests.map(([test, outcome, attempt = 1, minute = attempt], index) => ({
			...{ key: `${test} ${attempt} ${minute}`, test, outcome, attempt },
			startedAt: new Date(BEGIN + minute * 60_000 + index * 1_000).toISOString(),
		}));
		expect((await api().call("POST", `/v1/jobs/${jobId}/tests`, { body })).status).toBe(201);
	}

	test("a build counts its tests by the last result of each, in whatever order they are reported", async () => {
		const labels = { build: "of tests", branch: "main", commit: "abc" };
		// Retries come before what they repeat, and another job has one of the same tests.
		const first = await run(
			labels,
			["turns green", "passed", 2],
			["stays red", "failed", 2],
			["is skipped", "skipped"],
		);
		await report(first, ["turns green", "failed", 1], ["stays red", "failed", 1], ["breaks", "error"], ["runs", null]);
		await run(labels, ["is skipped", "passed", 1, 0]);
		expect((await read("of tests")).body).toMatchObject({
			...{ jobs: 2, status: "running", branch: "main", commit: "abc", endedAt: null },
			tests: { all: 5, passed: 1, failed: 1, error: 1, skipped: 1, running: 1, flaky: 1 },
		});
		await report(first, ["runs", "passed"], ["breaks", "passed", 2]);
		expect((await read("of tests")).body.tests).toMatchObject({ all: 5, passed: 3, error: 0, running: 0 });
	});

	test("the counts of tests follow labels, results that give way to others, and results that are deleted", async () => {
		const jobId = await run({ build: "tests move" }, ["a", "failed"], ["b", "passed"]);
		const other = await run({ build: "tests move" }, ["a", "passed", 1, 5]);
		expect((await read("tests move")).body.tests).toMatchObject({ all: 2, passed: 2, failed: 0 });
		await api().call("PATCH", `/v1/jobs/${other}`, { body: { labels: { build: "tests moved" } } });
		expect((await read("tests move")).body.tests).toMatchObject({ all: 2, passed: 1, failed: 1 });
		expect((await read("tests moved")).body).toMatchObject({ jobs: 1, tests: { all: 1, passed: 1 } });
		await api().call("PATCH", `/v1/jobs/${other}`, { body: { labels: { build: "tests move" } } });
		expect((await read("tests moved")).status).toBe(404);
		await db().deleteFrom("testResult").where("jobId", "=", other).execute();
		expect((await read("tests move")).body.tests).toMatchObject({ all: 2, passed: 1, failed: 1 });
		// The implied result of a job counts as its test, until results are reported.
		const implied = await run({ build: "implied", test: "whole job" });
		await api().call("PATCH", `/v1/jobs/${implied}`, { body: { outcome: "failed" } });
		expect((await read("implied")).body.tests).toMatchObject({ all: 1, failed: 1 });
		await report(implied, ["x", "passed"], ["y", "passed"]);
		expect((await read("implied")).body.tests).toMatchObject({ all: 2, passed: 2, failed: 0 });
		await db().deleteFrom("testResult").where("jobId", "in", [jobId, implied]).execute();
		expect((await read("implied")).body).toMatchObject({ jobs: 1, tests: { all: 0, passed: 0 } });
	});

	test("jobs without a video make a build, which is queued until one of them starts, and goes by its tests once all have ended", async () => {
		const queue = async () => {
			const body = { runnerId: runner.runnerId, displayId: ":77", name: "Waits", stopCondition: "interrupt" };
			const labels = { build: "no videos", branch: "quiet" };
			return (await api().call("POST", "/v1/jobs", { body: { ...body, labels } })).body.id as number;
		};
		const jobs = [await queue(), await queue()];
		const found = async () => (await api().call("GET", "/v1/builds?q=branch:quiet")).body.data;
		expect(await found()).toMatchObject([{ build: "no videos", recordings: 0, jobs: 2, status: "queued" }]);
		await api().call("POST", `/v1/jobs/${jobs[0]}/cancel`);
		expect(await found()).toMatchObject([{ status: "queued", endedAt: null }]);
		await api().call("POST", `/v1/jobs/${jobs[1]}/cancel`);
		expect(await found()).toMatchObject([{ status: null, endedAt: expect.any(String) }]);
		await report(jobs[0] as number, ["a", "passed"]);
		expect(await found()).toMatchObject([{ status: "passed" }]);
		await report(jobs[1] as number, ["b", "failed"]);
		expect(await found()).toMatchObject([{ status: "failed" }]);
		expect((await api().call("GET", "/v1/builds?q=videos")).body.data).toMatchObject([{ build: "no videos" }]);
	});

	test("a branch is found with its builds, several as alternatives, without others if it is excluded", async () => {
		for (const branch of ["one", "two", "three"]) await run({ build: `of ${branch}`, branch: `find/${branch}` });
		await run({ build: "of nobody" });
		const find = async (q: string) =>
			(await api().call("GET", `/v1/builds?limit=100&q=${encodeURIComponent(q)}`)).body.data
				.map(({ build }: Build) => build)
				.filter((build: string) => build.startsWith("of "))
				.sort();
		expect(await find("branch:find/one")).toEqual(["of one"]);
		expect(await find("branch:find/one branch:find/two")).toEqual(["of one", "of two"]);
		expect(await find("branch:find/one branch:find/two two")).toEqual(["of two"]);
		expect(await find('of -branch:find/one "of "')).toEqual(
			expect.arrayContaining(["of nobody", "of three", "of two"]),
		);
		expect(await find("-branch:find/one")).not.toContain("of one");
		expect(await find("branch:find")).toEqual([]);
	});

	test("the sums of all builds are what counting their jobs, tests and recordings finds", async () => {
		await run({ build: "summed" }, ["a", "failed"], ["a", "passed", 2], ["b", "passed"], ["b", "failed", 2]);
		expect((await read("summed")).body.tests).toMatchObject({ all: 2, passed: 1, failed: 1, flaky: 1 });
		expect((await api().call("GET", "/v1/builds/summed/report")).body.flaky).toMatchObject({
			tests: 1,
			data: [{ test: "a" }],
		});
		const { rows } = await sql<{ name: string; stored: string; found: string }>`
			select name, jobs || ' ' || "unfinishedJobs" || ' ' || recordings || ' ' || tests || ' ' || "testsPassed" || ' ' ||
				("testsFailed" + "testsError") || ' ' || "testsFlaky" as stored,
				(select count(*) || ' ' || coalesce(sum(case when status in ('completed', 'failed', 'cancelled') then 0 else 1 end), 0)
					from "jobLabel" as label join job on job.id = label."jobId" where label.key = 'build' and value = build.name) || ' ' ||
				(select count(*) from "recordingLabel" where key = 'build' and value = build.name) || ' ' ||
				(select count(*) || ' ' || coalesce(sum(case when outcome = 'passed' then 1 else 0 end), 0) || ' ' ||
					coalesce(sum(case when outcome in ('failed', 'error') then 1 else 0 end), 0) || ' ' || 
					coalesce(sum(case when outcome = 'passed' then "isFlaky" else 0 end), 0)
					from (select outcome, "isFlaky", row_number() over (partition by "testId" order by "startedAt" desc, id desc)
						as place from "testResult" where build = build.name) as placed where place = 1) as found
			from build where "organizationId" = 1`.execute(db());
		expect(rows.map(({ name }) => name)).toContain("summed");
		for (const { name, stored, found } of rows) expect(stored, name).toBe(found);
	});

	test.each([
		["a page of the list", "build_by_time", undefined],
		["a page of a branch", "build_by_branch", "branch:main"],
	])("%s reads an index in its order", async (_what, index, q) => {
		const { app } = api();
		const ctx = contextFor(app, { kind: "system", organizationId: 1 });
		const cursor = Buffer.from("5:x").toString("base64url");
		const plans = await db()
			.connection()
			.execute(async (connection) => {
				// Postgres scans tiny tables sequentially, although it would use the index on a large one.
				if (app.dialect === "postgres") await sql`set enable_seqscan = off`.execute(connection);
				const plans = await plansOf(connection, (db) =>
					listBuilds({ ...ctx, db, reads: db }, { limit: 50, cursor, q }),
				);
				if (app.dialect === "postgres") await sql`reset enable_seqscan`.execute(connection);
				return plans.join("\n");
			});
		expect(plans).toMatch(index);
		expect(plans).not.toMatch(/sort|temp b-tree/i);
	});
});
