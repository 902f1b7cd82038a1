/** Creates the watcher for a job's stop condition. A condition that is missing here is a type error. */
import type { StopRule } from "@tapedeck/contract/stop-condition.ts";
import { durationCondition } from "./duration.ts";
import { type SeleniumIdleOptions, seleniumIdleCondition } from "./selenium-idle.ts";
import { type SeleniumSessionOptions, seleniumSessionCondition } from "./selenium-session.ts";
import type { StopCondition } from "./stop-condition.ts";

export function conditionOf(
	rule: StopRule,
	options: Omit<SeleniumIdleOptions & SeleniumSessionOptions, "rules">,
): StopCondition {
	switch (rule.stopCondition) {
		case "duration":
			return durationCondition(rule.stopConditionConfig);
		case "interrupt":
			// Runs until it is cancelled, which every job handles by itself.
			return { captureSeconds: null, watch: async () => undefined };
		case "selenium_idle":
			return seleniumIdleCondition(rule.stopConditionConfig, options);
		case "selenium_session":
			return seleniumSessionCondition(rule.stopConditionConfig, options);
	}
}
