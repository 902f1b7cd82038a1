/**
 * Estimates the dashboard's clock from the times in its answers, for clients and for runners. The Python client does the
 * same: see _clock.py, and docs/decisions/0030-the-dashboards-clock.md.
 */

/**
 * A header of API responses: the time of the dashboard's clock as RFC 3339, and the milliseconds since it received the
 * call.
 */
export const TIME_HEADER = "tapedeck-time";

/** Upper bound for the drift between two clocks, in ms per ms. */
const DRIFT = 1e-4;
/**
 * Clocks set by NTP differ by less. A smaller difference may be latency, and does not change times given by the caller.
 */
const MIN_SHIFT_MS = 500;

interface Reading {
	/** The dashboard's clock at `measuredAt`, ms since 1970. */
	time: number;
	/** performance.now() then, if the request and its answer took the same time on their way. */
	measuredAt: number;
	/** Maximum error in ms: half of that time. */
	error: number;
}

/**
 * Keeps the reading of the fastest call, which has the smallest error: the time that a request spent on the way is
 * unknown, and a stalled network must not look like a wrong clock. Measured against the monotonic clock, so that setting
 * this machine's clock shows up in `shiftMs`.
 */
export class DashboardClock {
	#best: Reading | null = null;

	/** @param shiftMs what another process on this machine has just measured. */
	constructor(shiftMs?: number) {
		if (shiftMs !== undefined) this.#best = { time: Date.now() + shiftMs, measuredAt: performance.now(), error: 0 };
	}

	/**
	 * Takes the dashboard's time from an answer: TIME_HEADER, or a time alone.
	 * @param calledAt performance.now() when the call was sent.
	 */
	read(dashboardTime: string | null | undefined, calledAt: number): void {
		const [text = "", held = "0"] = (dashboardTime ?? "").split("; dur=");
		const time = Date.parse(text);
		if (Number.isNaN(time)) return;
		const now = performance.now();
		// Some calls are held for a minute until something happens.
		const error = Math.max(0, now - calledAt - (Number(held) || 0)) / 2;
		const reading = { time, measuredAt: now - error, error };
		if (this.#best === null || !this.#isWorse(reading, this.#best)) this.#best = reading;
	}

	#isWorse(reading: Reading, best: Reading): boolean {
		const passed = reading.measuredAt - best.measuredAt;
		const error = best.error + passed * DRIFT;
		// A reading can be outdated: the monotonic clock stops while a machine sleeps, and the dashboard's clock can be set.
		// The clocks of two dashboards differ a little, which must not make a late answer of the one contradict the other.
		const apart = Math.abs(best.time + passed - reading.time);
		const contradicts = apart > error + reading.error + MIN_SHIFT_MS;
		return reading.error > error && !contradicts;
	}

	/**
	 * The milliseconds to add to this machine's current clock to get the dashboard's. Undefined before the first response.
	 */
	get shiftMs(): number | undefined {
		if (this.#best === null) return undefined;
		const passed = performance.now() - this.#best.measuredAt;
		const shift = this.#best.time + passed - Date.now();
		// Within the error, treat the clocks as equal: a slow answer alone must not shift reported times.
		return Math.abs(shift) <= this.#best.error + passed * DRIFT ? 0 : Math.round(shift);
	}

	/**
	 * @param local a time of this machine's clock, as it is set now.
	 * @returns the dashboard's time at that moment: the same, unless this machine's clock is known to be wrong.
	 */
	timeOf(local: Date): Date {
		const { shiftMs = 0 } = this;
		return Math.abs(shiftMs) < MIN_SHIFT_MS ? local : new Date(local.getTime() + shiftMs);
	}
}
