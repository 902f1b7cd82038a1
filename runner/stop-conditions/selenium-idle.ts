/** `selenium_idle`: ends the recording when the grid has had no session for 5 consecutive seconds. */
import type { StopConditionConfig } from "@tapedeck/contract/stop-condition.ts";
import type { Poll } from "../grid/grid-health.ts";
import { IDLE_RULES, IdleClock, type IdleDecision, type IdleRules } from "../grid/idle-clock.ts";
import type { StopDecision } from "../spool/spool.ts";
import type { StopCondition } from "./stop-condition.ts";
import { eventData, type GridOptions, stopForGrid, watchSessions } from "./watch-sessions.ts";

export interface SeleniumIdleOptions extends GridOptions {
	/** Whether a session triggered the recording. */
	sessionSeen?: boolean;
	rules?: IdleRules;
}

export function seleniumIdleCondition(
	config: StopConditionConfig<"selenium_idle">,
	options: SeleniumIdleOptions,
): StopCondition {
	return {
		limit: null,
		watch: (recording) =>
			watchSessions(recording, config, options, () => {
				const clock = new IdleClock(
					{
						at: recording.startedAt,
						firstSessionTimeoutMs: (config.firstSessionTimeoutSeconds ?? 0) * 1_000,
						sessionSeen: options.sessionSeen ?? false,
					},
					options.rules ?? IDLE_RULES,
				);
				const decide = (poll: Poll) => {
					const decision = clock.take(poll);
					return decision === null ? null : stopOf(decision, config.gridUrl);
				};
				return { decide };
			}),
	};
}

function stopOf(decision: IdleDecision, gridUrl: string): StopDecision {
	if (decision.reason !== "selenium_idle") return stopForGrid(decision, gridUrl);
	return { reason: decision.reason, data: { polls: decision.polls.map(eventData), zeros: decision.zeros } };
}
