/**
 * The rules of `selenium_session` as a pure state machine: polls with timestamps in, decision out.
 *
 * A session has ended when two polls in a row, half a second apart, do not list it, or when its slot holds another one.
 */
import { type GridFailure, GridHealth, HEALTH_RULES, type HealthRules, type Poll } from "./grid-health.ts";
import { type GridSession, RESERVED } from "./read-status.ts";

export interface SessionRules extends HealthRules {
	/** Minimum between the answers of the two polls without the session. */
	goneMs: number;
}
/** Polls half a second apart, which timers make a little less. */
export const SESSION_RULES: SessionRules = { ...HEALTH_RULES, goneMs: 450 };

export type SessionDecision =
	| {
			reason: "session_ended";
			/** The session that ended; null if none began in time. */
			sessionId: string | null;
			polls: Poll[];
	  }
	| GridFailure;

export interface SessionStart {
	/** When the recording began, on the polls' clock. */
	at: number;
	/** The session to follow; null for the next one to begin. */
	sessionId: string | null;
	/** Whether the session was seen already. */
	wasSeen?: boolean;
	/** The maximum wait for the session; null for no limit. */
	waitMs: number | null;
}

/** If the first poll comes this soon, a session that it lists began before the recording. */
const PROMPT_MS = 3_000;

export class SessionClock {
	readonly #rules: SessionRules;
	readonly #start: SessionStart;
	readonly #health: GridHealth;
	#sessionId: string | null;
	/** The slot in which it was seen last. */
	#slot: string | null = null;
	#wasSeen = false;
	/** Sessions that began before the recording; null before the first poll with a list. */
	#earlier: ReadonlySet<string> | null = null;
	#missing: Poll | null = null;

	constructor(start: SessionStart, rules: SessionRules = SESSION_RULES) {
		this.#start = start;
		this.#rules = rules;
		this.#health = new GridHealth(rules);
		this.#sessionId = start.sessionId;
		this.#wasSeen = start.wasSeen ?? false;
	}

	/** The session that is followed; null before it began. */
	get sessionId(): string | null {
		return this.#sessionId;
	}

	/** Processes the next poll, in the order of the requests. @returns the decision once there is one, otherwise null. */
	take(poll: Poll): SessionDecision | null {
		const sessions = poll.seen.kind === "count" ? poll.seen.sessions : null;
		const failure = this.#health.take(sessions === null ? withoutList(poll) : poll);
		if (sessions === null) {
			this.#missing = null;
			return failure;
		}
		this.#earlier ??= this.#begunBefore(poll, sessions);
		this.#sessionId ??= sessions.find(({ id }) => id !== RESERVED && !this.#earlier?.has(id))?.id ?? null;
		const own = sessions.find(({ id }) => id === this.#sessionId);
		if (own !== undefined) {
			this.#wasSeen = true;
			this.#slot = own.slot;
			this.#missing = null;
			return null;
		}
		return this.#absent(poll, sessions);
	}

	#absent(poll: Poll, sessions: readonly GridSession[]): SessionDecision | null {
		if (!this.#wasSeen) {
			const { waitMs, at } = this.#start;
			if (waitMs === null || poll.answeredAt - at < waitMs) return null;
		}
		this.#missing ??= poll;
		const isReplaced = this.#wasSeen && this.#slot !== null && sessions.some(({ slot }) => slot === this.#slot);
		if (!isReplaced && poll.answeredAt - this.#missing.answeredAt < this.#rules.goneMs) return null;
		const polls = this.#missing === poll ? [poll] : [this.#missing, poll];
		return { reason: "session_ended", sessionId: this.#wasSeen ? this.#sessionId : null, polls };
	}

	#begunBefore(poll: Poll, sessions: readonly GridSession[]): ReadonlySet<string> {
		if (poll.askedAt - this.#start.at > PROMPT_MS) return new Set();
		return new Set(sessions.flatMap(({ id }) => (id === RESERVED ? [] : [id])));
	}
}

/** A grid that only counts its sessions does not say which one has ended. */
function withoutList(poll: Poll): Poll {
	if (poll.seen.kind !== "count") return poll;
	return { ...poll, seen: { kind: "unknown", why: "it counts its sessions, but does not list them" } };
}
