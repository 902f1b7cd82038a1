/** `selenium_session`: records one session of the grid, and ends half a second after the session. */
import type { StopConditionConfig } from "@tapedeck/contract/stop-condition.ts";
import { aborted } from "../base/wait.ts";
import type { Poll } from "../grid/grid-health.ts";
import { SESSION_RULES, SessionClock, type SessionDecision, type SessionRules } from "../grid/session-clock.ts";
import type { SessionCame } from "../grid/session-log.ts";
import type { StopDecision } from "../spool/spool.ts";
import type { StopCondition } from "./stop-condition.ts";
import { eventData, type GridOptions, stopForGrid, watchSessions } from "./watch-sessions.ts";

export interface SeleniumSessionOptions extends GridOptions {
	/** Auto-record: resolves to the session that the recording was started for. */
	session?: Promise<SessionCame>;
	rules?: SessionRules;
}

export function seleniumSessionCondition(
	config: StopConditionConfig<"selenium_session">,
	options: SeleniumSessionOptions,
): StopCondition {
	return {
		limit: null,
		async watch(recording) {
			const session = (await Promise.race([options.session, aborted(recording.over)])) ?? undefined;
			if (recording.over.aborted) return;
			await watchSessions(recording, config, options, () => {
				const sessionId = session?.session.id ?? config.sessionId ?? null;
				const { firstSessionTimeoutSeconds: wait } = config;
				const waitMs = wait === undefined ? (sessionId === null ? null : 0) : wait * 1_000;
				const start = { at: recording.startedAt, sessionId, waitMs, wasSeen: session !== undefined };
				const clock = new SessionClock(start, options.rules ?? SESSION_RULES);
				const decide = (poll: Poll) => {
					const before = clock.sessionId;
					const decision = clock.take(poll);
					if (clock.sessionId !== null && clock.sessionId !== before) recording.follow(clock.sessionId);
					return decision === null ? null : stopOf(decision, config);
				};
				return { decide, session, only: () => clock.sessionId };
			});
		},
	};
}

function stopOf(decision: SessionDecision, config: StopConditionConfig<"selenium_session">): StopDecision {
	if (decision.reason !== "session_ended") return stopForGrid(decision, config.gridUrl);
	const { reason, sessionId, polls } = decision;
	const data = { sessionId, polls: polls.map(eventData) };
	if (sessionId !== null) return { reason, data };
	const isOne = config.sessionId !== undefined;
	return { reason, message: isOne ? "The session had ended before." : "No session began in time.", data };
}
