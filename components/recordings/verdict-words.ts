import type { Verdict } from "#lib/contract/recording.ts";
import { type VerdictWords, verdictTexts } from "#lib/texts/verdict.ts";

/** @returns null when there is nothing to say. */
export const verdictWords = (verdict: Verdict | null | undefined): VerdictWords | null =>
	verdict == null || verdict === "ok" ? null : verdictTexts[verdict];
