/** How far a page jumps while it loads and changes, as browsers measure it (Layout Instability, CLS). */
import type { Page } from "playwright/test";

/** Measures from the next page load on. @returns reads the sum of all shifts so far that no input caused. */
export async function watchLayoutShift(page: Page): Promise<() => Promise<number>> {
	await page.addInitScript(() => {
		const seen = Object.assign(window as unknown as { shifted: number }, { shifted: 0 });
		new PerformanceObserver((list) => {
			for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
				if (!entry.hadRecentInput) seen.shifted += entry.value;
			}
		}).observe({ type: "layout-shift", buffered: true });
	});
	return () => page.evaluate(() => (window as unknown as { shifted: number }).shifted);
}
