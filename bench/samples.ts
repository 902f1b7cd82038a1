/** How much a bench takes: all that a figure needs, or just enough to see that the bench works. */
import { setTimeout as sleep } from "node:timers/promises";

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
