import { readFile } from "node:fs/promises";
import { afterAll, describe, expect, test } from "vitest";
import { onOneStorage } from "#test/each-storage.ts";
import { inExplore, variants } from "#test/in-explore.ts";
import { openTestRecordings } from "#test/recordings.ts";
import { beginUpload, patch } from "#test/tus-client.ts";
import { brighteningVideo, secondOf } from "#test/videos/brightening-video.ts";
import { decodePicture } from "#test/videos/decode-picture.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { deleteRecording } from "../deletion.ts";
import { uploadIdOfJob } from "../upload/owner.ts";
import { withFullFrame } from "./full-frame.ts";

afterAll(removeTestFolder);

const HERE = new AbortController().signal;

type Recordings = Awaited<ReturnType<typeof openTestRecordings>>;

const frameAt = (t: Recordings, id: number, query: string, headers: Record<string, string> = {}) =>
	t.call(`/v1/recordings/${id}/frame?${query}`, { as: "key", headers });

/** A recording of a runner: its whole video, or the beginning of one in progress. */
async function recorded(t: Recordings, video: Buffer, isLive = false): Promise<number> {
	const jobId = await t.addJob(isLive ? "recording" : "uploading");
	await patch(t, await beginUpload(t, { jobId }), 0, video, isLive ? {} : { length: video.length });
	const row = (await t.recordings()).find((each) => each.jobId === jobId);
	return row?.id ?? 0;
}

onOneStorage((opened) => {
	test("a frame has the video's own size, or the width that is asked for", async () => {
		const t = opened().recordings;
		const id = await recorded(t, await readFile(await makeVideo("recorder.mp4")));
		const sizes = await Promise.all(
			[16, 80, 8_192].map(async (width) => {
				const { status, headers, body } = await frameAt(t, id, `at=1&width=${width}`);
				expect([status, headers["content-type"]]).toEqual([200, "image/jpeg"]);
				const { width: got, height } = await decodePicture(body);
				return [got, height];
			}),
		);
		expect(sizes).toEqual([
			[16, 12],
			[80, 60],
			[160, 120],
		]);
	});

	test("its ETag is answered with 304, and a deleted recording with 404", async () => {
		const t = opened().recordings;
		const id = await recorded(t, await readFile(await makeVideo("recorder.mp4")));
		const { headers } = await frameAt(t, id, "at=1&width=100");
		const again = await frameAt(t, id, "at=1&width=100", { "if-none-match": headers.etag ?? "" });
		expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
		expect((await frameAt(t, id, "at=2&width=100", { "if-none-match": headers.etag ?? "" })).status).toBe(200);
		await t.db.updateTable("job").set({ status: "completed" }).execute();
		await deleteRecording(t.as("key"), id);
		expect((await frameAt(t, id, "at=1&width=100", { "if-none-match": headers.etag ?? "" })).status).toBe(404);
		expect((await frameAt(t, id, "at=1&width=101")).status).toBe(404);
	});
});

/** Moments of the video of 8 s, and the second that it shows there. */
const MOMENTS: [at: number, second: number][] = [
	[0, 0],
	[0.95, 0],
	[1, 1],
	[4.5, 4],
	[5.99, 5],
	[7.99, 7],
	[600, 7],
];
const AT_EDGES = [0.95, 1, 600];

describe("the frame", () => {
	test("is the one that the video shows at that moment, of recorded and uploaded videos, and the last one after the end", async () => {
		const t = await openTestRecordings();
		try {
			const encoded = ["-an", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "30"];
			const fragmented = ["-bf", "0", "-movflags", "+frag_keyframe+empty_moov+default_base_moof"];
			const videos: [string, string[]][] = [
				["fragmented.mp4", [...encoded, ...fragmented]],
				["reordered.mp4", [...encoded, "-bf", "3"]],
				["other.webm", ["-an", "-c:v", "libvpx", "-b:v", "200k"]],
			];
			for (const [name, output] of variants(videos, ([name]) => name !== "reordered.mp4")) {
				const video = await brighteningVideo(name, output);
				const answer = await t.call("/v1/recordings?name=x", { method: "POST", as: "key", body: video });
				const { id } = JSON.parse(answer.body.toString());
				for (const [at, second] of variants(MOMENTS, ([at]) => AT_EDGES.includes(at))) {
					const { status, body } = await frameAt(t, id, `at=${at}&width=320`);
					expect(status, `${name} at ${at}`).toBe(200);
					expect(await secondOf(body), `${name} at ${at}`).toBe(second);
				}
			}
		} finally {
			await t.close();
		}
	});

	test("of a recording in progress is read from what has arrived, and is never kept", async () => {
		const t = await openTestRecordings();
		try {
			const video = await readFile(await makeVideo("recorder.mp4"));
			const id = await recorded(t, video.subarray(0, Math.floor(video.length / 2)), true);
			expect((await t.recordings())[0]?.state).toBe("live");
			const first = await frameAt(t, id, "at=0&width=160");
			const last = await frameAt(t, id, "at=3600&width=160");
			expect([first.status, last.status]).toEqual([200, 200]);
			expect(last.headers["cache-control"]).toBe("private, no-store");
			expect(last.body).not.toEqual(first.body);
			await patch(
				t,
				`/v1/uploads/${uploadIdOfJob((await t.recordings())[0]?.jobId ?? 0)}`,
				Math.floor(video.length / 2),
				video.subarray(Math.floor(video.length / 2)),
			);
			const later = await frameAt(t, id, "at=3600&width=160");
			expect(later.body).not.toEqual(last.body);
		} finally {
			await t.close();
		}
	});

	inExplore(test)("waits for its turn no longer than its caller does, and others take it", async () => {
		const t = await openTestRecordings();
		try {
			const id = await recorded(t, await readFile(await makeVideo("recorder.mp4")));
			const ctx = t.as("key");
			const gate = Promise.withResolvers<void>();
			const held = ctx.excerpts.take(ctx, "frame", HERE, () => gate.promise);
			const gone = new AbortController();
			const bytesOf = (signal: AbortSignal) =>
				withFullFrame(ctx, { recordingId: id, at: 1, width: 100, key: null, signal }, async (jpeg) => jpeg.fileBytes);
			const left = bytesOf(gone.signal);
			const stays = bytesOf(HERE);
			gone.abort(new Error("gone"));
			await expect(left).rejects.toThrow("gone");
			gate.resolve();
			await held;
			expect(await stays).toBeGreaterThan(500);
		} finally {
			await t.close();
		}
	});

	test("of another organization's recording is not found", async () => {
		const t = await openTestRecordings();
		try {
			const id = await recorded(t, await readFile(await makeVideo("recorder.mp4")));
			const { status } = await t.call(`/v1/recordings/${id}/frame?at=1&width=100`, { as: "foreignKey" });
			expect(status).toBe(404);
		} finally {
			await t.close();
		}
	});
});
