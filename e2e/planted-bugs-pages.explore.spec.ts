/** Conclusions of the pages about planted bugs: `planted-bugs.ts` says them beforehand. */
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import type { Page } from "playwright/test";
import { expect, ownDashboardTest } from "#test/tapedeck.ts";
import {
	BUILDS,
	buildOf,
	CAUSES,
	importPlantedBuilds,
	isOf,
	type Planted,
	SERIES,
	type Series,
} from "./planted-bugs.ts";

const test = ownDashboardTest();

const isFailed = ({ outcomes }: Planted, build: number) => outcomes[build - 1] === "failed";
const isFlaky = ({ flaky = {} }: Series, { test }: Planted, build: number) => flaky[build]?.includes(test) === true;
/** Failed results of a test: Playwright repeats a test that fails, and some builds run twice. */
const countOfAttempts = ({ outcomes }: Planted, { projects, again }: Series) =>
	outcomes.reduce((sum, outcome, index) => sum + (outcome === "failed" ? (again === index + 1 ? 2 : 1) : 0), 0) *
	(projects[0]?.report === "report.json" ? 2 : 1);

/** The parts of a build's page, and whether a test is in it. */
const PARTS: Record<string, (series: Series, one: Planted, build: number) => boolean> = {
	Failed: (_series, one, build) => isFailed(one, build),
	"Newly failing": (_series, one, build) => isFailed(one, build) && !isFailed(one, build - 1),
	"Still failing": (_series, one, build) => isFailed(one, build) && isFailed(one, build - 1),
	Fixed: (_series, one, build) => !isFailed(one, build) && isFailed(one, build - 1),
	Flaky: (series, one, build) => isFlaky(series, one, build),
	Passed: (series, one, build) => !isFailed(one, build) && !isFlaky(series, one, build),
};

/** The planted names of the tests that the page lists, and the text of each row. */
async function rowsOf(page: Page, { planted }: Series): Promise<Map<string, string>> {
	const rows = page.getByRole("list", { name: "Tests", exact: true }).getByRole("listitem");
	const found = await rows.evaluateAll((items) =>
		items.map((item) => [item.querySelector("a")?.textContent ?? "", item.textContent ?? ""] as const),
	);
	return new Map(found.map(([title, text]) => [planted.find((one) => isOf(one.test, title))?.test ?? title, text]));
}

test("pages show the planted bugs: builds, causes, tests and the links between them", async ({ page, tapedeck }) => {
	test.setTimeout(900_000);
	const imported = await importPlantedBuilds(tapedeck);
	const q = encodeURIComponent("outcome:failed outcome:error");
	const { data: failures } = await tapedeck.api.call<{ data: TestResult[] }>("GET", `/v1/tests?limit=100&q=${q}`);

	for (const [series, build] of SERIES.flatMap((series) => BUILDS.map((build) => [series, build] as const))) {
		const name = buildOf(series, build);
		await test.step(`build ${name}`, async () => {
			await page.goto(`/builds/${encodeURIComponent(name)}`);
			const chips = page.getByRole("group", { name: "Show" }).getByRole("button");
			const expected = Object.entries(PARTS).map(
				([part, has]) =>
					[part, series.planted.filter((one) => has(series, one, build)).map(({ test }) => test)] as const,
			);
			await expect(chips).toHaveText([
				`Tests${series.planted.length}`,
				...expected.flatMap(([part, tests]) => (tests.length === 0 ? [] : [`${part}${tests.length}`])),
				`Runs${series.projects.length * (series.again === build ? 2 : 1)}`,
				"Videos0",
			]);
			const main = page.getByRole("main");
			await expect(main).toContainText(
				build === 1
					? "No earlier build of this series to compare with"
					: `Compared with build ${buildOf(series, build - 1)}`,
			);
			await expect(main).toContainText("main");
			await expect(main).toContainText(`${build}`.repeat(10));
			for (const [part, tests] of expected) {
				if (tests.length === 0) continue;
				await chips.filter({ hasText: new RegExp(`^${part}\\d`) }).click();
				await expect.poll(async () => [...(await rowsOf(page, series)).keys()].sort(), part).toEqual(tests.toSorted());
				for (const [test, text] of await rowsOf(page, series)) {
					const one = series.planted.find((planted) => planted.test === test);
					if (one === undefined || !isFailed(one, build)) continue;
					expect(text, `${part}: ${test}`).toContain(one.reason ?? "");
					expect(text.includes("New"), `${part}: ${test} is new`).toBe(one.outcomes.indexOf("failed") === build - 1);
					expect(text, `${part}: ${test}`).toContain("no video");
				}
			}
		});
	}

	await test.step("failures by cause", async () => {
		await page.goto("/failures");
		const groups = page.locator("li[data-group]");
		await expect(groups).toHaveCount(CAUSES.length);
		const failed = SERIES.flatMap(({ planted, flaky = {} }) => [
			...planted.filter(({ outcomes }) => outcomes.includes("failed")),
			...Object.values(flaky).flat(),
		]);
		await expect(page.getByRole("main")).toContainText(
			`${CAUSES.length} causes: ${failed.length} tests failed (${failures.length} attempts)`,
		);
		const badge = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Failures" });
		await expect(badge).toHaveAccessibleName(`Failures , ${failed.length} not seen`);
		for (const { words, tests, builds } of CAUSES) {
			const group = groups.filter({ has: page.locator("h2", { hasText: words }) });
			await expect(group, words).toHaveCount(1);
			const counts = group.getByRole("list", { name: "Counts" });
			await expect(counts, words).toContainText(`${tests} ${tests === 1 ? "test" : "tests"} failed`);
			await expect(counts, words).toContainText(`${builds} ${builds === 1 ? "build" : "builds"}`);
			const id = Number(await group.locator("h2 a").getAttribute("data-failure"));
			expect(await group.locator("h2 a").getAttribute("href")).toBe(
				`/tests/${failures.find((one) => one.id === id)?.testId}?result=${id}`,
			);
		}
		const flaky = groups.filter({ has: page.locator("h2", { hasText: "The profile of user" }) });
		await expect(flaky.getByRole("list", { name: "Counts" })).toContainText("1 flaky");
	});

	for (const [series, one] of SERIES.flatMap((series) => series.planted.map((one) => [series, one] as const))) {
		await test.step(`test ${series.repository} ${series.workflow}: ${one.test}`, async () => {
			const { repository, workflow } = series;
			const search = encodeURIComponent(`label:repository=${repository} label:workflow=${workflow}`);
			const found = await tapedeck.api.call<{ data: TestResult[] }>("GET", `/v1/tests?limit=100&q=${search}`);
			const own = found.data.filter(({ test }) => isOf(one.test, test));
			await page.goto(`/tests/${own[0]?.testId}`);
			const main = page.getByRole("main");
			const lastPass = page.getByRole("region", { name: "Last pass" });
			await expect(lastPass).toContainText(`Build ${buildOf(series, one.outcomes.lastIndexOf("passed") + 1)}`);
			const first = one.outcomes.indexOf("failed") + 1;
			const since = main.getByText("Failing since");
			if (one.outcomes.at(-1) === "failed") await expect(since).toContainText(`build ${buildOf(series, first)}`);
			else await expect(since).toHaveCount(0);
			const lastFailure = page.getByRole("region", { name: "Last failure" });
			const last = one.outcomes.lastIndexOf("failed") + 1;
			if (last > 0) {
				await expect(lastFailure).toContainText(`Build ${buildOf(series, last)}`);
				await expect(lastFailure).toContainText(one.reason ?? "");
				const attempts = countOfAttempts(one, series);
				await expect(main).toContainText(`${attempts} failed, 0 with an error`);
				await expect(page.getByRole("list", { name: "Causes" }).getByRole("listitem")).toHaveText([
					new RegExp(`^A.*× ${attempts}$`),
				]);
				// Nothing that passed has a video.
				await expect(page.getByRole("link", { name: /^Compare/ })).toHaveCount(0);
			} else if (
				!Object.values(series.flaky ?? {})
					.flat()
					.includes(one.test)
			) {
				await expect(lastFailure).toContainText("It never failed.");
			}
		});
	}

	await test.step("every failure has an address that shows its message", async () => {
		for (const { id, testId, message, labels } of failures) {
			await page.goto(`/tests/${testId}?result=${id}`);
			const result = page.getByRole("region", { name: "Test result" });
			await expect(result).toContainText(message?.split("\n")[0]?.slice(0, 40) ?? "");
			await expect(result).toContainText(labels.build ?? "");
		}
	});

	await test.step("links of imports lead to their builds", async () => {
		for (const { build, printed } of imported) {
			for (const text of printed) {
				await page.goto(/http:\/\/\S+\/builds\/\S+/.exec(text)?.[0] ?? "no link");
				await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Build ${build}`);
			}
		}
	});
});
