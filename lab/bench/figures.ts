/** Figures: the promises of a bench, its measurements, and the format of both. */

/** A figure as it is promised: one row of a table. */
export interface Figure {
	what: string;
	promise: string;
	/** Values outside these bounds mean that the bench is broken, however slow the machine; 0 and more without them. */
	plausible?: readonly [least: number, most: number];
}

/** The figures of a bench, by their name in it. */
export type Figures = Readonly<Record<string, Figure>>;

/** The measured value of one of a bench's figures. */
export interface Result {
	/** The numbers behind the text. */
	values: readonly number[];
	/** The value as text, with its unit. */
	measured: string;
	/** The value that it is compared with, as text. */
	against?: string;
	/** Whether the promise is kept. */
	holds: boolean;
}

export type Results<F extends Figures> = Record<keyof F, Result>;

/** The exports of a bench's file. */
export interface Bench {
	figures: Figures;
	run(): Promise<Record<string, Result>>;
}

/** @param fraction 0.5 for the median, 0.99 for p99 (the largest, in samples under a hundred). */
export function percentile(samples: readonly number[], fraction: number): number {
	const sorted = [...samples].sort((a, b) => a - b);
	const value = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * fraction) - 1)];
	if (value === undefined) throw new Error("no samples");
	return value;
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5);
export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

/** Percentiles of durations in milliseconds: p50 and p99, and requested ones in between. */
export function p50p99(samples: readonly number[], ...between: number[]): string {
	const parts = [0.5, ...between, 0.99].map((part) => `p${Math.round(part * 100)} ${ms(percentile(samples, part))}`);
	return `${parts.join(", ")} of ${samples.length}`;
}

/** Durations whose p99 has to be shorter than `promisedMs`. */
export const p99Under = (promisedMs: number, values: readonly number[]): Result => ({
	...{ values, measured: p50p99(values) },
	holds: percentile(values, 0.99) < promisedMs,
});

/** "1, 4 and 8". */
export function listed(items: readonly (string | number)[]): string {
	const last = items.at(-1) ?? "";
	return items.length < 2 ? `${last}` : `${items.slice(0, -1).join(", ")} and ${last}`;
}

/**
 * Faults in a bench's results, whatever the machine's speed: missing or undefined figures, no values, and values that
 * are not numbers or impossible.
 */
export function brokenResults(figures: Figures, results: Record<string, Result>): string[] {
	const undefinedOnes = Object.keys(results).filter((name) => !(name in figures));
	return [
		...undefinedOnes.map((name) => `${name}: the bench does not define this figure`),
		...Object.entries(figures).flatMap(([name, figure]) => {
			const fault = faultOf(figure, results[name]);
			return fault === null ? [] : [`${name}: ${fault}`];
		}),
	];
}

function faultOf({ plausible: [least, most] = [0, Number.MAX_VALUE] }: Figure, result?: Result): string | null {
	if (result === undefined) return "the bench brought no result";
	const { values, measured, against = "" } = result;
	if (values.length === 0) return "there are no samples";
	const wrong = values.find((value) => !(value >= least && value <= most));
	if (wrong !== undefined) return `${wrong} is not between ${least} and ${most}`;
	const text = `${measured} ${against}`;
	if (measured.trim() === "" || /NaN|Infinity|undefined|\||\n/.test(text)) return `the text is "${text}"`;
	return null;
}
