/** What the look at the whole picture has found, for people. */
import type { Verdict } from "#lib/contract/recording.ts";

export interface VerdictWords {
	title: string;
	/** What it means and what to do. */
	meaning: string;
}

export const verdictTexts = {
	black: {
		title: "Black video",
		meaning:
			"The picture was one colour from the beginning to the end. Check that something is shown on this display, and that the test ran on it.",
	},
	frozen: {
		title: "Frozen picture",
		meaning:
			"The picture never changed from the beginning to the end. Check that what was to be recorded did run, and ran on this display.",
	},
} as const satisfies Record<Exclude<Verdict, "ok">, VerdictWords>;
