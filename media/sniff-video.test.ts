import { open, readFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { type Kind, makeVideo, removeTestFolder } from "../test/videos/make-video.ts";
import { sniffMp4 } from "./sniff-video.ts";

afterAll(removeTestFolder);

async function sniffed(path: string) {
	const handle = await open(path);
	try {
		return await sniffMp4(handle, (await handle.stat()).size);
	} finally {
		await handle.close();
	}
}

const sniffedBytes = (bytes: Buffer) =>
	sniffMp4(
		{
			async read(target, offset, length, position) {
				return { bytesRead: bytes.copy(target, offset, position, position + length) };
			},
		},
		bytes.length,
	);

test("MP4s, fragmented or not, are recognized with their duration and dimensions", async () => {
	for (const kind of ["recorder.mp4", "sound.mp4", "plain.mp4", "faststart.mp4"] satisfies Kind[]) {
		const video = await sniffed(await makeVideo(kind));
		expect(video).toMatchObject({ contentType: "video/mp4", width: 160, height: 120 });
		expect(video?.durationSeconds).toBeCloseTo(4, 1);
		expect(video?.index !== null).toBe(kind === "recorder.mp4" || kind === "sound.mp4");
	}
});

test("audio without video, other containers and other files are not videos", async () => {
	expect(await sniffed(await makeVideo("sound-only.mp4"))).toBeNull();
	expect(await sniffed(await makeVideo("matroska.mkv"))).toBeNull();
	for (const text of ["", "x", "<!doctype html><script>alert(1)</script>", '{"a":1}', "\x00\x00\x00\x18ftypisom"]) {
		expect(await sniffedBytes(Buffer.from(text, "latin1"))).toBeNull();
	}
});

test("a plain MP4 without its end is not a video", async () => {
	const faststart = await readFile(await makeVideo("faststart.mp4"));
	expect(await sniffedBytes(faststart.subarray(0, faststart.length - 1))).toBeNull();
	const plain = await readFile(await makeVideo("plain.mp4"));
	expect(await sniffedBytes(plain.subarray(0, plain.length - 100))).toBeNull();
});
