import { expect, test } from "vitest";
import { testWithRecorderVideo } from "#test/videos/recorder-video.ts";
import { SESSION } from "../../test/recordings.ts";
import { receiveReports } from "../runners/receive-reports.ts";
import { listJobEvents } from "./list-job-events.ts";
import { createMarker, listMarkers } from "./markers.ts";

const t = testWithRecorderVideo();

const send = (jobId: number, ...reports: Record<string, unknown>[]) => {
	const at = new Date().toISOString();
	const jobs = reports.map((report, index) => ({ seq: index + 1, at, ...report, jobId }));
	return receiveReports(t.as("runner"), { sessionId: SESSION, sentAt: at, jobs: jobs as never });
};
const stall = (data: Record<string, unknown>) => ({
	type: "note",
	event: "capture_stalled",
	message: "It stalled.",
	data,
});

test("a stall that a runner reports is in the job's history and a mark on its video, once, however often it is sent", async () => {
	const jobId = await t.addJob();
	const data = { from: 12.5, to: 26.5, seconds: 14 };
	await send(jobId, stall(data));
	await send(jobId, stall(data));
	const { data: events } = await listJobEvents(t.as("key"), jobId);
	expect(events.filter(({ type }) => type === "capture_stalled")).toMatchObject([{ message: "It stalled.", data }]);
	const { data: markers } = await listMarkers(t.as("key"), jobId);
	expect(markers).toMatchObject([{ kind: "stall", label: "No frame captured for 14 s", offsetSeconds: 12.5 }]);
	expect(t.facts.findLast(({ type }) => type === "markers")).toMatchObject({ jobId });
});

test("a report of a stall that says nothing that can be placed leaves no mark", async () => {
	const jobId = await t.addJob();
	await send(jobId, stall({ from: "then", seconds: 3 }));
	await send(jobId, { ...stall({ from: -4, seconds: 3 }), seq: 2 });
	expect((await listMarkers(t.as("key"), jobId)).data).toEqual([]);
	await createMarker(t.as("key"), jobId, { label: "mine", kind: "note" });
	expect((await listMarkers(t.as("key"), jobId)).data).toHaveLength(1);
});

test("why a recording ended says that its capture stalled", async () => {
	const endOf = async (report: Record<string, unknown>) => {
		const jobId = await t.addJob();
		await send(jobId, { type: "stopped", ...report });
		const { data } = await listJobEvents(t.as("key"), jobId);
		return data.findLast(({ type }) => type === "stopped")?.message;
	};
	expect(await endOf({ stopReason: "duration_elapsed", data: { stalls: 1, stalledSeconds: 14 } })).toBe(
		"The asked duration has elapsed. The capture stalled for 14 s; the video shows the last frame from before.",
	);
	const failed = { stopReason: "display_lost", message: "It went away.", data: { stalls: 3, stalledSeconds: 20.25 } };
	expect(await endOf(failed)).toMatch(/^It went away\. The capture stalled 3 times, for 20\.3 s in all;/);
	expect(await endOf({ stopReason: "cancelled" })).not.toContain("stalled");
});
