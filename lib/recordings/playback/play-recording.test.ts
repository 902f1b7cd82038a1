import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { listRecordingsQuerySchema, type Recording } from "@tapedeck/contract/recording.ts";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { readJob } from "#lib/jobs/read-job.ts";
import { inExplore } from "#test/in-explore.ts";
import { openTestRecordings, SESSION, type TestRecordings } from "#test/recordings.ts";
import { beginUpload, patch } from "#test/tus-client.ts";
import { decodePicture } from "#test/videos/decode-picture.ts";
import { framesOf, type Kind, makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { changeRecording } from "../change-recording.ts";
import { deleteRecording, purgeRecording } from "../deletion.ts";
import { listRecordings, readRecording } from "../list-recordings.ts";

afterAll(removeTestFolder);

let t: TestRecordings;
beforeEach(async () => {
	t = await openTestRecordings();
});
afterEach(() => t.close());

const upload = async (kind: Kind, name = "A video", type = "video/mp4", as = "key") =>
	t.call(`/v1/recordings?name=${encodeURIComponent(name)}`, {
		method: "POST",
		as,
		headers: { "content-type": type },
		body: await readFile(await makeVideo(kind)),
	});
const uploaded = async (kind: Kind, name?: string, type?: string): Promise<Recording> => {
	const answer = await upload(kind, name, type);
	expect(answer.status).toBe(201);
	return JSON.parse(answer.body.toString()) as Recording;
};
const get = (path: string, headers: Record<string, string> = {}, as = "key") => t.call(path, { headers, as });

test("uploaded videos become playable recordings with their duration and dimensions", async () => {
	for (const [kind, type] of [
		["recorder.mp4", "video/mp4"],
		["plain.mp4", "application/octet-stream"],
		["vp8.webm", "video/webm"],
		["vp8.webm", "video/mp4; codecs=x"],
	] as const) {
		const recording = await uploaded(kind, `from ${kind}`, type);
		const contentType = kind === "vp8.webm" ? "video/webm" : "video/mp4";
		expect(recording).toMatchObject({ state: "ready", jobId: null, width: 160, height: 120, contentType });
		expect(recording.durationSeconds).toBeCloseTo(4, 1);
		expect(recording.url).toBe(`http://tapedeck.test/recordings/${recording.id}`);
		const played = await get(`/v1/recordings/${recording.id}/video`);
		expect(played.headers).toMatchObject({
			"content-type": contentType,
			"content-security-policy": "default-src 'none'; sandbox",
			"x-content-type-options": "nosniff",
		});
		const file = join(t.videosDir, `played-${kind}`);
		await writeFile(file, played.body);
		expect(await framesOf(file)).toEqual(await framesOf(await makeVideo(kind)));
	}
});

test("every response reports the size of a recording's download, whatever its source", async () => {
	/** Compares the real size of a download with what every response reports. */
	const compare = async (id: number, jobId: number | null) => {
		const path = `/v1/recordings/${id}/video?download=1`;
		const [got, head] = [await get(path), await t.call(path, { method: "HEAD", as: "key" })];
		const reported = [got.headers["content-length"], head.headers["content-length"]].map(Number);
		reported.push((await readRecording(t.as("key"), id)).bytes);
		const page = await listRecordings(t.as("key"), listRecordingsQuerySchema.parse({}));
		reported.push(page.data.find((each) => each.id === id)?.bytes ?? 0);
		if (jobId !== null) reported.push((await readJob(t.as("key"), jobId)).recording?.bytes ?? 0);
		expect(reported).toEqual(reported.map(() => got.body.length));
	};
	for (const kind of ["recorder.mp4", "edited.mp4", "sound.mp4", "plain.mp4", "faststart.mp4", "vp8.webm"] as const) {
		await compare((await uploaded(kind)).id, null);
	}
	for (const kind of ["recorder.mp4", "plain.mp4"] as const) {
		const video = await readFile(await makeVideo(kind));
		const jobId = await t.addJob("uploading");
		const path = await beginUpload(t, { jobId });
		await patch(t, path, 0, video, { length: video.length });
		await compare((await t.recordings()).find((row) => row.jobId === jobId)?.id ?? 0, jobId);
	}
	// The upload was abandoned in the middle of a fragment.
	const video = await readFile(await makeVideo("recorder.mp4"));
	const jobId = await t.addJob("recording");
	await patch(t, await beginUpload(t, { jobId }), 0, video.subarray(0, -1_000));
	const row = (await t.recordings()).find((each) => each.jobId === jobId);
	await expect.poll(async () => (await readRecording(t.as("key"), row?.id ?? 0)).durationSeconds).toBeGreaterThan(3);
	await t.db.updateTable("recording").set({ state: "partial" }).where("jobId", "=", jobId).execute();
	await compare(row?.id ?? 0, jobId);
});

inExplore(test)("a recording without a known download size has one after its first download", async () => {
	const { id, bytes } = await uploaded("recorder.mp4");
	await t.db.updateTable("recording").set({ downloadBytes: null }).where("id", "=", id).execute();
	await get(`/v1/recordings/${id}/video`);
	expect((await readRecording(t.as("key"), id)).bytes).toBe(bytes);
});

test("a file that isn't a video, or has the wrong content type, is refused and leaves nothing", async () => {
	const post = (body: Buffer | string, type: string | undefined, as = "key") =>
		t.call("/v1/recordings?name=x", {
			method: "POST",
			as,
			headers: type === undefined ? {} : { "content-type": type },
			body,
		});
	const codeOf = async (answer: ReturnType<typeof post>) => JSON.parse((await answer).body.toString()).code;
	expect(await codeOf(post("hello", "video/mp4"))).toBe("invalid_video");
	expect(await codeOf(post("", "video/webm"))).toBe("invalid_video");
	expect(await codeOf(post(await readFile(await makeVideo("sound-only.mp4")), "video/mp4"))).toBe("invalid_video");
	expect(await codeOf(post("x", "text/html"))).toBe("unsupported_media_type");
	// Without a type, the bytes decide.
	expect(await codeOf(post("x", undefined))).toBe("invalid_video");
	const torn = (await readFile(await makeVideo("plain.mp4"))).subarray(0, -10);
	expect(await codeOf(post(torn, "video/mp4"))).toBe("invalid_video");
	expect([await t.recordings(), await t.files()]).toEqual([[], []]);
});

inExplore(test)("an interrupted upload leaves nothing", async () => {
	const video = await readFile(await makeVideo("recorder.mp4"));
	const socket = connect(t.port, "127.0.0.1");
	socket.write(
		`POST /v1/recordings?name=x HTTP/1.1\r\nHost: x\r\nX-As: key\r\nContent-Type: video/mp4\r\nContent-Length: ${video.length}\r\n\r\n`,
	);
	socket.write(video.subarray(0, 30_000));
	await expect.poll(async () => (await t.files()).length).toBe(1);
	socket.destroy();
	await expect.poll(t.files).toEqual([]);
	expect(await t.recordings()).toEqual([]);
});

test("a download is named after the recording", async () => {
	const { id } = await uploaded("plain.mp4", 'Größe: "1/2" \r\nx');
	const answer = await get(`/v1/recordings/${id}/video?download=1`);
	expect(answer.headers["content-disposition"]).toMatch(
		/^attachment; filename="Gr.*\.mp4"; filename\*=UTF-8''Gr%C3%B6/,
	);
	expect((await get(`/v1/recordings/${id}/video`)).headers["content-disposition"]).toMatch(/^inline;/);
});

test("playback supports range and conditional requests on the synthesized file", async () => {
	const { id } = await uploaded("recorder.mp4");
	const path = `/v1/recordings/${id}/video`;
	const whole = await get(path);
	const etag = whole.headers.etag as string;
	expect((await get(path, { range: "bytes=1000-1999" })).body.equals(whole.body.subarray(1_000, 2_000))).toBe(true);
	expect((await get(path, { "if-none-match": etag })).status).toBe(304);
	expect((await get(path, { range: `bytes=${whole.body.length}-` })).status).toBe(416);
	expect((await t.call(path, { method: "HEAD", as: "key" })).headers["content-length"]).toBe(String(whole.body.length));
	expect((await get(path, {}, "foreignKey")).status).toBe(404);
	expect((await get("/v1/recordings/999/video")).status).toBe(404);
});

test("a live recording without a complete fragment has nothing to play yet, and says so", async () => {
	const video = await readFile(await makeVideo("recorder.mp4"));
	const path = await beginUpload(t, { jobId: await t.addJob() });
	await patch(t, path, 0, video.subarray(0, 1_200));
	const id = (await t.recordings())[0]?.id;
	expect((await get(`/v1/recordings/${id}/video`)).status).toBe(404);
	await patch(t, path, 1_200, video.subarray(1_200, 30_000));
	const first = await get(`/v1/recordings/${id}/video`);
	expect([first.status, first.headers["cache-control"]]).toEqual([200, "private, no-store"]);
	await patch(t, path, 30_000, video.subarray(30_000));
	const second = await get(`/v1/recordings/${id}/video`, {
		range: "bytes=0-9",
		"if-range": first.headers.etag as string,
	});
	// It grew: a part of the new file must not be mixed with the old one.
	expect(second.status).toBe(200);
});

test("a live recording cannot be deleted; any other can, and all its files with it", async () => {
	const video = await readFile(await makeVideo("recorder.mp4"));
	const path = await beginUpload(t, { jobId: await t.addJob("uploading") });
	await patch(t, path, 0, video.subarray(0, 30_000));
	const live = (await t.recordings())[0]?.id as number;
	await expect(deleteRecording(t.as("key"), live)).rejects.toMatchObject({ code: "conflict" });
	await patch(t, path, 30_000, video.subarray(30_000), { length: video.length });
	await expect(deleteRecording(t.as("foreignKey"), live)).rejects.toMatchObject({ code: "not_found" });
	await get(`/v1/recordings/${live}/poster`);
	await deleteRecording(t.as("key"), live);
	await purgeRecording(t.as("key"), live);
	expect(await t.files()).toEqual([]);
	expect(t.changes).toContainEqual(expect.objectContaining({ recordingId: live, deleted: true }));
	await expect(deleteRecording(t.as("key"), live)).rejects.toMatchObject({ code: "not_found" });
	expect((await get(`/v1/recordings/${live}/video`)).status).toBe(404);
});

const NEWEST_FIRST = { sort: "createdAt", order: "desc", limit: 50 } as const;

test("lists are newest first, paged, filtered by name, and limited to the organization", async () => {
	for (const name of ["login", "100% done", "Log out", "checkout"]) await uploaded("vp8.webm", name);
	const names = async (query: Partial<Parameters<typeof listRecordings>[1]>, as = "key") =>
		(await listRecordings(t.as(as), { ...NEWEST_FIRST, ...query })).data.map((recording) => recording.name);
	expect(await names({})).toEqual(["checkout", "Log out", "100% done", "login"]);
	expect(await names({ q: "LOG" })).toEqual(["Log out", "login"]);
	expect(await names({ q: "0%" })).toEqual(["100% done"]);
	expect(await names({ q: "_" })).toEqual([]);
	expect(await names({}, "foreignKey")).toEqual([]);
	const first = await listRecordings(t.as("key"), { ...NEWEST_FIRST, limit: 3 });
	expect(first.data.length).toBe(3);
	expect(await names({ limit: 3, cursor: first.nextCursor as string })).toEqual(["login"]);
	await expect(listRecordings(t.as("key"), { ...NEWEST_FIRST, cursor: "???" })).rejects.toMatchObject({
		code: "validation_failed",
	});
});

test("a recording is pinned and unpinned", async () => {
	const { id } = await uploaded("vp8.webm");
	expect(await changeRecording(t.as("key"), id, { pinned: true })).toMatchObject({ id, pinned: true });
	expect(await readRecording(t.as("viewer"), id)).toMatchObject({ pinned: true });
	expect(await changeRecording(t.as("key"), id, { pinned: false })).toMatchObject({ pinned: false });
	await expect(changeRecording(t.as("foreignKey"), id, { pinned: true })).rejects.toMatchObject({ code: "not_found" });
});

test("a poster that nobody sent is extracted from the video once, and served with an ETag", async () => {
	for (const kind of ["recorder.mp4", "vp8.webm"] as const) {
		const { id } = await uploaded(kind);
		const answers = await Promise.all([1, 2, 3].map(() => get(`/v1/recordings/${id}/poster`)));
		for (const answer of answers) {
			expect([answer.status, answer.headers["content-type"]]).toEqual([200, "image/jpeg"]);
			expect(answer.body.equals((answers[0] as (typeof answers)[0]).body)).toBe(true);
		}
		const etag = answers[0]?.headers.etag as string;
		expect((await get(`/v1/recordings/${id}/poster`, { "if-none-match": etag })).status).toBe(304);
		expect((await get(`/v1/recordings/${id}/poster`, {}, "foreignKey")).status).toBe(404);
	}
});

test("the full-size poster is the first frame, or the small poster while the recording is live", async () => {
	const { id, width, height } = await uploaded("recorder.mp4");
	const full = await get(`/v1/recordings/${id}/poster?size=full`);
	const first = await promisify(execFile)(
		"ffmpeg",
		["-v", "error", "-i", await makeVideo("recorder.mp4"), "-frames:v", "1", "-f", "image2pipe", "-c:v", "mjpeg", "-"],
		{ encoding: "buffer" },
	);
	const [shown, truth] = await Promise.all([full.body, first.stdout].map(decodePicture));
	expect(shown).toMatchObject({ width, height });
	expect(shown?.brightness).toBeCloseTo(truth?.brightness ?? 0, 0);
	await deleteRecording(t.as("key"), id);
	await purgeRecording(t.as("key"), id);
	expect(await t.files()).toEqual([]);

	const jobId = await t.addJob("uploading");
	const path = await beginUpload(t, { jobId });
	const video = await readFile(await makeVideo("recorder.mp4"));
	await patch(t, path, 0, video.subarray(0, 30_000));
	const live = (await t.recordings()).at(-1)?.id as number;
	expect((await get(`/v1/recordings/${live}/poster?size=full`)).status).toBe(404);
	await patch(t, path, 30_000, video.subarray(30_000), { length: video.length });
	const whole = await decodePicture((await get(`/v1/recordings/${live}/poster?size=full`)).body);
	expect(whole).toMatchObject({ width, height });
	await deleteRecording(t.as("key"), live);
});

test("a runner's poster replaces the previous one; invalid JPEGs and other runners' jobs are refused", async () => {
	const video = await readFile(await makeVideo("recorder.mp4"));
	const jobId = await t.addJob();
	const jpegs = [await jpegOf("0.5"), await jpegOf("3")];
	const put = (body: Buffer, headers: Record<string, string> = {}, as = "runner") =>
		t.call(`/v1/runner/jobs/${jobId}/poster`, {
			method: "PUT",
			as,
			headers: { "content-type": "image/jpeg", "tapedeck-session": SESSION, ...headers },
			body,
		});
	// It may arrive before the first byte of the video.
	expect((await put(jpegs[0] as Buffer)).status).toBe(204);
	await patch(t, await beginUpload(t, { jobId }), 0, video);
	const id = (await t.recordings())[0]?.id;
	expect((await get(`/v1/recordings/${id}/poster`)).body.equals(jpegs[0] as Buffer)).toBe(true);
	expect((await put(jpegs[1] as Buffer)).status).toBe(204);
	expect((await get(`/v1/recordings/${id}/poster`)).body.equals(jpegs[1] as Buffer)).toBe(true);
	expect((await put(Buffer.from("<svg onload=alert(1)>"))).status).toBe(422);
	expect((await put((jpegs[0] as Buffer).subarray(0, 100))).status).toBe(422);
	expect((await put(Buffer.alloc(2 ** 20 + 1, 0xff))).status).toBe(413);
	expect((await put(jpegs[0] as Buffer, { "content-type": "image/png" })).status).toBe(415);
	expect((await put(jpegs[0] as Buffer, { "tapedeck-session": "another-session" })).status).toBe(403);
	expect((await put(jpegs[0] as Buffer, {}, "foreignRunner")).status).toBe(403);
	expect((await get(`/v1/recordings/${id}/poster`)).body.equals(jpegs[1] as Buffer)).toBe(true);
});

async function jpegOf(at: string): Promise<Buffer> {
	const args = ["-v", "error", "-ss", at, "-i", await makeVideo("plain.mp4"), "-frames:v", "1", "-f", "mjpeg", "-"];
	return (await promisify(execFile)("ffmpeg", args, { encoding: "buffer" })).stdout;
}
