/**
 * Which runner processes are connected to this process. A runner holds one long poll; when it dies, the poll's
 * connection closes at once, and its successor can sign in under the name without a wait.
 */
type Session = {
	sessionId: string;
	/** Open long polls: 0 or 1, or briefly 2 while one replaces another. */
	open: number;
	/** When the last long poll was answered, by performance.now(); null if its connection broke. */
	answeredAt: number | null;
	/** Whether the runner has listed its jobs since it signed in (or since this process started). */
	synced: boolean;
};

/** A live runner opens its next long poll within this time. */
const BETWEEN_POLLS_MS = 3_000;

export class RunnerPresence {
	readonly #sessions = new Map<number, Session>();

	/** A runner signed in: its session replaces the previous one. */
	signedIn(runnerId: number, sessionId: string): void {
		this.#sessions.set(runnerId, { sessionId, open: 0, answeredAt: performance.now(), synced: false });
	}

	signedOut(runnerId: number): void {
		this.#sessions.delete(runnerId);
	}

	/** Whether a process of this runner is connected. */
	isLive(runnerId: number): boolean {
		const session = this.#sessions.get(runnerId);
		if (session === undefined) return false;
		if (session.open > 0) return true;
		return session.answeredAt !== null && performance.now() - session.answeredAt < BETWEEN_POLLS_MS;
	}

	/** @returns a function to call when the poll ends, with whether its connection broke. */
	pollOpened(runnerId: number, sessionId: string): (broke: boolean) => void {
		const session = this.#sessionOf(runnerId, sessionId);
		session.open += 1;
		return (broke) => {
			session.open -= 1;
			session.answeredAt = broke ? null : performance.now();
		};
	}

	/** Whether this is the session's first list of its jobs. True once per session. */
	isFirstSync(runnerId: number, sessionId: string): boolean {
		const session = this.#sessionOf(runnerId, sessionId);
		const first = !session.synced;
		session.synced = true;
		return first;
	}

	#sessionOf(runnerId: number, sessionId: string): Session {
		const known = this.#sessions.get(runnerId);
		if (known !== undefined && known.sessionId === sessionId) return known;
		const session = { sessionId, open: 0, answeredAt: null, synced: false };
		this.#sessions.set(runnerId, session);
		return session;
	}
}
