/**
 * The list of jobs in its worst case: 100,000 jobs, 20 of which change each second, in a real browser. Measures the
 * response to keys and clicks, the smoothness of scrolling, memory growth, and the delay of a change.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "playwright";
import { runSql } from "#test/databases/database.ts";
import { startTestDashboard } from "#test/stack.ts";
import { openBrowser } from "./browser.ts";
import { median, ms, p50p99, p99Under, percentile, type Result, type Results } from "./figures.ts";
import { type JobChanges, startJobChanges } from "./job-changes.ts";
import { countFrames, openDrawers, watchInteractions, watchRows, watchScript } from "./list-watch.ts";
import { QUICK, samples } from "./samples.ts";

const JOBS = 100_000;
const CHANGES_PER_SECOND = 20;
const WATCHED_MS = samples(60) * 1_000;
const SCROLLS = samples(20);
const INTERACTIONS = samples(300);
const DRAWERS = samples(200);
const MEMORY_MS = QUICK ? 5_000 : 600_000;
/** The value for a row that never appears. */
const GIVEN_UP_MS = 5_000;
/** Pixels a second. The list draws twelve rows of 44 px beyond the visible ones: a later one would leave a gap. */
const SCROLL_SPEED = 1_200;
const AHEAD_MS = ((12 * 44) / SCROLL_SPEED) * 1_000;
const PROMISED = { interactionMs: 100, drawerMs: 100, dropped: 0.01, shownMs: 500, growth: 0.1, changes: 18 };
const ALL_JOBS = JOBS.toLocaleString("en");

export const figures = {
	shown: {
		what: `jobs page with ${ALL_JOBS} jobs and ${CHANGES_PER_SECOND} changes a second: server change to updated row`,
		promise: `p99 < ${PROMISED.shownMs} ms`,
	},
	key: {
		what: "that page: key press to next paint, where every fifth key opens or closes a drawer",
		promise: `p98 < ${PROMISED.interactionMs} ms`,
	},
	drawer: { what: "that page: row click to open drawer", promise: `p98 < ${PROMISED.drawerMs} ms` },
	frames: { what: "that page: frames dropped while scrolling", promise: `< ${PROMISED.dropped * 100} %` },
	memory: {
		what: `that page: memory over ${MEMORY_MS / 60_000} minutes of changes`,
		promise: `grows < ${PROMISED.growth * 100} %`,
	},
	changes: { what: "that page: changes a second meanwhile", promise: `> ${PROMISED.changes}` },
};

export async function run(): Promise<Results<typeof figures>> {
	const dashboard = await startTestDashboard();
	await addEndedJobs(dashboard, JOBS);
	const { page, close } = await openBrowser(dashboard);
	const changes = startJobChanges(dashboard.api, CHANGES_PER_SECOND);
	try {
		const cdp = await page.context().newCDPSession(page);
		const plain = await plainScrolling(page, cdp);
		await page.goto("/jobs");
		await page.locator("tr[data-row]").first().waitFor();
		return {
			shown: await changesShown(page, changes),
			key: await interactions(page),
			drawer: p98Under(PROMISED.drawerMs, await openDrawers(page, DRAWERS)),
			frames: await scrolling(page, cdp, plain),
			memory: await memory(page, cdp),
			changes: rateOf(changes),
		};
	} finally {
		await changes.stop();
		await close();
		await dashboard.stop();
	}
}

function rateOf(changes: JobChanges): Result {
	const rate = changes.rate();
	return { values: [rate], measured: rate.toFixed(1), holds: rate > PROMISED.changes };
}

/** The time from the instant stored in the database to the frame that shows the row. */
async function changesShown(page: Page, { created }: JobChanges): Promise<Result> {
	const rows = await watchRows(page);
	const from = created.length;
	await sleep(WATCHED_MS);
	const until = created.length;
	// Gives the job created last the time to appear.
	await sleep(GIVEN_UP_MS);
	const shown = await rows.shownAt();
	const delays = created
		.slice(from + 1, until)
		.map(({ id, at }) => Math.min(GIVEN_UP_MS, (shown.get(id) ?? Number.POSITIVE_INFINITY) - at));
	if (delays.every((delay) => delay === GIVEN_UP_MS)) throw new Error("the page showed none of the new jobs");
	return p99Under(PROMISED.shownMs, delays);
}

/** Keys from row to row, boxes ticked, drawers opened and closed. */
async function interactions(page: Page): Promise<Result> {
	const watched = await watchInteractions(page);
	for (let index = 0; index < INTERACTIONS; index += 1) {
		const turn = index % 10;
		if (turn < 6) await page.keyboard.press("j");
		else if (turn < 8) await page.keyboard.press("x");
		else if (turn === 8) await page.keyboard.press("Enter");
		else await page.keyboard.press("Escape");
		await sleep(50);
	}
	await page.keyboard.press("Escape");
	const durations = await watched.durations(INTERACTIONS);
	return p98Under(PROMISED.interactionMs, durations);
}

/** The 98th percentile, like browsers' summary of the interactions with a page. */
const p98Under = (promisedMs: number, values: readonly number[]): Result => ({
	...{ values, measured: p50p99(values, 0.98) },
	holds: percentile(values, 0.98) < promisedMs,
});

/**
 * The baseline: the frames that this browser misses on an idle page with lines of text and no script. @returns their
 * share
 */
async function plainScrolling(page: Page, cdp: CDPSession): Promise<number> {
	await page.setContent(Array.from({ length: 4_000 }, (_, line) => `<p>A line of text, number ${line}</p>`).join(""));
	const frames = await countFrames(page);
	await scrollDown(cdp);
	const { dropped, expected } = await frames.end();
	return dropped / expected;
}

/** A screen and a half each second. */
async function scrollDown(cdp: CDPSession): Promise<void> {
	for (let index = 0; index < SCROLLS; index += 1) {
		await cdp.send("Input.synthesizeScrollGesture", { x: 700, y: 500, yDistance: -2_400, speed: SCROLL_SPEED });
	}
}

/** Deeper and deeper into the list. */
async function scrolling(page: Page, cdp: CDPSession, plain: number): Promise<Result> {
	const frames = await countFrames(page);
	const script = await watchScript(page);
	await scrollDown(cdp);
	const { dropped, expected } = await frames.end();
	const wait = await script.longestWait();
	const rows = await page.locator("table").evaluate((table) => table.getBoundingClientRect().height / 44);
	return {
		values: [dropped / expected, wait, rows],
		measured: `${((100 * dropped) / expected).toFixed(2)} % of ${expected}, over ${Math.round(rows)} rows; drawn ${ms(wait)} late at most`,
		against: `${(100 * plain).toFixed(2)} % on a page of plain lines without script`,
		holds: dropped / expected < PROMISED.dropped && wait < AHEAD_MS,
	};
}

/** A list that is left open at its top, where every change of a minute passes by. */
async function memory(page: Page, cdp: CDPSession): Promise<Result> {
	await page.reload();
	await page.locator("tr[data-row]").first().waitFor();
	const used: number[] = [];
	const until = performance.now() + MEMORY_MS;
	while (performance.now() < until) {
		await sleep(MEMORY_MS / 20);
		await cdp.send("HeapProfiler.collectGarbage");
		const { usedSize } = (await cdp.send("Runtime.getHeapUsage")) as { usedSize: number };
		used.push(usedSize / 1e6);
	}
	const [early, late] = [median(used.slice(2, 8)), median(used.slice(-6))];
	return {
		values: [early, late],
		measured: `${early.toFixed(1)} MB, at the end ${late.toFixed(1)} MB`,
		holds: late < early * (1 + PROMISED.growth),
	};
}

/**
 * Adds jobs a second apart, the last one now, with ids from 1 on. Their runner has the id 1 and is offline, so that jobs that
 * are created for it stay queued.
 * @param dashboard one without jobs and runners.
 */
async function addEndedJobs(dashboard: Parameters<typeof runSql>[0], jobs: number): Promise<void> {
	await runSql(
		dashboard,
		`insert into runner ("organizationId", name, "signInName", version, displays, "createdAt") values (1, 'bench', 'bench', '1', '[]', 1)`,
	);
	await runSql(
		dashboard,
		`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${jobs})
		insert into job ("organizationId", "runnerId", type, "displayId", name, "stopCondition", "stopConditionConfig", status,
			"stopReason", "createdAt", "startedAt", "stoppedAt", "endedAt", "createdByKind", "createdById", "createdByName", key)
		select 1, 1, 'recording', ':99', 'job ' || i, 'duration', '{"durationSeconds":30}', 'completed', 'duration_elapsed',
			at, at, at + 30000, at + 31000, 'apiKey', 1, 'bench', 'key-' || i from (select i, ${Date.now()} - (${jobs} - i) * 1000 as at from n) as rows order by i`,
	);
}
