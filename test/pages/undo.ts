/** The time in which something can be undone, for tests that look around meanwhile. */
import type { Page } from "playwright/test";

/** The time for which sonner shows a toast. */
const TOAST_MS = 4_000;

/**
 * From the next page load on, toasts stay: on a busy machine, the usual few seconds may not suffice to reach Undo.
 * @returns a function that gives later toasts their usual time
 */
export async function holdUndo(page: Page): Promise<() => Promise<void>> {
	await page.addInitScript((held) => {
		const start = window.setTimeout;
		const state = Object.assign(window, { undoIsHeld: true });
		const startHeld = (handler: TimerHandler, ms?: number, ...rest: unknown[]) =>
			start(handler, state.undoIsHeld && ms === held ? 3_600_000 : ms, ...rest);
		Object.assign(window, { setTimeout: startHeld });
	}, TOAST_MS);
	return () => page.evaluate(() => void Object.assign(window, { undoIsHeld: false }));
}
