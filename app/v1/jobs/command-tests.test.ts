/** Test results that a recorded command's runner reports. */
import type { CommandTest } from "@tapedeck/contract/runner-protocol.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { expect, test } from "vitest";
import { connect } from "#test/api-client.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";

const sent = (test: string, more: Partial<CommandTest> = {}): CommandTest => ({
	...{ key: `${test}#1`, test, suite: "Shop", attempt: 1, outcome: "passed" },
	...{ offsetSeconds: 1, durationSeconds: 0.5 },
	...more,
});

onEachDatabase((api) => {
	const dashboard = () => ({
		url: api().url,
		runnerToken: TEST_RUNNER_TOKEN,
		api: connect(api().url, TEST_API_KEY),
	});
	const resultsOf = async (jobId: number): Promise<TestResult[]> =>
		(await api().call("GET", `/v1/tests?jobId=${jobId}`)).body.data;

	test("what became of its tests is stored at the times of the video, and one that this dashboard does not understand costs no other", async () => {
		const runner = await scriptRunner(dashboard(), "runner of tests");
		const jobId = await runner.record("tests of a command");
		const tests = [
			sent("Shop › pays", { outcome: "failed", message: "no \u001b[31mtotal", stack: "no total\n\tat 7" }),
			sent("Shop › long ago", { offsetSeconds: null, durationSeconds: 0 }),
			// Of a later version.
			{ ...sent("Shop › later"), outcome: "quarantined" } as unknown as CommandTest,
		];
		await runner.report(jobId, { type: "command_tests", message: "3 test results.", tests });
		const [pays, longAgo] = (await resultsOf(jobId)).sort((a, b) => (a.outcome ?? "").localeCompare(b.outcome ?? ""));
		expect(pays).toMatchObject({
			...{ test: "Shop › pays", suite: "Shop", outcome: "failed", message: "no total", stack: "no total\n\tat 7" },
			...{ offsetSeconds: 1, durationSeconds: 0.5, failureOffsetSeconds: 1.5 },
		});
		expect(longAgo).toMatchObject({ test: "Shop › long ago", outcome: "passed", endedAt: null });
		expect(await resultsOf(jobId)).toHaveLength(2);
		const history = await api().call("GET", `/v1/jobs/${jobId}/events`);
		expect(history.body.data.map(({ type }: { type: string }) => type)).toContain("command_tests");
		await runner.stop();
	});

	test("what a test has reported itself stays, and what it has only begun gets its outcome", async () => {
		const runner = await scriptRunner(dashboard(), "runner of reported tests");
		const jobId = await runner.record("reported twice");
		const own = [
			{ key: "Shop › pays#1", test: "Shop › pays", outcome: "failed", message: "19 is not 20" },
			{ key: "Shop › ships#1", test: "Shop › ships" },
		];
		expect((await api().call("POST", `/v1/jobs/${jobId}/tests`, { body: own })).status).toBe(201);
		const tests = [sent("Shop › pays", { outcome: "failed", message: "it failed" }), sent("Shop › ships")];
		await runner.report(jobId, { type: "command_tests", message: "2 test results.", tests });
		const found = (await resultsOf(jobId)).map(({ test, outcome, message }) => [test, outcome, message]);
		expect(found.sort()).toEqual([
			["Shop › pays", "failed", "19 is not 20"],
			["Shop › ships", "passed", null],
		]);
		await runner.stop();
	});
});
