/** The report of a build, by API: how its tests ended, and what is different from the build before. */
import type { BuildReport } from "@tapedeck/contract/build-report.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { reportBuild } from "#lib/test-results/build-report.ts";
import { connect } from "#test/api-client.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { plansOf } from "#test/databases/plans.ts";
import { type ScriptedRunner, scriptRunner } from "#test/runners/scripted-runner.ts";

const BEGIN = Date.parse("2026-11-01T00:00:00.000Z");
const at = (seconds: number): string => new Date(BEGIN + seconds * 1_000).toISOString();

onEachDatabase((api) => {
	let runner: ScriptedRunner;
	beforeAll(async () => {
		const dashboard = { url: api().url, api: connect(api().url, TEST_API_KEY), runnerToken: TEST_RUNNER_TOKEN };
		runner = await scriptRunner(dashboard, "runner of builds");
	});
	afterAll(() => runner.stop());

	/** Tests of a job that records: each has a second to itself. `[test, outcome, attempt]`. */
	async function run(
		labels: Record<string, string>,
		...tests: (readonly [test: string, outcome: TestResult["outcome"], attempt?: number])[]
	): Promise<void> {
		const jobId = await runner.record("Run");
		await api().call("PATCH", `/v1/jobs/${jobId}`, { body: { labels } });
		const body = tests.map(([test, outcome, attempt = 1], index) => ({
			...{ key: `${index}`, test, outcome, attempt, startedAt: at(index) },
			...(outcome === null ? {} : { endedAt: at(index + 1) }),
			...(outcome === "failed" ? { message: `${test} broke` } : {}),
		}));
		const { status } = await api().call("POST", `/v1/jobs/${jobId}/tests`, { body });
		expect(status).toBe(201);
	}
	const report = async (build: string): Promise<BuildReport> =>
		(await api().call("GET", `/v1/builds/${encodeURIComponent(build)}/report`)).body;
	const names = ({ data }: { data: TestResult[] }) => data.map(({ test }) => test).sort();

	test("a report says what fails anew, still fails, was fixed and is flaky against the build before on its branch", async () => {
		const main = { branch: "main", commit: "aaa" };
		await run({ ...main, build: "r/1" }, ["stays red", "failed"], ["turns green", "failed"], ["turns red", "passed"]);
		// Builds of other branches are not compared with.
		await run({ branch: "other", build: "r/2" }, ["turns red", "failed"], ["stays red", "passed"]);
		await run(
			{ branch: "main", commit: "bbb", build: "r/3", "ci.url": "https://ci.example.com/3" },
			["stays red", "failed"],
			["turns green", "passed"],
			["turns red", "failed", 1],
			["turns red", "failed", 2],
			["fails first", "failed", 1],
			["fails first", "passed", 2],
			["is left out", "skipped"],
			["is new here", "error"],
			["runs", null],
		);
		const found = await report("r/3");
		expect(found).toMatchObject({
			...{ build: "r/3", branch: "main", commit: "bbb", ciUrl: "https://ci.example.com/3", previous: "r/1" },
			// A test runs, so the build has no end.
			...{ startedAt: at(0), endedAt: null, isMore: false },
			tests: { all: 7, passed: 2, failed: 2, error: 1, skipped: 1, running: 1 },
		});
		expect(names(found.newlyFailing)).toEqual(["is new here", "turns red"]);
		expect(found.newlyFailing.data.find(({ test }) => test === "turns red")).toMatchObject({ attempt: 2 });
		expect(names(found.stillFailing)).toEqual(["stays red"]);
		expect(names(found.fixed)).toEqual(["turns green"]);
		expect(names(found.flaky)).toEqual(["fails first"]);
		for (const part of [found.newlyFailing, found.stillFailing, found.fixed, found.flaky]) {
			expect(part.tests).toBe(part.data.length);
		}
		const first = await report("r/1");
		expect(first).toMatchObject({ previous: null, endedAt: at(3), stillFailing: { tests: 0 }, fixed: { tests: 0 } });
		expect(names(first.newlyFailing)).toEqual(["stays red", "turns green"]);
	});

	test("a build is compared with the one before it in its series, never with another repository's, so that fixed tests count", async () => {
		const of = (repository: string, workflow: string, number: number) => ({
			...{ repository, workflow, branch: "main", build: `${repository} ${workflow} #${number}` },
		});
		for (const [number, outcome] of [
			[1, "failed"],
			[2, "passed"],
		] as const) {
			await run(of("acme/alpha", "CI", number), ["test_health", outcome], ["only in alpha", "passed"]);
			await run(of("acme/alpha", "nightly", number), ["test_health", "passed"]);
			await run(of("acme/beta", "CI", number), ["test_health", outcome === "failed" ? "passed" : "failed"]);
		}
		const alpha = await report("acme/alpha CI #2");
		expect(alpha).toMatchObject({ previous: "acme/alpha CI #1", previousBranch: "main", newlyFailing: { tests: 0 } });
		expect(names(alpha.fixed)).toEqual(["test_health"]);
		const beta = await report("acme/beta CI #2");
		expect(beta).toMatchObject({ previous: "acme/beta CI #1", fixed: { tests: 0 } });
		expect(beta.newlyFailing.data).toMatchObject([{ test: "test_health", new: true }]);
		expect(await report("acme/alpha nightly #2")).toMatchObject({ previous: "acme/alpha nightly #1" });
		expect(await report("acme/alpha nightly #1")).toMatchObject({ previous: null, previousBranch: null });
	});

	test("without labels of its series a build is compared with the one of the same name without its last number", async () => {
		const one = { branch: "main" };
		await run({ ...one, build: "shop web 1.4 build 9" }, ["pays", "failed"]);
		await run({ ...one, build: "shop api 1.4 build 9" }, ["pays", "passed"]);
		await run({ ...one, build: "shop web 1.4 build 10" }, ["pays", "passed"]);
		expect(await report("shop web 1.4 build 10")).toMatchObject({
			previous: "shop web 1.4 build 9",
			fixed: { tests: 1 },
		});
		expect(await report("shop api 1.4 build 9")).toMatchObject({ previous: null });
		// The same name in another repository.
		await run({ ...one, repository: "acme/other", build: "shop web 1.4 build 11" }, ["pays", "failed"]);
		expect(await report("shop web 1.4 build 11")).toMatchObject({ previous: null });
	});

	test("the first build of a new branch is compared with the default branch's, later ones with their branch's", async () => {
		const of = (branch: string, number: number) => ({
			...{ repository: "acme/branches", workflow: "CI", branch, build: `branches #${number}` },
		});
		await run(of("other", 1), ["pays", "passed"]);
		expect(await report("branches #1")).toMatchObject({ previous: null });
		await run(of("main", 2), ["pays", "failed"]);
		await run(of("other", 3), ["pays", "passed"]);
		await run(of("topic", 4), ["pays", "passed"]);
		await run(of("topic", 5), ["pays", "passed"]);
		expect(await report("branches #4")).toMatchObject({
			...{ previous: "branches #2", previousBranch: "main", fixed: { tests: 1 } },
		});
		expect(await report("branches #5")).toMatchObject({ previous: "branches #4", previousBranch: "topic" });
	});

	test("a build without results is no build to compare with", async () => {
		const of = (number: number) => ({ branch: "main", build: `cancelled early ${number}` });
		await run(of(1), ["pays", "failed"]);
		const jobId = await runner.record("Cancelled");
		await api().call("PATCH", `/v1/jobs/${jobId}`, { body: { labels: of(2) } });
		await run(of(3), ["pays", "passed"]);
		expect(await report("cancelled early 3")).toMatchObject({ previous: "cancelled early 1", fixed: { tests: 1 } });
	});

	test("the same title in another project is another test", async () => {
		const jobId = await runner.record("Projects");
		await api().call("PATCH", `/v1/jobs/${jobId}`, { body: { labels: { build: "projects" } } });
		const body = ["firefox", "webkit"].map((project) => ({
			...{ key: project, test: "Looks right", project, outcome: project === "webkit" ? "failed" : "passed" },
			...{ startedAt: at(0), endedAt: at(1) },
		}));
		await api().call("POST", `/v1/jobs/${jobId}/tests`, { body });
		expect(await report("projects")).toMatchObject({ tests: { all: 2, passed: 1, failed: 1 }, previous: null });
	});

	test("a build whose jobs have no results yet has an empty report; one that nobody has, or another organization, is not there", async () => {
		const jobId = await runner.record("Has just begun");
		await api().call("PATCH", `/v1/jobs/${jobId}`, { body: { labels: { build: "begun" } } });
		const empty = { ...{ branch: null, startedAt: null, previous: null }, tests: { all: 0, passed: 0 } };
		expect(await report("begun")).toMatchObject({ build: "begun", ...empty });
		expect(await report("never ran")).toMatchObject({ status: 404, code: "not_found" });
		await run({ build: "of ours", branch: "main" }, ["fails", "failed"]);
		const theirs = contextFor(api().app, { kind: "system", organizationId: 2 });
		await expect(reportBuild(theirs, "of ours")).rejects.toMatchObject({ code: "not_found" });
	});

	test("a report reads the index of a build's results, and looks at no other build's", async () => {
		const { app } = api();
		const ctx = contextFor(app, { kind: "system", organizationId: 1 });
		const plans = await app.db.connection().execute(async (connection) => {
			// Postgres scans tiny tables sequentially, although it would use the index on a large one.
			if (app.dialect === "postgres") await sql`set enable_seqscan = off`.execute(connection);
			const plans = await plansOf(connection, (db) => reportBuild({ ...ctx, db, reads: db }, "r/3"));
			if (app.dialect === "postgres") await sql`reset enable_seqscan`.execute(connection);
			return plans.join("\n");
		});
		expect(plans).toMatch("test_result_by_build");
		expect(plans).not.toMatch(/seq scan|scan "?testResult"?$/im);
	});
});
