/**
 * Tracks the runner processes that are connected to this process. A runner holds one long poll. When it dies, the
 * poll's connection closes at once, and its successor can sign in under the same name without a wait. Polls that other
 * dashboards hold are in the database (`runner.pollUntil`).
 */
import type { Database } from "#lib/core/context.ts";
import { postgresNow } from "#lib/db/dialect.ts";
import type { LastSeen } from "./last-seen.ts";

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
	/** Null if this is the only dashboard. */
	readonly #nodeId: string | null;

	constructor(nodeId: string | null = null) {
		this.#nodeId = nodeId;
	}

	/** A runner signed in: its session replaces the previous one. */
	signedIn(runnerId: number, sessionId: string): void {
		this.#sessions.set(runnerId, { sessionId, open: 0, answeredAt: performance.now(), synced: false });
	}

	/** Columns of a runner that signs in here: until its first poll, too, another process cannot. */
	signingIn(now: number): { pollUntil?: number; pollNodeId?: string } {
		return this.#nodeId === null ? {} : { pollUntil: now + BETWEEN_POLLS_MS, pollNodeId: this.#nodeId };
	}

	signedOut(runnerId: number): void {
		this.#sessions.delete(runnerId);
	}

	/** Whether a process of this runner is connected to any dashboard. */
	async isLive(db: Database, runnerId: number): Promise<boolean> {
		if (this.#nodeId === null || this.#isLiveHere(runnerId)) return this.#isLiveHere(runnerId);
		const polling = await db
			.selectFrom("runner")
			.innerJoin("dashboardNode", "dashboardNode.id", "runner.pollNodeId")
			.select("runner.id")
			.where("runner.id", "=", runnerId)
			.where("runner.pollUntil", ">", postgresNow)
			.where("dashboardNode.until", ">", postgresNow)
			.where("dashboardNode.id", "!=", this.#nodeId)
			.executeTakeFirst();
		return polling !== undefined;
	}

	#isLiveHere(runnerId: number): boolean {
		const session = this.#sessions.get(runnerId);
		if (session === undefined) return false;
		if (session.open > 0) return true;
		return session.answeredAt !== null && performance.now() - session.answeredAt < BETWEEN_POLLS_MS;
	}

	/** The time by which the runner must have polled again if a poll starts now. */
	pollsUntil(now: number, waitSeconds: number): number {
		return now + waitSeconds * 1_000 + BETWEEN_POLLS_MS;
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

	/** Whether the session has not listed its jobs to this process yet. */
	mayBeFirstSync(runnerId: number, sessionId: string): boolean {
		return !this.#sessionOf(runnerId, sessionId).synced;
	}

	/**
	 * Whether this is the session's first list of its jobs. True once per session, whichever dashboards its polls reach:
	 * a poll that was delayed on its way lists too few.
	 * @param db a transaction, in which the jobs are compared.
	 */
	async isFirstSync(db: Database, runnerId: number, sessionId: string): Promise<boolean> {
		const session = this.#sessionOf(runnerId, sessionId);
		const first = !session.synced;
		session.synced = true;
		if (!first || this.#nodeId === null) return first;
		const noted = await db
			.updateTable("runner")
			.set({ syncedSessionId: sessionId })
			.where("id", "=", runnerId)
			.where("sessionId", "=", sessionId)
			.where((where) => where.or([where("syncedSessionId", "is", null), where("syncedSessionId", "!=", sessionId)]))
			.returning("id")
			.executeTakeFirst();
		return noted !== undefined;
	}

	/** A poll's connection broke. Its runner may be dead: another process may sign in under its name. */
	async pollBroke(db: Database, lastSeen: LastSeen, runnerId: number, pollUntil: number): Promise<void> {
		if (this.#nodeId === null) return;
		lastSeen.forgetPoll(runnerId);
		await db
			.updateTable("runner")
			.set({ pollUntil: null })
			.where("id", "=", runnerId)
			// The runner's next poll may already be at another dashboard.
			.where("pollUntil", "<=", pollUntil)
			.where("pollNodeId", "=", this.#nodeId)
			.execute();
	}

	#sessionOf(runnerId: number, sessionId: string): Session {
		const known = this.#sessions.get(runnerId);
		if (known !== undefined && known.sessionId === sessionId) return known;
		const session = { sessionId, open: 0, answeredAt: null, synced: false };
		this.#sessions.set(runnerId, session);
		return session;
	}
}
