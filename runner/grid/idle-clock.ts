/**
 * The rules of `selenium_idle` as a pure state machine: polls with timestamps in, decision out.
 *
 * 5 s of idleness are proven by a poll without sessions, answered at t, and a later one answered at t + 5 s or after and
 * asked at t + 4 s or after, with only such polls in between. The second bound covers slow answers: however slow the
 * grid, sessions that are at most 4 s apart never end a recording.
 */

export interface IdleRules {
	/** Minimum between the first zero's answer and the last one's. */
	idleMs: number;
	/** Minimum between the first zero's answer and the last one's request. */
	provenMs: number;
	unreachableMs: number;
	recogniseMs: number;
	/** Consecutive refusals (401, 403) that end the recording. */
	unauthorizedPolls: number;
}
export const IDLE_RULES: IdleRules = {
	idleMs: 5_000,
	provenMs: 4_000,
	unreachableMs: 60_000,
	recogniseMs: 60_000,
	unauthorizedPolls: 3,
};

/** One poll. Times are ms of a monotonic clock. */
export interface Poll {
	askedAt: number;
	answeredAt: number;
	seen:
		| { kind: "count"; active: number }
		/** No connection, timeout or 5xx. */
		| { kind: "unreachable"; why: string }
		/** An answer that is not JSON; treated like no answer once the grid was recognized. */
		| { kind: "no_json"; why: string }
		/** JSON without session data. */
		| { kind: "unknown"; why: string }
		| { kind: "unauthorized"; status: number };
}

export type IdleDecision =
	| {
			reason: "selenium_idle";
			polls: Poll[];
			/** Number of consecutive polls without sessions; `polls` holds the first and the last of them. */
			zeros: number;
	  }
	| { reason: "grid_unreachable" | "grid_not_recognised" | "grid_unauthorized"; polls: Poll[]; why: string };

export interface IdleStart {
	/** When the recording began, on the polls' clock. */
	at: number;
	/** How long to wait for a first session before idleness counts. */
	firstSessionTimeoutMs: number;
	/** Whether a session was seen before the recording began. */
	sessionSeen: boolean;
}

/** How many of the last polls are kept for the job's events. */
const KEPT = 3;

export class IdleClock {
	readonly #rules: IdleRules;
	readonly #start: IdleStart;
	#sessionSeen: boolean;
	/** When the first poll was sent; a resumed recording may have begun long before. */
	#watchedSince: number | null = null;
	#recognised = false;
	/** Whether anything ever answered: then the address is reachable, but may not be a grid. */
	#answered = false;
	#zeros: Poll[] = [];
	#zeroCount = 0;
	#silentSince: Poll | null = null;
	#refusals: Poll[] = [];
	#last: Poll[] = [];

	constructor(start: IdleStart, rules: IdleRules = IDLE_RULES) {
		this.#rules = rules;
		this.#start = start;
		this.#sessionSeen = start.sessionSeen;
	}

	get recognised(): boolean {
		return this.#recognised;
	}

	/** Processes the next poll, in the order of the requests. @returns the decision once there is one, otherwise null. */
	take(poll: Poll): IdleDecision | null {
		this.#last = [...this.#last, poll].slice(-KEPT);
		const { seen } = poll;
		this.#watchedSince ??= poll.askedAt;
		if (seen.kind !== "unreachable") this.#answered = true;
		this.#refusals = seen.kind === "unauthorized" ? [...this.#refusals, poll] : [];
		const silent = seen.kind === "unreachable" || seen.kind === "no_json";
		if (!silent) this.#silentSince = null;
		else this.#silentSince ??= poll;
		if (seen.kind !== "count") {
			this.#zeros = [];
			return this.#unauthorized() ?? this.#silent(poll);
		}
		this.#recognised = true;
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
		this.#zeroCount = this.#zeros.length === 0 ? 1 : this.#zeroCount + 1;
		this.#zeros = [...this.#zeros.slice(0, 1), ...this.#zeros.slice(1).slice(-KEPT), poll];
		const first = this.#zeros[0] ?? poll;
		const idle = poll.answeredAt - first.answeredAt >= this.#rules.idleMs;
		const proven = poll.askedAt - first.answeredAt >= this.#rules.provenMs;
		return idle && proven ? { reason: "selenium_idle", polls: this.#zeros, zeros: this.#zeroCount } : null;
	}

	#unauthorized(): IdleDecision | null {
		if (this.#refusals.length < this.#rules.unauthorizedPolls) return null;
		const last = this.#refusals.at(-1)?.seen;
		const status = last?.kind === "unauthorized" ? last.status : 401;
		return { reason: "grid_unauthorized", polls: this.#refusals, why: `status ${status}` };
	}

	#silent(poll: Poll): IdleDecision | null {
		const why = "why" in poll.seen ? poll.seen.why : "it rejects the credentials";
		const watchedMs = poll.answeredAt - (this.#watchedSince ?? poll.askedAt);
		if (!this.#recognised && this.#answered && watchedMs >= this.#rules.recogniseMs) {
			return { reason: "grid_not_recognised", polls: this.#last, why };
		}
		const since = this.#silentSince;
		const mayBeRecognised = !this.#recognised && this.#answered;
		if (since !== null && !mayBeRecognised && poll.answeredAt - since.answeredAt >= this.#rules.unreachableMs) {
			return { reason: "grid_unreachable", polls: [since, ...this.#last.filter((entry) => entry !== since)], why };
		}
		return null;
	}
}
