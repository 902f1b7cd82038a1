/** Reports with a job which sessions of the grid came and went while it recorded, and records what their browsers log. */
import { MAX_SESSIONS, type ReportedSession } from "@tapedeck/contract/session.ts";
import type { BrowserLog } from "../browser-log/browser-log.ts";
import { describeSession, sessionTitle } from "../grid/describe-session.ts";
import type { Poll } from "../grid/grid-health.ts";
import { type SessionCame, SessionLog } from "../grid/session-log.ts";
import type { WatchedRecording } from "./stop-condition.ts";

export class SessionReports {
	readonly #recording: WatchedRecording;
	readonly #browsers: BrowserLog | null;
	readonly #log = new SessionLog();
	/** The sessions whose beginning was reported. */
	readonly #reported = new Map<string, ReportedSession>();

	/** @param session a session that was seen before the first poll. */
	constructor(recording: WatchedRecording, browsers: BrowserLog | null, session?: SessionCame) {
		this.#recording = recording;
		this.#browsers = browsers;
		if (session === undefined) return;
		this.#log.expect(session.session.id);
		this.#begin(session);
		browsers?.begin(session);
	}

	/** @param only the one session to report; all if undefined. */
	report(poll: Poll, only?: string | null): void {
		const { came, went, short } = this.#log.take(poll);
		const isWanted = (each: SessionCame) => only === undefined || each.session.id === only;
		for (const { id, at } of went) {
			this.#end(id, at);
			this.#browsers?.end(id);
		}
		for (const each of [...short, ...came].filter(isWanted)) this.#begin(each);
		for (const each of came.filter(isWanted)) this.#browsers?.begin(each);
		for (const { session } of short) this.#end(session.id, poll.answeredAt);
	}

	#end(id: string, at: number): void {
		const session = this.#reported.get(id);
		if (session === undefined) return;
		const message = `${sessionTitle(id, session)} ended.`;
		const { sessionId, name } = session;
		this.#recording.session({ type: "session_ended", message, session: { sessionId, name } }, at);
	}

	#begin({ session, at }: SessionCame): void {
		if (this.#reported.size >= MAX_SESSIONS && !this.#reported.has(session.id)) return;
		const { name, capabilities, labels } = describeSession(session.capabilities);
		const reported = { sessionId: session.id, name, capabilities, labels };
		this.#reported.set(session.id, reported);
		const message = `${sessionTitle(session.id, reported)} began.`;
		this.#recording.session({ type: "session_started", message, session: reported }, at);
	}
}
