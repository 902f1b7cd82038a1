/** What a page tells of itself: how soon it answers, which frames it missed, when a row was first there. */
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

/** Notes how long it took from each click to the first picture with a drawer in it. */
export async function watchDrawer(page: Page): Promise<{ durations(): Promise<number[]> }> {
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
	return { durations: () => page.evaluate(() => (window as unknown as Watch).benchDrawers) };
}

/** Counts frames that the page should have drawn, at the pace that it keeps when nothing happens, and did not. */
export async function countFrames(page: Page): Promise<{ end(): Promise<{ dropped: number; expected: number }> }> {
	type Watch = { benchFrames: number[] };
	await page.evaluate(() => {
		const frames: number[] = [];
		Object.assign(window, { benchFrames: frames });
		const note = (at: number) => {
			frames.push(at);
			requestAnimationFrame(note);
		};
		requestAnimationFrame(note);
	});
	return {
		async end() {
			const frames = await page.evaluate(() => (window as unknown as Watch).benchFrames);
			const gaps = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
			const pace = [...gaps].sort((a, b) => a - b)[gaps.length >> 1] ?? 1000 / 60;
			const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / pace) - 1), 0);
			return { dropped, expected: gaps.length + dropped };
		},
	};
}
