/** Where a test result, and what it has, are shown. */
import { CLIP_AROUND_FAILURE } from "./clip.ts";
import type { TestResult } from "./test-result.ts";

/** In its video, from shortly before its failure; without a video on the page of its test. */
export const resultPath = ({ id, testId, recordingId }: Pick<TestResult, "id" | "testId" | "recordingId">): string =>
	recordingId === null ? `/tests/${testId}?result=${id}` : `/recordings/${recordingId}?result=${id}`;

/** The picture of its failure; null without one. */
export const framePath = ({ id, hasFrame }: Pick<TestResult, "id" | "hasFrame">): string | null =>
	hasFrame ? `/v1/tests/${id}/frame` : null;

type Filmed = Pick<TestResult, "recordingId" | "failureOffsetSeconds">;

/** The clip of its failure; null without a video that shows it. */
export function clipPath(result: Filmed): string | null {
	const clip = clipOf(result);
	return clip === null ? null : `/v1/recordings/${clip.recordingId}/clip?from=${clip.from}&to=${clip.to}`;
}

/** Start and end of the clip of its failure, in seconds. */
export function clipOf({ recordingId, failureOffsetSeconds: at }: Filmed) {
	if (recordingId === null || at === null) return null;
	const { before, after } = CLIP_AROUND_FAILURE;
	return { recordingId, from: Math.max(0, at - before), to: at + after };
}
