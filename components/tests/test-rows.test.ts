import type { TestResult, TestStep } from "@tapedeck/contract/test-result.ts";
import { expect, test } from "vitest";
import { rowAt, rowsOf } from "./test-rows.ts";

const step = (title: string, offsetSeconds: number | null, durationSeconds: number, steps: TestStep[] = []) =>
	({ title, category: null, offsetSeconds, durationSeconds, outcome: "passed", message: null, steps }) as TestStep;
const result = (id: number, offsetSeconds: number | null, durationSeconds: number, steps: TestStep[] = []) =>
	({ id, outcome: "passed", offsetSeconds, durationSeconds, steps }) as TestResult;

const RESULTS = [
	result(1, 0, 4, [step("open", 0, 1), step("pay", 1, 3, [step("card", 1, 1), step("confirm", 2, 2)])]),
	result(2, 5, 5),
	// A second worker ran it at the same time.
	result(3, 6, 2, [step("log in", 6, 2)]),
	result(4, null, 1),
];
const titles = (rows: ReturnType<typeof rowsOf>) => rows.map(({ result, step }) => step?.title ?? result.id);

test("the steps of open tests stand below them, nested as they ran", () => {
	const rows = rowsOf(RESULTS, ({ id }) => id === 1);
	expect(titles(rows)).toEqual([1, "open", "pay", "card", "confirm", 2, 3, 4]);
	expect(rows.map(({ depth }) => depth)).toEqual([0, 1, 1, 2, 2, 0, 0, 0]);
	expect(rows.map(({ isOpen }) => isOpen).filter((isOpen) => isOpen !== undefined)).toEqual([true, false]);
	expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});

test("playback is at the innermost step that lasts, between tests at the last one, and before the first nowhere", () => {
	const rows = rowsOf(RESULTS, ({ id }) => id !== 2);
	const at = (seconds: number) => titles(rows)[rowAt(rows, seconds)];
	expect(at(0.5)).toBe("open");
	expect(at(2.5)).toBe("confirm");
	expect(at(4.5)).toBe("confirm");
	expect(at(5.5)).toBe(2);
	expect(at(6.5)).toBe("log in");
	expect(at(9)).toBe(2);
	expect(at(60)).toBe("log in");
	expect(
		rowAt(
			rowsOf([result(1, 3, 1)], () => true),
			1,
		),
	).toBe(-1);
	expect(rowAt([], 1)).toBe(-1);
});
