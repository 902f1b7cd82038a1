import { readFile, stat, writeFile } from "node:fs/promises";
import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { removeShownSizes } from "@tapedeck/media/mp4-movie.ts";
import { expect, test } from "vitest";
import { beginUpload, metadata, patch, TUS } from "#test/tus-client.ts";
import { framesOf, makeVideo } from "#test/videos/make-video.ts";
import { testWithRecorderVideo } from "#test/videos/recorder-video.ts";
import { removeHalfWritten } from "./sweep-uploads.ts";

const t = testWithRecorderVideo();

const head = (path: string, as?: string) => t.call(path, { method: "HEAD", headers: TUS, as });
const only = async () => (await t.recordings())[0];

/** Begins a PATCH whose body the test sends, or doesn't. */
function openPatch(path: string, offset: number, headers: OutgoingHttpHeaders = {}): ClientRequest {
	const req = request({
		...{ port: t.port, host: "127.0.0.1", path, method: "PATCH" },
		headers: { ...TUS, "upload-offset": offset, "content-type": "application/offset+octet-stream", ...headers },
	});
	// The server may close the connection, and some tests do.
	return req.on("error", () => {});
}

test("a runner's upload is a recording from its first byte, live while it grows, and ready when complete", async () => {
	const jobId = await t.addJob("uploading");
	const path = await beginUpload(t, { jobId, name: "Checkout", filetype: "video/mp4" });
	expect(await t.recordings()).toEqual([]);
	expect((await patch(t, path, 0, t.video.subarray(0, 100))).status).toBe(204);
	expect(await only()).toMatchObject({ jobId, runnerId: 1, name: "Checkout", state: "live", organizationId: 1 });
	const half = Math.floor(t.video.length / 2);
	expect((await patch(t, path, 100, t.video.subarray(100, half))).headers["upload-offset"]).toBe(String(half));
	await expect.poll(only).toMatchObject({ bytes: half, width: 160, height: 120 });
	expect((await only())?.durationSeconds).toBeGreaterThan(0.5);
	expect((await head(path)).headers).toMatchObject({ "upload-offset": String(half), "upload-defer-length": "1" });
	expect((await patch(t, path, half, t.video.subarray(half))).status).toBe(204);
	expect((await only())?.state).toBe("live");
	// The length is sent last, with an empty body.
	expect((await patch(t, path, t.video.length, Buffer.alloc(0), { length: t.video.length })).status).toBe(204);
	expect(await only()).toMatchObject({
		state: "ready",
		bytes: t.video.length,
		durationSeconds: 4,
		contentType: "video/mp4",
	});
	const job = await t.db.selectFrom("job").select("status").where("id", "=", jobId).executeTakeFirst();
	expect(job?.status).toBe("completed");
	expect(t.changes.some((change) => change.type === "job" && change.jobId === jobId)).toBe(true);
	expect(t.changes.some((change) => change.type === "recording" && change.jobId === jobId)).toBe(true);
	expect((await head(path)).headers).toMatchObject({ "upload-length": String(t.video.length) });
	expect(t.logged).toEqual([]);
});

test("stored bytes play at once: every complete fragment so far, as a progressive MP4", async () => {
	const jobId = await t.addJob();
	const path = await beginUpload(t, { jobId });
	await patch(t, path, 0, t.video.subarray(0, Math.floor(t.video.length * 0.7)));
	const played = await t.call(`/v1/recordings/${(await only())?.id}/video`, { as: "key" });
	expect([played.status, played.headers["content-type"]]).toEqual([200, "video/mp4"]);
	const file = join(t.videosDir, "played.mp4");
	await writeFile(file, played.body);
	const frames = await framesOf(file);
	expect(frames.length).toBeGreaterThan(35);
	expect(frames).toEqual((await framesOf(await makeVideo("recorder.mp4"))).slice(0, frames.length));
});

test("bytes in the middle of a long request reach live viewers before the request ends", async () => {
	const path = await beginUpload(t, { jobId: await t.addJob() });
	const sending = openPatch(path, 0);
	const third = Math.floor(t.video.length / 3);
	sending.write(t.video.subarray(0, third));
	await expect.poll(only).toBeDefined();
	const recordingId = (await only())?.id;
	const received: Buffer[] = [];
	const watching = await new Promise<IncomingMessage>((resolve) =>
		request(
			{ port: t.port, host: "127.0.0.1", path: `/v1/recordings/${recordingId}/live?from=start`, agent: false },
			resolve,
		).end(),
	);
	watching.on("data", (chunk) => received.push(chunk));
	const ended = new Promise((resolve) => watching.once("close", resolve));
	const bytes = () => Buffer.concat(received).length;
	await expect.poll(bytes).toBeGreaterThan(third * 0.6);
	const before = bytes();
	sending.write(t.video.subarray(third, 2 * third));
	await expect.poll(bytes).toBeGreaterThan(before);
	expect(watching.headers["content-type"]).toMatch(/^video\/mp4; codecs="avc1\./);
	const answered = new Promise((resolve) => sending.once("response", resolve));
	sending.end(t.video.subarray(2 * third));
	await answered;
	await patch(t, path, t.video.length, Buffer.alloc(0), { length: t.video.length });
	await ended;
	const sent = Buffer.from(t.video);
	removeShownSizes(sent);
	expect(sent.subarray(0, bytes()).equals(Buffer.concat(received))).toBe(true);
	expect(bytes()).toBeGreaterThan(t.video.length - 2_000);
});

test("an upload whose last request broke off after its length was known is finished by requesting its offset", async () => {
	const jobId = await t.addJob("uploading");
	const path = await beginUpload(t, { jobId });
	expect((await patch(t, path, 0, t.video)).status).toBe(204);
	const last = openPatch(path, t.video.length, { "upload-length": t.video.length, "transfer-encoding": "chunked" });
	last.flushHeaders();
	await expect.poll(async () => (await head(path)).headers["upload-length"]).toBe(String(t.video.length));
	expect(await only()).toMatchObject({ state: "ready", bytes: t.video.length });
	const job = await t.db.selectFrom("job").select("status").where("id", "=", jobId).executeTakeFirst();
	expect(job?.status).toBe("completed");
	last.destroy();
});

test("after a broken connection the offset tells where to resume, and a wrong one changes nothing", async () => {
	const path = await beginUpload(t, { jobId: await t.addJob() });
	const sending = openPatch(path, 0, { "content-length": t.video.length });
	sending.write(t.video.subarray(0, 30_000));
	await expect.poll(async () => (await stat(join(t.videosDir, path.split("/").at(-1) as string))).size).toBe(30_000);
	sending.destroy();
	expect((await patch(t, path, 10, t.video.subarray(10))).status).toBe(409);
	const offset = Number((await head(path)).headers["upload-offset"]);
	expect(offset).toBe(30_000);
	expect((await patch(t, path, offset, t.video.subarray(offset), { length: t.video.length })).status).toBe(204);
	expect(await only()).toMatchObject({ state: "ready", bytes: t.video.length, durationSeconds: 4 });
	expect((await readFile(join(t.videosDir, path.split("/").at(-1) as string))).equals(t.video)).toBe(true);
});

test("a silent connection releases the upload to the next request", async () => {
	const path = await beginUpload(t, { jobId: await t.addJob() });
	const silent = openPatch(path, 0);
	silent.write(t.video.subarray(0, 1_000));
	await expect.poll(only).toBeDefined();
	const answer = await head(path);
	expect([answer.status, answer.headers["upload-offset"]]).toEqual([200, "1000"]);
	expect((await patch(t, path, 1_000, t.video.subarray(1_000), { length: t.video.length })).status).toBe(204);
	expect((await only())?.state).toBe("ready");
	silent.destroy();
});

test("a restarted dashboard resumes at the end of the file", async () => {
	const path = await beginUpload(t, { jobId: await t.addJob() });
	await patch(t, path, 0, t.video.subarray(0, 20_000));
	t.restart();
	expect((await head(path)).headers["upload-offset"]).toBe("20000");
	await patch(t, path, 20_000, t.video.subarray(20_000), { length: t.video.length });
	expect(await only()).toMatchObject({ state: "ready", durationSeconds: 4 });
});

test("terminating an upload deletes everything of it and publishes that", async () => {
	const path = await beginUpload(t, { jobId: await t.addJob() });
	await patch(t, path, 0, t.video.subarray(0, 20_000));
	const recordingId = (await only())?.id;
	expect((await t.call(path, { method: "DELETE", headers: TUS })).status).toBe(204);
	expect(await t.recordings()).toEqual([]);
	expect(await t.files()).toEqual([]);
	expect(t.changes).toContainEqual(expect.objectContaining({ type: "recording", recordingId, deleted: true }));
	expect((await head(path)).status).toBe(404);
});

test("a file that isn't a video leaves nothing; a job's is kept, so that the job can end", async () => {
	const path = await beginUpload(t, { name: "x" }, "key");
	const text = Buffer.from("this is not a video, whatever it says");
	expect((await patch(t, path, 0, text, { as: "key", length: text.length })).status).toBe(422);
	expect([await t.recordings(), await t.files()]).toEqual([[], []]);
	const jobId = await t.addJob("uploading");
	const ofJob = await beginUpload(t, { jobId });
	const init = t.video.subarray(0, 900);
	expect((await patch(t, ofJob, 0, init, { length: init.length })).status).toBe(204);
	expect(await only()).toMatchObject({ state: "ready", durationSeconds: 0 });
	const job = await t.db.selectFrom("job").select("status").where("id", "=", jobId).executeTakeFirst();
	expect(job?.status).toBe("completed");
});

test("finishing an upload without a job returns its recording's id, and that recording has no runner", async () => {
	const path = await beginUpload(t, { name: "Elsewhere" }, "owner");
	const answer = await patch(t, path, 0, t.video, { length: t.video.length, as: "owner" });
	const recording = (await t.recordings()).find(({ name }) => name === "Elsewhere");
	expect(answer.headers["tapedeck-recording"]).toBe(String(recording?.id));
	expect(recording).toMatchObject({ jobId: null, runnerId: null, state: "ready" });
});

test("an invalid name is refused for an upload, and shortened or cleaned for a job's recording", async () => {
	for (const name of ["a\u0000b", "a\nb", "\u200b", "x".repeat(201)]) {
		const headers = { ...TUS, "upload-length": "1000", "upload-metadata": metadata({ name }) };
		const answer = await t.call("/v1/uploads", { method: "POST", as: "key", headers });
		expect([answer.status, answer.body.toString()]).toEqual([422, expect.stringMatching(/^Use a name/)]);
	}
	expect(await t.files()).toEqual([]);
	const jobId = await t.addJob("uploading");
	const path = await beginUpload(t, { jobId, name: `Check\u0000out\n${"x".repeat(300)}` });
	expect((await patch(t, path, 0, t.video.subarray(0, 100))).status).toBe(204);
	expect((await only())?.name).toBe(`Check out ${"x".repeat(190)}`);
});

test("a partial recording that gets bytes again is live again", async () => {
	const jobId = await t.addJob();
	const path = await beginUpload(t, { jobId });
	await patch(t, path, 0, t.video.subarray(0, 20_000));
	await t.db.updateTable("recording").set({ state: "partial" }).execute();
	t.as("key").events.publish({ type: "job", organizationId: 1, jobId, runnerId: 1 });
	await patch(t, path, 20_000, t.video.subarray(20_000, 25_000));
	expect((await only())?.state).toBe("live");
});

test("a recording that another process made partial is live again within a second or two of getting bytes", async () => {
	const path = await beginUpload(t, { jobId: await t.addJob() });
	await patch(t, path, 0, t.video.subarray(0, 20_000));
	await t.db.updateTable("recording").set({ state: "partial" }).execute();
	await patch(t, path, 20_000, t.video.subarray(20_000, 25_000));
	await expect.poll(async () => (await only())?.state).toBe("live");
});

test("live viewers of a lost job are disconnected", async () => {
	const jobId = await t.addJob();
	const path = await beginUpload(t, { jobId });
	await patch(t, path, 0, t.video);
	const watching = t.call(`/v1/recordings/${(await only())?.id}/live?from=start`, { as: "key" });
	await expect.poll(() => t.as("runner").videoFiles.peek(`job-${jobId}`)?.watched).toBe(true);
	await t.db.updateTable("recording").set({ state: "partial" }).execute();
	t.as("key").events.publish({ type: "job", organizationId: 1, jobId, runnerId: 1 });
	expect((await watching).body.length).toBeGreaterThan(50_000);
});

test("a complete upload that a crash left unfinished is finished when the client requests its offset", async () => {
	const path = await beginUpload(t, { jobId: await t.addJob() });
	await patch(t, path, 0, t.video, { length: t.video.length });
	await t.db.updateTable("recording").set({ state: "live" }).execute();
	t.restart();
	expect((await head(path)).headers["upload-offset"]).toBe(String(t.video.length));
	expect((await only())?.state).toBe("ready");
});

test("partially replaced files are deleted at the start after a crash, and nothing else is", async () => {
	const jobId = await t.addJob();
	await patch(t, await beginUpload(t, { jobId }), 0, t.video.subarray(0, 20_000));
	const kept = (await t.files()).toSorted();
	for (const name of [`job-${jobId}.jpg.0a1b2c3d.new`, `job-${jobId}.json.new`, "somebody-elses.new"]) {
		await writeFile(join(t.videosDir, name), "half");
	}
	await removeHalfWritten(t.as("key"));
	expect((await t.files()).toSorted()).toEqual([...kept, "somebody-elses.new"].toSorted());
});
