import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gather } from "./live/batch.ts";

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

test("what comes first goes on at once, what follows shortly after goes on together and in order", () => {
	const taken: number[][] = [];
	const { add } = gather<number>(100, (items) => taken.push([...items]));
	add(1);
	add(2);
	vi.advanceTimersByTime(0);
	expect(taken).toEqual([[1, 2]]);
	add(3);
	vi.advanceTimersByTime(50);
	add(4);
	expect(taken).toHaveLength(1);
	vi.advanceTimersByTime(50);
	expect(taken).toEqual([
		[1, 2],
		[3, 4],
	]);
	vi.advanceTimersByTime(500);
	add(5);
	vi.advanceTimersByTime(0);
	expect(taken.at(-1)).toEqual([5]);
});

test("after the end nothing goes on any more", () => {
	const take = vi.fn();
	const { add, end } = gather<number>(100, take);
	add(1);
	end();
	vi.advanceTimersByTime(500);
	expect(take).not.toHaveBeenCalled();
});

test("nothing goes on before it suits, and then all of it together; but nothing waits longer than the patience", () => {
	const taken: number[][] = [];
	let suits = performance.now() + 300;
	const { add } = gather<number>(100, (items) => taken.push([...items]), { suits: () => suits, patienceMs: 1_000 });
	add(1);
	vi.advanceTimersByTime(200);
	add(2);
	vi.advanceTimersByTime(99);
	expect(taken).toEqual([]);
	vi.advanceTimersByTime(1);
	expect(taken).toEqual([[1, 2]]);

	suits = Number.POSITIVE_INFINITY;
	vi.advanceTimersByTime(5_000);
	add(3);
	vi.advanceTimersByTime(900);
	add(4);
	vi.advanceTimersByTime(99);
	expect(taken).toHaveLength(1);
	vi.advanceTimersByTime(1);
	expect(taken.at(-1)).toEqual([3, 4]);
});
