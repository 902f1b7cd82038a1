/**
 * Hands on together what comes one by one: the first at once, what follows within `ms` in one go. So a burst of
 * events is one drawing of the page, and a single one does not wait.
 * @returns the intake, and how to end it: what is still waiting is dropped
 */
export function gather<T>(ms: number, take: (items: readonly T[]) => void): { add(item: T): void; end(): void } {
	let waiting: T[] = [];
	let timer: ReturnType<typeof setTimeout> | undefined;
	let lastAt = Number.NEGATIVE_INFINITY;
	const flush = () => {
		timer = undefined;
		lastAt = performance.now();
		const items = waiting;
		waiting = [];
		take(items);
	};
	return {
		add(item) {
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
