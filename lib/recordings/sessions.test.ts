import { expect, test } from "vitest";
import { receiveReports } from "#lib/runners/receive-reports.ts";
import { keyOfJob, SESSION } from "#test/recordings.ts";
import { testWithRecorderVideo } from "#test/videos/recorder-video.ts";
import { readSession } from "./sessions.ts";

const t = testWithRecorderVideo();

test("a session of another organization is not found", async () => {
	const jobId = await t.addJob();
	const at = new Date().toISOString();
	const session = { sessionId: "theirs", name: null, capabilities: {}, labels: {} };
	const started = { type: "session_started", message: "It began.", session };
	const jobs = [{ ...started, jobId, jobKey: keyOfJob(jobId), seq: 1, at }];
	await receiveReports(t.as("runner"), { sessionId: SESSION, sentAt: at, jobs });
	expect(await readSession(t.as("key"), "theirs")).toMatchObject({ jobId, state: "recording" });
	await expect(readSession(t.as("foreignKey"), "theirs")).rejects.toMatchObject({ code: "not_found" });
});
