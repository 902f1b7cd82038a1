interface Options {
	/** Holds everything back until this time of `performance.now()`, for example while the user scrolls. */
	holdUntil?(): number;
	/** Upper limit for holding items back. */
	maxHoldMs?: number;
}

/**
 * Delivers items in batches: the first at once, those that follow within `ms` together. So a burst of events renders
 * the page once, and a single event does not wait.
 * @returns `add` for items; `end` drops those that are still waiting.
 */
export function createBatcher<T>(
	ms: number,
	deliver: (items: readonly T[]) => void,
	{ holdUntil = () => 0, maxHoldMs = 0 }: Options = {},
): { add(item: T): void; end(): void } {
	let waiting: T[] = [];
	let since = 0;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let lastAt = Number.NEGATIVE_INFINITY;
	const flush = () => {
		const now = performance.now();
		const at = Math.min(holdUntil(), since + maxHoldMs);
		if (at > now) {
			timer = setTimeout(flush, at - now);
			return;
		}
		timer = undefined;
		lastAt = now;
		const items = waiting;
		waiting = [];
		deliver(items);
	};
	return {
		add(item) {
			if (waiting.length === 0) since = performance.now();
			waiting.push(item);
			timer ??= setTimeout(flush, Math.max(0, lastAt + ms - performance.now()));
		},
		end() {
			clearTimeout(timer);
			timer = undefined;
			waiting = [];
		},
	};
}
