/** Reproducible random numbers: the same seed gives the same ones. */

export interface Random {
	/** A number from 0 up to, not including, 1. */
	next(): number;
	/** A whole number, both ends included. */
	whole(from: number, to: number): number;
	chance(probability: number): boolean;
	/** @throws when there is nothing to choose from. */
	pick<T>(choices: readonly T[]): T;
	shuffled<T>(items: readonly T[]): T[];
	/** An independent generator, so that one part of a plan does not change when another one draws more numbers. */
	branch(): Random;
}

/** A Weyl sequence through a 32-bit finalizer. */
export function randomFrom(seed: number): Random {
	let state = seed >>> 0;
	const next = (): number => {
		state = (state + 0x9e3779b9) >>> 0;
		let mixed = state;
		mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
		mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
		return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
	};
	const random: Random = {
		next,
		whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
		chance: (probability) => next() < probability,
		pick: (choices) => {
			const index = Math.floor(next() * choices.length);
			if (index >= choices.length) throw new Error("Nothing to choose from.");
			return choices[index] as (typeof choices)[number];
		},
		shuffled: (items) => {
			const left = [...items];
			return items.map(() => left.splice(Math.floor(next() * left.length), 1)[0] as (typeof items)[number]);
		},
		branch: () => randomFrom(Math.floor(next() * 2 ** 32)),
	};
	return random;
}
