import { expect, test } from "vitest";
import { splitFrozen } from "./use-stable-list.ts";

const items = (...ids: number[]) => ids.map((id) => ({ id }));
const split = (frozen: number[], now: number[]) => {
	const { shown, waiting } = splitFrozen(new Set(frozen), items(...now));
	return { shown: shown.map(({ id }) => id), waiting: waiting.map(({ id }) => id) };
};

test("items that come in above or among the rows of a frozen list wait", () => {
	expect(split([5, 3, 1], [7, 6, 5, 4, 3, 1])).toEqual({ shown: [5, 3, 1], waiting: [7, 6, 4] });
});

test("items that are loaded behind the rows of a frozen list are shown", () => {
	expect(split([5, 4], [6, 5, 4, 3, 2])).toEqual({ shown: [5, 4, 3, 2], waiting: [6] });
});

test("rows of a frozen list keep their places, also when the order has changed", () => {
	expect(split([5, 4, 3], [3, 6, 5, 4])).toEqual({ shown: [5, 4, 3], waiting: [6] });
});

test("rows that are gone leave a frozen list", () => {
	expect(split([5, 4, 3], [5, 3, 2])).toEqual({ shown: [5, 3, 2], waiting: [] });
});

test("a frozen list of which nothing is left shows everything", () => {
	expect(split([5, 4], [3, 2])).toEqual({ shown: [3, 2], waiting: [] });
	expect(split([], [3, 2])).toEqual({ shown: [3, 2], waiting: [] });
});

test("items that do not match the filters come into a frozen list neither above nor behind its rows", () => {
	const odd = ({ id }: { id: number }) => id % 2 === 1;
	const { shown, waiting } = splitFrozen(new Set([4, 3]), items(6, 5, 4, 3, 2, 1), odd);
	expect({ shown, waiting }).toEqual({ shown: items(4, 3, 1), waiting: items(5) });
});
