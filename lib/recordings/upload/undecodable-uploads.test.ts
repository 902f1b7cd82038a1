/** Untrusted files that look like videos but cannot be played. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openTestRecordings, type TestRecordings } from "#test/recordings.ts";
import { beginUpload, metadata, patch, TUS } from "#test/tus-client.ts";
import { type Kind, makeVideo, removeTestFolder, testFolder } from "#test/videos/make-video.ts";
import { FrameGrabber } from "../pictures/grab-frame.ts";

afterAll(removeTestFolder);

let t: TestRecordings;
beforeEach(async () => {
	t = await openTestRecordings();
});
afterEach(async () => {
	vi.unstubAllEnvs();
	await t.close();
});

const post = (body: Buffer, type = "video/mp4") =>
	t.call("/v1/recordings?name=x", { method: "POST", as: "key", headers: { "content-type": type }, body });

/** The video with the bytes after a box's type changed, or all of its media data. */
async function changed(kind: Kind, change: (bytes: Buffer, at: (box: string) => number) => void): Promise<Buffer> {
	const bytes = Buffer.from(await readFile(await makeVideo(kind)));
	change(bytes, (box) => {
		const at = bytes.indexOf(box, 0, "latin1");
		if (at < 0) throw new Error(`there is no ${box}`);
		return at + 4;
	});
	return bytes;
}

/** Overwrites the content of every mdat. */
function spoilData(bytes: Buffer): void {
	for (let at = bytes.indexOf("mdat", 0, "latin1"); at >= 0; at = bytes.indexOf("mdat", at + 4, "latin1")) {
		bytes.fill(0xa5, at + 4, at - 4 + bytes.readUInt32BE(at - 4));
	}
}

const UNDECODABLE: Record<string, () => Promise<Buffer>> = {
	"more samples than the file has bytes": () =>
		changed("plain.mp4", (bytes, at) => void bytes.writeUInt32BE(0xffff_ffff, at("stsz") + 8)),
	"samples of one size beyond the file's size": () =>
		changed("plain.mp4", (bytes, at) => {
			bytes.writeUInt32BE(1, at("stsz") + 4);
			bytes.writeUInt32BE(0xffff_ffff, at("stsz") + 8);
		}),
	"samples of 4 GB": () => changed("plain.mp4", (bytes, at) => void bytes.writeUInt32BE(0xffff_ffff, at("stsz") + 12)),
	"chunks beyond the end of the file": () =>
		changed("plain.mp4", (bytes, at) => void bytes.writeUInt32BE(0x7fff_0000, at("stco") + 8)),
	"no chunks": () => changed("plain.mp4", (bytes, at) => void bytes.writeUInt32BE(0, at("stco") + 4)),
	"no keyframe": () => changed("plain.mp4", (bytes, at) => void bytes.writeUInt32BE(0, at("stss") + 4)),
	"samples that aren't frames": () => changed("plain.mp4", spoilData),
	"fragments whose samples aren't frames": () => changed("recorder.mp4", spoilData),
	"fragments without a keyframe": () =>
		changed("recorder.mp4", (bytes) => {
			// The flags of a fragment's first sample: "depends on others, no sync sample".
			for (let at = bytes.indexOf("trun", 0, "latin1"); at >= 0; at = bytes.indexOf("trun", at + 4, "latin1")) {
				if ((bytes.readUInt32BE(at + 4) & 0x4) !== 0) bytes.writeUInt32BE(0x0101_0000, at + 16);
			}
		}),
};

test.each(Object.keys(UNDECODABLE))("an MP4 with %s is refused and leaves nothing", async (kind) => {
	const bytes = await (UNDECODABLE[kind] as () => Promise<Buffer>)();
	const refused = await post(bytes);
	expect([refused.status, JSON.parse(refused.body.toString()).code]).toEqual([422, "invalid_video"]);
	const path = await beginUpload(t, { name: "x" }, "key");
	expect((await patch(t, path, 0, bytes, { length: bytes.length, as: "key" })).status).toBe(422);
	expect([await t.recordings(), await t.files()]).toEqual([[], []]);
});

test("a video in a codec that browsers don't play is refused with what to send instead", async () => {
	const path = join(await testFolder(), "mpeg4.mp4");
	await promisify(execFile)("ffmpeg", ["-v", "error", "-y", "-i", await makeVideo("plain.mp4"), "-c:v", "mpeg4", path]);
	const refused = await post(await readFile(path));
	expect(refused.status).toBe(422);
	expect(JSON.parse(refused.body.toString()).detail).toMatch(/H\.264/);
});

test("without ffmpeg a video is validated by its boxes or its header only", async () => {
	const webm = await readFile(await makeVideo("vp8.webm"));
	vi.stubEnv("PATH", "/nonexistent");
	expect((await post(await readFile(await makeVideo("plain.mp4")))).status).toBe(201);
	expect((await post(await (UNDECODABLE["no keyframe"] as () => Promise<Buffer>)())).status).toBe(422);
	const { status, body } = await post(webm, "video/webm");
	expect([status, JSON.parse(body.toString()).durationSeconds]).toEqual([201, 0]);
	expect((await post(webm.subarray(0, -1), "video/webm")).status).toBe(422);
});

test("a job's recording is kept even if it is undecodable", async () => {
	const bytes = await changed("recorder.mp4", spoilData);
	const path = await beginUpload(t, { jobId: await t.addJob("uploading") });
	expect((await patch(t, path, 0, bytes, { length: bytes.length })).status).toBe(204);
	expect(await t.recordings()).toMatchObject([{ bytes: bytes.length, state: "ready" }]);
});

const jobOf = (id: number) =>
	t.db
		.selectFrom("job")
		.select(["status", "stopReason", "errorMessage"])
		.where("id", "=", id)
		.executeTakeFirstOrThrow();
const NO_VIDEO = expect.stringMatching(/no video/);

test("a job's recording is playable without waiting for a decoder", async () => {
	const decoded = vi.spyOn(FrameGrabber.prototype, "isUndecodable");
	onTestFinished(() => decoded.mockRestore());
	const jobId = await t.addJob("uploading");
	const video = await readFile(await makeVideo("recorder.mp4"));
	await patch(t, await beginUpload(t, { jobId }), 0, video, { length: video.length });
	expect((await t.recordings()).map(({ state }) => state)).toEqual(["ready"]);
	expect(decoded).not.toHaveBeenCalled();
});

test("a job whose upload ends without a byte fails and says so, whether its capture has ended or not", async () => {
	for (const status of ["recording", "uploading"]) {
		const jobId = await t.addJob(status);
		const path = await beginUpload(t, { jobId });
		// Accepted, because the runner has nothing else to send, and repeated when the answer was lost.
		expect((await patch(t, path, 0, Buffer.alloc(0), { length: 0 })).status).toBe(204);
		expect(await jobOf(jobId)).toEqual({ status: "failed", stopReason: "ffmpeg_failed", errorMessage: NO_VIDEO });
		const again = await beginUpload(t, { jobId });
		expect((await patch(t, again, 0, Buffer.alloc(0), { length: 0 })).status).toBe(204);
		const events = await t.db.selectFrom("jobEvent").select("type").where("jobId", "=", jobId).execute();
		expect(events).toEqual([{ type: "failed" }]);
		expect(t.changes.some((change) => change.type === "job" && change.jobId === jobId)).toBe(true);
	}
	expect([await t.recordings(), await t.files()]).toEqual([[], []]);
});

test("a job whose upload is created with a length of 0 fails, and keeps the reason for which its capture ended", async () => {
	const jobId = await t.addJob("uploading");
	const set = { stopReason: "display_lost", errorMessage: "The display closed." } as const;
	await t.db.updateTable("job").set(set).where("id", "=", jobId).execute();
	const headers = { ...TUS, "upload-length": "0", "upload-metadata": metadata({ jobId }) };
	expect((await t.call("/v1/uploads", { method: "POST", headers })).status).toBe(201);
	expect(await jobOf(jobId)).toEqual({ status: "failed", ...set });
});
