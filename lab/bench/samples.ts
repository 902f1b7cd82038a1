/** The number of samples that a bench takes: all that a figure needs, or just enough to see that the bench works. */
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "./figures.ts";

/** `npm run bench -- --quick`: a tenth of the samples, for trying a bench; its figures are not to be quoted. */
export const QUICK = process.argv.includes("--quick");

/** @returns that many, or a tenth when it has to be quick. */
export const samples = (count: number): number => (QUICK ? Math.ceil(count / 10) : count);

/**
 * Takes samples, some at a time, which begin apart from each other so that they do not end together either.
 * @returns what `take` brought, in no order.
 */
export async function inTurns<T>(
	count: number,
	{ atOnce, apartMs }: { atOnce: number; apartMs: number },
	take: (index: number) => Promise<T>,
): Promise<T[]> {
	const taken: T[] = [];
	let next = 0;
	const worker = async (place: number) => {
		await sleep(place * apartMs);
		while (next < count) taken.push(await take(next++));
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, count) }, (_, place) => worker(place)));
	return taken;
}

/**
 * Measures a rate and that of a baseline in turns, so that a slower machine slows both. Returns medians; the ratio is
 * the median of the pairs' ratios. An additional first round warms up both.
 */
export async function rateAgainst(
	takeBaseline: () => Promise<number>,
	takeRate: () => Promise<number>,
	rounds: number,
): Promise<{ rate: number; ratio: number; values: number[] }> {
	const pairs: { rate: number; baseline: number }[] = [];
	for (let round = 0; round <= rounds; round += 1) {
		const pair = { rate: await takeRate(), baseline: await takeBaseline() };
		if (round > 0) pairs.push(pair);
	}
	const ratios = pairs.map(({ rate, baseline }) => rate / baseline);
	const rates = pairs.map(({ rate }) => rate);
	return { rate: median(rates), ratio: median(ratios), values: [...rates, ...ratios] };
}
