import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBatcher } from "./batch.ts";

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

test("the first item is delivered at once, those that follow shortly after together and in order", () => {
	const delivered: number[][] = [];
	const { add } = createBatcher<number>(100, (items) => delivered.push([...items]));
	add(1);
	add(2);
	vi.advanceTimersByTime(0);
	expect(delivered).toEqual([[1, 2]]);
	add(3);
	vi.advanceTimersByTime(50);
	add(4);
	expect(delivered).toHaveLength(1);
	vi.advanceTimersByTime(50);
	expect(delivered).toEqual([
		[1, 2],
		[3, 4],
	]);
	vi.advanceTimersByTime(500);
	add(5);
	vi.advanceTimersByTime(0);
	expect(delivered.at(-1)).toEqual([5]);
});

test("nothing is delivered after the end", () => {
	const deliver = vi.fn();
	const { add, end } = createBatcher<number>(100, deliver);
	add(1);
	end();
	vi.advanceTimersByTime(500);
	expect(deliver).not.toHaveBeenCalled();
});

test("held items are delivered together once the hold ends, and none waits longer than the limit", () => {
	const delivered: number[][] = [];
	let holdUntil = performance.now() + 300;
	const { add } = createBatcher<number>(100, (items) => delivered.push([...items]), {
		holdUntil: () => holdUntil,
		maxHoldMs: 1_000,
	});
	add(1);
	vi.advanceTimersByTime(200);
	add(2);
	vi.advanceTimersByTime(99);
	expect(delivered).toEqual([]);
	vi.advanceTimersByTime(1);
	expect(delivered).toEqual([[1, 2]]);

	holdUntil = Number.POSITIVE_INFINITY;
	vi.advanceTimersByTime(5_000);
	add(3);
	vi.advanceTimersByTime(900);
	add(4);
	vi.advanceTimersByTime(99);
	expect(delivered).toHaveLength(1);
	vi.advanceTimersByTime(1);
	expect(delivered.at(-1)).toEqual([3, 4]);
});
