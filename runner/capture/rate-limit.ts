/**
 * Which frame rate a budget of processor time allows. Above the budget, the rate falls by a step; it rises again once there
 * has been room for a while, and a later rise that was too early makes the next one come later still.
 */

/** In frames a second. The lowest still shows every step of a test. */
export const RATE_STEPS = [15, 8, 4, 2] as const;

/** Shares to see before the rate changes: one busy moment, such as the start of an ffmpeg, is no reason. */
const SHARES_TO_LOWER = 3;
const SHARES_TO_RAISE = 5;
/** However often rising was too early. */
const MOST_TO_RAISE = 150;
/** A rate whose share is expected to be this close to the budget is not tried. */
const ROOM = 0.9;

/** `exceeded`: the lowest rate costs more than the budget. */
export type RateChange = "lowered" | "raised" | "exceeded";

export class RateLimit {
	readonly #budget: number;
	#limit = Number.POSITIVE_INFINITY;
	#shares: number[] = [];
	#toRaise = SHARES_TO_RAISE;
	#last: RateChange | null = null;

	/** @param budget share of the machine, above 0 and at most 1. */
	constructor(budget: number) {
		this.#budget = budget;
	}

	/** The most frames a second; Infinity while there is no limit. */
	get limit(): number {
		return this.#limit;
	}

	/**
	 * @param share of the machine that all recordings took since the last time.
	 * @param wanted the highest rate that one of them asked for.
	 * @returns what changed, and the share that decided it; null for nothing.
	 */
	add(share: number, wanted: number): { change: RateChange; share: number } | null {
		this.#shares = [...this.#shares, share].slice(-this.#toRaise);
		const rate = Math.min(wanted, this.#limit);
		return this.#lower(rate) ?? this.#raise(rate, wanted);
	}

	/** Without recordings, the next one begins without a limit. */
	reset(): void {
		this.#limit = Number.POSITIVE_INFINITY;
		this.#shares = [];
		this.#toRaise = SHARES_TO_RAISE;
		this.#last = null;
	}

	#lower(rate: number): { change: RateChange; share: number } | null {
		const latest = this.#shares.slice(-SHARES_TO_LOWER);
		const share = latest.reduce((sum, each) => sum + each, 0) / latest.length;
		if (latest.length < SHARES_TO_LOWER || share <= this.#budget) return null;
		const lower = RATE_STEPS.find((step) => step < rate);
		if (lower === undefined) {
			// Once: it will not get any better by saying so again.
			if (this.#last === "exceeded") return null;
			this.#last = "exceeded";
			return { change: "exceeded", share };
		}
		if (this.#last === "raised") this.#toRaise = Math.min(MOST_TO_RAISE, 2 * this.#toRaise);
		return { change: this.#changeTo(lower, "lowered"), share };
	}

	#raise(rate: number, wanted: number): { change: RateChange; share: number } | null {
		if (rate === wanted || this.#shares.length < this.#toRaise) return null;
		const higher = RATE_STEPS.findLast((step) => step > rate && step < wanted);
		const share = Math.max(...this.#shares);
		// What a recording takes grows no faster than its rate.
		if (share * ((higher ?? wanted) / rate) > ROOM * this.#budget) return null;
		return { change: this.#changeTo(higher ?? Number.POSITIVE_INFINITY, "raised"), share };
	}

	#changeTo(limit: number, change: "lowered" | "raised"): RateChange {
		this.#limit = limit;
		this.#shares = [];
		this.#last = change;
		return change;
	}
}
