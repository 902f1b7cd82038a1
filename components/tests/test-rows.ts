/** The tests of a video and their steps as one list of rows, which follows playback. */
import type { TestResult, TestStep } from "@tapedeck/contract/test-result.ts";
import { endOf } from "./moments.ts";

export interface Row {
	/** The same for the same test or step, however often its result is fetched. */
	key: string;
	/** The test that it is, or is a step of. */
	result: TestResult;
	/** Null for the test itself. */
	step: TestStep | null;
	/** 0 for a test. */
	depth: number;
	/** For a test with steps, whether they are shown. */
	isOpen: boolean | undefined;
	/** In seconds from the first frame; null where it is not in the video. */
	start: number | null;
	end: number | null;
}

/**
 * The rows of a list.
 * @param results in the order of the video
 * @param isOpen whether the steps of a result are shown
 */
export function rowsOf(results: readonly TestResult[], isOpen: (result: TestResult) => boolean): Row[] {
	const rows: Row[] = [];
	for (const result of results) {
		const hasSteps = result.steps.length > 0;
		const open = hasSteps ? isOpen(result) : undefined;
		const key = String(result.id);
		const { offsetSeconds: start } = result;
		rows.push({ key, result, step: null, depth: 0, isOpen: open, start, end: endOf(result) });
		if (open === true) addSteps(rows, result, result.steps, key, 1);
	}
	return rows;
}

function addSteps(rows: Row[], result: TestResult, steps: readonly TestStep[], parent: string, depth: number): void {
	for (const [index, step] of steps.entries()) {
		const key = `${parent}.${index}`;
		const { offsetSeconds: start } = step;
		rows.push({ key, result, step, depth, isOpen: undefined, start, end: endOf(step) });
		addSteps(rows, result, step.steps, key, depth + 1);
	}
}

/** Positions are rounded on their way to the video and back. */
const TOLERANCE_SECONDS = 0.05;

/**
 * The index of the row at a moment of the video: the innermost of those that last then, else the one that began last;
 * -1 before the first one.
 */
export function rowAt(rows: readonly Row[], seconds: number): number {
	const now = seconds + TOLERANCE_SECONDS;
	const lasting = rows.findLastIndex(({ start, end }) => start !== null && start <= now && (end ?? start) > seconds);
	if (lasting !== -1) return lasting;
	let last = -1;
	for (const [index, { start }] of rows.entries()) {
		if (start !== null && start <= now && (last === -1 || start >= (rows[last]?.start ?? 0))) last = index;
	}
	return last;
}
