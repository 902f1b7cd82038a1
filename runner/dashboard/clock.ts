/** Estimates the dashboard's clock from the times in its answers. */

/** Upper bound for the drift between two clocks, in ms per ms. */
const DRIFT = 1e-4;

interface Reading {
	/** The dashboard's clock at `measuredAt`, ms since 1970. */
	time: number;
	/** performance.now() in the middle of the call. */
	measuredAt: number;
	/** Maximum error in ms: half of the call's duration. */
	error: number;
}

/**
 * Keeps the reading of the fastest call, which has the smallest error: the time that a request spent on the way is
 * unknown, and a stalled network must not look like a wrong clock. Measured against the monotonic clock, so that setting
 * this machine's clock shows up in `shiftMs`.
 */
export class DashboardClock {
	#best: Reading | null = null;

	/**
	 * Takes the dashboard's time from an answer.
	 * @param calledAt performance.now() when the call was sent.
	 */
	read(serverTime: string | undefined, calledAt: number): void {
		const time = Date.parse(serverTime ?? "");
		if (Number.isNaN(time)) return;
		const now = performance.now();
		const reading = { time, measuredAt: (calledAt + now) / 2, error: (now - calledAt) / 2 };
		if (this.#best === null || !this.#isWorse(reading, this.#best)) this.#best = reading;
	}

	#isWorse(reading: Reading, best: Reading): boolean {
		const passed = reading.measuredAt - best.measuredAt;
		const error = best.error + passed * DRIFT;
		// A reading can be outdated: the monotonic clock stops while a machine sleeps, and the dashboard's clock can be set.
		const contradicts = Math.abs(best.time + passed - reading.time) > error + reading.error;
		return reading.error > error && !contradicts;
	}

	/** What to add to this machine's current clock to get the dashboard's, in ms; undefined before the first answer. */
	get shiftMs(): number | undefined {
		if (this.#best === null) return undefined;
		const passed = performance.now() - this.#best.measuredAt;
		const shift = this.#best.time + passed - Date.now();
		// Within the error, treat the clocks as equal: a slow answer alone must not shift reported times.
		return Math.abs(shift) <= this.#best.error + passed * DRIFT ? 0 : Math.round(shift);
	}
}
