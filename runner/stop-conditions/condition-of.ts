/** Creates the watcher for a job's stop condition. A condition that is missing here is a type error. */
import type { StopRule } from "@tapedeck/contract/stop-condition.ts";
import type { GridAddress } from "../grid/poll.ts";
import { durationCondition } from "./duration.ts";
import { type SeleniumIdleOptions, seleniumIdleCondition } from "./selenium-idle.ts";
import { type SeleniumSessionOptions, seleniumSessionCondition } from "./selenium-session.ts";
import type { StopCondition } from "./stop-condition.ts";
import { watchBrowsers } from "./watch-sessions.ts";

interface Options extends Omit<SeleniumIdleOptions & SeleniumSessionOptions, "rules" | "pollEveryMs"> {
	/** The runner's own grid: recordings without another grid log the browsers of its sessions. */
	ownGrid: GridAddress | null;
}

export function conditionOf(rule: StopRule, options: Options): StopCondition {
	switch (rule.stopCondition) {
		case "duration":
			return withBrowsers(durationCondition(rule.stopConditionConfig), options);
		case "interrupt":
			// Runs until it is cancelled, which every job handles by itself.
			return withBrowsers({ limit: null, watch: async () => undefined }, options);
		case "selenium_idle":
			return seleniumIdleCondition(rule.stopConditionConfig, options);
		case "selenium_session":
			return seleniumSessionCondition(rule.stopConditionConfig, options);
	}
}

function withBrowsers(condition: StopCondition, { ownGrid, ...options }: Options): StopCondition {
	if (ownGrid === null) return condition;
	return {
		...condition,
		async watch(recording) {
			await Promise.all([condition.watch(recording), watchBrowsers(recording, ownGrid, options)]);
		},
	};
}
