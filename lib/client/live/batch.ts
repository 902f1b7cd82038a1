interface Options {
	/** When it suits best, on the clock of `performance.now()`: until then all of it waits, but not for ever. */
	suits?(): number;
	/** So long at most does anything wait for that. */
	patienceMs?: number;
}

/**
 * Hands on together what comes one by one: the first at once, what follows within `ms` in one go. So a burst of
 * events is one drawing of the page, and a single one does not wait.
 * @returns the intake, and how to end it: what is still waiting is dropped
 */
export function gather<T>(
	ms: number,
	take: (items: readonly T[]) => void,
	{ suits = () => 0, patienceMs = 0 }: Options = {},
): { add(item: T): void; end(): void } {
	let waiting: T[] = [];
	let since = 0;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let lastAt = Number.NEGATIVE_INFINITY;
	const flush = () => {
		const now = performance.now();
		const at = Math.min(suits(), since + patienceMs);
		if (at > now) {
			timer = setTimeout(flush, at - now);
			return;
		}
		timer = undefined;
		lastAt = now;
		const items = waiting;
		waiting = [];
		take(items);
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
