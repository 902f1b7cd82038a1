/**
 * The list of jobs at its worst: 100,000 jobs, of which 20 change each second, in a real browser. How soon it answers
 * keys and clicks, whether it scrolls smoothly, whether it keeps its memory, how soon it shows a fact.
 */
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "playwright";
import type { Api } from "#e2e/fixtures/api.ts";
import { inDatabase } from "#e2e/fixtures/database.ts";
import { type Dashboard, startTestDashboard } from "#e2e/fixtures/stack.ts";
import type { Job } from "#lib/contract/job.ts";
import { openBrowser } from "./browser.ts";
import { type Figure, median, ms, p50p99, percentile } from "./figures.ts";
import { countFrames, watchDrawer, watchInteractions, watchRows, watchScript } from "./list-watch.ts";
import { QUICK, samples } from "./samples.ts";

const JOBS = 100_000;
const CHANGES_PER_SECOND = 20;
const FACTS_MS = samples(60) * 1_000;
const SCROLLS = samples(20);
const INTERACTIONS = samples(300);
const DRAWERS = samples(200);
const MEMORY_MS = (QUICK ? 1 : 10) * 60_000;
/** As long as a finger presses a button. */
const PRESSED_MS = 60;
/** Rows that come too late are a hole in the list: so many pixels are drawn beyond what is in sight. */
const SCROLL_SPEED = 1_200;
const AHEAD_MS = ((12 * 44) / SCROLL_SPEED) * 1_000;
const PROMISED = { interactionMs: 100, drawerMs: 100, dropped: 0.01, factMs: 500, growth: 0.1 };

export async function run(): Promise<Figure[]> {
	const dashboard = await startTestDashboard();
	inDatabase(dashboard, fill);
	const { page, close } = await openBrowser(dashboard);
	const traffic = startTraffic(dashboard);
	try {
		const cdp = await page.context().newCDPSession(page);
		const plain = await plainScrolling(page, cdp);
		await page.goto("/jobs");
		await page.locator("tr[data-row]").first().waitFor();
		return [
			await facts(page, traffic),
			await interactions(page),
			await drawers(page),
			await scrolling(page, cdp, plain),
			await memory(page, cdp),
			traffic.figure(),
		];
	} finally {
		await traffic.stop();
		await close();
		await dashboard.stop();
	}
}

/** Jobs that ended lately, a second apart, of a runner that is away, so that what is created stays queued. */
function fill(database: DatabaseSync): void {
	database.exec(
		`insert into runner (id, "organizationId", name, "signInName", version, displays, "createdAt") values (1, 1, 'bench', 'bench', '1', '[]', 1)`,
	);
	database.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${JOBS})
		insert into job (id, "organizationId", "runnerId", type, "displayId", name, "stopCondition", "stopConditionConfig", status,
			"stopReason", "createdAt", "startedAt", "stoppedAt", "endedAt", "createdByKind", "createdById", "createdByName")
		select i, 1, 1, 'recording', ':99', 'job ' || i, 'duration', '{"durationSeconds":30}', 'completed', 'duration_elapsed',
			at, at, at + 30000, at + 31000, 'apiKey', 1, 'bench' from (select i, ${Date.now()} - (${JOBS} - i) * 1000 as at from n)`);
}

/** Creates jobs and cancels them, each a change of its own, until stopped. */
function startTraffic({ api }: Dashboard) {
	const created: { id: number; at: number }[] = [];
	let running = true;
	let changes = 0;
	const startedAt = performance.now();
	const pair = async (api: Api) => {
		const body = { runnerId: 1, displayId: ":99", name: "a change", stopCondition: "interrupt" } as const;
		const { id, createdAt } = await api.call<Job>("POST", "/v1/jobs", body);
		created.push({ id, at: Date.parse(createdAt) });
		await sleep(1_000);
		await api.cancelJob(id);
		changes += 2;
	};
	const all = new Set<Promise<void>>();
	const loop = (async () => {
		while (running) {
			const one = pair(api)
				// A change that was refused is one that is missing from the figure.
				.catch(() => undefined)
				.finally(() => all.delete(one));
			all.add(one);
			await sleep(2_000 / CHANGES_PER_SECOND);
		}
		await Promise.all(all);
	})();
	loop.catch(() => undefined);
	return {
		created,
		figure(): Figure {
			const rate = changes / ((performance.now() - startedAt) / 1_000);
			const holds = rate > CHANGES_PER_SECOND * 0.9;
			return {
				what: `changes while measuring, of ${JOBS.toLocaleString("en")} jobs`,
				measured: `${rate.toFixed(1)} a second`,
				against: "–",
				promise: `${CHANGES_PER_SECOND}`,
				holds,
			};
		},
		async stop() {
			running = false;
			await loop;
		},
	};
}

/** From the instant that the database holds to the frame in which the row is there. */
async function facts(page: Page, { created }: ReturnType<typeof startTraffic>): Promise<Figure> {
	const rows = await watchRows(page);
	const from = created.length;
	await sleep(FACTS_MS);
	const until = created.length;
	// What was created last still has the promised time to appear.
	await sleep(PROMISED.factMs);
	const shown = await rows.shownAt();
	const delays = created.slice(from + 1, until).map(({ id, at }) => (shown.get(id) ?? Number.POSITIVE_INFINITY) - at);
	return {
		what: "a fact on the server to its row on the page",
		measured: p50p99(delays),
		against: "–",
		promise: `p99 < ${PROMISED.factMs} ms`,
		holds: percentile(delays, 0.99) < PROMISED.factMs,
	};
}

/** Keys from row to row, boxes ticked, drawers opened and closed. */
async function interactions(page: Page): Promise<Figure> {
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
	const p98 = percentile(durations, 0.98);
	return {
		what: "interaction to next paint",
		measured: `p50 ${ms(median(durations))}, p98 ${ms(p98)} of ${durations.length}`,
		against: "–",
		promise: `p98 < ${PROMISED.interactionMs} ms`,
		holds: p98 < PROMISED.interactionMs,
	};
}

/** A click on one row after another, each from the pointer to the drawer on the screen. */
async function drawers(page: Page): Promise<Figure> {
	const watched = await watchDrawer(page);
	const drawer = page.locator("[data-drawer]");
	for (let index = 0; index < DRAWERS; index += 1) {
		// Over the list's rows, which move on meanwhile; apart from what a row has to press.
		await page.mouse.click(640, 300 + (index % 8) * 44, { delay: PRESSED_MS });
		await drawer.waitFor();
		await page.keyboard.press("Escape");
		await drawer.waitFor({ state: "detached" });
		// What is measured is opening one, not closing the one before.
		await sleep(100);
	}
	const durations = await watched.durations();
	if (durations.length < DRAWERS) throw new Error(`only ${durations.length} of ${DRAWERS} drawers were seen to open`);
	const p98 = percentile(durations, 0.98);
	return {
		what: "click on a row to its drawer",
		measured: `p50 ${ms(median(durations))}, p98 ${ms(p98)} of ${durations.length}`,
		against: "–",
		promise: `p98 < ${PROMISED.drawerMs} ms`,
		holds: p98 < PROMISED.drawerMs,
	};
}

/** What this browser misses of a page that has nothing to do: lines of text, and no script. @returns the share of frames */
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
async function scrolling(page: Page, cdp: CDPSession, plain: number): Promise<Figure> {
	const frames = await countFrames(page);
	const script = await watchScript(page);
	await scrollDown(cdp);
	const { dropped, expected } = await frames.end();
	const wait = await script.longestWait();
	const rows = await page.locator("table").evaluate((table) => table.getBoundingClientRect().height / 44);
	return {
		what: `dropped frames while scrolling ${Math.round(rows)} loaded rows`,
		measured: `${((100 * dropped) / expected).toFixed(2)} % of ${expected}; rows were drawn ${ms(wait)} late at most`,
		against: `${(100 * plain).toFixed(2)} % of plain lines without script`,
		promise: `< ${PROMISED.dropped * 100} %`,
		holds: dropped / expected < PROMISED.dropped && wait < AHEAD_MS,
	};
}

/** A list that is left open at its top, where every change of a minute passes by. */
async function memory(page: Page, cdp: CDPSession): Promise<Figure> {
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
		what: `JavaScript heap over ${MEMORY_MS / 60_000} min of changes`,
		measured: `${early.toFixed(1)} MB, at the end ${late.toFixed(1)} MB`,
		against: "–",
		promise: `grows < ${PROMISED.growth * 100} %`,
		holds: late < early * (1 + PROMISED.growth),
	};
}
