/** Ctrl-C and SIGTERM, which a terminal and npm may both pass on. */

const ONE_SIGNAL_MS = 1_000;

/**
 * Calls `first` at the first signal, and `second` at a signal a second or more later.
 * @returns a promise of the first signal.
 */
export function onStopSignal({ first, second }) {
	return new Promise((resolve) => {
		let firstAt = null;
		const handle = (signal) => {
			const now = performance.now();
			if (firstAt === null) {
				firstAt = now;
				first(signal);
				resolve(signal);
			} else if (now - firstAt >= ONE_SIGNAL_MS) {
				second(signal);
			}
		};
		for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, handle);
	});
}
