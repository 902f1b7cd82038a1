import { resultPath } from "@tapedeck/contract/result-path.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";

type Shown = Pick<TestResult, "id" | "testId" | "recordingId" | "jobId" | "deletedRecording">;

/** The address that shows a failure: its video, or without one the deleted recording, the job, or the test. */
export function failurePath(failure: Shown): string {
	const { recordingId, jobId, deletedRecording } = failure;
	if (recordingId !== null) return resultPath(failure);
	if (deletedRecording !== null) return `/recordings/${deletedRecording.id}`;
	return jobId === null ? resultPath(failure) : `/jobs/${jobId}`;
}
