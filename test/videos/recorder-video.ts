/** Opens the recordings routes for every test, with a video as a runner uploads it. */
import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeEach } from "vitest";
import { openTestRecordings, type TestRecordings } from "#test/recordings.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

export interface RecorderVideoTest extends TestRecordings {
	/** A video as a runner's ffmpeg writes it: 4 s long. */
	video: Buffer;
}

/** Registers the hooks of the calling file. @returns an object that is filled anew for every test. */
export function testWithRecorderVideo(): RecorderVideoTest {
	const t = {} as RecorderVideoTest;
	beforeEach(async () => {
		const video = await readFile(await makeVideo("recorder.mp4"));
		Object.assign(t, await openTestRecordings(), { video });
	});
	afterEach(() => t.close());
	afterAll(removeTestFolder);
	return t;
}
