import { expect, test } from "vitest";
import { receiveReports } from "#lib/runners/receive-reports.ts";
import { keyOfJob, SESSION } from "#test/recordings.ts";
import { testWithRecorderVideo } from "#test/videos/recorder-video.ts";
import { listJobEvents } from "./list-job-events.ts";
import { createMarker, listMarkers } from "./markers.ts";

const t = testWithRecorderVideo();

const send = (jobId: number, ...reports: Record<string, unknown>[]) => {
	const at = new Date().toISOString();
	const jobKey = keyOfJob(jobId);
	const jobs = reports.map((report, index) => ({ seq: index + 1, at, ...report, jobId, jobKey }));
	return receiveReports(t.as("runner"), { sessionId: SESSION, sentAt: at, jobs: jobs as never });
};
const stall = (fields: Record<string, unknown>) => ({ type: "capture_stalled", message: "It stalled.", ...fields });

test("a reported stall appears once in the job's history and once as a marker, however often it is sent", async () => {
	const jobId = await t.addJob();
	const data = { from: 12.5, to: 26.5, seconds: 14 };
	await send(jobId, stall(data));
	await send(jobId, stall(data));
	const { data: events } = await listJobEvents(t.as("key"), jobId, { limit: 100 });
	expect(events.filter(({ type }) => type === "capture_stalled")).toMatchObject([{ message: "It stalled.", data }]);
	const { data: markers } = await listMarkers(t.as("key"), jobId, { limit: 100 });
	expect(markers).toMatchObject([{ kind: "stall", label: "No frame captured for 14 s", offsetSeconds: 12.5 }]);
	expect(t.changes.findLast(({ type }) => type === "markers")).toMatchObject({ jobId });
});

test("a stall report without a valid position adds no marker", async () => {
	const jobId = await t.addJob();
	await send(jobId, stall({ from: "then", seconds: 3 }));
	await send(jobId, { ...stall({ from: -4, seconds: 3 }), seq: 2 });
	expect((await listMarkers(t.as("key"), jobId, { limit: 100 })).data).toEqual([]);
	await createMarker(t.as("key"), jobId, { label: "mine", kind: "note" });
	expect((await listMarkers(t.as("key"), jobId, { limit: 100 })).data).toHaveLength(1);
});

test("the end reason mentions that the capture stalled", async () => {
	const endOf = async (report: Record<string, unknown>) => {
		const jobId = await t.addJob();
		await send(jobId, { type: "stopped", ...report });
		const { data } = await listJobEvents(t.as("key"), jobId, { limit: 100 });
		return data.findLast(({ type }) => type === "stopped")?.message;
	};
	expect(await endOf({ stopReason: "duration_elapsed", data: { stalls: 1, stalledSeconds: 14 } })).toBe(
		"Reached its duration. The capture stalled for 14 s; the video shows the last frame before it.",
	);
	const failed = { stopReason: "display_lost", message: "It went away.", data: { stalls: 3, stalledSeconds: 20.25 } };
	expect(await endOf(failed)).toMatch(/^It went away\. The capture stalled 3 times, for 20\.3 s in all;/);
	expect(await endOf({ stopReason: "cancelled" })).not.toContain("stalled");
});
