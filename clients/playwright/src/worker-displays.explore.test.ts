/** A display for each worker, in real runs with a real browser. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Color, framesOf, secondsWith } from "../../../test/clients/film-colors.ts";
import {
	browsersFolder,
	type PlaywrightProject,
	startPlaywrightProject,
} from "../../../test/clients/playwright-project.ts";
import { requireProgram } from "../../../test/processes/programs.ts";
import type { Job } from "../../typescript/src/index.ts";

/** Each test shows a page, a popup over it, and a second tab. */
const COLORS: Record<"first" | "second", Record<"page" | "popup" | "tab", Color>> = {
	first: { page: [230, 40, 40], popup: [40, 230, 40], tab: [40, 40, 230] },
	second: { page: [230, 40, 160], popup: [40, 230, 160], tab: [40, 160, 230] },
};
const SPEC = `
import { expect, test } from "@tapedeck/playwright";
const colors = ${JSON.stringify(COLORS)};
const show = (color) => "data:text/html," + encodeURIComponent("<body style='background: rgb(" + color + ")'>");
for (const name of ["first", "second"]) {
	test(name, async ({ page, context }, { retry }) => {
		await page.goto(show(colors[name].page));
		if (name === "second" && retry === 0) throw new Error("fails once");
		const popups = page.waitForEvent("popup");
		await page.evaluate(() => void window.open("about:blank", "popup", "width=500,height=400,left=200,top=200"));
		const popup = await popups;
		await popup.evaluate((color) => { document.body.style.background = "rgb(" + color + ")"; }, colors[name].popup);
		// The film needs frames of it.
		await popup.waitForTimeout(2_000);
		await popup.close();
		const tab = await context.newPage();
		await tab.goto(show(colors[name].tab));
		await tab.waitForTimeout(2_000);
		console.log(name + " ends");
	});
}
`;

let project: PlaywrightProject;
beforeAll(async () => {
	project = await startPlaywrightProject({ TAPEDECK_VIRTUAL_DISPLAYS: "2" });
	await writeFile(join(project.folder, "films.spec.ts"), SPEC);
}, 300_000);
afterAll(() => project?.stop());

const config = (workers: number) => ({
	...{ fullyParallel: true, workers, retries: 1 },
	use: {
		tapedeckDisplay: "worker",
		launchOptions: {
			executablePath: requireProgram("chromium"),
			args: ["--no-sandbox", "--disable-dev-shm-usage"],
		},
	},
});

async function jobsOf(name: string): Promise<Job[]> {
	const jobs = await project.client.jobs.list().toArray();
	return jobs.filter((job) => job.name.startsWith(name)).sort((a, b) => a.name.localeCompare(b.name));
}

test("each worker is one film with the pages, popups and tabs of its tests, which begin at their moment", async () => {
	const { status, output } = await project.run(["films"], { name: "Films" }, {}, config(2));
	expect(status, output).toBe(0);
	const jobs = await jobsOf("Films");
	expect(jobs.map(({ name }) => name)).toEqual(["Films · worker 1", "Films · worker 2"]);
	expect(new Set([...jobs.map(({ displayId }) => displayId), project.display.id]).size).toBe(3);
	const seen: string[] = [];
	for (const job of jobs) {
		expect(job).toMatchObject({ status: "completed", outcome: "passed", stopReason: "cancelled" });
		const [frames, results, log] = await Promise.all([
			framesOf(project, job),
			project.client.tests.list({ jobId: job.id }).toArray(),
			project.client.jobs.track(job.id, "log.playwright").toArray(),
		]);
		for (const name of ["first", "second"] as const) {
			const attempts = results.filter(({ test: its }) => its.endsWith(name));
			const passed = attempts.find(({ outcome }) => outcome === "passed");
			const shown = Object.values(COLORS[name]).map((color) => secondsWith(frames, color));
			if (passed === undefined) {
				// It ran in the other worker, apart from an attempt that failed before its popup.
				expect(shown.slice(1), `${name} is not in ${job.name}`).toEqual([[], []]);
				continue;
			}
			seen.push(name);
			expect(log.map(({ text }) => text).join()).toContain(`${name} ends`);
			const from = passed.offsetSeconds ?? Number.NaN;
			for (const seconds of shown) {
				const within = seconds.filter((at) => at >= from && at <= from + (passed.durationSeconds ?? 0) + 0.3);
				expect(within.length, `${name} in ${job.name}: ${seconds}`).toBeGreaterThan(0);
			}
		}
	}
	expect(seen.sort()).toEqual(["first", "second"]);
}, 240_000);

test("a browser that cannot be shown runs on as it is configured, after one line", async () => {
	await writeFile(
		join(project.folder, "hidden.spec.ts"),
		`import { expect, test } from "@tapedeck/playwright";
		test("hidden", ({ headless }) => expect(headless).toBe(true));`,
	);
	const { use, ...rest } = config(1);
	const webkit = { ...rest, use: { ...use, browserName: "webkit", headless: true } };
	const env = { PLAYWRIGHT_BROWSERS_PATH: project.folder };
	const { status, output } = await project.run(["hidden"], { name: "Hidden" }, env, webkit);
	expect(status, output).toBe(0);
	expect(
		output.match(/tapedeck: WebKit cannot be shown \(.*\)\. The browsers of this worker are not on its display\./g),
	).toHaveLength(1);
}, 120_000);

test("a worker whose display is killed runs on as it is configured, after one line", async () => {
	await writeFile(
		join(project.folder, "killed.spec.ts"),
		`import { execFileSync } from "node:child_process";
		import { test } from "@tapedeck/playwright";
		test("ends its display", async ({ page }) => {
			const [display] = JSON.parse(process.env.TAPEDECK_PLAYWRIGHT_DISPLAYS);
			const lock = "/tmp/.X" + display.id.slice(1) + "-lock";
			execFileSync("sh", ["-c", "kill -9 $(cat " + lock + ")"]);
			throw new Error("its display is gone");
		});
		test("comes after it", async ({ page }) => { await page.setContent("still here"); });`,
	);
	const one = { ...config(1), fullyParallel: false, retries: 0 };
	const { status, output } = await project.run(["killed"], { name: "Killed" }, {}, one);
	expect(status, output).toBe(1);
	expect(output).toContain("1 passed");
	expect(output).toMatch(/tapedeck: The display :\d+ has ended\. The browsers of this worker are not on its display\./);
	const [job] = await jobsOf("Killed");
	expect(job).toMatchObject({ status: "failed", stopReason: "display_lost" });
}, 120_000);

test("a run with more workers than displays goes on as it is configured, after one line", async () => {
	const three = ["a", "b", "c"].map((name) => `test("${name}", () => {});`);
	await writeFile(
		join(project.folder, "three.spec.ts"),
		`import { test } from "@tapedeck/playwright"; ${three.join(" ")}`,
	);
	const { status, said, output } = await project.run(["three"], { name: "Too many" }, {}, config(3));
	expect(status, output).toBe(0);
	expect(said).toEqual([
		expect.stringMatching(
			/^tapedeck: Workers get no displays, .* makes 3 displays at a time\..*TAPEDECK_VIRTUAL_DISPLAYS=3\.$/,
		),
		expect.stringContaining("Recording of this run"),
	]);
	expect((await jobsOf("Too many")).map(({ displayId }) => displayId)).toEqual([project.display.id]);
}, 120_000);

test("a headless run whose workers get no displays keeps Playwright's own videos, after one line", async () => {
	await writeFile(
		join(project.folder, "own.spec.ts"),
		`import { test } from "@tapedeck/playwright";
		for (const name of ["a", "b", "c"]) test(name, async ({ page }) => { await page.setContent(name); });`,
	);
	const env = { PLAYWRIGHT_BROWSERS_PATH: await browsersFolder(project.folder) };
	const options = { runner: undefined, displayId: undefined, labels: { build: "own videos" } };
	const { status, said, output } = await project.run(["own"], options, env, config(3));
	expect(status, output).toBe(0);
	expect(said[0]).toMatch(/^tapedeck: Workers get no displays, and tests keep Playwright's own videos instead\. /);
	expect(said.slice(1)).toEqual([expect.stringContaining("Results of this run")]);
	const results = await project.client.tests.list({ q: 'build:"own videos"' }).toArray();
	expect(results.map(({ outcome, recordingId }) => [outcome, typeof recordingId])).toEqual(
		["a", "b", "c"].map(() => ["passed", "number"]),
	);
}, 120_000);
