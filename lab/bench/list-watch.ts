/** Measurements inside of a page: how soon it answers, which frames it missed, when a row first appeared. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright";

/** Notes when each row was first drawn, by the id of its job. */
export async function watchRows(page: Page): Promise<{ shownAt(): Promise<Map<number, number>> }> {
	type Watch = { benchRows: Map<number, number> };
	await page.evaluate(() => {
		const rows = new Map<number, number>();
		Object.assign(window, { benchRows: rows });
		const note = () => {
			for (const row of document.querySelectorAll<HTMLElement>("tr[data-row]")) {
				const id = Number(row.dataset.row);
				if (!rows.has(id)) rows.set(id, performance.timeOrigin + performance.now());
			}
			requestAnimationFrame(note);
		};
		note();
	});
	return {
		shownAt: async () => new Map(await page.evaluate(() => [...(window as unknown as Watch).benchRows])),
	};
}

/** Notes how long the browser took from each key or click to the next picture. */
export async function watchInteractions(page: Page): Promise<{ durations(made: number): Promise<number[]> }> {
	type Watch = { benchEvents: Map<number, number> };
	await page.evaluate(() => {
		const events = new Map<number, number>();
		Object.assign(window, { benchEvents: events });
		new PerformanceObserver((list) => {
			for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[]) {
				if (entry.interactionId === 0) continue;
				events.set(entry.interactionId, Math.max(events.get(entry.interactionId) ?? 0, entry.duration));
			}
		}).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
	});
	return {
		/** @param made how many there were: the browser is silent about those under 16 ms */
		async durations(made) {
			const slow = await page.evaluate(() => [...(window as unknown as Watch).benchEvents.values()]);
			return [...slow, ...Array.from({ length: Math.max(0, made - slow.length) }, () => 16)];
		},
	};
}

/** The time for which a mouse button is held down. */
const PRESSED_MS = 60;

/**
 * Clicks on one row after another, and closes each drawer again.
 * @returns of each, milliseconds from the click to the first picture with the drawer in it
 */
export async function openDrawers(page: Page, count: number): Promise<number[]> {
	const watched = await watchDrawer(page);
	const drawer = page.locator("[data-drawer]");
	for (let index = 0; index < count; index += 1) {
		// Over the list's rows, which keep moving; away from the rows' own buttons.
		await page.mouse.click(640, 300 + (index % 8) * 44, { delay: PRESSED_MS });
		// Closed before a picture has shown it, it would not be seen, and its time would end with the next one.
		await watched.seen(index + 1);
		await page.keyboard.press("Escape");
		await drawer.waitFor({ state: "detached" });
		// Only opening is measured: waits until the closing of the previous drawer is over.
		await sleep(100);
	}
	return watched.durations();
}

/** Notes how long it took from each click to the first picture with a drawer in it. */
async function watchDrawer(
	page: Page,
): Promise<{ seen(count: number): Promise<unknown>; durations(): Promise<number[]> }> {
	type Watch = { benchDrawers: number[] };
	await page.evaluate(() => {
		const drawers: number[] = [];
		Object.assign(window, { benchDrawers: drawers });
		const onClick = (click: Event) => {
			const look = () => {
				if (document.querySelector("[data-drawer]") === null) requestAnimationFrame(look);
				// The frame is drawn once this one's work is done.
				else setTimeout(() => drawers.push(performance.now() - click.timeStamp));
			};
			requestAnimationFrame(look);
		};
		addEventListener("click", onClick, { capture: true });
	});
	return {
		seen: (count) => page.waitForFunction((count) => (window as unknown as Watch).benchDrawers.length >= count, count),
		durations: () => page.evaluate(() => (window as unknown as Watch).benchDrawers),
	};
}

/** An entry of Chromium's trace about a frame that it made or should have made; a refresh may have several. */
interface FrameReport {
	frame_sequence: number;
	layer_tree_host_id: number;
	scroll_state: string;
	state: string;
	has_missing_content: boolean;
}

/**
 * Counts the frames that were expected while the page scrolled, and those that were missing or incomplete. The browser
 * itself reports them, because it scrolls rendered content without involving the page.
 */
export async function countFrames(page: Page): Promise<{ end(): Promise<{ dropped: number; expected: number }> }> {
	const browser = page.context().browser();
	if (browser === null) throw new Error("the page has no browser of its own, which alone can be traced");
	// Without the first, Chromium notes much more, which disturbs it, and is too long for a string.
	await browser.startTracing(page, { categories: ["-*", "disabled-by-default-devtools.timeline.frame"] });
	return {
		async end() {
			const trace = JSON.parse((await browser.stopTracing()).toString()) as {
				traceEvents: { name: string; ph: string; args: { frame_reporter?: FrameReport } }[];
			};
			const refreshes = new Map<string, FrameReport[]>();
			for (const { name, ph, args } of trace.traceEvents) {
				const report = args.frame_reporter;
				if (name !== "PipelineReporter" || ph !== "b" || report === undefined) continue;
				if (report.scroll_state === "SCROLL_NONE" || report.state === "STATE_NO_UPDATE_DESIRED") continue;
				const key = `${report.layer_tree_host_id} ${report.frame_sequence}`;
				refreshes.set(key, [...(refreshes.get(key) ?? []), report]);
			}
			if (refreshes.size === 0) throw new Error("the browser's trace has no frame while something scrolled");
			const shown = (reports: FrameReport[]) =>
				reports.some(({ state }) => state.startsWith("STATE_PRESENTED")) &&
				!reports.some((report) => report.has_missing_content);
			const dropped = [...refreshes.values()].filter((reports) => !shown(reports)).length;
			return { dropped, expected: refreshes.size };
		},
	};
}

/** Notes how long the page's own script was away from the screen. @returns the longest wait in ms */
export async function watchScript(page: Page): Promise<{ longestWait(): Promise<number> }> {
	type Watch = { benchWait: number };
	await page.evaluate(() => {
		const watch = Object.assign(window, { benchWait: 0 });
		let last = performance.now();
		const note = (at: number) => {
			watch.benchWait = Math.max(watch.benchWait, at - last);
			last = at;
			requestAnimationFrame(note);
		};
		requestAnimationFrame(note);
	});
	return { longestWait: () => page.evaluate(() => (window as unknown as Watch).benchWait) };
}
