import type { Job } from "@tapedeck/client-source/index.ts";
import { expect, test } from "vitest";
import { describeJob } from "./job.ts";

const call = { client: { url: "http://tapedeck.test" } } as Parameters<typeof describeJob>[0];
const job = (over: object) =>
	({
		...{
			id: 3,
			name: "run.pdf",
			displayId: "",
			status: "completed",
			stopReason: "file_sent",
			error: null,
			outcome: null,
		},
		...{ runnerId: 1, createdAt: "2026-11-29T12:00:00.000Z", labels: {}, recording: null, ...over },
	}) as Job;

test("a job without a display names none, and only a video has a length", () => {
	const file = { id: 7, kind: "document", durationSeconds: 0, bytes: 15, verdict: null, deleteAt: null };
	const lines = describeJob(call, job({ recording: file })).split("\n");
	expect([lines[0], lines.find((line) => line.includes("recording"))]).toEqual([
		'Job 3 "run.pdf"',
		"  recording  7, document, 1 kB",
	]);
	const video = { ...file, kind: "video", durationSeconds: 12, verdict: "ok" };
	const recorded = describeJob(call, job({ name: "Pays", displayId: ":99", recording: video }));
	expect(recorded).toContain('Job 3 "Pays" on :99\n');
	expect(recorded).toContain("  recording  7, 0:12, 1 kB, ok\n");
});
