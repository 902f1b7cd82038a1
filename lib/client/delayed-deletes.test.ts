import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deletedHere, deleteLater, sendDeletions, UNDO_MS, undoLastDeletion } from "./delayed-deletes.ts";

const page = new EventTarget();

beforeEach(() => {
	vi.useFakeTimers();
	vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
	vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

function scene(refuse: number[] = []) {
	const remove = vi.fn(async (id: number) => {
		if (refuse.includes(id)) throw new Error(`${id} stays`);
	});
	return { remove, onDecided: vi.fn(), onAnswered: vi.fn() };
}

test("a deleted recording is hidden at once, and deleted on the server once the time to undo is over", async () => {
	const options = scene();
	deleteLater([1, 2, 3], options);
	expect([...deletedHere()]).toEqual([1, 2, 3]);
	await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
	expect(options.remove).not.toHaveBeenCalled();
	await vi.advanceTimersByTimeAsync(1);
	expect(options.remove.mock.calls.flat()).toEqual([1, 2, 3]);
	expect(options.onAnswered).toHaveBeenCalledExactlyOnceWith([]);
	expect(deletedHere().size).toBe(0);
});

test("an undone deletion never reaches the server, and everything is shown again", async () => {
	const options = scene();
	deleteLater([1, 2], options).undo();
	expect(deletedHere().size).toBe(0);
	await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
	page.dispatchEvent(new Event("pagehide"));
	expect(options.remove).not.toHaveBeenCalled();
	expect(options.onDecided).toHaveBeenCalledTimes(1);
});

test("leaving the page sends every deletion at once, and nothing can be undone then", async () => {
	const options = scene();
	const many = Array.from({ length: 50 }, (_, index) => index + 1);
	const deletion = deleteLater(many, options);
	page.dispatchEvent(new Event("pagehide"));
	expect(options.remove).toHaveBeenCalledTimes(50);
	deletion.undo();
	expect(deletedHere().size).toBe(50);
	await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
	expect(options.remove).toHaveBeenCalledTimes(50);
	expect(options.onAnswered).toHaveBeenCalledTimes(1);
});

test("leaving while deletions are being sent sends the rest at once", async () => {
	const options = scene();
	const answer = Promise.withResolvers<void>();
	options.remove.mockReturnValue(answer.promise);
	deleteLater(
		Array.from({ length: 20 }, (_, index) => 100 + index),
		options,
	).send();
	expect(options.remove.mock.calls.length).toBeLessThan(20);
	sendDeletions();
	expect(options.remove.mock.calls.flat()).toHaveLength(20);
	answer.resolve();
	await vi.advanceTimersByTimeAsync(0);
	expect(options.onAnswered).toHaveBeenCalledTimes(1);
});

test("a refused deletion is shown again, with the server's message; the others are gone", async () => {
	const options = scene([2]);
	deleteLater([1, 2, 3], options).send();
	await vi.advanceTimersByTimeAsync(0);
	expect(options.onAnswered).toHaveBeenCalledExactlyOnceWith([{ id: 2, error: new Error("2 stays") }]);
	expect(deletedHere().has(2)).toBe(false);
});

test("deleting a recording twice sends one request", async () => {
	const [first, second] = [scene(), scene()];
	deleteLater([1, 2], first);
	deleteLater([2, 3], second);
	await vi.advanceTimersByTimeAsync(UNDO_MS);
	expect(first.remove.mock.calls.flat()).toEqual([1, 2]);
	expect(second.remove.mock.calls.flat()).toEqual([3]);
});

test("the last deletion is undone first, and none whose time has run out", async () => {
	const [first, second] = [scene(), scene()];
	deleteLater([1], first);
	await vi.advanceTimersByTimeAsync(1_000);
	deleteLater([2], second);
	expect(undoLastDeletion()).toBe(true);
	expect([...deletedHere()]).toEqual([1]);
	await vi.advanceTimersByTimeAsync(UNDO_MS);
	expect(first.remove.mock.calls.flat()).toEqual([1]);
	expect(undoLastDeletion()).toBe(false);
	expect(second.remove).not.toHaveBeenCalled();
});
