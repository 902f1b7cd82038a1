/** A recording for each attempt of a test, in real runs with a real browser. */
import { writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { FFPLAY_ENV } from "../../../bin/setup/demo-display.mjs";
import { type Color, framesOf, secondsWith } from "../../../test/clients/film-colors.ts";
import { type PlaywrightProject, startPlaywrightProject } from "../../../test/clients/playwright-project.ts";
import { requireProgram } from "../../../test/processes/programs.ts";
import type { Job } from "../../typescript/src/index.ts";

/** Each test shows a page, a popup over it, and a second tab. All are bright: Chromium darkens a page below a dialog. */
const COLORS = {
	one: { page: [230, 40, 40], popup: [40, 230, 40], tab: [40, 40, 230] },
	two: { page: [230, 40, 160], popup: [40, 230, 160], tab: [40, 160, 230] },
	three: { page: [230, 230, 40], popup: [40, 230, 230], tab: [230, 40, 230] },
} as const satisfies Record<string, Record<string, Color>>;
const NAMES = ["one", "two", "three"] as const;

/** Shows a color, and waits until frames of it are drawn: on a busy machine, the first ones of a browser take seconds. */
const SHOW = `
const show = async (page, color) => {
	await page.evaluate((color) => new Promise((done) => {
		document.body.style.background = "rgb(" + color + ")";
		requestAnimationFrame(() => requestAnimationFrame(() => done(null)));
	}), color);
	await page.waitForTimeout(1_500);
};`;

const SPEC = `
import { expect, test } from "@tapedeck/playwright";
const colors = ${JSON.stringify(COLORS)};
${SHOW}
for (const name of ${JSON.stringify(NAMES)}) {
	test(name, async ({ page, context }, { retry }) => {
		console.log(name + " begins on attempt " + (retry + 1));
		await page.evaluate((text) => console.error(text), "logged by " + name);
		await show(page, colors[name].page);
		if (name === "two" && retry === 0) throw new Error("fails once");
		page.on("dialog", (dialog) => setTimeout(() => dialog.accept(), 500));
		await page.evaluate(() => alert("Hello"));
		const popups = page.waitForEvent("popup");
		await page.evaluate(() => void window.open("about:blank", "popup", "width=500,height=400,left=200,top=200"));
		const popup = await popups;
		await show(popup, colors[name].popup);
		await popup.close();
		await show(await context.newPage(), colors[name].tab);
	});
}
test.skip("skipped", () => {});
`;

/** A way to the dashboard on which the calls that end recordings take long. */
async function startLateCancels(target: string): Promise<{ url: string; stop(): void }> {
	const server = createServer(async (incoming, response) => {
		if (incoming.url?.endsWith("/cancel")) await sleep(1_500);
		const { method, headers } = incoming;
		const onward = request(new URL(incoming.url ?? "/", target), { method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		onward.on("error", () => response.destroy());
		incoming.pipe(onward);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const stop = () => {
		server.close();
		server.closeAllConnections();
	};
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

let project: PlaywrightProject;
beforeAll(async () => {
	project = await startPlaywrightProject({ TAPEDECK_VIRTUAL_DISPLAYS: "2" });
	await writeFile(join(project.folder, "films.spec.ts"), SPEC);
}, 300_000);
afterAll(() => project?.stop());

const config = (workers: number) => ({
	...{ fullyParallel: true, workers, retries: 1 },
	use: {
		tapedeckDisplay: "test",
		launchOptions: {
			executablePath: requireProgram("chromium"),
			args: ["--no-sandbox", "--disable-dev-shm-usage", "--ozone-platform=wayland"],
		},
	},
});
/** The variables of a terminal of a Wayland desktop. */
const DESKTOP = { WAYLAND_DISPLAY: "wayland-0", XDG_SESSION_TYPE: "wayland", XDG_RUNTIME_DIR: "/nonexistent" };
const env = () => ({ TAPEDECK_DATA_DIR: project.dataDir, ...DESKTOP });

test("each attempt of a test is one film with its page, popup, dialog and tab, and has its result, output, console and link", async () => {
	const labels = { build: "films" };
	const { status, said, output } = await project.run(["films"], { labels, displayId: undefined }, env(), config(2));
	expect(status, output).toBe(0);
	expect(said, output).toEqual([
		expect.stringMatching(/^tapedeck: Results of this run: .*\/builds\/films$/),
		expect.stringMatching(/^tapedeck: 4 recordings, one for each attempt of a test: .*\/builds\/films$/),
		expect.stringMatching(/^tapedeck: {3}films\.spec\.ts › two: .*\/recordings\/\d+\?result=\d+$/),
	]);
	const jobs = (await project.client.jobs.list().toArray()).filter((job: Job) => job.labels.build === "films");
	expect(jobs.map(({ name }) => name).sort()).toEqual(
		["one", "three", "two", "two (attempt 2)"].map((name) => `films.spec.ts › ${name}`),
	);
	expect(new Set(jobs.map(({ displayId }) => displayId)).size).toBeLessThanOrEqual(2);
	for (const job of jobs) {
		const [, name = "", isRetry] = /› (\w+)( \(attempt 2\))?$/.exec(job.name) ?? [];
		const hasFailed = name === "two" && isRetry === undefined;
		expect(job).toMatchObject({ status: "completed", outcome: hasFailed ? "failed" : "passed" });
		const [frames, results, log, lines] = await Promise.all([
			framesOf(project, job),
			project.client.tests.list({ jobId: job.id }).toArray(),
			project.client.jobs.track(job.id, "log.playwright").toArray(),
			project.client.jobs.track(job.id, "console.playwright").toArray(),
		]);
		expect(results.map(({ test: its, attempt, outcome }) => [its, attempt, outcome])).toEqual([
			[`films.spec.ts › ${name}`, isRetry ? 2 : 1, hasFailed ? "failed" : "passed"],
		]);
		expect(log.map(({ text }) => text)).toEqual([`${name} begins on attempt ${isRetry ? 2 : 1}`]);
		expect(lines.map(({ text }) => text)).toEqual([`logged by ${name}`]);
		for (const other of NAMES) {
			const shown = Object.entries(COLORS[other]).filter(([, color]) => secondsWith(frames, color).length > 0);
			const expected = other !== name ? [] : hasFailed ? ["page"] : ["page", "popup", "tab"];
			expect(
				shown.map(([what]) => what),
				`${other} in ${job.name}`,
			).toEqual(expected);
		}
	}
	const all = await project.client.tests.list({ q: "build:films" }).toArray();
	const others = all.filter(({ jobId }) => jobId === null);
	expect(others.map(({ test: its, outcome }) => [its, outcome])).toEqual([["films.spec.ts › skipped", "skipped"]]);
}, 240_000);

test("a film ends before the next test of its worker begins, and begins after windows of the one before are closed", async () => {
	const late = await startLateCancels(project.api.url);
	onTestFinished(late.stop);
	const colors: Color[] = [0, 1, 2].map((step) => [40 + 80 * step, 230 - 80 * step, 120]);
	const window: Color = [250, 250, 20];
	await writeFile(
		join(project.folder, "after.spec.ts"),
		`import { spawn } from "node:child_process";
		import { test } from "@tapedeck/playwright";
		${SHOW}
		for (const [number, color] of ${JSON.stringify(colors)}.entries()) {
			test("after " + number, async ({ page, _tapedeckDisplay: { id } }) => {
				await show(page, color);
				// A window of the first test is still closing when it has ended. One of the second stays.
				const seconds = ["1.5", "60"][number];
				if (seconds === undefined) return;
				const words = ["-loglevel", "error", "-autoexit", "-noborder", "-left", "0", "-top", "0", "-f", "lavfi", "-i"];
				const source = number === 0 ? "color=0xfafa14:s=400x300" : "color=0x888888:s=20x20";
				spawn(${JSON.stringify(requireProgram("ffplay"))}, [...words, source + ":d=" + seconds], {
					env: { ...process.env, ...${JSON.stringify(FFPLAY_ENV)}, DISPLAY: id },
					stdio: "ignore",
				}).unref();
				await page.waitForTimeout(1_000);
			});
		}`,
	);
	const one = { ...config(1), fullyParallel: false, retries: 0 };
	const labels = { build: "after" };
	const { status, output } = await project.run(["after"], { labels, displayId: undefined, url: late.url }, env(), one);
	expect(status, output).toBe(0);
	const jobs = (await project.client.jobs.list().toArray()).filter((job: Job) => job.labels.build === "after");
	expect(jobs).toHaveLength(3);
	for (const job of jobs) {
		const number = Number(job.name.at(-1));
		const frames = await framesOf(project, job);
		const shown = colors.map((color) => secondsWith(frames, color).length > 0);
		expect(shown, job.name).toEqual(colors.map((_, index) => index === number));
		expect(secondsWith(frames, window).length > 0, job.name).toBe(number === 0);
	}
}, 120_000);

test("a test runs on without a film, after one line, when the dashboard refuses to record", async () => {
	const options = { displayId: undefined, maxDurationSeconds: -1, name: "Refused" };
	const { status, said, output } = await project.run(["films", "-g", "one|three"], options, env(), config(2));
	expect(status, output).toBe(0);
	const lines = said.filter((line) => line.includes("Tests go on without a recording of their own."));
	expect(lines, output).toHaveLength(1);
}, 120_000);

test("a run for which no runner lends displays goes on as it is configured, after one line", async () => {
	const options = { displayId: undefined, runner: undefined };
	const { status, said, output } = await project.run(
		["films", "-g", "skipped"],
		options,
		{ ...env(), TAPEDECK_DATA_DIR: "/nonexistent" },
		config(1),
	);
	expect(status, output).toBe(0);
	expect(said[0]).toMatch(/^tapedeck: Workers get no displays, .* set TAPEDECK_DATA_DIR to its data directory\.$/);
}, 120_000);
