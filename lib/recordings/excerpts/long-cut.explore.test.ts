/** A review cut of a long recording, by its bytes and pictures: 40 minutes with three minutes of change. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openTestRecordings } from "#test/recordings.ts";
import { beginUpload, patch } from "#test/tus-client.ts";
import { RECORDER, removeTestFolder, testFolder } from "#test/videos/make-video.ts";
import { probeBytes } from "#test/videos/probe-bytes.ts";
import { createRecordingMarker } from "../recording-markers.ts";
import { CAPTION_ROWS, CAPTION_SECONDS } from "./plan-cut.ts";

const run = promisify(execFile);
const SIZE = { width: 1280, height: 720 };
/** The last ten seconds of each stretch move. */
const STRETCHES = 18;
const STILL_SECONDS = 123.4;
const MOVING_SECONDS = 10;
const WHOLE_SECONDS = STRETCHES * (STILL_SECONDS + MOVING_SECONDS);
const FRAMES_PER_SECOND = 10;

afterAll(removeTestFolder);

/** @returns a video as a runner records it, in which equal frames come three times a second. Below the middle, it is light gray. */
async function mostlyStill(): Promise<Buffer> {
	const folder = await testFolder();
	const [stretch, list, whole] = ["stretch.mp4", "list.txt", "whole.mp4"].map((name) => join(folder, name)) as [
		string,
		string,
		string,
	];
	const seconds = STILL_SECONDS + MOVING_SECONDS;
	const size = `${SIZE.width}x${SIZE.height}`;
	const graph = [
		`color=0xdddddd:size=${size}:rate=15:duration=${seconds}[still]`,
		`testsrc2=size=${SIZE.width}x${SIZE.height / 2}:rate=15:duration=${seconds}[moving]`,
		`[still][moving]overlay=enable='gte(t,${STILL_SECONDS})',select='not(mod(n,5))+gte(t,${STILL_SECONDS})'[v]`,
	].join(";");
	await run("ffmpeg", [
		"-v",
		"error",
		"-y",
		"-filter_complex",
		graph,
		"-map",
		"[v]",
		"-fps_mode",
		"vfr",
		...RECORDER,
		stretch,
	]);
	await writeFile(list, `file '${stretch}'\n`.repeat(STRETCHES));
	const copied = ["-c", "copy", "-movflags", "+frag_keyframe+empty_moov+default_base_moof", whole];
	await run("ffmpeg", ["-v", "error", "-y", "-f", "concat", "-safe", "0", "-i", list, ...copied]);
	return readFile(whole);
}

/** The seconds for which a row of captions has one, in all. */
async function captionSeconds(file: string, { width, height }: { width: number; height: number }, row: number) {
	const size = Math.max(10, Math.round(height / 24));
	// The box behind the text is darker than the page, and so wide that the middle is in it.
	const strip = `crop=${2 * size}:2:${Math.round(width / 2 - size)}:${height - (row + 1) * size * 2 - Math.round(size / 2) - 2}`;
	const filter = `fps=${FRAMES_PER_SECOND},${strip},scale=1:1:flags=area,format=gray`;
	const { stdout } = await run("ffmpeg", ["-v", "error", "-i", file, "-vf", filter, "-f", "rawvideo", "-"], {
		encoding: "buffer",
		maxBuffer: 1 << 20,
	});
	return stdout.filter((luma) => luma < 160).length / FRAMES_PER_SECOND;
}

test("40 minutes with three minutes of change become a minute and 10 MB, with each marker on the picture for 2 s", async () => {
	const t = await openTestRecordings();
	onTestFinished(() => t.close());
	const bytes = await mostlyStill();
	const jobId = await t.addJob("uploading");
	await patch(t, await beginUpload(t, { jobId }), 0, bytes, { length: bytes.length });
	const recording = (await t.recordings()).find((each) => each.jobId === jobId);
	const id = recording?.id ?? 0;
	expect(Math.abs((recording?.durationSeconds ?? 0) - WHOLE_SECONDS)).toBeLessThan(5);
	const markers = Array.from({ length: STRETCHES }, (_, index) => ({
		...{ label: `Step ${index + 1} of the checkout`, kind: "note" as const },
		offsetSeconds: (index + 1) * (STILL_SECONDS + MOVING_SECONDS) - 6,
	}));
	markers.pop();
	const failure = { label: "The total is wrong", kind: "fail" as const, offsetSeconds: WHOLE_SECONDS - 4 };
	for (const marker of [...markers, failure]) await createRecordingMarker(t.as("key"), id, marker);
	const beganAt = performance.now();
	const { status, body } = await t.call(`/v1/recordings/${id}/proof`, { as: "key" });
	const took = (performance.now() - beganAt) / 1_000;
	expect(status, body.toString().slice(0, 500)).toBe(200);
	const { seconds, width, height } = await probeBytes(body);
	const file = join(await testFolder(), "cut.mp4");
	await writeFile(file, body);
	const rows = Array.from({ length: CAPTION_ROWS }, (_, row) => row);
	const shown = await Promise.all(rows.map((row) => captionSeconds(file, { width, height }, row)));
	const total = shown.reduce((sum, each) => sum + each, 0);
	console.log(
		`${(bytes.length / 1e6).toFixed(1)} MB of ${WHOLE_SECONDS.toFixed(0)} s became ${(body.length / 1e6).toFixed(2)} MB of ${seconds.toFixed(1)} s, ${width}x${height}, in ${took.toFixed(1)} s; captions for ${total.toFixed(1)} s`,
	);
	expect(seconds).toBeLessThanOrEqual(60);
	expect(body.length).toBeLessThanOrEqual(10_000_000);
	// Each caption may lack its first and its last frame.
	const wanted = (markers.length + 1) * CAPTION_SECONDS;
	expect(Math.abs(total - wanted)).toBeLessThanOrEqual(((markers.length + 1) * 1.5) / FRAMES_PER_SECOND);
	const { stdout } = await run("ffprobe", ["-v", "error", "-show_chapters", "-of", "json", file]);
	const titles = JSON.parse(stdout).chapters.map(({ tags }: { tags: { title: string } }) => tags.title);
	for (const { label } of [...markers, failure]) expect(titles).toContain(label);
});
