/** The thread that estimates how many guesses a password takes. */
import { parentPort, workerData } from "node:worker_threads";
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import * as common from "@zxcvbn-ts/language-common";
import * as english from "@zxcvbn-ts/language-en";
import type { PasswordStrength } from "./new-password.ts";

/** Minimum score on a scale up to 4: at least 100 million guesses. */
const MIN_SCORE = 3;
/** Names of this product and its pages. */
const PUBLIC_WORDS = ["tapedeck", "recording", "dashboard"];

const { password, personal } = workerData as { password: string; personal: string[] };
const { score, feedback } = new ZxcvbnFactory({
	dictionary: { ...common.dictionary, ...english.dictionary },
	graphs: common.adjacencyGraphs,
	translations: english.translations,
}).check(password, [...PUBLIC_WORDS, ...personal]);
const strength: PasswordStrength = { isWeak: score < MIN_SCORE, why: feedback.warning };
parentPort?.postMessage(strength);
