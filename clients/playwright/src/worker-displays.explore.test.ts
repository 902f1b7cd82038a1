/** A display for each worker, in real runs with a real browser. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	browsersFolder,
	type PlaywrightProject,
	startPlaywrightProject,
} from "../../../test/clients/playwright-project.ts";
import { requireProgram } from "../../../test/processes/programs.ts";
import type { Job } from "../../typescript/src/index.ts";

type Color = readonly [number, number, number];
/** Each test shows a page, a popup over it, and a second tab. */
const COLORS: Record<"first" | "second", Record<"page" | "popup" | "tab", Color>> = {
	first: { page: [230, 40, 40], popup: [40, 230, 40], tab: [40, 40, 230] },
	second: { page: [230, 40, 160], popup: [40, 230, 160], tab: [40, 160, 230] },
};
/** A channel of a decoded pixel may differ by this much from the color that was shown. */
const TOLERANCE = 30;
const FRAMES_PER_SECOND = 5;
const [WIDTH, HEIGHT] = [160, 106];

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
}, 120_000);
afterAll(() => project.stop());

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

/** The frames of a job's video, each WIDTH by HEIGHT pixels of three bytes. */
async function framesOf(job: Job): Promise<Buffer[]> {
	const file = join(project.folder, `${job.id}.mp4`);
	await writeFile(file, (await project.client.recordings.download(job.recording?.id ?? 0)).body);
	const filter = `fps=${FRAMES_PER_SECOND},scale=${WIDTH}:${HEIGHT}:flags=neighbor,format=rgb24`;
	const words = ["-v", "error", "-i", file, "-vf", filter, "-f", "rawvideo", "-"];
	const { stdout } = await promisify(execFile)(requireProgram("ffmpeg"), words, {
		encoding: "buffer",
		maxBuffer: 256 << 20,
	});
	const size = WIDTH * HEIGHT * 3;
	return Array.from({ length: stdout.length / size }, (_, index) => stdout.subarray(index * size, (index + 1) * size));
}

/** The share of a frame's pixels that have the color. */
function shareOf(frame: Buffer, color: Color): number {
	let count = 0;
	for (let at = 0; at < frame.length; at += 3) {
		if (color.every((channel, index) => Math.abs((frame[at + index] ?? 0) - channel) <= TOLERANCE)) count += 1;
	}
	return count / (WIDTH * HEIGHT);
}

/** The seconds of the video in which at least a twentieth of the display has the color. */
const secondsWith = (frames: readonly Buffer[], color: Color): number[] =>
	frames.flatMap((frame, index) => (shareOf(frame, color) > 0.05 ? [index / FRAMES_PER_SECOND] : []));

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
			framesOf(job),
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
