import { pathAt } from "#components/recordings/player/player-link.ts";
import { testPath } from "#components/tests/test-path.ts";
import type { TestResult } from "#lib/contract/test-result.ts";

/** A video begins so many seconds before its failure. */
const BEFORE_SECONDS = 5;

type Shown = Pick<TestResult, "testId" | "recordingId" | "jobId" | "deletedRecording" | "failureOffsetSeconds">;

/** Where a failure is shown: its video from shortly before; without one the job, or the test. */
export function failurePath({ testId, recordingId, jobId, deletedRecording, failureOffsetSeconds }: Shown): string {
	if (recordingId !== null) {
		return pathAt(`/recordings/${recordingId}`, Math.max(0, (failureOffsetSeconds ?? 0) - BEFORE_SECONDS));
	}
	if (deletedRecording !== null) return `/recordings/${deletedRecording.id}`;
	return jobId === null ? testPath(testId) : `/jobs/${jobId}`;
}
