/**
 * When tests and steps began and ended. Playwright reports it by the clock of the test's process, which tests can set
 * (fake timers); where that contradicts the reporter's own clock, the time of the report counts.
 */
import type { TestResult, TestStep } from "playwright/types/testReporter";

/** Reports arrive late while this process is busy. */
const MAX_LATE_MS = 10_000;
/** They never arrive early; clocks of processes may be read in another order than messages. */
const MAX_EARLY_MS = 1_000;

export class Moments {
	readonly #begun = new WeakMap<TestResult | TestStep, number>();
	readonly #ended = new WeakMap<TestResult | TestStep, number>();
	readonly #isReplay: boolean;

	/** @param isReplay whether the tests ran earlier, so that the times of reports say nothing. */
	constructor(isReplay = false) {
		this.#isReplay = isReplay;
	}

	/** The first report of it counts. */
	began(what: TestResult | TestStep): void {
		if (!this.#isReplay && !this.#begun.has(what)) this.#begun.set(what, Date.now());
	}

	ended(what: TestResult | TestStep): void {
		if (!this.#isReplay) this.#ended.set(what, Date.now());
	}

	startOf(what: TestResult | TestStep): Date {
		return nearest(what.startTime.getTime(), this.#begun.get(what));
	}

	endOf(step: TestStep): Date {
		return nearest(step.startTime.getTime() + step.duration, this.#ended.get(step));
	}

	/** The end of a test without hooks after it: if its process crashed, its duration is 0. */
	endOfTest(result: TestResult): Date {
		const arrival = this.#ended.get(result);
		if (result.duration === 0 && arrival !== undefined) return new Date(arrival);
		return nearest(result.startTime.getTime() + result.duration, arrival);
	}
}

function nearest(reported: number, arrival: number | undefined): Date {
	if (arrival === undefined) return new Date(Math.min(reported, Date.now()));
	const isPlausible = reported >= arrival - MAX_LATE_MS && reported <= arrival + MAX_EARLY_MS;
	return new Date(isPlausible ? Math.min(reported, arrival) : arrival);
}
