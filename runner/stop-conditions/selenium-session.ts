/** `selenium_session`: records one session of the grid, and ends half a second after it has gone. */
import type { StopConditionConfig } from "#lib/contract/stop-condition.ts";
import { SESSION_RULES, SessionClock, type SessionDecision, type SessionRules } from "../grid/session-clock.ts";
import type { StopDecision } from "../spool/spool.ts";
import type { StopCondition } from "./stop-condition.ts";
import { eventData, type GridOptions, stopForGrid, watchSessions } from "./watch-sessions.ts";

export interface SeleniumSessionOptions extends GridOptions {
	rules?: SessionRules;
}

export function seleniumSessionCondition(
	config: StopConditionConfig<"selenium_session">,
	options: SeleniumSessionOptions,
): StopCondition {
	return {
		captureSeconds: null,
		watch: (recording) =>
			watchSessions(recording, config, options, () => {
				const { sessionId = null, firstSessionTimeoutSeconds: wait } = config;
				const waitMs = wait === undefined ? (sessionId === null ? null : 0) : wait * 1_000;
				const clock = new SessionClock({ at: recording.startedAt, sessionId, waitMs }, options.rules ?? SESSION_RULES);
				return (poll) => {
					const before = clock.sessionId;
					const decision = clock.take(poll);
					if (clock.sessionId !== null && clock.sessionId !== before) recording.follow(clock.sessionId);
					return decision === null ? null : stopOf(decision, config.gridUrl);
				};
			}),
	};
}

function stopOf(decision: SessionDecision, gridUrl: string): StopDecision {
	if (decision.reason !== "session_ended") return stopForGrid(decision, gridUrl);
	const { reason, sessionId, polls } = decision;
	const data = { sessionId, polls: polls.map(eventData) };
	return sessionId === null ? { reason, message: "No session began in time.", data } : { reason, data };
}
