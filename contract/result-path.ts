/** Where a test result is shown. */
import type { TestResult } from "./test-result.ts";

/** In its video, from shortly before its failure; without a video on the page of its test. */
export const resultPath = ({ id, testId, recordingId }: Pick<TestResult, "id" | "testId" | "recordingId">): string =>
	recordingId === null ? `/tests/${testId}?result=${id}` : `/recordings/${recordingId}?result=${id}`;
