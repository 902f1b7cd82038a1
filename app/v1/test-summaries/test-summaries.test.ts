/** All tests of an organization with summaries of their newest results, by API. */
import type { ListedTest } from "@tapedeck/contract/listed-test.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { listTests } from "#lib/test-results/list-tests.ts";
import { sweepResults } from "#lib/test-results/sweep-results.ts";
import { connect } from "#test/api-client.ts";
import { signIn } from "#test/api-people.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { plansOf } from "#test/databases/plans.ts";
import { type ScriptedRunner, scriptRunner } from "#test/runners/scripted-runner.ts";

const BEGIN = Date.parse("2026-11-01T00:00:00.000Z");
const DAY_MS = 86_400_000;
const at = (seconds: number): string => new Date(BEGIN + seconds * 1_000).toISOString();

onEachDatabase((api) => {
	let runner: ScriptedRunner;
	beforeAll(async () => {
		const dashboard = { url: api().url, api: connect(api().url, TEST_API_KEY), runnerToken: TEST_RUNNER_TOKEN };
		runner = await scriptRunner(dashboard, "runner of summaries");
	});
	afterAll(() => runner.stop());

	/** Results of a new job. @returns the job's id. */
	async function add(labels: Record<string, string>, ...results: object[]): Promise<number> {
		const body = { runnerId: runner.runnerId, displayId: ":77", stopCondition: "interrupt", labels };
		const job = await api().call("POST", "/v1/jobs", { body });
		expect(job.status, JSON.stringify(job.body)).toBe(201);
		await report(job.body.id, ...results);
		return job.body.id;
	}
	async function report(jobId: number, ...results: object[]): Promise<void> {
		const body = results.map((result, index) => ({ key: String(index), ...result }));
		const { status, body: answer } = await api().call("POST", `/v1/jobs/${jobId}/tests`, { body });
		expect(status, JSON.stringify(answer)).toBe(201);
	}
	/** Results of one test, one after the other, each `seconds` long. */
	const run = (test: string, outcomes: readonly string[], seconds: (index: number) => number = () => 1) =>
		outcomes.map((outcome, index) => ({
			...{ test, key: `${test} ${index}`, outcome, startedAt: at(index * 100) },
			endedAt: at(index * 100 + seconds(index)),
		}));
	const list = async (query: string): Promise<ListedTest[]> => {
		const { status, body } = await api().call("GET", `/v1/test-summaries?${query}`);
		expect(status, JSON.stringify(body)).toBe(200);
		return body.data;
	};
	const find = (q: string, more = "") => list(`q=${encodeURIComponent(q)}${more}`);
	const namesOf = async (q: string, more = "") => (await find(q, more)).map(({ test }) => test);

	test("results of agents do not count: for the pass rate, for flakiness, for what is new, and for failures by cause", async () => {
		const labels = { branch: "agents", commit: "a9e47" };
		const fails = { test: "Diluted", outcome: "failed", message: "Error: the agent was trying things out" };
		await add(labels, ...run("Diluted", ["passed", "passed"]));
		const agents = { ...labels, agent: "claude-code" };
		const jobId = await add(agents, { ...fails, startedAt: at(1_000), endedAt: at(1_001) });
		const [found] = await find("Diluted");
		expect(found).toMatchObject({ outcome: "passed", passRate: 1, flakyRate: 0, results: 2 });
		expect(found?.recent.map(({ outcome }) => outcome)).toEqual(["passed", "passed"]);
		const results = async (q: string) => (await api().call("GET", `/v1/tests?q=${encodeURIComponent(q)}`)).body.data;
		expect(await results("Diluted label:agent=claude-code")).toMatchObject([
			{ new: false, flaky: false, labels: agents },
		]);
		const history = (await api().call("GET", "/v1/test-history?test=Diluted")).body;
		expect(history.summary).toMatchObject({ results: 2, passed: 2, failed: 0, failingSince: null });
		expect(history.data).toHaveLength(3);
		const causes = async (q: string) =>
			(await api().call("GET", `/v1/test-failures?by=cause&q=${encodeURIComponent(q)}`)).body.data.length;
		expect(await causes("Diluted")).toBe(0);
		expect(await causes("Diluted label:agent")).toBe(1);
		expect(await causes("Diluted -label:agent")).toBe(0);
		// The cause was not known before: an agent has met it, and no run of CI.
		await add({ ...labels, commit: "c1" }, { ...fails, startedAt: at(2_000), endedAt: at(2_001) });
		expect(await results("Diluted outcome:failed -label:agent")).toMatchObject([{ new: true, flaky: false }]);
		// A job that turns out not to be an agent's counts from then on.
		await api().call("PATCH", `/v1/jobs/${jobId}`, { body: { labels: { agent: null } } });
		expect((await find("Diluted"))[0]).toMatchObject({ results: 4, passRate: 0.5 });
		expect(await causes("Diluted")).toBe(1);
	});

	test("a test has the pass rate, flakiness and median duration of its newest 30 results, and how these ended", async () => {
		const outcomes = [...Array(5).fill("error"), ...Array(27).fill("passed"), "skipped", "failed", "failed"];
		const tests = run("Numbers", outcomes, (index) => index + 1);
		const jobId = await add({ branch: "main" }, ...tests, { test: "Numbers", key: "runs", startedAt: at(9_000) });
		const [found] = await find("Numbers");
		expect(found).toMatchObject({
			...{ test: "Numbers", outcome: "failed", new: true, results: 29, owner: null },
			// From the sixth result on: 27 passed, one was skipped, two failed.
			...{ passRate: 27 / 29, flakyRate: 1, durationSeconds: 20 },
		});
		expect(found?.recent).toHaveLength(30);
		expect(found?.recent.slice(0, 4).map(({ outcome }) => outcome)).toEqual(["failed", "failed", "skipped", "passed"]);
		expect(found?.recent[0]).toMatchObject({ flaky: true, startedAt: at(3_400), durationSeconds: 35 });
		await report(jobId, { test: "Numbers", key: "runs", outcome: "passed", startedAt: at(9_000), endedAt: at(9_001) });
		expect((await find("Numbers"))[0]).toMatchObject({ outcome: "passed", new: false });
	});

	test("a test says whether the times of its newest result are not exact", async () => {
		const times = (from: number) => ({ startedAt: at(from), endedAt: at(from + 1) });
		await add({}, { test: "About", key: "old", outcome: "passed", ...times(0) });
		await add({}, { test: "About", key: "new", outcome: "failed", isApproximate: true, ...times(10) });
		expect(await find("About")).toMatchObject([{ outcome: "failed", isApproximate: true }]);
		await add({}, { test: "About", key: "newest", outcome: "passed", ...times(20) });
		expect(await find("About")).toMatchObject([{ outcome: "passed", isApproximate: false }]);
	});

	test("the trend of a test is how much longer its newest 10 results take than the 20 before, and 0 with too few", async () => {
		const passed = (count: number) => Array(count).fill("passed");
		await add({}, ...run("Slowed", passed(30), (index) => (index < 20 ? 2 : 5)));
		await add({}, ...run("Sped up", passed(15), (index) => (index < 5 ? 4 : 1)));
		await add({}, ...run("Too few", passed(14), (index) => (index < 4 ? 1 : 50)));
		const changes = (await find("-Numbers", "&sort=durationChangeSeconds")).map((one) => [
			one.test,
			one.durationChangeSeconds,
		]);
		expect(changes.slice(0, 1)).toEqual([["Slowed", 3]]);
		expect(changes.at(-1)).toEqual(["Sped up", -3]);
		expect(changes).toContainEqual(["Too few", 0]);
		expect((await namesOf("-Numbers", "&sort=durationSeconds"))[0]).toBe("Too few");
	});

	test("a result that is reported again, moves to another repository or is deleted no longer counts as it did", async () => {
		const jobId = await add({}, { test: "Moved", outcome: "failed", startedAt: at(0), endedAt: at(1) });
		expect(await find("Moved")).toMatchObject([{ repository: null, outcome: "failed", passRate: 0 }]);
		await report(jobId, { test: "Moved", outcome: "passed" });
		expect(await find("Moved")).toMatchObject([{ outcome: "passed", passRate: 1 }]);
		const labels = { repository: "acme/shop" };
		expect((await api().call("PATCH", `/v1/jobs/${jobId}`, { body: { labels } })).status).toBe(200);
		const moved = await find("Moved");
		expect(moved.toSorted((one) => one.results)).toMatchObject([
			{ repository: null, outcome: null, results: 0, passRate: null, recent: [] },
			{ repository: "acme/shop", outcome: "passed", results: 1 },
		]);
		const { app } = api();
		const { testResultDays } = (await api().call("GET", "/v1/retention")).body;
		const old = BEGIN - testResultDays * 2 * DAY_MS;
		const oldTest = { test: "Half deleted", key: "old", outcome: "failed", startedAt: new Date(old).toISOString() };
		await add({}, oldTest, { test: "Half deleted", key: "new", outcome: "passed", startedAt: at(0) });
		expect(await find("Half deleted")).toMatchObject([{ results: 2, passRate: 0.5 }]);
		await sweepResults(contextFor(app, { kind: "system", organizationId: 1 }), AbortSignal.timeout(60_000));
		expect(await find("Half deleted")).toMatchObject([{ results: 1, passRate: 1 }]);
	});

	test("a search finds tests by words, their place, their outcome, their owner and what their results have", async () => {
		const place = { suite: "Checkout", file: "pay/cart.spec.ts", project: "chromium" };
		await add(
			{ build: "web 7", branch: "feature/x", repository: "acme/web", commit: "0123456789abcdef" },
			{ test: "adds to the cart", ...place, outcome: "failed", message: "#total is wrong", startedAt: at(10) },
			{ test: "empties the cart", ...place, outcome: "passed", startedAt: at(20) },
			{ test: "signs out", suite: "Account", file: "out.spec.ts", outcome: "skipped", startedAt: at(30) },
		);
		const cart = ["empties the cart", "adds to the cart"];
		for (const [q, found] of [
			["cart", cart],
			["cart.spec chromium", cart],
			["suite:Checkout", cart],
			["file:pay/cart.spec.ts outcome:failed", ["adds to the cart"]],
			["label:repository=acme/web -outcome:passed", ["signs out", "adds to the cart"]],
			['build:"web 7" new:yes', ["adds to the cart"]],
			["branch:feature/x -cart", ["signs out"]],
			["commit:0123456789abcdef outcome:skipped", ["signs out"]],
			['message:"#total is wrong"', ["adds to the cart"]],
			['test:"signs out"', ["signs out"]],
			["flaky:yes cart", []],
			["runner:nobody", []],
			[`after:2026-11-01T00:00:15Z repository-of-nobody`, []],
		] as const) {
			expect(await namesOf(q), q).toEqual(found);
		}
		const [{ id } = { id: 0 }] = await find("adds to the cart");
		const ada = await signIn(api());
		const { userId, name } = (await ada.call("GET", "/v1/members")).body.data[0];
		const triage = await ada.call("PUT", "/v1/failure-triage", { body: { testId: id, assigneeUserId: userId } });
		expect(triage.status, JSON.stringify(triage.body)).toBe(200);
		expect(await find(`owner:"${name}"`)).toMatchObject([{ test: "adds to the cart", owner: { userId, name } }]);
		expect((await api().call("GET", "/v1/test-summaries?q=status:odd")).status).toBe(422);
	});

	test.each([
		"lastAt",
		"passRate",
		"flakyRate",
		"durationSeconds",
		"durationChangeSeconds",
	] as const)("pages by %s have every test once, each by an index in this order", async (sort) => {
		const outcomes = ["failed", "passed", "passed", "failed", "passed"];
		for (let count = 1; count <= 5; count += 1) {
			await add({}, ...run(`Paged ${count}`, outcomes.slice(0, count), (index) => index * count * 0.5));
		}
		const ctx = contextFor(api().app, { kind: "system", organizationId: 1 });
		for (const order of ["asc", "desc"] as const) {
			const all = await listTests(ctx, { sort, order, limit: 100 });
			const paged: ListedTest[] = [];
			let cursor: string | undefined;
			do {
				const page = await listTests(ctx, { sort, order, limit: 2, cursor });
				paged.push(...page.data);
				cursor = page.nextCursor ?? undefined;
			} while (cursor !== undefined);
			expect(paged.map(({ id }) => id)).toEqual(all.data.map(({ id }) => id));
			const withoutResults = { passRate: 1, flakyRate: 0, durationSeconds: -1, durationChangeSeconds: 0 };
			const values = all.data.map((one) =>
				sort === "lastAt" ? Date.parse(one.lastAt) : (one[sort] ?? withoutResults[sort]),
			);
			expect(values).toEqual(values.toSorted((a, b) => (order === "asc" ? a - b : b - a)));
		}
		const { app } = api();
		const plans = await app.db.connection().execute(async (connection) => {
			// Postgres scans tiny tables sequentially, although it would use the index on a large one.
			if (app.dialect === "postgres") await sql`set enable_seqscan = off`.execute(connection);
			const plans = await plansOf(connection, (db) =>
				listTests({ ...ctx, db, reads: db }, { sort, order: "asc", limit: 2 }),
			);
			if (app.dialect === "postgres") await sql`reset enable_seqscan`.execute(connection);
			return plans.join("\n");
		});
		expect(plans).toMatch(/test_by_(lastAt|passRate|flakyRate|durationMs|durationChangeMs)/);
		expect(plans).toMatch(/(COVERING INDEX|Index (Only )?Scan).* test_result_by_test/i);
	});
});
