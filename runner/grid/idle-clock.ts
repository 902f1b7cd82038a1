/**
 * The rules of `selenium_idle` as a pure state machine: polls with timestamps in, decision out.
 *
 * 5 s of idleness are proven by two polls without sessions, with only such polls in between. If the first was answered
 * at t, the second must be answered at t + 5 s or after and sent at t + 4 s or after. The second bound covers slow
 * answers: however slow the grid, sessions that are at most 4 s apart never end a recording. Without polls, nothing is
 * proven.
 */

import { type GridFailure, GridHealth, HEALTH_RULES, type HealthRules, isUnwatched, type Poll } from "./grid-health.ts";

export interface IdleRules extends HealthRules {
	/** Minimum between the first zero's answer and the last one's. */
	idleMs: number;
	/** Minimum between the first zero's answer and the last one's request. */
	provenMs: number;
}
export const IDLE_RULES: IdleRules = { ...HEALTH_RULES, idleMs: 5_000, provenMs: 4_000 };

export type IdleDecision =
	| {
			reason: "selenium_idle";
			polls: Poll[];
			/** Number of consecutive polls without sessions; `polls` holds the first and the last of them. */
			zeros: number;
	  }
	| GridFailure;

export interface IdleStart {
	/** When the recording began, on the polls' clock. */
	at: number;
	/** The maximum wait for a first session before idleness counts. */
	firstSessionTimeoutMs: number;
	/** Whether a session was seen before the recording began. */
	sessionSeen: boolean;
}

/** The number of last polls that are kept for the job's events. */
const KEPT = 3;

export class IdleClock {
	readonly #rules: IdleRules;
	readonly #start: IdleStart;
	readonly #health: GridHealth;
	#sessionSeen: boolean;
	#zeros: Poll[] = [];
	#zeroCount = 0;

	constructor(start: IdleStart, rules: IdleRules = IDLE_RULES) {
		this.#rules = rules;
		this.#start = start;
		this.#health = new GridHealth(rules);
		this.#sessionSeen = start.sessionSeen;
	}

	get recognised(): boolean {
		return this.#health.recognised;
	}

	/** Processes the next poll, in the order of the requests. @returns the decision once there is one, otherwise null. */
	take(poll: Poll): IdleDecision | null {
		const { seen } = poll;
		const failure = this.#health.take(poll);
		if (seen.kind !== "count") {
			this.#zeros = [];
			return failure;
		}
		if (seen.active > 0) {
			this.#sessionSeen = true;
			this.#zeros = [];
			return null;
		}
		return this.#zero(poll);
	}

	#zero(poll: Poll): IdleDecision | null {
		const waitedMs = poll.answeredAt - this.#start.at;
		if (!this.#sessionSeen && waitedMs < this.#start.firstSessionTimeoutMs) return null;
		if (isUnwatched(this.#zeros.at(-1), poll)) this.#zeros = [];
		this.#zeroCount = this.#zeros.length === 0 ? 1 : this.#zeroCount + 1;
		this.#zeros = [...this.#zeros.slice(0, 1), ...this.#zeros.slice(1).slice(-KEPT), poll];
		const first = this.#zeros[0] ?? poll;
		const idle = poll.answeredAt - first.answeredAt >= this.#rules.idleMs;
		const proven = poll.askedAt - first.answeredAt >= this.#rules.provenMs;
		return idle && proven ? { reason: "selenium_idle", polls: this.#zeros, zeros: this.#zeroCount } : null;
	}
}
