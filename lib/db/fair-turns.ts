/**
 * Fair access to a limited resource, such as connections or ffmpeg. A caller's requests wait for the caller's own
 * earlier ones, but the next organization does not wait for them. Organizations take turns, and within each of them its
 * callers.
 */
export interface TurnTaker {
	organizationId: number;
	/** Identifies the caller within the organization. */
	caller: string;
}

export interface TurnLimits {
	/** Concurrency limits: total, per organization and per caller. */
	all: number;
	organization: number;
	caller: number;
	/** The maximum number of turns of one caller that wait. Default: unlimited. */
	waiting?: number;
	/** The maximum wait for a turn. Default: unlimited. */
	waitMs?: number;
}

/** `too many`: of this caller are waiting. `too late`: the turn did not come in time. */
export type TurnRefusal = "too many" | "too late";

interface Turn {
	taker: TurnTaker;
	begin(): void;
}

export class FairTurns {
	readonly #limits: TurnLimits;
	readonly #refusal: (why: TurnRefusal) => Error;
	/** Waiting turns in order of arrival. */
	readonly #waiting = new Set<Turn>();
	readonly #running = new Map<string, number>();
	/**
	 * The number of the last turn of each organization and caller, or the one at which it arrived. The lowest number is
	 * next.
	 */
	readonly #lastTurn = new Map<string, number>();
	#turns = 0;

	/** @param refusal makes the error for a turn beyond the limits, and for one that would come too late. */
	constructor(limits: TurnLimits, refusal: (why: TurnRefusal) => Error) {
		this.#limits = limits;
		this.#refusal = refusal;
	}

	/**
	 * @param signal of a taker that may give up, which frees its place.
	 * @returns a function that ends the turn, once the turn has come.
	 * @throws the error of the constructor's `refusal`; the signal's reason.
	 */
	take(taker: TurnTaker, signal?: AbortSignal): Promise<() => void> {
		const { promise, resolve, reject } = Promise.withResolvers<() => void>();
		const { waiting = Number.POSITIVE_INFINITY, waitMs } = this.#limits;
		if (signal?.aborted) return Promise.reject(signal.reason);
		if (this.#waitingOf(taker) >= waiting) return Promise.reject(this.#refusal("too many"));
		const stopWaiting = () => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", leave);
			this.#waiting.delete(turn);
		};
		const giveUp = (error: unknown) => {
			stopWaiting();
			this.#forgetIdle(taker);
			reject(error);
		};
		const leave = () => giveUp(signal?.reason);
		const timer = waitMs === undefined ? undefined : setTimeout(() => giveUp(this.#refusal("too late")), waitMs);
		const turn: Turn = {
			taker,
			begin: () => {
				stopWaiting();
				resolve(() => this.#end(taker));
			},
		};
		// Before the taker that had the last turn, and behind all that have waited since before that.
		for (const key of keysOf(taker)) if (!this.#lastTurn.has(key)) this.#lastTurn.set(key, this.#turns - 0.5);
		signal?.addEventListener("abort", leave, { once: true });
		this.#waiting.add(turn);
		this.#next();
		return promise;
	}

	#next(): void {
		let next: Turn | null = null;
		for (const turn of this.#waiting) {
			if (this.#mayBegin(turn.taker) && (next === null || this.#isBefore(turn.taker, next.taker))) next = turn;
		}
		if (next === null) return;
		this.#turns += 1;
		for (const key of keysOf(next.taker)) {
			this.#running.set(key, this.#count(key) + 1);
			this.#lastTurn.set(key, this.#turns);
		}
		next.begin();
	}

	#mayBegin(taker: TurnTaker): boolean {
		const { all, organization, caller } = this.#limits;
		const [allKey, organizationKey, callerKey] = keysOf(taker);
		return this.#count(allKey) < all && this.#count(organizationKey) < organization && this.#count(callerKey) < caller;
	}

	#isBefore(one: TurnTaker, other: TurnTaker): boolean {
		const [, organization, caller] = keysOf(one);
		const [, otherOrganization, otherCaller] = keysOf(other);
		const last = (key: string) => this.#lastTurn.get(key) ?? 0;
		if (organization !== otherOrganization) return last(organization) < last(otherOrganization);
		return last(caller) < last(otherCaller);
	}

	#end(taker: TurnTaker): void {
		for (const key of keysOf(taker)) this.#running.set(key, this.#count(key) - 1);
		this.#forgetIdle(taker);
		this.#next();
	}

	#forgetIdle(taker: TurnTaker): void {
		const waits = new Set([...this.#waiting].flatMap(({ taker }) => keysOf(taker)));
		for (const key of keysOf(taker)) {
			if (this.#count(key) > 0 || waits.has(key)) continue;
			this.#running.delete(key);
			this.#lastTurn.delete(key);
		}
	}

	#waitingOf({ organizationId, caller }: TurnTaker): number {
		let count = 0;
		for (const { taker } of this.#waiting) {
			if (taker.organizationId === organizationId && taker.caller === caller) count += 1;
		}
		return count;
	}

	#count(key: string): number {
		return this.#running.get(key) ?? 0;
	}
}

const keysOf = ({ organizationId, caller }: TurnTaker): [all: string, organization: string, caller: string] => [
	"all",
	`${organizationId}`,
	`${organizationId} ${caller}`,
];
