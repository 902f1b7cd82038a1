/** The displays that a command's flags and environment name. */

import { type NewDisplay, SIZE_NOTATION, sizeIn } from "@tapedeck/contract/new-display.ts";
import { type Fault, messageOf } from "../base/fault.ts";
import { type Environment, fromEnvironment } from "../config/settings.ts";
import { AllowedDisplays } from "../displays/allowed-displays.ts";
import { displayIdOf, parseDisplayName } from "../displays/display-name.ts";
import { usageError } from "./command.ts";

export const DISPLAY_NOTATION = ":99, :99.0 or <host>:<number>";

/** Reads --display. @returns the display's id, such as `:99`. @throws CommandError when the value is not a display. */
export function displayFlag(value: string): string {
	const name = parseDisplayName(value);
	if (name !== null) return displayIdOf(name);
	throw usageError(`--display: Use ${DISPLAY_NOTATION}.`);
}

/** Reads the size of a new display. @throws CommandError. */
export function sizeOf(flag: string, value: string): NewDisplay {
	const size = sizeIn(value);
	if (size !== null) return size;
	throw usageError(`--${flag}: ${SIZE_NOTATION}`);
}

/** The displays that TAPEDECK_DISPLAY_ALLOW of a command allows, for when no runner is running. @returns an error message if it is invalid. */
export function allowedDisplays(env: Environment): AllowedDisplays | string {
	const text = fromEnvironment(env, "display-allow");
	return text === undefined ? AllowedDisplays.all : AllowedDisplays.parse(text);
}

/** Explains why a display may be missing from a list, without a full stop. */
export const onlyAllowed = (displays: readonly string[]): string =>
	`Only ${displays.join(", ")} ${displays.length === 1 ? "is" : "are"} allowed (TAPEDECK_DISPLAY_ALLOW)`;

/** A display that can't be recorded, for the JSON output of commands. */
export const refusalJson = ({ id, ...fault }: { id: string } & Fault): { id: string; problem: string } => ({
	id,
	problem: messageOf(fault),
});
