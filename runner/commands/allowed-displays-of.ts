/** The displays that a command may look at when no runner runs: what the environment allows one. */
import { AllowedDisplays } from "../displays/allowed-displays.ts";
import { type Environment, fromEnvironment } from "../config/settings.ts";

/** @returns the sentence that says what is wrong with the list, if anything is. */
export function allowedDisplaysOf(env: Environment): AllowedDisplays | string {
	const text = fromEnvironment(env, "display-allow");
	return text === undefined ? AllowedDisplays.all : AllowedDisplays.parse(text);
}

/** One line for whoever looks for a display that is not listed. */
export const onlyThese = (words: readonly string[]): string =>
	`Only ${words.join(", ")} ${words.length === 1 ? "is" : "are"} served (TAPEDECK_DISPLAY_ALLOW)`;
