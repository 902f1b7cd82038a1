import { describe, expect, test } from "vitest";
import { allOf, extended, kept, NOTHING, toggled } from "./use-selection.ts";

const order = [9, 8, 7, 6, 5, 4, 3, 2, 1];
const ids = (selection: { ids: ReadonlySet<number> }) => [...selection.ids].sort((a, b) => b - a);

describe("a selection", () => {
	test("ticks and unticks one by one", () => {
		const two = toggled(toggled(NOTHING, 7), 3);
		expect(ids(two)).toEqual([7, 3]);
		expect(ids(toggled(two, 7))).toEqual([3]);
	});

	test("extends from what was ticked last, downwards and upwards, and keeps what was selected before", () => {
		const from = toggled(toggled(NOTHING, 9), 5);
		expect(ids(extended(from, order, 3))).toEqual([9, 5, 4, 3]);
		expect(ids(extended(from, order, 7))).toEqual([9, 7, 6, 5]);
	});

	test("shrinks when the range comes back to its anchor", () => {
		const far = extended(toggled(NOTHING, 7), order, 3);
		expect(ids(extended(far, order, 6))).toEqual([7, 6]);
		expect(ids(extended(far, order, 9))).toEqual([9, 8, 7]);
	});

	test("unticks a range when its anchor was unticked", () => {
		expect(ids(extended(toggled(allOf(order), 8), order, 5))).toEqual([9, 4, 3, 2, 1]);
	});

	test("begins a range where the caller says when nothing was ticked, or when that has left the list", () => {
		expect(ids(extended(NOTHING, order, 5, 6))).toEqual([6, 5]);
		expect(ids(extended(NOTHING, order, 5))).toEqual([5]);
		const gone = order.filter((id) => id !== 7);
		expect(ids(extended(kept(toggled(NOTHING, 7), gone), gone, 4, 5))).toEqual([5, 4]);
	});

	test("ranges to what is not in the list change nothing", () => {
		const one = toggled(NOTHING, 7);
		expect(extended(one, order, 100)).toBe(one);
	});

	test("stays the same while things come into the list, also between its ends", () => {
		const range = extended(toggled(NOTHING, 7), order, 5);
		const grown = [11, 10, ...order];
		expect(kept(range, grown)).toBe(range);
		expect(ids(extended(range, grown, 10))).toEqual([10, 9, 8, 7]);
	});

	test("an item that leaves the list leaves the selection, and does not come back with it", () => {
		const range = extended(toggled(NOTHING, 7), order, 5);
		const without = kept(
			range,
			order.filter((id) => id !== 6),
		);
		expect(ids(without)).toEqual([7, 5]);
		expect(ids(kept(without, order))).toEqual([7, 5]);
	});
});
