import type { TrackLine } from "@tapedeck/contract/track.ts";
import { describe, expect, test } from "vitest";
import { allErrors, MAX_ERRORS, readErrors } from "./track-errors.ts";

const errorOf = (line: number, offsetSeconds: number): TrackLine => ({
	...{ line, at: "2026-01-01T00:00:00.000Z", offsetSeconds, text: `error ${line}`, level: "error", data: null },
});

/** The errors of a track, which are read as by the API. */
function trackOf(errors: TrackLine[]) {
	const calls: number[] = [];
	const read = async (from: number) => {
		calls.push(from);
		return errors
			.filter(({ offsetSeconds }) => (offsetSeconds ?? 0) >= from)
			.toSorted((a, b) => (a.offsetSeconds ?? 0) - (b.offsetSeconds ?? 0))
			.slice(0, MAX_ERRORS);
	};
	return { errors, calls, read };
}
const numbersOf = (lines: readonly TrackLine[]) => lines.map(({ line }) => line);

describe("the errors of a track that grows", () => {
	test("are read from shortly before the last known one on, and each is there once", async () => {
		const { errors, calls, read } = trackOf([errorOf(1, 10), errorOf(2, 100)]);
		const known = await readErrors([], read);
		errors.push(errorOf(3, 100), errorOf(4, 102));
		expect(numbersOf(await readErrors(known, read))).toEqual([1, 2, 3, 4]);
		expect(calls[0]).toBe(0);
		expect(calls[1]).toBeGreaterThan(10);
		expect(calls[1]).toBeLessThan(100);
	});

	test("are in the order of their times, also those that arrive a little late", async () => {
		const { errors, read } = trackOf([errorOf(1, 100)]);
		const known = await readErrors([], read);
		errors.push(errorOf(2, 98), errorOf(3, 101));
		expect(numbersOf(await readErrors(known, read))).toEqual([2, 1, 3]);
	});

	test("are not read again once there are as many as are shown", async () => {
		const { calls, read } = trackOf(Array.from({ length: MAX_ERRORS + 10 }, (_, index) => errorOf(index + 1, index)));
		const known = await readErrors([], read);
		expect(known).toHaveLength(MAX_ERRORS);
		expect(await readErrors(known, read)).toBe(known);
		expect(calls).toEqual([0]);
	});

	test("are the same ones if none was added, so that nothing is shown anew", async () => {
		const { read } = trackOf([errorOf(1, 100)]);
		const known = await readErrors([], read);
		expect(await readErrors(known, read)).toBe(known);
	});
});

test("empty lines among errors are no ticks, and colors are no part of their text", () => {
	const at = (offsetSeconds: number | null, text: string) => ({ offsetSeconds, text }) as TrackLine;
	const lists = [
		{ data: [at(3, "\u001b[31mpay failed\u001b[0m "), at(4, " "), at(5, "\u001b[0m")] },
		{ data: undefined },
	];
	expect(allErrors([...lists, { data: [at(1, "500"), at(null, "before the video")] }])).toEqual([
		{ seconds: 1, text: "500" },
		{ seconds: 3, text: "pay failed" },
	]);
});
