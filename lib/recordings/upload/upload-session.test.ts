import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { beginUpload, patch, TUS } from "#test/tus-client.ts";
import { testWithRecorderVideo } from "#test/videos/recorder-video.ts";

const t = testWithRecorderVideo();

const PIECE = 10_000;
const piece = (index: number) => t.video.subarray(index * PIECE, (index + 1) * PIECE);
const fileOf = (jobId: number) => join(t.videosDir, `job-${jobId}`);

async function begun() {
	const jobId = await t.addJob();
	const path = await beginUpload(t, { jobId });
	return { jobId, path, send: (index: number) => patch(t, path, index * PIECE, piece(index)) };
}

test("pieces one after another are confirmed, stored in order and indexed", async () => {
	const { jobId, path, send } = await begun();
	for (const index of [0, 1, 2]) {
		const { status, headers } = await send(index);
		expect([status, headers["upload-offset"]]).toEqual([204, String((index + 1) * PIECE)]);
		expect(headers["tus-resumable"]).toBe("1.0.0");
	}
	expect((await stat(fileOf(jobId))).size).toBe(3 * PIECE);
	await expect.poll(async () => (await t.recordings())[0]?.bytes).toBe(3 * PIECE);
	const head = await t.call(path, { method: "HEAD", headers: TUS });
	expect(head.headers["upload-offset"]).toBe(String(3 * PIECE));
	expect(t.logged).toEqual([]);
});

test("a thousand pieces of one byte are a file of a thousand bytes", async () => {
	const { jobId, path } = await begun();
	for (let at = 0; at < 1_000; at += 1) {
		expect((await patch(t, path, at, t.video.subarray(at, at + 1))).status).toBe(204);
	}
	expect((await stat(fileOf(jobId))).size).toBe(1_000);
});

test("a piece for another offset is refused and changes nothing, and the right one is taken after it", async () => {
	const { jobId, send } = await begun();
	await send(0);
	expect((await send(2)).status).toBe(409);
	expect((await send(0)).status).toBe(409);
	expect((await send(1)).status).toBe(204);
	expect((await stat(fileOf(jobId))).size).toBe(2 * PIECE);
});

test("one of two pieces for the same offset at once is stored", async () => {
	const { jobId, send } = await begun();
	await send(0);
	const statuses = (await Promise.all([send(1), send(1), send(1)])).map(({ status }) => status);
	expect(statuses.sort()).toEqual([204, 409, 409]);
	expect((await stat(fileOf(jobId))).size).toBe(2 * PIECE);
});

test("small pieces and large requests continue each other", async () => {
	const { jobId, path, send } = await begun();
	await send(0);
	const large = Buffer.alloc(300_000, 1);
	expect((await patch(t, path, PIECE, large)).status).toBe(204);
	const next = PIECE + large.length;
	expect((await patch(t, path, next, piece(0))).headers["upload-offset"]).toBe(String(next + PIECE));
	expect((await stat(fileOf(jobId))).size).toBe(next + PIECE);
});

test("after the length is declared, a piece beyond it is refused, and the missing rest completes the recording", async () => {
	const { jobId, path, send } = await begun();
	await send(0);
	const length = t.video.length;
	expect((await patch(t, path, PIECE, piece(1), { length })).status).toBe(204);
	const rest = t.video.subarray(2 * PIECE);
	expect((await patch(t, path, 2 * PIECE, Buffer.concat([rest, Buffer.alloc(1)]))).status).toBe(413);
	expect((await patch(t, path, 2 * PIECE, rest)).status).toBe(204);
	expect((await t.recordings())[0]).toMatchObject({ jobId, state: "ready", bytes: length, durationSeconds: 4 });
});

test("a session that was replaced in this process sends no further piece", async () => {
	const { send } = await begun();
	await send(0);
	await t.db.updateTable("runner").set({ sessionId: "the-next-session" }).where("id", "=", 1).execute();
	t.as("runner").events.publish({ type: "runner", organizationId: 1, runnerId: 1 });
	expect((await send(1)).status).toBe(403);
});

test("a session that was replaced in another process sends no further piece after two seconds", async () => {
	const { send } = await begun();
	await send(0);
	await t.db.updateTable("runner").set({ sessionId: "the-next-session" }).where("id", "=", 1).execute();
	const refusedAt = Date.now() + 2_500;
	let index = 1;
	while (Date.now() < refusedAt && (await send(index)).status === 204) {
		index += 1;
		if (index > 5) break;
	}
	await new Promise((resolve) => setTimeout(resolve, Math.max(0, refusedAt - Date.now())));
	expect((await send(index)).status).toBe(403);
});

test("a recording that is deleted takes no further piece, and nothing of it comes back", async () => {
	const { jobId, send } = await begun();
	await send(0);
	const [row] = await t.recordings();
	await t.db.deleteFrom("recording").execute();
	await t.as("runner").videoFiles.remove(`job-${jobId}`);
	t.as("runner").events.publish({
		...{ type: "recording", organizationId: 1, recordingId: row?.id ?? 0, jobId, deleted: true },
	});
	expect((await send(1)).status).toBe(404);
	expect(await t.files()).toEqual([]);
});

test("a file that is gone is not found, and no error of the server", async () => {
	const { jobId, send } = await begun();
	await rm(fileOf(jobId));
	expect((await send(0)).status).toBe(404);
	expect(t.logged).toEqual([]);
});

test("a file that is removed between two pieces is not found by the next request, whichever it is", async () => {
	for (const method of ["HEAD", "PATCH", "DELETE"]) {
		const { jobId, path, send } = await begun();
		// By the second one it is known who holds the job, and nothing of the upload is read again.
		for (const index of [0, 1]) await send(index);
		await t.as("runner").videoFiles.remove(`job-${jobId}`);
		const { status } = method === "PATCH" ? await send(2) : await t.call(path, { method, headers: TUS });
		expect([method, status]).toEqual([method, 404]);
	}
	expect(t.logged).toEqual([]);
});
