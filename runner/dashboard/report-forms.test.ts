import { type JobReport, jobReportSchema } from "@tapedeck/contract/runner-protocol.ts";
import { expect, test } from "vitest";
import { formsOf } from "./report-forms.ts";

const ids = { jobId: 7, jobKey: "key-of-job-7", seq: 3, at: "2026-11-21T01:12:00.000Z" };
const session = { sessionId: "a", name: "login works", capabilities: {}, labels: {} };
const marker = { label: "Paid", kind: "step", message: null } as const;
const paid = { key: "a#1", test: "a", attempt: 1, offsetSeconds: 1, durationSeconds: 1 };
const message = "Ünlikely.";

test.each<JobReport>([
	{ ...ids, type: "session_started", message, session },
	{ ...ids, type: "session_ended", message, session },
	{ ...ids, type: "command_marker", message, marker },
	{ ...ids, type: "command_tests", message, tests: [paid] },
	{ ...ids, type: "command_ended", message, outcome: "failed", markers: [{ ...marker, offsetSeconds: 1 }] },
	{ ...ids, type: "capture_stalled", message, from: 1, to: 3, seconds: 2 },
	{ ...ids, type: "privacy", message, version: 1, on: true, stretches: [{ from: 1, to: null }] },
	{ ...ids, type: "note", message, event: "grid_silent", data: { polls: [] } },
])("$type that the dashboard refuses is sent again as a note without details", (report) => {
	const [unchanged, shorter, ...more] = formsOf(report);
	expect(unchanged).toEqual(report);
	const event = report.type === "note" ? report.event : report.type;
	expect(shorter).toEqual({ ...ids, type: "note", event, message: "?nlikely." });
	expect(jobReportSchema.safeParse(shorter).success).toBe(true);
	expect(more).toEqual([]);
});
