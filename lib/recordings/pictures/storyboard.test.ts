import { execFile } from "node:child_process";
import { appendFile, readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { inExplore } from "#test/in-explore.ts";
import { SESSION } from "#test/recordings.ts";
import { beginUpload, patch } from "#test/tus-client.ts";
import { makeVideo } from "#test/videos/make-video.ts";
import { testWithRecorderVideo } from "#test/videos/recorder-video.ts";
import { deleteRecording, purgeRecording } from "../deletion.ts";
import { createRecordingMarker } from "../recording-markers.ts";
import { uploadIdOfJob } from "../upload/owner.ts";
import { getStoryboard } from "./storyboard.ts";

const t = testWithRecorderVideo();

/** A unique JPEG; nothing in these tests decodes it. */
const picture = (mark: number): Buffer =>
	Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(50, mark), Buffer.from([0xff, 0xd9])]);
const put = (jobId: number, at: number | null, mark: number) =>
	t.call(`/v1/runner/jobs/${jobId}/poster${at === null ? "" : `?at=${at}`}`, {
		method: "PUT",
		headers: { "content-type": "image/jpeg", "tapedeck-session": SESSION },
		body: picture(mark),
	});
const frame = (recordingId: number, at: number | "failure") =>
	t.call(`/v1/recordings/${recordingId}/frame?${at === "failure" ? "of=failure" : `at=${at}`}`, { as: "key" });
const timesOf = async (recordingId: number) =>
	(await getStoryboard(t.as("key"), recordingId)).data.map((entry) => entry.at);

async function liveRecording(): Promise<{ jobId: number; recordingId: number }> {
	const jobId = await t.addJob();
	await patch(t, await beginUpload(t, { jobId }), 0, t.video.subarray(0, 20_000));
	const row = (await t.recordings()).find((each) => each.jobId === jobId);
	return { jobId, recordingId: row?.id ?? 0 };
}

async function uploaded(kind: "plain.mp4" | "vp8.webm" = "plain.mp4"): Promise<number> {
	const answer = await t.call("/v1/recordings?name=x", {
		method: "POST",
		as: "key",
		headers: { "content-type": "application/octet-stream" },
		body: await readFile(await makeVideo(kind)),
	});
	return JSON.parse(answer.body.toString()).id;
}

test("posters with a time become a storyboard, during and after the recording", async () => {
	const { jobId, recordingId } = await liveRecording();
	for (const [at, mark] of [
		[0, 1],
		[2.1, 2],
		[4, 3],
	] as const) {
		expect((await put(jobId, at, mark)).status).toBe(204);
	}
	expect(await timesOf(recordingId)).toEqual([0, 2.1, 4]);
	for (const [at, mark] of [
		[0, 1],
		[1.99, 1],
		[2.1, 2],
		[3.9, 2],
		[400, 3],
	] as const) {
		const answer = await frame(recordingId, at);
		expect([answer.status, answer.headers["content-type"]]).toEqual([200, "image/jpeg"]);
		expect(answer.body).toEqual(picture(mark));
	}
	// The latest is the poster too.
	const poster = await t.call(`/v1/recordings/${recordingId}/poster`, { as: "key" });
	expect(poster.body).toEqual(picture(3));
});

test("a time before the first frame returns the first frame", async () => {
	const { jobId, recordingId } = await liveRecording();
	await put(jobId, 1.7, 9);
	expect((await frame(recordingId, 0)).body).toEqual(picture(9));
});

test("a repeated, late or too early frame changes nothing", async () => {
	const { jobId, recordingId } = await liveRecording();
	for (const at of [0, 2, 2, 1, 3, 3.4, 3.5, 3.5]) expect((await put(jobId, at, at)).status).toBe(204);
	expect(await timesOf(recordingId)).toEqual([0, 2, 3.5]);
	expect((await frame(recordingId, 2)).body).toEqual(picture(2));
});

test("many concurrent frames are stored in order, each complete", async () => {
	const { jobId, recordingId } = await liveRecording();
	const times = Array.from({ length: 20 }, (_, index) => index * 2);
	await Promise.all(times.map((at) => put(jobId, at, at)));
	const kept = await timesOf(recordingId);
	expect(kept).toEqual(kept.toSorted((a, b) => a - b));
	for (const at of kept) expect((await frame(recordingId, at)).body).toEqual(picture(at));
});

test("the storyboard of a long recording stays small: its interval grows with the length", async () => {
	const { jobId, recordingId } = await liveRecording();
	for (const at of [0, 6_000, 6_010, 6_020]) await put(jobId, at, 1);
	expect(await timesOf(recordingId)).toEqual([0, 6_000, 6_020]);
});

test("a poster without a time is only a poster", async () => {
	const { jobId, recordingId } = await liveRecording();
	expect((await put(jobId, null, 5)).status).toBe(204);
	expect(await timesOf(recordingId)).toEqual([]);
	expect((await frame(recordingId, 0)).status).toBe(404);
});

test("a record torn by a crash is skipped and overwritten by the next frame", async () => {
	const { jobId, recordingId } = await liveRecording();
	await put(jobId, 0, 1);
	const path = t.as("runner").videoFiles.storyboardPathOf(uploadIdOfJob(jobId));
	const { size } = await stat(path);
	await appendFile(path, (await readFile(path)).subarray(0, 40));
	expect(await timesOf(recordingId)).toEqual([0]);
	await put(jobId, 2, 7);
	expect((await stat(path)).size).toBe(2 * size);
	expect((await frame(recordingId, 2)).body).toEqual(picture(7));
});

test("an uploaded video gets its frames on request, each extracted once", async () => {
	for (const kind of ["plain.mp4", "vp8.webm"] as const) {
		const recordingId = await uploaded(kind);
		expect(await timesOf(recordingId)).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]);
		const made = await frame(recordingId, 2.7);
		expect([made.status, made.headers["content-type"]]).toEqual([200, "image/jpeg"]);
		expect(made.body.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
		expect((await frame(recordingId, 2.5)).body).toEqual(made.body);
		expect((await frame(recordingId, 0)).body).not.toEqual(made.body);
	}
});

test("the frame of a failure is the one at the first fail marker, and without one the last that changed", async () => {
	const recordingId = await uploaded();
	const { lastChangeAt } = await getStoryboard(t.as("key"), recordingId);
	expect(lastChangeAt).toBe(3.5);
	expect((await frame(recordingId, "failure")).body).toEqual((await frame(recordingId, 3.5)).body);
	for (const [label, offsetSeconds] of [
		["after", 3],
		["first", 1.3],
	] as const) {
		await createRecordingMarker(t.as("key"), recordingId, { label, kind: "fail", offsetSeconds });
	}
	const failure = await frame(recordingId, "failure");
	// The video counts its frames: no other moment has this picture.
	expect(failure.body).not.toEqual((await frame(recordingId, 1)).body);
	expect(failure.body).not.toEqual((await frame(recordingId, 1.5)).body);
	expect((await frame(recordingId, "failure")).body).toEqual(failure.body);
	const atEnd = await uploaded();
	await createRecordingMarker(t.as("key"), atEnd, { label: "end", kind: "fail", offsetSeconds: 4 });
	expect((await frame(atEnd, "failure")).status).toBe(200);
});

test("a storyboard's last change is the first of the same frames at its end", async () => {
	const { jobId, recordingId } = await liveRecording();
	for (const [at, mark] of [
		[0, 1],
		[2, 2],
		[4, 3],
		[6, 3],
		[8, 3],
	] as const) {
		await put(jobId, at, mark);
	}
	expect((await getStoryboard(t.as("key"), recordingId)).lastChangeAt).toBe(null);
	await t.db.updateTable("recording").set({ state: "ready" }).where("id", "=", recordingId).execute();
	expect((await getStoryboard(t.as("key"), recordingId)).lastChangeAt).toBe(4);
	expect((await frame(recordingId, "failure")).body).toEqual(picture(3));
});

test("other organizations' recordings and unknown ones are refused", async () => {
	const { jobId, recordingId } = await liveRecording();
	await put(jobId, 0, 1);
	expect((await t.call(`/v1/recordings/${recordingId}/frame?at=0`, { as: "foreignKey" })).status).toBe(404);
	expect((await frame(999, 0)).status).toBe(404);
	await expect(getStoryboard(t.as("foreignKey"), recordingId)).rejects.toMatchObject({ code: "not_found" });
});

test("the storyboard is deleted with its recording and leaves no file", async () => {
	const { jobId, recordingId } = await liveRecording();
	await put(jobId, 0, 1);
	await t.db.updateTable("recording").set({ state: "ready" }).where("id", "=", recordingId).execute();
	await t.db.updateTable("job").set({ status: "completed" }).where("id", "=", jobId).execute();
	await deleteRecording(t.as("key"), recordingId);
	const second = await uploaded();
	expect((await frame(second, 0)).status).toBe(200);
	await deleteRecording(t.as("key"), second);
	for (const id of [recordingId, second]) await purgeRecording(t.as("key"), id);
	expect(await t.files()).toEqual([]);
});

inExplore(test)("a frame request that races the recording's deletion gets not_found", async () => {
	const statuses = new Set<number>();
	for (let round = 0; round < 8; round += 1) {
		const { jobId, recordingId } = await liveRecording();
		await put(jobId, 0, 1);
		await t.db.updateTable("recording").set({ state: "ready" }).where("id", "=", recordingId).execute();
		await t.db.updateTable("job").set({ status: "completed" }).where("id", "=", jobId).execute();
		const requests = Array.from({ length: 6 }, async () => {
			for (let status = 200; status === 200; statuses.add(status)) status = (await frame(recordingId, 0)).status;
		});
		await frame(recordingId, 0);
		await deleteRecording(t.as("key"), recordingId);
		await Promise.all(requests);
	}
	expect([...statuses].filter((status) => status !== 200)).toEqual([404]);
});

test("frames of a real recording match what the decoder shows at that time", async () => {
	const recordingId = await uploaded();
	const { body } = await frame(recordingId, 1);
	const probe = promisify(execFile)("ffprobe", [
		"-v",
		"error",
		"-show_entries",
		"stream=codec_name,width",
		"-of",
		"csv=p=0",
		"-",
	]);
	probe.child.stdin?.end(body);
	expect((await probe).stdout.trim()).toBe("mjpeg,160");
});
