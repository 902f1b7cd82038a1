/** Guarantees of every kind of video storage. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeShownSizes } from "@tapedeck/media/mp4-movie.ts";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { onEachStorage } from "#test/each-storage.ts";
import { SESSION, type TestRecordings } from "#test/recordings.ts";
import { beginUpload, patch, TUS } from "#test/tus-client.ts";
import { decodePicture } from "#test/videos/decode-picture.ts";
import { framesOf, makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { deleteRecording, purgeRecording } from "../deletion.ts";
import { readRecording } from "../list-recordings.ts";
import { getStoryboard } from "../pictures/storyboard.ts";
import { sweepObjects } from "./object-ledger.ts";

afterAll(removeTestFolder);

onEachStorage((opened) => {
	let t: TestRecordings;
	beforeEach(() => {
		t = opened().recordings;
	});

	const get = (path: string, headers: Record<string, string> = {}) => t.call(path, { headers, as: "key" });
	const head = (path: string) => t.call(path, { method: "HEAD", headers: TUS });
	const only = async () => (await t.recordings())[0] as Awaited<ReturnType<typeof t.recordings>>[number];

	async function record(video: Buffer) {
		const jobId = await t.addJob("uploading");
		const path = await beginUpload(t, { jobId, name: "Checkout", filetype: "video/mp4" });
		const half = video.length >> 1;
		await patch(t, path, 0, video.subarray(0, half));
		await patch(t, path, half, video.subarray(half));
		const last = await patch(t, path, video.length, Buffer.alloc(0), { length: video.length });
		expect(last.status).toBe(204);
		return { jobId, path };
	}

	test("a runner that asks for the offset while its recording is finished gets the same end, and the video is stored once", async () => {
		const video = await readFile(await makeVideo("recorder.mp4"));
		const path = await beginUpload(t, { jobId: await t.addJob("uploading") });
		await patch(t, path, 0, video);
		const store = t.as("runner").videoStore;
		const keep = store.keep.bind(store);
		const [kept, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const keeps = vi.spyOn(store, "keep").mockImplementation(async (uploadId, whole) => {
			const result = await keep(uploadId, whole);
			if (!path.endsWith(uploadId)) return result;
			kept.resolve();
			await committing.promise;
			return result;
		});
		const last = patch(t, path, video.length, Buffer.alloc(0), { length: video.length });
		await kept.promise;
		const asked = head(path);
		// Meanwhile another one is finished: time enough for the question to be taken up.
		await record(video);
		committing.resolve();
		expect([(await last).status, (await asked).headers["upload-offset"]]).toEqual([204, String(video.length)]);
		expect(keeps.mock.calls.filter(([uploadId]) => path.endsWith(uploadId))).toHaveLength(1);
		expect(await t.recordings()).toMatchObject([{ state: "ready" }, { state: "ready" }]);
	});

	async function plays(body: Buffer, original: string): Promise<void> {
		const file = join(t.videosDir, "played.mp4");
		await writeFile(file, body);
		expect(await framesOf(file)).toEqual(await framesOf(original));
	}

	test("a runner's recording is ready once its last PATCH is answered, and plays frame by frame", async () => {
		const original = await makeVideo("recorder.mp4");
		const video = await readFile(original);
		const { jobId, path } = await record(video);
		expect(await only()).toMatchObject({ state: "ready", bytes: video.length, durationSeconds: 4, width: 160 });
		const job = await t.db.selectFrom("job").select("status").where("id", "=", jobId).executeTakeFirst();
		expect(job?.status).toBe("completed");
		const { id, downloadBytes } = await only();
		const whole = await get(`/v1/recordings/${id}/video?download`);
		expect(whole.status).toBe(200);
		expect(whole.headers).toMatchObject({
			"content-type": "video/mp4",
			"content-length": String(downloadBytes),
			"content-disposition": expect.stringContaining('attachment; filename="Checkout.mp4"'),
		});
		await plays(whole.body, original);
		const part = await get(`/v1/recordings/${id}/video`, { range: "bytes=100-50099" });
		expect(part.status).toBe(206);
		expect(part.headers["content-range"]).toBe(`bytes 100-50099/${downloadBytes}`);
		expect(part.body.equals(whole.body.subarray(100, 50_100))).toBe(true);
		const etag = whole.headers.etag as string;
		expect((await get(`/v1/recordings/${id}/video`, { "if-none-match": etag })).status).toBe(304);
		const none = await get(`/v1/recordings/${id}/video`, { range: "bytes=999999999-" });
		expect(none.status).toBe(416);
		expect((await head(path)).headers).toMatchObject({
			"upload-offset": String(video.length),
			"upload-length": String(video.length),
		});
		// The last PATCH may have to be repeated.
		const again = await patch(t, path, video.length, Buffer.alloc(0));
		expect([again.status, again.headers["upload-offset"]]).toEqual([204, String(video.length)]);
		const live = await get(`/v1/recordings/${id}/live?from=start`);
		const sent = Buffer.from(video);
		removeShownSizes(sent);
		// All fragments; the file ends with a table of them.
		expect(live.body.equals(sent.subarray(0, live.body.length))).toBe(true);
		expect(live.body.length).toBeGreaterThan(video.length - 1_000);
		expect(t.logged).toEqual([]);
	});

	test("uploaded videos of all kinds play unchanged, and what is no video leaves nothing", async () => {
		for (const [name, type] of [
			["plain.mp4", "video/mp4"],
			["vp8.webm", "video/webm"],
		] as const) {
			const original = await makeVideo(name);
			const answer = await t.call("/v1/recordings?name=Demo", {
				method: "POST",
				as: "key",
				headers: { "content-type": type },
				body: await readFile(original),
			});
			expect(answer.status).toBe(201);
			const { id } = JSON.parse(answer.body.toString());
			const played = await get(`/v1/recordings/${id}/video`);
			expect(played.headers["content-type"]).toBe(type);
			expect(played.body.equals(await readFile(original))).toBe(true);
			const poster = await get(`/v1/recordings/${id}/poster`);
			expect((await decodePicture(poster.body)).width).toBe(160);
			const frame = await get(`/v1/recordings/${id}/frame?at=2`);
			expect(frame.status).toBe(200);
			await decodePicture(frame.body);
		}
		const refused = await t.call("/v1/recordings?name=Demo", {
			method: "POST",
			as: "key",
			headers: { "content-type": "video/mp4" },
			body: "not a video",
		});
		expect(refused.status).toBe(422);
		expect(await t.recordings()).toHaveLength(2);
	});

	test("the poster and the storyboard that the runner sent are there afterwards, also those sent after the video", async () => {
		const jpeg = await readFile(await makeVideo("recorder.mp4")).then(async () => {
			const first = await record(await readFile(await makeVideo("recorder.mp4")));
			const row = await only();
			const made = await get(`/v1/recordings/${row.id}/poster`);
			return { bytes: made.body, ...first };
		});
		const send = (at: number) =>
			t.call(`/v1/runner/jobs/${jpeg.jobId}/poster?at=${at}`, {
				method: "PUT",
				headers: { "content-type": "image/jpeg", "tapedeck-session": SESSION },
				body: jpeg.bytes,
			});
		expect((await send(0)).status).toBe(204);
		expect((await send(3)).status).toBe(204);
		const { id } = await only();
		expect((await getStoryboard(t.as("key"), id)).data).toEqual([{ at: 0 }, { at: 3 }]);
		expect((await get(`/v1/recordings/${id}/poster`)).body.equals(jpeg.bytes)).toBe(true);
	});

	test("a recording removed from the trash leaves neither file nor object", async () => {
		await record(await readFile(await makeVideo("recorder.mp4")));
		const { id } = await only();
		await get(`/v1/recordings/${id}/poster`);
		expect((await readRecording(t.as("key"), id)).state).toBe("ready");
		await deleteRecording(t.as("key"), id);
		await purgeRecording(t.as("key"), id);
		await sweepObjects(t.as("key"), opened().bucket, new AbortController().signal);
		expect([...opened().s3.objects.keys()]).toEqual([]);
		await expect.poll(async () => (await t.files()).filter((name) => name.startsWith("job-"))).toEqual([]);
		for (const table of ["upload", "videoSegment", "unusedObject"] as const) {
			expect(await t.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
		}
		expect((await get(`/v1/recordings/${id}/video`)).status).toBe(404);
	});
});
