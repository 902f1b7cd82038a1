import { expect, test } from "vitest";
import { indexOfId, placeOf } from "./by-id.ts";

const list = [9, 7, 4, 3].map((id) => ({ id }));

test("an item is found by its id", () => {
	expect([9, 7, 4, 3].map((id) => indexOfId(list, id))).toEqual([0, 1, 2, 3]);
	expect([10, 8, 1].map((id) => indexOfId(list, id))).toEqual([-1, -1, -1]);
	expect(indexOfId([], 1)).toBe(-1);
});

test("a missing id gets the index at which it would be inserted", () => {
	expect([10, 8, 5, 1].map((id) => placeOf(list, id))).toEqual([0, 1, 2, 4]);
});
