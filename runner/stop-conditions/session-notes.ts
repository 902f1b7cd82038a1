/** Notes in the job's history which sessions of the grid came and went while it recorded. */
import { MAX_SESSIONS, SESSION_ENDED, SESSION_STARTED, type SessionNote } from "#lib/contract/session.ts";
import { describeSession, sessionTitle } from "../grid/describe-session.ts";
import type { Poll } from "../grid/grid-health.ts";
import { SessionLog } from "../grid/session-log.ts";
import type { WatchedRecording } from "./stop-condition.ts";

export class SessionNotes {
	readonly #recording: WatchedRecording;
	readonly #log = new SessionLog();
	/** The sessions whose beginning was noted. */
	readonly #noted = new Map<string, SessionNote>();

	constructor(recording: WatchedRecording) {
		this.#recording = recording;
	}

	note(poll: Poll): void {
		const { came, went } = this.#log.take(poll);
		for (const { id, at } of went) {
			const session = this.#noted.get(id);
			if (session === undefined) continue;
			this.#recording.note(SESSION_ENDED, `${sessionTitle(id, session)} ended.`, { ...session }, at);
		}
		for (const { session, at } of came) {
			if (this.#noted.size >= MAX_SESSIONS && !this.#noted.has(session.id)) continue;
			const { name, capabilities } = describeSession(session.capabilities);
			const note: SessionNote = { sessionId: session.id, name, capabilities };
			this.#noted.set(session.id, note);
			this.#recording.note(SESSION_STARTED, `${sessionTitle(session.id, note)} began.`, { ...note }, at);
		}
	}
}
