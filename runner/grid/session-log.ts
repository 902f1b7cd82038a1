/** Tracks the sessions that came and went, from one poll of a grid to the next. */
import type { Poll } from "./grid-health.ts";
import { type GridSession, RESERVED } from "./read-status.ts";
import { ShortSessions } from "./short-sessions.ts";

export interface SessionCame {
	session: GridSession;
	/** performance.now() of its beginning, as far as it is known. */
	at: number;
	/** Whether it was there at the first poll. */
	isFirst: boolean;
}
export interface SessionWent {
	id: string;
	/** performance.now() of the first poll without it. */
	at: number;
}

/** The most sessions that are followed at a time. */
const MAX_FOLLOWED = 5_000;

export interface SessionChanges {
	came: SessionCame[];
	went: SessionWent[];
	/** Sessions that came and went since the previous poll. */
	short: SessionCame[];
}

export class SessionLog {
	readonly #present = new Set<string>();
	readonly #short = new ShortSessions();
	/** When the last poll with a list of sessions was sent; null before the first one. */
	#askedAt: number | null = null;

	/** Notes a session that was seen elsewhere: a first poll without it tells that it went. */
	expect(id: string): void {
		this.#present.add(id);
	}

	/** Processes the next poll. A poll without a list of sessions changes nothing. */
	take({ askedAt, answeredAt, seen }: Poll): SessionChanges {
		if (seen.kind !== "count" || seen.sessions === null) return { came: [], went: [], short: [] };
		const came: SessionCame[] = [];
		const now = new Set<string>();
		for (const session of seen.sessions) {
			if (session.id === RESERVED || now.has(session.id) || now.size === MAX_FOLLOWED) continue;
			now.add(session.id);
			if (this.#present.has(session.id)) continue;
			came.push({ session, at: this.#beginning(session.start, answeredAt), isFirst: this.#askedAt === null });
		}
		const short = this.#short
			.take(seen.slots ?? [])
			.map((session) => ({ session, at: this.#beginning(session.start, answeredAt), isFirst: false }));
		const went = [...this.#present].filter((id) => !now.has(id)).map((id) => ({ id, at: answeredAt }));
		for (const { id } of went) this.#present.delete(id);
		for (const { session } of came) this.#present.add(session.id);
		this.#askedAt = askedAt;
		return { came, went, short };
	}

	/**
	 * When a session began: as the grid says, if that is possible. It was not there at the poll before, and the grid's
	 * clock may be wrong.
	 */
	#beginning(start: unknown, seenAt: number): number {
		const wall = typeof start === "string" && start.length < 100 ? Date.parse(start) : Number.NaN;
		const reported = wall - Date.now() + performance.now();
		if (!Number.isFinite(reported) || reported > seenAt) return seenAt;
		return this.#askedAt === null ? reported : Math.max(reported, this.#askedAt);
	}
}
