/**
 * The measured duration of each test file of vitest, `test/durations.json`: it begins with the longest, and `npm test` leaves
 * them out. Playwright has an order of its own.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

const FILE = join(root, "test", "durations.json");
/** Smaller changes are noise, and would change the file at every run. */
const SMALLEST_CHANGE = 1.5;
const SMALLEST_SECONDS = 2;
/** Files that take less are not listed. */
const LISTED_FROM_SECONDS = 1;

/**
 * @param known {Record<string, number>} seconds by file, from `test/durations.json`.
 * @param measured {Record<string, number>} seconds by file of this run.
 * @param exists {(file: string) => boolean}
 * @returns {Record<string, number>} `known` with clear changes. A machine that is slower as a whole changes nothing.
 */
export function mergeDurations(known, measured, exists) {
	const speed = median(Object.keys(measured).flatMap((file) => (known[file] > 1 ? measured[file] / known[file] : [])));
	const merged = { ...known };
	for (const [file, seconds] of Object.entries(measured)) {
		const now = Math.round((seconds / speed) * 10) / 10;
		const before = known[file] ?? 0;
		const isNoise =
			Math.abs(now - before) < SMALLEST_SECONDS || (now < before * SMALLEST_CHANGE && before < now * SMALLEST_CHANGE);
		if (before > 0 && isNoise) continue;
		merged[file] = now;
	}
	const listed = Object.entries(merged).filter(([file, seconds]) => exists(file) && seconds >= LISTED_FROM_SECONDS);
	return Object.fromEntries(listed.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The middle of some ratios; 1 without any. */
const median = (ratios) => ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 1;

/** Updates `test/durations.json`. @param measured {Record<string, number>} seconds by file of this run */
export function keepDurations(measured) {
	const known = JSON.parse(readFileSync(FILE, "utf8"));
	const merged = mergeDurations(known, measured, (file) => existsSync(join(root, file)));
	const text = `${JSON.stringify(merged, null, "\t")}\n`;
	if (text !== readFileSync(FILE, "utf8")) writeFileSync(FILE, text);
}
