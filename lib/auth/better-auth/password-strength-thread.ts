/** The thread that estimates how many guesses a password takes. */
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import * as common from "@zxcvbn-ts/language-common";
import * as english from "@zxcvbn-ts/language-en";
import { answerQuestions } from "#lib/core/worker-thread.ts";
import type { PasswordQuestion, PasswordStrength } from "./new-password.ts";

/** Minimum score on a scale up to 4: at least 100 million guesses. */
const MIN_SCORE = 3;
/** Names of this product and its pages. */
const PUBLIC_WORDS = ["tapedeck", "recording", "dashboard"];

const zxcvbn = new ZxcvbnFactory({
	dictionary: { ...common.dictionary, ...english.dictionary },
	graphs: common.adjacencyGraphs,
	translations: english.translations,
});

answerQuestions<PasswordQuestion, PasswordStrength>(({ password, personal }) => {
	const { score, feedback } = zxcvbn.check(password, [...PUBLIC_WORDS, ...personal]);
	return { isWeak: score < MIN_SCORE, why: feedback.warning };
});
