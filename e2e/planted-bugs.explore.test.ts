/** Conclusions of the API about planted bugs: `planted-bugs.ts` says them beforehand. */
import type { BuildReport } from "@tapedeck/contract/build-report.ts";
import type { FailureGroupList } from "@tapedeck/contract/test-failure.ts";
import type { TestHistory, TestResult } from "@tapedeck/contract/test-result.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#test/api-client.ts";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import {
	BUILDS,
	buildOf,
	CAUSES,
	type Imported,
	importPlantedBuilds,
	isOf,
	type Planted,
	SERIES,
	type Series,
} from "./planted-bugs.ts";

let dashboard: TestApi;
let api: ReturnType<typeof connect>;
let imported: Imported[] = [];

beforeAll(async () => {
	dashboard = await startTestApi();
	api = connect(dashboard.url, TEST_API_KEY);
	imported = await importPlantedBuilds({ url: dashboard.url, apiKey: TEST_API_KEY });
}, 600_000);
afterAll(() => dashboard?.stop());

const plantedIn = ({ planted }: Series, is: (one: Planted) => boolean) =>
	planted
		.filter(is)
		.map(({ test }) => test)
		.sort();
/** The planted names of these results. */
const namesOf = ({ planted }: Series, results: readonly TestResult[]) =>
	results.map(({ test }) => planted.find((one) => isOf(one.test, test))?.test ?? test).sort();

const EVERY_BUILD = SERIES.flatMap((series) => BUILDS.map((build) => [buildOf(series, build), series, build] as const));

test.each(EVERY_BUILD)("the report of %s has its new, known, fixed and flaky tests", async (name, series, build) => {
	const report = await api.call<BuildReport>("GET", `/v1/builds/${encodeURIComponent(name)}/report`);
	const at = ({ outcomes }: Planted, of: number) => outcomes[of - 1] ?? "passed";
	const before = build - 1;
	expect({
		previous: report.previous,
		passed: report.tests.passed,
		failed: report.tests.failed + report.tests.error,
		newlyFailing: namesOf(series, report.newlyFailing.data),
		stillFailing: namesOf(series, report.stillFailing.data),
		fixed: namesOf(series, report.fixed.data),
		flaky: namesOf(series, report.flaky.data),
	}).toEqual({
		previous: build === 1 ? null : buildOf(series, before),
		passed: plantedIn(series, (one) => at(one, build) === "passed").length,
		failed: plantedIn(series, (one) => at(one, build) === "failed").length,
		newlyFailing: plantedIn(series, (one) => at(one, build) === "failed" && at(one, before) === "passed"),
		stillFailing: plantedIn(series, (one) => at(one, build) === "failed" && at(one, before) === "failed"),
		fixed: plantedIn(series, (one) => at(one, build) === "passed" && at(one, before) === "failed"),
		flaky: (series.flaky?.[build] ?? []).toSorted(),
	});
});

test("failures of one bug have one cause, and failures of different bugs have different ones", async () => {
	const groups = await api.call<FailureGroupList>("GET", "/v1/test-failures?by=cause&limit=100");
	const found = groups.data.map(({ title, tests, builds }) => ({
		words: CAUSES.find(({ words }) => title.includes(words))?.words ?? title,
		...{ tests, builds },
	}));
	const byWords = (a: { words: string }, b: { words: string }) => (a.words < b.words ? -1 : 1);
	expect(found.toSorted(byWords)).toEqual(CAUSES.toSorted(byWords));
});

const EVERY_TEST = SERIES.flatMap((series) =>
	series.planted.map(
		(planted) => [`${series.repository} ${series.workflow}: ${planted.test}`, series, planted] as const,
	),
);

test.each(
	EVERY_TEST,
)("the history of %s says since when it fails and where it passed last", async (_name, series, planted) => {
	const { repository, workflow } = series;
	const q = encodeURIComponent(`label:repository=${repository} label:workflow=${workflow}`);
	const { data } = await api.call<{ data: TestResult[] }>("GET", `/v1/tests?limit=100&q=${q}`);
	const own = data.filter(({ test }) => isOf(planted.test, test));
	const testId = own[0]?.testId;
	const history = await api.call<TestHistory>("GET", `/v1/test-history?testId=${testId}&limit=100`);
	// No result of another repository's test of this name.
	expect(new Set(history.data.map(({ labels }) => labels.repository))).toEqual(new Set([repository]));
	const { failingSince, lastPassedId } = history.summary;
	const isFailing = planted.outcomes.at(-1) === "failed";
	expect(failingSince?.build ?? null).toBe(isFailing ? buildOf(series, planted.outcomes.indexOf("failed") + 1) : null);
	const lastPassed = history.data.find(({ id }) => id === lastPassedId);
	expect(lastPassed?.labels.build).toBe(buildOf(series, planted.outcomes.lastIndexOf("passed") + 1));
	for (const result of own) {
		if (result.outcome === "passed" || planted.reason === undefined) continue;
		expect(result.reason).toContain(planted.reason);
		expect(result.message).toContain(planted.reason);
		// A new cause on its branch, in the first build that has it.
		const first = planted.outcomes.indexOf("failed") + 1;
		expect(result.new, `${result.labels.build}: ${result.reason}`).toBe(result.labels.build === buildOf(series, first));
	}
});

test("every result is at a time at which its tool ran, or says that its time is approximate", async () => {
	const { data } = await api.call<{ data: TestResult[] }>("GET", "/v1/tests?limit=100");
	const exact = data.filter(({ isApproximate }) => !isApproximate);
	expect(exact.length).toBeGreaterThan(data.length / 2);
	for (const { test, labels, startedAt } of exact) {
		const ofBuild = imported.filter(({ build }) => build === labels.build);
		const from = Math.min(...ofBuild.map((one) => one.from));
		const to = Math.max(...ofBuild.map((one) => one.to));
		// Reports have whole seconds, or the time at which a file was written.
		expect(Date.parse(startedAt), test).toBeGreaterThan(from - 1_500);
		expect(Date.parse(startedAt), test).toBeLessThan(to + 1_500);
	}
});

test("every link of an import leads to its test run's build, and every failure has an address of its own", async () => {
	for (const text of imported.flatMap(({ printed }) => printed)) expect(text).toMatch(/http:\/\/\S+\/builds\/\S+/);
	const { data } = await api.call<{ data: TestResult[] }>(
		"GET",
		"/v1/tests?limit=100&q=outcome:failed%20outcome:error",
	);
	expect(data.length).toBeGreaterThan(15);
	for (const { id } of data) {
		expect(await api.call("GET", `/v1/tests/${id}`)).toMatchObject({ id });
	}
});
