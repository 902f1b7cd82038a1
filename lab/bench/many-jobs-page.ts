/**
 * The jobs page over a million jobs beside the same page over a hundred: scrolling through a hundred pages, filters and
 * dates, opening drawers, and whether it keeps its memory while 50 jobs change each second.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "playwright";
import { type Dashboard, startTestDashboard } from "#test/stack.ts";
import { openBrowser } from "./browser.ts";
import { median, ms, p50p99, percentile, type Result, type Results } from "./figures.ts";
import { noteAll } from "./filled-database.ts";
import { startJobChanges } from "./job-changes.ts";
import { openDrawers, timeSearch, watchFirstRow, watchFrames } from "./list-watch.ts";
import { addManyRows } from "./many-rows.ts";
import { QUICK, samples } from "./samples.ts";

const FEW = 100;
const MANY = QUICK ? 50_000 : 1_000_000;
const CHANGES_PER_SECOND = 50;
const PAGE_PX = 100 * 44;
const PAGES = samples(100);
const DRAWERS = samples(100);
const ROUNDS = samples(20);
const MEMORY_MINUTES = Number(process.env.BENCH_MINUTES ?? (QUICK ? 0.1 : 5));
const MEMORY_SAMPLES = 30;
const WARM_UP_MS = QUICK ? 1_000 : 150_000;
const PROMISED = { drawerMs: 100, filterRatio: 2, frameRatio: 2, rows: 100, growthMbPerMinute: 0.2, changes: 45 };

const many = MANY.toLocaleString("en");
export const figures = {
	scroll: {
		what: `jobs page over ${many} jobs: time between frames while scrolling through ${PAGES} pages`,
		promise: `p98 ≤ ${PROMISED.frameRatio} × over ${FEW} jobs`,
	},
	rows: { what: "that page: rows in the document, at most", promise: `≤ ${PROMISED.rows}` },
	filter: {
		what: "that page: filter, search or date chosen to rows shown, slowest kind",
		promise: `≤ ${PROMISED.filterRatio} × over ${FEW} jobs`,
	},
	link: {
		what: "that page: opened by a link with filters, to rows shown",
		promise: `≤ ${PROMISED.filterRatio} × over ${FEW} jobs`,
	},
	drawer: {
		what: `that page with ${CHANGES_PER_SECOND} changes a second: row click to open drawer`,
		promise: `p98 < ${PROMISED.drawerMs} ms`,
	},
	top: {
		what: `that page: memory over ${MEMORY_MINUTES} minutes of changes, at the top`,
		promise: `grows < ${PROMISED.growthMbPerMinute} MB a minute`,
	},
	scrolled: {
		what: `that page: memory over ${MEMORY_MINUTES} minutes of changes, scrolled down`,
		promise: `grows < ${PROMISED.growthMbPerMinute} MB a minute`,
	},
	changes: { what: "that page: changes a second meanwhile", promise: `> ${PROMISED.changes}` },
};

export async function run(): Promise<Results<typeof figures>> {
	const few = await onPage(FEW, async ({ page }) => measureReading(page, FILTERS_OF_FEW));
	return onPage(MANY, async ({ page, dashboard }) => {
		const read = await measureReading(page, FILTERS);
		const changes = startJobChanges(dashboard.api, CHANGES_PER_SECOND);
		try {
			return {
				...readResults(read, few),
				drawer: await drawers(page),
				top: await memory(page, 0),
				scrolled: await memory(page, 6 * 44),
				changes: rateResult(changes.rate()),
			};
		} finally {
			await changes.stop();
		}
	});
}

async function onPage<T>(jobs: number, measure: (on: { page: Page; dashboard: Dashboard }) => Promise<T>): Promise<T> {
	const dashboard = await startTestDashboard();
	try {
		await dashboard.kill();
		const file = join(dashboard.dataDir, "tapedeck.db");
		await addManyRows({ file }, jobs);
		await noteAll(file, jobs);
		await dashboard.startAgain();
		const { page, close } = await openBrowser(dashboard);
		try {
			return await measure({ page, dashboard });
		} finally {
			await close();
		}
	} finally {
		await dashboard.stop();
	}
}

interface Reading {
	/** The time between frames while scrolling. */
	frameMs: number[];
	rows: number;
	filters: Map<string, number[]>;
	links: number[];
	loadedRows: number;
	heapMb: number;
}

/** What somebody does who looks for a job; nothing changes meanwhile. */
async function measureReading(page: Page, kinds: typeof FILTERS): Promise<Reading> {
	const cdp = await page.context().newCDPSession(page);
	const links: number[] = [];
	const firstRow = await watchFirstRow(page);
	const linked = Object.values(kinds).at(-1) ?? String;
	for (let round = 0; round < samples(20); round += 1) {
		await page.goto(`/jobs?${linked(round)}`);
		links.push(await firstRow());
	}
	await openList(page);
	const filters = await chooseFilters(page, kinds);
	await openList(page);
	const scrolled = await scrollPages(page);
	return { ...scrolled, filters, links, heapMb: await heapMb(cdp) };
}

async function openList(page: Page): Promise<void> {
	await page.goto("/jobs");
	await page.locator("tr[data-row]").first().waitFor();
	// The pointer rests over the rows.
	await page.mouse.move(700, 500);
}

/** How many whole days the jobs, a second apart, go back. */
const DAYS = Math.floor(MANY / 86_400);

/** The kinds of filters, each with other values in each round, so that nothing is in the page's cache. */
const FILTERS: Record<string, (round: number) => string> = {
	runner: (round) => `runnerId=${round + 1}`,
	"runner and status": (round) => `status=failed&runnerId=${round + 1}`,
	search: (round) => `q=checkout on ${["chrome", "firefox", "edge", "safari", "tablet"][round % 5]} ${1 + (round % 9)}`,
	"search without a match": (round) => `q=does-not-occur-${round}`,
	dates: (round) => `from=${dayBefore(20 + round)}&to=${dayBefore(round % (DAYS + 1))}`,
	"dates and status": (round) =>
		`from=${dayBefore(20 + round)}&to=${dayBefore(round % (DAYS + 1))}&status=failed&status=cancelled`,
};

/** Of a hundred jobs these match as many as the page shows of a million. */
const FILTERS_OF_FEW: typeof FILTERS = { all: (round) => `from=${dayBefore(round + 2)}&status=completed` };

const dayBefore = (days: number): string =>
	new Date(Date.now() - days * 86_400_000).toISOString().slice(0, "2026-11-23".length);

async function chooseFilters(page: Page, filters: typeof FILTERS): Promise<Map<string, number[]>> {
	const all = new Map<string, number[]>();
	for (const [kind, searchOf] of Object.entries(filters)) {
		const taken: number[] = [];
		for (let round = 0; round < ROUNDS; round += 1) taken.push(await timeSearch(page, `?${searchOf(round)}`));
		all.set(kind, taken);
	}
	return all;
}

/** Down through many pages, or as far down and up a short list. */
async function scrollPages(page: Page): Promise<Pick<Reading, "frameMs" | "rows" | "loadedRows">> {
	const frames = await watchFrames(page);
	const step = 800;
	let way = 1;
	for (let scrolled = 0; scrolled < PAGES * PAGE_PX; scrolled += step) {
		await page.mouse.wheel(0, way * step);
		await sleep(50);
		if (scrolled % (5 * step) === 0 && (await atEnd(page, way))) way = -way;
	}
	const { frameMs, rows } = await frames.end();
	const loadedRows = await page.locator("table").evaluate((table) => table.getBoundingClientRect().height / 44);
	return { frameMs, rows, loadedRows };
}

const atEnd = (page: Page, way: number): Promise<boolean> =>
	page.locator("table").evaluate((table, way) => {
		const box = table.closest(".overflow-auto");
		if (box === null || table.getAttribute("aria-rowcount") === "-1") return false;
		return way > 0 ? box.scrollTop + box.clientHeight >= box.scrollHeight - 1 : box.scrollTop === 0;
	}, way);

function readResults(read: Reading, few: Reading) {
	const [frame, frameFew] = [percentile(read.frameMs, 0.98), percentile(few.frameMs, 0.98)];
	const timeFew = median([...few.filters.values()].flat());
	const filters = [...read.filters].map(([kind, taken]) => ({ kind, time: median(taken) }));
	for (const { kind, time } of filters) console.log(`  ${kind.padEnd(24)} ${ms(time)}`);
	console.log(
		`  after scrolling: ${Math.round(read.loadedRows)} rows, heap ${read.heapMb.toFixed(1)} MB, over ${FEW}: ${few.heapMb.toFixed(1)} MB`,
	);
	const slowest = filters.reduce((a, b) => (a.time >= b.time ? a : b));
	const [link, linkFew] = [median(read.links), median(few.links)];
	return {
		scroll: {
			values: [frame, frameFew],
			measured: `p98 ${ms(frame)} of ${read.frameMs.length} frames, over ${Math.round(read.loadedRows)} rows`,
			against: `${ms(frameFew)} over ${FEW} jobs`,
			holds: frame <= frameFew * PROMISED.frameRatio,
		},
		rows: { values: [read.rows], measured: `${read.rows}`, holds: read.rows <= PROMISED.rows },
		filter: {
			values: [slowest.time, timeFew],
			measured: `${ms(slowest.time)} (${slowest.kind})`,
			against: `${ms(timeFew)} over ${FEW} jobs`,
			holds: slowest.time <= timeFew * PROMISED.filterRatio,
		},
		link: {
			values: [link, linkFew],
			measured: ms(link),
			against: `${ms(linkFew)} over ${FEW} jobs`,
			holds: link <= linkFew * PROMISED.filterRatio,
		},
	} satisfies Record<string, Result>;
}

const rateResult = (rate: number): Result => ({
	values: [rate],
	measured: rate.toFixed(1),
	holds: rate > PROMISED.changes,
});

/** A click on one row after another, each from the pointer to the drawer on the screen. */
async function drawers(page: Page): Promise<Result> {
	await openList(page);
	const durations = await openDrawers(page, DRAWERS);
	return {
		values: durations,
		measured: p50p99(durations, 0.98),
		holds: percentile(durations, 0.98) < PROMISED.drawerMs,
	};
}

/** A list that is left open while jobs change. */
async function memory(page: Page, scrollTop: number): Promise<Result> {
	const cdp = await page.context().newCDPSession(page);
	await openList(page);
	await page.mouse.move(5, 5);
	await page.locator("table").evaluate((table, top) => table.closest(".overflow-auto")?.scrollTo({ top }), scrollTop);
	// What the page knows of late changes, and the list at its top, reach their full size in the first minutes.
	await sleep(WARM_UP_MS);
	const used: number[] = [];
	const pauseMs = (MEMORY_MINUTES * 60_000) / MEMORY_SAMPLES;
	for (let index = 0; index < MEMORY_SAMPLES; index += 1) {
		await sleep(pauseMs);
		used.push(await heapMb(cdp));
	}
	const third = MEMORY_SAMPLES / 3;
	const [early, late] = [mean(used.slice(0, third)), mean(used.slice(-third))];
	// From the middle of the first third to that of the last one.
	const perMinute = (late - early) / ((2 / 3) * MEMORY_MINUTES);
	const rows = await page.locator("table").evaluate((table) => table.getBoundingClientRect().height / 44);
	return {
		values: used,
		measured: `${perMinute.toFixed(2)} MB a minute, from ${early.toFixed(1)} to ${late.toFixed(1)} MB with ${Math.round(rows)} rows`,
		holds: perMinute < PROMISED.growthMbPerMinute,
	};
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

async function heapMb(cdp: CDPSession): Promise<number> {
	await cdp.send("HeapProfiler.collectGarbage");
	const { usedSize } = (await cdp.send("Runtime.getHeapUsage")) as { usedSize: number };
	return usedSize / 1e6;
}
