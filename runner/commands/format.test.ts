import { expect, test } from "vitest";
import type { LocalRecording } from "../control/messages.ts";
import { describeRecording } from "./format.ts";

const RECORDING: LocalRecording = {
	...{ key: "a", jobId: 12, name: "checkout", displayId: ":99", stopCondition: "duration", durationSeconds: 1 },
	...{ status: "completed", startedAt: null, recordedSeconds: 49, past: null, videoBytes: 0, waitingBytes: 0 },
	...{ stopReason: "duration_elapsed", verdict: "ok", message: null, url: null },
};
const described = (past: LocalRecording["past"]) => describeRecording({ ...RECORDING, past });

test("a recording names what it has of the past when the buffer had less than was ordered", () => {
	expect(described({ seconds: 47.9, ordered: 300 })).toContain("Of the past it has 0:48 of 5:00");
	expect(described({ seconds: 0, ordered: 6 })).toContain("Of the past it has 0:00 of 0:06");
});

test("a recording says nothing of the past when it has all of it, or none was ordered", () => {
	expect(described({ seconds: 299.8, ordered: 300 })).not.toContain("past");
	expect(described({ seconds: 301, ordered: 300 })).not.toContain("past");
	expect(described(null)).not.toContain("past");
});
