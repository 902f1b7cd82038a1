/** Nobody reads rows that move: after so long without a movement the page rests. */
const SCROLL_MS = 150;
/** In so long the answer to a key or a click is drawn, and whoever goes on has gone on. */
const ANSWER_MS = 100;

/**
 * Knows when the reader's own doing has been answered: what they scroll has come to rest, what they pressed shows its
 * effect. Whatever else the page has to draw then takes nothing from that.
 * @returns when that is, on the clock of `performance.now()`, and how to end the watching
 */
export function watchReader(): { restsAt(): number; end(): void } {
	let at = 0;
	const within = (ms: number) => () => {
		at = Math.max(at, performance.now() + ms);
	};
	const ended = new AbortController();
	// Scrolling does not bubble: boxes that scroll are seen on the way down to them.
	const options = { capture: true, passive: true, signal: ended.signal };
	addEventListener("scroll", within(SCROLL_MS), options);
	for (const type of ["keydown", "pointerdown", "click"]) addEventListener(type, within(ANSWER_MS), options);
	return { restsAt: () => at, end: () => ended.abort() };
}
