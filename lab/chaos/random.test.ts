import { expect, test } from "vitest";
import { randomFrom } from "./random.ts";

const draws = (seed: number) => Array.from({ length: 50 }, randomFrom(seed).next);

test("the same seed gives the same numbers, another seed gives others", () => {
	expect(draws(7)).toEqual(draws(7));
	expect(draws(7)).not.toEqual(draws(8));
});

test("numbers are spread over the whole range", () => {
	const random = randomFrom(1);
	const faces = [0, 0, 0, 0, 0, 0];
	for (let throws = 0; throws < 6_000; throws++) {
		const face = random.whole(0, 5);
		faces[face] = (faces[face] ?? 0) + 1;
	}
	for (const count of faces) expect(count).toBeGreaterThan(850);
	expect(faces.reduce((sum, count) => sum + count)).toBe(6_000);
});

test("shuffling keeps every item", () => {
	const items = [1, 2, 3, 4, 5, 6, 7, 8];
	const shuffled = randomFrom(5).shuffled(items);
	expect(shuffled).not.toEqual(items);
	expect(shuffled.sort()).toEqual(items);
});

test("a branch does not depend on how often its origin is drawn from", () => {
	const [one, other] = [randomFrom(3), randomFrom(3)];
	const [first, second] = [one.branch(), other.branch()];
	for (let draw = 0; draw < 10; draw++) other.next();
	expect(first.next()).toBe(second.next());
});
