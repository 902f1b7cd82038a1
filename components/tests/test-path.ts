/** The paths of the pages that show tests and their results. */
import type { TestResult } from "@tapedeck/contract/test-result.ts";

/** The page of a test over time. */
export const testPath = (testId: number): string => `/tests/${testId}`;

const ID = /^[1-9]\d{0,15}$/;

/** The id that an address names as `?result=`; null if it names none. */
export function resultIdOf(value: string | string[] | null | undefined): number | null {
	const id = [value].flat()[0] ?? "";
	return ID.test(id) ? Number(id) : null;
}

/** A result in its video beside another result of the test; null for the last that passed. */
export const compareResultsPath = (
	{ id, recordingId }: Pick<TestResult, "id" | "recordingId">,
	withResultId: number | null,
): string =>
	`/recordings/${recordingId}/compare?result=${id}${withResultId === null ? "" : `&against=${withResultId}`}`;
