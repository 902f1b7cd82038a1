/** The tus client that most programs use, with each of its ways to send, on a real server. */
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { DetailedError, Upload, type UploadOptions } from "tus-js-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

let api: TestApi;
let video: Buffer;
beforeAll(async () => {
	api = await startTestApi();
	video = await readFile(await makeVideo("recorder.mp4"));
});
afterAll(async () => {
	await api.stop();
	await removeTestFolder();
});

const options = (name: string, more: Partial<UploadOptions> = {}): UploadOptions => ({
	endpoint: `${api.url}/v1/uploads`,
	headers: { Authorization: `Bearer ${TEST_API_KEY}` },
	metadata: { name, filetype: "video/mp4" },
	retryDelays: null,
	...more,
});

/** @returns the id of the recording. */
function sent(file: Buffer | Readable, options: UploadOptions): Promise<number> {
	return new Promise((resolve, reject) => {
		new Upload(file, {
			...options,
			onSuccess: ({ lastResponse }) => resolve(Number(lastResponse.getHeader("Tapedeck-Recording"))),
			onError: reject,
		}).start();
	});
}

async function expectStored(id: number, name: string): Promise<void> {
	const { app } = api;
	const row = await app.db.selectFrom("recording").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
	expect(row).toMatchObject({ name, state: "ready", durationSeconds: 4 });
	expect((await readFile(app.videoFiles.pathOf(row.uploadId))).equals(video)).toBe(true);
}

test.each<[way: string, more: Partial<UploadOptions>]>([
	["in one request", {}],
	["in requests of 10 kB", { chunkSize: 10_000 }],
	["with its creation", { uploadDataDuringCreation: true }],
	["with its creation, in requests of 10 kB", { uploadDataDuringCreation: true, chunkSize: 10_000 }],
	["by POST in place of PATCH", { overridePatchMethod: true, chunkSize: 50_000 }],
])("a video is sent %s", async (way, more) => {
	await expectStored(await sent(video, options(way, more)), way);
});

test("a video whose length becomes known at its end is sent from a stream", async () => {
	const name = "of a stream";
	const chunks = Array.from({ length: 10 }, (_, index) => {
		const each = Math.ceil(video.length / 10);
		return video.subarray(index * each, (index + 1) * each);
	});
	const more = { uploadLengthDeferred: true, chunkSize: 20_000 };
	await expectStored(await sent(Readable.from(chunks), options(name, more)), name);
});

test("an upload that was stopped half way continues where it stopped, and one that is cancelled is gone", async () => {
	/** Sends until half of it is stored. @returns where the upload is. */
	const half = (name: string) =>
		new Promise<{ upload: Upload; url: string }>((resolve, reject) => {
			const upload = new Upload(video, {
				...options(name, { chunkSize: 10_000, onError: reject }),
				onChunkComplete: (_size, offset) => {
					if (offset < video.length / 2) return;
					upload.abort().then(() => resolve({ upload, url: upload.url ?? "" }), reject);
				},
			});
			upload.start();
		});
	const { url } = await half("Stopped");
	const offsets: number[] = [];
	const onProgress = (bytes: number) => void offsets.push(bytes);
	await expectStored(
		await sent(video, options("Stopped", { uploadUrl: url, chunkSize: 10_000, onProgress })),
		"Stopped",
	);
	expect(offsets[0]).toBeGreaterThanOrEqual(video.length / 2);

	const cancelled = await half("Cancelled");
	await cancelled.upload.abort(true);
	const head = await api.call("HEAD", new URL(cancelled.url).pathname, { headers: { "tus-resumable": "1.0.0" } });
	expect(head.status).toBe(404);
});

test("a refusal reaches the program with its status and its reason", async () => {
	const refused = sent(Buffer.from("not a video at all"), options("Text"));
	await expect(refused).rejects.toThrow(DetailedError);
	const error = (await refused.catch((error) => error)) as DetailedError;
	expect([error.originalResponse?.getStatus(), error.originalResponse?.getBody().trim()]).toEqual([
		422,
		"Not a playable MP4 or WebM. The file wasn't saved.",
	]);
});
