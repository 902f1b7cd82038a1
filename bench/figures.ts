/** Figures: percentiles, ratios, and the table that a run prints. */

/** One measured thing against what is promised of it. */
export type Figure = {
	what: string;
	/** What was measured, in words with its unit. */
	measured: string;
	/** What it is compared with, in words. */
	against: string;
	promise: string;
	holds: boolean;
};

/** @param fraction 0.5 for the median, 0.99 for p99 (the largest, in samples under a hundred). */
export function percentile(samples: readonly number[], fraction: number): number {
	const sorted = [...samples].sort((a, b) => a - b);
	const value = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * fraction) - 1)];
	if (value === undefined) throw new Error("no samples");
	return value;
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5);
export const ms = (value: number): string => `${Math.round(value)} ms`;
/** p50 and p99 of durations in milliseconds. */
export const p50p99 = (samples: readonly number[]): string =>
	`p50 ${ms(percentile(samples, 0.5))}, p99 ${ms(percentile(samples, 0.99))} of ${samples.length}`;

export function printFigures(figures: readonly Figure[]): void {
	console.log("\n| what | measured | against | promise | |");
	console.log("|---|---|---|---|---|");
	for (const { what, measured, against, promise, holds } of figures) {
		console.log(`| ${what} | ${measured} | ${against} | ${promise} | ${holds ? "holds" : "**missed**"} |`);
	}
}
