/** Test results that a recorded command's runner reports. */
import type { CommandTest } from "@tapedeck/contract/runner-protocol.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { expect, test } from "vitest";
import { connect } from "#test/api-client.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";

const sent = (test: string, more: Partial<CommandTest> = {}): CommandTest => ({
	...{ key: `${test}#1`, test, suite: "Shop", attempt: 1, outcome: "passed" },
	...{ offsetSeconds: 1, durationSeconds: 0.5 },
	...more,
});

onOneDatabase((api) => {
	const dashboard = () => ({
		url: api().url,
		runnerToken: TEST_RUNNER_TOKEN,
		api: connect(api().url, TEST_API_KEY),
	});
	const resultsOf = async (jobId: number): Promise<TestResult[]> =>
		(await api().call("GET", `/v1/tests?jobId=${jobId}`)).body.data;

	test("results of its tests are stored at the times of the video, and one that this dashboard does not understand costs no other", async () => {
		const runner = await scriptRunner(dashboard(), "runner of tests");
		const jobId = await runner.record("tests of a command");
		const tests = [
			sent("Shop › pays", {
				...{ outcome: "failed", message: "no \u001b[31mtotal", stack: "no total\n\tat 7" },
				steps: [
					{ title: "Open", offsetSeconds: 1, durationSeconds: 0.25, outcome: "passed" },
					{
						title: "Pay",
						offsetSeconds: 1.25,
						durationSeconds: 0.1 + 0.05,
						outcome: "failed",
						steps: [{ title: "Click" }],
					},
				],
			}),
			sent("Shop › long ago", { offsetSeconds: null, durationSeconds: 0, isApproximate: true }),
			// A value of a later version.
			{ ...sent("Shop › later"), outcome: "quarantined" } as unknown as CommandTest,
		];
		await runner.report(jobId, { type: "command_tests", message: "3 test results.", tests });
		const [pays, longAgo] = (await resultsOf(jobId)).sort((a, b) => (a.outcome ?? "").localeCompare(b.outcome ?? ""));
		expect(pays).toMatchObject({
			...{ test: "Shop › pays", suite: "Shop", outcome: "failed", message: "no total", stack: "no total\n\tat 7" },
			...{ offsetSeconds: 1, durationSeconds: 0.5, failureOffsetSeconds: 1.4, isApproximate: false },
			steps: [
				{ title: "Open", offsetSeconds: 1, durationSeconds: 0.25, outcome: "passed" },
				{ title: "Pay", offsetSeconds: 1.25, durationSeconds: 0.15, steps: [{ title: "Click", offsetSeconds: null }] },
			],
		});
		expect(longAgo).toMatchObject({ isApproximate: true, test: "Shop › long ago", outcome: "passed", endedAt: null });
		expect(await resultsOf(jobId)).toHaveLength(2);
		const history = await api().call("GET", `/v1/jobs/${jobId}/events`);
		expect(history.body.data.map(({ type }: { type: string }) => type)).toContain("command_tests");
		await runner.stop();
	});

	test("a command that failed without a test or a marker is a result with its exit status and the end of its output", async () => {
		const runner = await scriptRunner(dashboard(), "runner of a command");
		const jobId = await runner.record("a deployment");
		const output = "migrating\ncannot connect to db:5432";
		const message = "The command ended with status 3.";
		await runner.report(jobId, { type: "command_ended", message, outcome: "failed", output });
		expect(await resultsOf(jobId)).toMatchObject([{ test: "a deployment", message: `${message}\n\n${output}` }]);
		await runner.stop();
	});

	test("results that a test has reported itself stay, and those that it has only begun get its outcome", async () => {
		const runner = await scriptRunner(dashboard(), "runner of reported tests");
		const jobId = await runner.record("reported twice");
		const own = [
			{ key: "Shop › pays#1", test: "Shop › pays", outcome: "failed", message: "19 is not 20" },
			{ key: "Shop › ships#1", test: "Shop › ships" },
		];
		expect((await api().call("POST", `/v1/jobs/${jobId}/tests`, { body: own })).status).toBe(201);
		const tests = [sent("Shop › pays", { outcome: "failed", message: "it failed" }), sent("Shop › ships")];
		const [answer] = await runner.report(jobId, { type: "command_tests", message: "2 test results.", tests });
		const stored = await resultsOf(jobId);
		// The answer has the ids for links to the results.
		expect(answer?.results?.toSorted((a, b) => a.id - b.id)).toEqual(
			stored.map(({ key, id }) => ({ key, id })).sort((a, b) => a.id - b.id),
		);
		const found = stored.map(({ test, outcome, message }) => [test, outcome, message]);
		expect(found.sort()).toEqual([
			["Shop › pays", "failed", "19 is not 20"],
			["Shop › ships", "passed", null],
		]);
		await runner.stop();
	});

	test("a test that another reporter has reported under keys of its own, such as Playwright's, is not there twice", async () => {
		const runner = await scriptRunner(dashboard(), "runner of two reporters");
		const jobId = await runner.record("reported by two");
		const from = Date.parse((await api().call("GET", `/v1/jobs/${jobId}`)).body.startedAt);
		const at = (seconds: number) => new Date(from + seconds * 1_000).toISOString();
		const own = (id: string, test: string, more: object) => ({
			...{ key: id, test, outcome: "passed", startedAt: at(1), endedAt: at(4), ...more },
		});
		const reported = [
			own("3fa-1#0", "cart.spec.ts › adds", { outcome: "failed", project: "chromium", endedAt: at(2) }),
			own("3fa-1#1", "cart.spec.ts › adds", { attempt: 2, project: "chromium", startedAt: at(3) }),
			own("3fa-2#0", "cart.spec.ts › adds", { project: "firefox" }),
			own("3fa-3#0", "cart.spec.ts › runs twice", { endedAt: at(2) }),
		];
		expect((await api().call("POST", `/v1/jobs/${jobId}/tests`, { body: reported })).status).toBe(201);
		const tests = [
			// A report has a test of two projects as two attempts, and about where they ran.
			sent("cart.spec.ts › adds", { offsetSeconds: 2.5 }),
			sent("cart.spec.ts › adds", { key: "cart.spec.ts › adds#2", attempt: 2, offsetSeconds: 3.2 }),
			sent("cart.spec.ts › adds", { key: "cart.spec.ts › adds#3", attempt: 3, offsetSeconds: null }),
			// A result of another run, after the reporter's had ended.
			sent("cart.spec.ts › runs twice", { offsetSeconds: 60 }),
			sent("cart.spec.ts › is reported here only"),
		];
		for (const message of ["5 test results.", "The same, sent again."]) {
			const [answer] = await runner.report(jobId, { type: "command_tests", message, tests });
			const stored = new Map((await resultsOf(jobId)).map((result) => [result.id, result]));
			// The result of this test that the other reporter has, with the same outcome.
			expect(answer?.results?.map(({ id }) => stored.get(id)?.test)).toEqual(tests.map(({ test }) => test));
			expect(answer?.results?.map(({ id }) => stored.get(id)?.outcome)).toEqual(tests.map(() => "passed"));
		}
		const found = (await resultsOf(jobId)).map(({ test, project, attempt }) => `${test} ${project} ${attempt}`);
		expect(found.sort()).toEqual([
			"cart.spec.ts › adds chromium 1",
			"cart.spec.ts › adds chromium 2",
			"cart.spec.ts › adds firefox 1",
			"cart.spec.ts › is reported here only null 1",
			"cart.spec.ts › runs twice null 1",
			"cart.spec.ts › runs twice null 1",
		]);
		await runner.stop();
	});
});
