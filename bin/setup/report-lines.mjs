/** Shared by the reporters of the test programs. */
import { appendFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** Lines of a failure that are repeated at the end of a run: the message, the two values, the place. */
const MESSAGE_LINES = 24;

/** Appends an event to the report of this run. */
export const appendLine = (event) => appendFileSync(process.env.TEST_REPORT, `${JSON.stringify(event)}\n`);

/** @returns the first lines of the messages, without colors and without frames of packages. */
export const plainMessage = (messages) =>
	stripVTControlCharacters(messages.filter(Boolean).join("\n"))
		.split("\n")
		.filter((line) => !line.includes("node_modules"))
		.slice(0, MESSAGE_LINES)
		.join("\n");
