/**
 * Labels in the form of text fields: one key=value per line. Imports the schema of labels, so only code that is loaded
 * later may use it.
 */
import { MAX_LABEL_VALUE, MAX_LABELS } from "@tapedeck/contract/labels.ts";

/** @returns undefined if there are none; null for a missing value, which every schema refuses. */
export function labelsIn(text: string): Record<string, string | null> | undefined {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	if (lines.length === 0) return undefined;
	return Object.fromEntries(
		lines.map((line) => {
			const at = line.indexOf("=");
			return at < 0 ? [line.trim(), null] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
		}),
	);
}

/** Messages for invalid labels, by the code of the fault. */
export const LABEL_MESSAGES = {
	invalid_type: "Enter each label as key=value, on a line of its own.",
	invalid: `Use keys of lower-case letters, digits, dots, dashes, underscores and slashes, and at most ${MAX_LABELS} labels.`,
	too_big: `Use values of ${MAX_LABEL_VALUE} characters or fewer.`,
	invalid_format: "Remove control characters.",
} as const;
