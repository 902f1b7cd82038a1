/** The words after `npm run chaos --`. */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";

export interface Arguments {
	minutes: number;
	seed: number;
	/** Keeps the folder of evidence even when nothing is wrong. */
	keep: boolean;
	/** Writes the last line into the README. */
	writeReadme: boolean;
}

const MOST_MINUTES = 240;
const MOST_SEED = 2 ** 31 - 1;

/** @throws an Error that says what to give instead. */
export function readArguments(words: readonly string[]): Arguments {
	const { values } = parseArgs({
		args: [...words],
		options: {
			minutes: { type: "string" },
			seed: { type: "string" },
			keep: { type: "boolean" },
			"write-readme": { type: "boolean" },
		},
	});
	const minutes = Number(values.minutes ?? 3);
	if (!(minutes >= 1 && minutes <= MOST_MINUTES)) throw new Error(`Give --minutes from 1 to ${MOST_MINUTES}.`);
	const seed = values.seed === undefined ? randomInt(MOST_SEED) : Number(values.seed);
	if (!Number.isInteger(seed) || seed < 0 || seed > MOST_SEED) {
		throw new Error(`Give --seed as a whole number from 0 to ${MOST_SEED}.`);
	}
	return { minutes, seed, keep: values.keep ?? false, writeReadme: values["write-readme"] ?? false };
}
