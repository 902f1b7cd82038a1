/** The sessions of a grid, as the runner reports them for the coverage: all, whether they are recorded or not. */
import type { SeenSession } from "@tapedeck/contract/session.ts";
import { describeSession } from "./describe-session.ts";
import type { Poll } from "./grid-health.ts";
import { type SessionCame, SessionLog } from "./session-log.ts";

/** The age at which a session is reported. Its recording has begun at this age, or will not begin. */
const SETTLED_MS = 10_000;
/** Reports that wait for the dashboard; older ones are dropped. */
const MAX_DUE = 2_000;

export interface SeenDetails {
	/** Why this runner does not record it; null if it is another runner's to record. */
	reason: SeenSession["reason"];
	/** URI or id of its node. */
	node: string | null;
}

export class SeenSessions {
	readonly #detailsOf: (came: SessionCame, isWanted: boolean) => SeenDetails;
	readonly #log = new SessionLog();
	readonly #open = new Map<string, { came: SessionCame; isReported: boolean }>();
	#due: SeenSession[] = [];

	/** @param detailsOf asked when the session is reported. */
	constructor(detailsOf: (came: SessionCame, isWanted: boolean) => SeenDetails) {
		this.#detailsOf = detailsOf;
	}

	take(poll: Poll): void {
		const { came, went, short } = this.#log.take(poll);
		for (const each of short) this.#report(each, poll.answeredAt);
		for (const each of came) this.#open.set(each.session.id, { came: each, isReported: false });
		for (const { id, at } of went) {
			const open = this.#open.get(id);
			this.#open.delete(id);
			if (open !== undefined) this.#report(open.came, at);
		}
		for (const open of this.#open.values()) {
			if (open.isReported || poll.answeredAt - open.came.at < SETTLED_MS) continue;
			open.isReported = true;
			this.#report(open.came, null);
		}
	}

	/** The reports that are due, at most `max`; call `sent` when the dashboard has them. */
	due(max: number): readonly SeenSession[] {
		return this.#due.slice(0, max);
	}

	sent(count: number): void {
		this.#due.splice(0, count);
	}

	#report(came: SessionCame, endedAt: number | null): void {
		const { name, isWanted } = describeSession(came.session.capabilities);
		const timeOf = (at: number) => new Date(Date.now() - performance.now() + at).toISOString();
		const times = { startedAt: timeOf(came.at), endedAt: endedAt === null ? null : timeOf(endedAt) };
		this.#due.push({ sessionId: came.session.id, name, ...times, ...this.#detailsOf(came, isWanted) });
		if (this.#due.length > MAX_DUE) this.#due.shift();
	}
}
