/** The flag that names a display. */
import { displayIdOf, parseDisplayName } from "../displays/display-name.ts";
import { CommandError, EXIT } from "./command.ts";

/** @returns its id, such as `:99`. @throws CommandError when the text names no display. */
export function displayFlag(text: string): string {
	const name = parseDisplayName(text);
	if (name !== null) return displayIdOf(name);
	throw new CommandError("usage", "--display: Give a display as :99, :99.0 or <host>:<number>.", EXIT.usage);
}
