/** Notes in the job's history which sessions of the grid came and went while it recorded. */
import { MAX_SESSIONS, SESSION_ENDED, SESSION_STARTED, type SessionNote } from "#lib/contract/session.ts";
import { describeSession, sessionTitle } from "../grid/describe-session.ts";
import type { Poll } from "../grid/grid-health.ts";
import { type SessionCame, SessionLog } from "../grid/session-log.ts";
import type { WatchedRecording } from "./stop-condition.ts";

export class SessionReports {
	readonly #recording: WatchedRecording;
	readonly #log = new SessionLog();
	/** The sessions whose beginning was noted. */
	readonly #noted = new Map<string, SessionNote>();

	/** @param session one that was seen before the first poll. */
	constructor(recording: WatchedRecording, session?: SessionCame) {
		this.#recording = recording;
		if (session === undefined) return;
		this.#log.expect(session.session.id);
		this.#begin(session);
	}

	/** @param only the one session to note; all if undefined. */
	note(poll: Poll, only?: string | null): void {
		const { came, went, short } = this.#log.take(poll);
		for (const { id, at } of went) this.#end(id, at);
		for (const each of [...short, ...came]) if (only === undefined || each.session.id === only) this.#begin(each);
		for (const { session } of short) this.#end(session.id, poll.answeredAt);
	}

	#end(id: string, at: number): void {
		const session = this.#noted.get(id);
		if (session === undefined) return;
		this.#recording.note(SESSION_ENDED, `${sessionTitle(id, session)} ended.`, { ...session }, at);
	}

	#begin({ session, at }: SessionCame): void {
		if (this.#noted.size >= MAX_SESSIONS && !this.#noted.has(session.id)) return;
		const { name, capabilities, labels } = describeSession(session.capabilities);
		const note: SessionNote = { sessionId: session.id, name, capabilities, labels };
		this.#noted.set(session.id, note);
		this.#recording.note(SESSION_STARTED, `${sessionTitle(session.id, note)} began.`, { ...note }, at);
	}
}
