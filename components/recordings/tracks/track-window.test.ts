import type { Page } from "@tapedeck/contract/page.ts";
import type { TrackLine } from "@tapedeck/contract/track.ts";
import { describe, expect, test } from "vitest";
import type { LineQuery } from "#lib/client/tracks.ts";
import { lineAt, TrackWindow } from "./track-window.ts";

const lineOf = (line: number, offsetSeconds: number): TrackLine => ({
	...{ line, at: "2026-01-01T00:00:00.000Z", offsetSeconds, text: `line ${line}`, level: null, data: null },
});

/** A track that is read as by the API; the cursor is the number of lines that were read. */
function trackOf(lines: TrackLine[]) {
	const calls: LineQuery[] = [];
	const read = async (query: LineQuery): Promise<Page<TrackLine>> => {
		calls.push(query);
		const { from = -1e9, to = 1e9, limit = 200, order, cursor = "0" } = query;
		const wanted = lines.filter(({ offsetSeconds }) => {
			const at = offsetSeconds ?? 0;
			return at >= from && at <= to;
		});
		const sorted = order === "desc" ? wanted.toReversed() : wanted;
		const end = Number(cursor) + limit;
		return { data: sorted.slice(Number(cursor), end), nextCursor: end < sorted.length ? String(end) : null };
	};
	return { calls, read };
}

async function opened(lines: TrackLine[], anchor: ConstructorParameters<typeof TrackWindow>[1], limit = 10) {
	const { calls, read } = trackOf(lines);
	const window = new TrackWindow(read, anchor, limit);
	window.open();
	await expect.poll(() => window.getState().status).toBe("ready");
	const numbers = () => window.getState().lines.map(({ line }) => line);
	return { window, calls, numbers };
}

const hundred = Array.from({ length: 100 }, (_, index) => lineOf(index + 1, index / 10));
const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("TrackWindow", () => {
	test("reads a page to each side of a moment, and no more", async () => {
		const { window, numbers, calls } = await opened(hundred, 5);
		expect(numbers()).toEqual(count(41, 60));
		expect(window.getState()).toMatchObject({ hasBefore: true, hasAfter: true });
		expect(calls).toHaveLength(2);
	});

	test("grows at both ends, until the track's", async () => {
		const { window, numbers } = await opened(hundred, 5);
		window.loadBefore();
		await expect.poll(numbers).toEqual(count(31, 60));
		window.loadAfter();
		await expect.poll(numbers).toEqual(count(31, 70));
		while (window.getState().hasBefore || window.getState().hasAfter) {
			window.loadBefore();
			window.loadAfter();
			await new Promise((resolve) => setImmediate(resolve));
		}
		expect(numbers()).toEqual(count(1, 100));
	});

	test("begins at either end of the track", async () => {
		expect((await opened(hundred, "start")).numbers()).toEqual(count(1, 10));
		const { window, numbers } = await opened(hundred, "end");
		expect(numbers()).toEqual(count(91, 100));
		expect(window.getState()).toMatchObject({ hasBefore: true, hasAfter: false });
	});

	test("has each line of a growing track once, also of several at one time", async () => {
		const lines = hundred.slice(0, 3);
		const { window, numbers } = await opened(lines, "start");
		lines.push(lineOf(4, lines[2]?.offsetSeconds ?? 0), lineOf(5, 1));
		window.grow();
		await expect.poll(numbers).toEqual([1, 2, 3, 4, 5]);
		lines.push(lineOf(6, 2));
		window.grow();
		// The track grows again while the window reads.
		lines.push(lineOf(7, 3));
		window.grow();
		await expect.poll(numbers).toEqual([1, 2, 3, 4, 5, 6, 7]);
	});

	test("does not read ahead of what somebody looks at when the track grows", async () => {
		const { window, numbers } = await opened(hundred, "start");
		window.grow();
		expect(numbers()).toEqual(count(1, 10));
		expect(window.getState().hasAfter).toBe(true);
	});

	test("says why reading failed, and reads again on request", async () => {
		const { read } = trackOf(hundred);
		let away = true;
		const window = new TrackWindow((query) => (away ? Promise.reject(new Error("away")) : read(query)), "start", 10);
		window.open();
		await expect.poll(() => window.getState()).toMatchObject({ status: "failed", error: new Error("away") });
		away = false;
		window.open();
		await expect.poll(() => window.getState()).toMatchObject({ status: "ready", error: null });
		expect(window.getState().lines).toHaveLength(10);
	});

	test("drops what comes after it was closed, and opens again", async () => {
		const { read } = trackOf(hundred);
		const window = new TrackWindow(read, "start", 10);
		window.open();
		window.close();
		window.open();
		await expect.poll(() => window.getState().status).toBe("ready");
		expect(window.getState().lines).toHaveLength(10);
	});
});

test("lineAt is the last line that was written by then", () => {
	expect(lineAt(hundred, -1)).toBe(-1);
	expect(lineAt(hundred, 0)).toBe(0);
	expect(lineAt(hundred, 0.15)).toBe(1);
	expect(lineAt(hundred, 1e9)).toBe(99);
	expect(lineAt([], 1)).toBe(-1);
});
