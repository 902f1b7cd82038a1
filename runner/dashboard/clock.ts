/** What time it is for the dashboard, as far as its answers tell. */

/** Clocks drift apart by less than this, in ms a ms. */
const DRIFT = 1e-4;

interface Reading {
	/** The dashboard's clock, ms since 1970, at the moment `measuredAt`. */
	time: number;
	/** performance.now() in the middle of the call. */
	measuredAt: number;
	/** By how much it may be wrong, ms: half of the call's duration. */
	error: number;
}

/**
 * Of all answers the one that came back quickest says most: how long a call was on its way there is not known, so
 * a network that stalls must not be taken for a clock that is wrong. Measured against the monotonic clock, so that
 * one that is set in the middle is noticed by itself.
 */
export class DashboardClock {
	#best: Reading | null = null;

	/**
	 * An answer has told the dashboard's time.
	 * @param calledAt performance.now() when the call went out.
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
		// The monotonic clock stands still while a machine sleeps, and the dashboard's own can be set.
		const contradicts = Math.abs(best.time + passed - reading.time) > error + reading.error;
		return reading.error > error && !contradicts;
	}

	/** What has to be added to this machine's clock, as it is now, to have the dashboard's; ms. Unknown at first. */
	get shiftMs(): number | undefined {
		if (this.#best === null) return undefined;
		const passed = performance.now() - this.#best.measuredAt;
		const shift = this.#best.time + passed - Date.now();
		// Clocks that may as well agree are taken to agree: a slow answer alone is no reason to tell other times.
		return Math.abs(shift) <= this.#best.error + passed * DRIFT ? 0 : Math.round(shift);
	}
}
