/**
 * The page of a recording of a long run in a real browser: it opens as fast as that of a short one, although it has 500 tests
 * with 10,000 steps. Pages are opened in turn, because the machine's speed varies more than they differ.
 */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { type ScriptedRunner, scriptRunner } from "#test/runners/scripted-runner.ts";
import { type Dashboard, startTestDashboard } from "#test/stack.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { openBrowser } from "./browser.ts";
import { median, ms, type Results } from "./figures.ts";
import { samples } from "./samples.ts";

const SHORT = { tests: 10, steps: 1 };
const LONG = { tests: 500, steps: 20 };
const VIDEO_SECONDS = 20;
const OPENED = samples(40);
const PROMISED = 1.25;
/** Of a call, whose body has at most 1 MiB. */
const TESTS_AT_ONCE = 100;

export const figures = {
	opened: {
		what: `recording page with ${LONG.tests} tests and ${(LONG.tests * LONG.steps).toLocaleString("en")} steps: navigation to its failure and a frame`,
		promise: `≤ ${PROMISED} × one with ${SHORT.tests}`,
	},
};

export async function run(): Promise<Results<typeof figures>> {
	const dashboard = await startTestDashboard();
	const runner = await scriptRunner(dashboard, "bench");
	const { page, close } = await openBrowser(dashboard);
	try {
		const video = await readFile(await makeVideo("recorder.mp4", VIDEO_SECONDS));
		const [short, long] = [await record(dashboard, runner, video, SHORT), await record(dashboard, runner, video, LONG)];
		// What every page loads is in the browser's cache.
		await open(page, short, SHORT.tests);
		const times: Record<"short" | "long", Opened[]> = { short: [], long: [] };
		for (let index = 0; index < OPENED; index += 1) {
			times.short.push(await open(page, short, SHORT.tests));
			times.long.push(await open(page, long, LONG.tests));
		}
		const p50 = (opened: readonly Opened[]) => ({
			opened: median(opened.map(({ openedMs }) => openedMs)),
			listed: median(opened.map(({ listedMs }) => listedMs)),
		});
		const [ofLong, ofShort] = [p50(times.long), p50(times.short)];
		const text = ({ opened, listed }: typeof ofLong) => `p50 ${ms(opened)}, all its tests ${ms(listed)}`;
		return {
			opened: {
				values: [...times.long, ...times.short].flatMap(({ openedMs, listedMs }) => [openedMs, listedMs]),
				measured: text(ofLong),
				against: `${(ofLong.opened / ofShort.opened).toFixed(2)} × ${text(ofShort)} with ${SHORT.tests}`,
				holds: ofLong.opened <= PROMISED * ofShort.opened,
			},
		};
	} finally {
		await close();
		await runner.stop();
		await dashboard.stop();
		await removeTestFolder();
	}
}

/** A recording of so many tests, of which the last one failed. @returns its id. */
const record = (
	{ api }: Dashboard,
	runner: ScriptedRunner,
	video: Buffer,
	{ tests, steps }: typeof SHORT,
): Promise<number> =>
	runner.recordWhole(`run of ${tests}`, video, 0, async (jobId) => {
		const begin = Date.parse((await api.readJob(jobId)).startedAt ?? "");
		const time = (test: number, part: number) =>
			new Date(begin + ((test + part) / tests) * VIDEO_SECONDS * 1_000).toISOString();
		const results = Array.from({ length: tests }, (_, test) => ({
			...{ key: String(test), test: `shop › test ${test}`, suite: "shop", file: "shop.spec.ts", line: test },
			...{ outcome: test === tests - 1 ? "failed" : "passed", startedAt: time(test, 0), endedAt: time(test, 0.9) },
			...(test === tests - 1 ? { message: "Error: expected 3 rows, got 2" } : {}),
			steps: Array.from({ length: steps }, (_, step) => ({
				...{ title: `step ${step}`, category: "test.step", outcome: "passed" },
				...{ startedAt: time(test, (0.9 * step) / steps), durationSeconds: 0.001 },
			})),
		}));
		for (let from = 0; from < tests; from += TESTS_AT_ONCE)
			await api.call("POST", `/v1/jobs/${jobId}/tests`, results.slice(from, from + TESTS_AT_ONCE));
	});

/** In milliseconds since the navigation. */
interface Opened {
	/** The failure and a frame of the video are there. */
	openedMs: number;
	/** Likewise all tests. */
	listedMs: number;
}

async function open(page: Page, recordingId: number, tests: number): Promise<Opened> {
	await page.goto("about:blank");
	const from = performance.now();
	await page.goto(`/recordings/${recordingId}`, { waitUntil: "commit" });
	await page.getByText("expected 3 rows, got 2").first().waitFor();
	await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) >= 2);
	const openedMs = performance.now() - from;
	await page.getByRole("button", { name: `All ${tests}` }).waitFor();
	return { openedMs, listedMs: performance.now() - from };
}
