/**
 * The ledger of unstable tests, `test/unstable.json`: tests that failed in a run and passed when they ran again alone. A fixed
 * test's entries are deleted by hand.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./run.mjs";

export const LEDGER = join(root, "test", "unstable.json");

const MOST_PER_RUN = 2;
const MOST_PER_TEST = 3;
const FULL_LEDGER = 10;

/** @returns {{ test: string, message: string, commit: string, date: string }[]} oldest first */
export const readLedger = (file = LEDGER) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []);

/**
 * @param ledger its entries before this run.
 * @param tests the names of the tests that were unstable in this run.
 * @param earlier the number of unstable tests in the part of this run that another process ran.
 * @returns {string[]} the reasons why the run fails although each of them passed in the end.
 */
export function verdict(ledger, tests, earlier = 0) {
	const reasons = [];
	const count = tests.length + earlier;
	if (count > MOST_PER_RUN) reasons.push(`${count} tests were unstable; a run passes with at most ${MOST_PER_RUN}.`);
	for (const test of tests) {
		const times = ledger.filter((entry) => entry.test === test).length;
		if (times >= MOST_PER_TEST)
			reasons.push(`${test} is in the ledger ${times} times already. Fix or delete it, then remove its entries.`);
	}
	const distinct = new Set([...ledger.map((entry) => entry.test), ...tests]).size;
	if (distinct >= FULL_LEDGER)
		reasons.push(`The ledger has ${distinct} tests. Fix the oldest ones and remove their entries.`);
	return reasons;
}

/**
 * Adds tests to the ledger.
 * @param unstable {{ test: string, message: string }[]}
 */
export async function addToLedger(unstable, file = LEDGER) {
	if (unstable.length === 0) return;
	const { code, output } = await run("git", ["rev-parse", "--short", "HEAD"], { quiet: true });
	const commit = code === 0 ? output.trim() : "";
	const date = new Date().toISOString().slice(0, 10);
	const entries = unstable.map(({ test, message }) => ({ test, message, commit, date }));
	writeFileSync(file, `${JSON.stringify([...readLedger(file), ...entries], null, "\t")}\n`);
}
