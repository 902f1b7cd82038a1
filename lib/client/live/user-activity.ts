/** The page counts as busy for this long after the last scroll event. */
const SCROLL_MS = 150;
/** The page responds to a key or a click within this time. */
const ANSWER_MS = 100;

/**
 * Watches scrolling, keys and clicks, so that updates can wait until the page has responded to them.
 * @returns `idleAt`: the time of `performance.now()` from which the page is idle; `end` stops watching.
 */
export function watchUserActivity(): { idleAt(): number; end(): void } {
	let at = 0;
	const within = (ms: number) => () => {
		at = Math.max(at, performance.now() + ms);
	};
	const ended = new AbortController();
	// Scroll events do not bubble, so they are captured.
	const options = { capture: true, passive: true, signal: ended.signal };
	addEventListener("scroll", within(SCROLL_MS), options);
	for (const type of ["keydown", "pointerdown", "click"]) addEventListener(type, within(ANSWER_MS), options);
	return { idleAt: () => at, end: () => ended.abort() };
}
