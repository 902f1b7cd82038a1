import { expect, test } from "vitest";
import { SESSION_STARTED } from "#lib/contract/session.ts";
import { receiveReports } from "#lib/runners/receive-reports.ts";
import { keyOfJob, SESSION } from "#test/recordings.ts";
import { testWithRecorderVideo } from "#test/videos/recorder-video.ts";
import { readSession } from "./sessions.ts";

const t = testWithRecorderVideo();

test("a session of another organization is not found", async () => {
	const jobId = await t.addJob();
	const at = new Date().toISOString();
	const note = { type: "note", event: SESSION_STARTED, message: "It began.", data: { sessionId: "theirs" } } as const;
	const jobs = [{ ...note, jobId, jobKey: keyOfJob(jobId), seq: 1, at }];
	await receiveReports(t.as("runner"), { sessionId: SESSION, sentAt: at, jobs });
	expect(await readSession(t.as("key"), "theirs")).toMatchObject({ jobId, state: "recording" });
	await expect(readSession(t.as("foreignKey"), "theirs")).rejects.toMatchObject({ code: "not_found" });
});
