import { expect, test } from "vitest";
import { anchorShift, countNewAbove } from "./use-scroll-anchor.ts";

const ROW_PX = 44;
const jobs = (...ids: number[]) => ids.map((id) => ({ id }));
const shift = (before: number[], after: number[], scrolledRows: number, heldRow: number | null = null) =>
	anchorShift(jobs(...before), jobs(...after), { heldRow, scrolledPx: scrolledRows * ROW_PX, rowPx: ROW_PX });

test("at the top new jobs come into view: nothing scrolls", () => {
	expect(shift([3, 2, 1], [5, 4, 3, 2, 1], 0)).toBe(0);
});

test("scrolled down, the first row on the screen stays where it is, whatever comes and goes above it", () => {
	expect(shift([5, 4, 3, 2, 1], [7, 6, 5, 4, 3, 2, 1], 2)).toBe(2);
	expect(shift([5, 4, 3, 2, 1], [5, 3, 2, 1], 2)).toBe(-1);
	expect(shift([5, 4, 3, 2, 1], [6, 4, 3, 2, 1], 2)).toBe(0);
});

test("what comes and goes below the first row on the screen scrolls nothing", () => {
	expect(shift([5, 4, 3, 2, 1], [5, 4, 3, 1], 2)).toBe(0);
});

test("a held row stays where it is, also at the top of the list", () => {
	expect(shift([3, 2, 1], [5, 4, 3, 2, 1], 0, 2)).toBe(2);
	expect(shift([5, 4, 3, 2, 1], [5, 4, 3, 1], 1, 1)).toBe(-1);
});

test("an anchor that has gone gives its place to the next row", () => {
	expect(shift([5, 4, 3, 2, 1], [6, 5, 4, 2, 1], 2)).toBe(1);
});

test("an empty list has nothing to anchor", () => {
	expect(shift([], [2, 1], 3)).toBe(0);
});

test("new jobs are counted above the screen only, and not before the list was at its top", () => {
	expect(countNewAbove(jobs(5, 4, 3, 2, 1), 3, 4)).toBe(2);
	expect(countNewAbove(jobs(5, 4, 3, 2, 1), 3, 1)).toBe(1);
	expect(countNewAbove(jobs(5, 4, 3, 2, 1), 3, 0)).toBe(0);
	expect(countNewAbove(jobs(5, 4, 3, 2, 1), null, 4)).toBe(0);
});
