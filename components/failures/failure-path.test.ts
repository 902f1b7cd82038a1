import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { expect, test } from "vitest";
import { failurePath } from "./failure-path.ts";

const result = (values: Partial<TestResult>) =>
	failurePath({
		...{ id: 11, testId: 5, recordingId: 7, jobId: 3, deletedRecording: null },
		...values,
	});

test("a failure is shown in its video, and no other one of the same video, else where its job or its test says what happened", () => {
	expect(result({})).toBe("/recordings/7?result=11");
	const deletedRecording = { id: 9 } as TestResult["deletedRecording"];
	expect(result({ recordingId: null, deletedRecording })).toBe("/recordings/9");
	expect(result({ recordingId: null })).toBe("/jobs/3");
	expect(result({ recordingId: null, jobId: null })).toBe("/tests/5?result=11");
});
