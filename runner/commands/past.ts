/** Parses `--pre-seconds`. */
import { MAX_BUFFER_SECONDS } from "@tapedeck/contract/labels.ts";
import { secondsOf } from "../base/length.ts";
import { usageError } from "./command.ts";

/** Reads a length of the past, such as 45s or 2m. @throws CommandError when it is none. @returns seconds. */
export function pastOf(flag: string, text: unknown): number {
	const seconds = secondsOf(String(text));
	if (seconds !== null && seconds <= MAX_BUFFER_SECONDS) return seconds;
	throw usageError(`--${flag}: Use a length such as 45s or 2m, at most ${MAX_BUFFER_SECONDS / 3_600}h.`);
}
