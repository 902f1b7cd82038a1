import type { Verdict } from "@tapedeck/contract/recording.ts";
import { expect, test } from "vitest";
import { readJob } from "#lib/jobs/read-job.ts";
import { receiveReports } from "#lib/runners/receive-reports.ts";
import { keyOfJob, SESSION } from "#test/recordings.ts";
import { beginUpload, patch } from "#test/tus-client.ts";
import { testWithRecorderVideo } from "#test/videos/recorder-video.ts";

const t = testWithRecorderVideo();

const stopped = (jobId: number, verdict?: Verdict) => {
	const at = new Date().toISOString();
	const fields = verdict === undefined ? {} : { verdict };
	const jobKey = keyOfJob(jobId);
	return receiveReports(t.as("runner"), {
		sessionId: SESSION,
		sentAt: at,
		jobs: [{ type: "stopped", stopReason: "cancelled", jobId, jobKey, seq: 1, at, ...fields }],
	});
};
const upload = async (jobId: number, part: "begin" | "end" | "all", path?: string): Promise<string> => {
	const half = Math.floor(t.video.length / 2);
	const target = path ?? (await beginUpload(t, { jobId }));
	if (part !== "end") await patch(t, target, 0, t.video.subarray(0, half));
	if (part !== "begin") await patch(t, target, half, t.video.subarray(half), { length: t.video.length });
	return target;
};
const verdictOf = async (jobId: number) => (await readJob(t.as("key"), jobId)).recording?.verdict;

test("the report that capture ended sets the verdict of a recording that already has bytes", async () => {
	const jobId = await t.addJob();
	const path = await upload(jobId, "begin");
	expect(await verdictOf(jobId)).toBeNull();
	await stopped(jobId, "black");
	expect(await verdictOf(jobId)).toBe("black");
	expect(t.changes.at(-1)).toMatchObject({ type: "recording", jobId });
	await upload(jobId, "end", path);
	expect(await readJob(t.as("key"), jobId)).toMatchObject({ status: "completed", recording: { verdict: "black" } });
});

test("a report that arrives before the first byte is kept for the recording", async () => {
	const jobId = await t.addJob();
	await stopped(jobId, "frozen");
	const path = await upload(jobId, "begin");
	expect(await verdictOf(jobId)).toBe("frozen");
	await upload(jobId, "end", path);
	expect(await verdictOf(jobId)).toBe("frozen");
});

test("a report that arrives after the complete video still sets the verdict", async () => {
	const jobId = await t.addJob();
	await upload(jobId, "all");
	await stopped(jobId, "ok");
	await stopped(jobId, "ok");
	expect(await readJob(t.as("key"), jobId)).toMatchObject({ status: "completed", recording: { verdict: "ok" } });
});

test("a recording without a reported verdict has none", async () => {
	const jobId = await t.addJob();
	await upload(jobId, "all");
	await stopped(jobId);
	expect(await readJob(t.as("key"), jobId)).toMatchObject({ status: "completed", recording: { verdict: null } });
});
