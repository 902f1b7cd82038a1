/** The paths of the pages that show a test result and its details. */
import type { TestResult } from "./test-result.ts";

/** In its video, from shortly before its failure; without a video on the page of its test. */
export const resultPath = ({ id, testId, recordingId }: Pick<TestResult, "id" | "testId" | "recordingId">): string =>
	recordingId === null ? `/tests/${testId}?result=${id}` : `/recordings/${recordingId}?result=${id}`;

/** The picture of its failure; null without one. */
export const framePath = ({ id, hasFrame }: Pick<TestResult, "id" | "hasFrame">): string | null =>
	hasFrame ? `/v1/tests/${id}/frame` : null;
