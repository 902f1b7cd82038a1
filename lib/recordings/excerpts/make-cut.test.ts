import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inExplore } from "#test/in-explore.ts";
import { openTestRecordings, type TestRecordings } from "#test/recordings.ts";
import { beginUpload, patch } from "#test/tus-client.ts";
import { colorsOf } from "#test/videos/colors.ts";
import { keptVideo, makeVideo, RECORDER } from "#test/videos/make-video.ts";
import { probeBytes } from "#test/videos/probe-bytes.ts";
import { createRecordingMarker } from "../recording-markers.ts";
import { changesOf } from "./frame-times.ts";

const run = promisify(execFile);

let t: TestRecordings;
beforeEach(async () => {
	t = await openTestRecordings();
});
afterEach(() => t.close());

/**
 * @returns a minute as a runner records it, in which equal frames come three times a second: red, a box that moves from 20 to
 *   22 s, and blue from 40 s on.
 */
async function mostlyStill(): Promise<Buffer> {
	const red = "color=red:size=160x90:rate=15:duration=60";
	const graph = [
		`${red}[red];color=white:size=20x20:rate=15:duration=60[box];color=blue:size=160x90:rate=15:duration=60[blue]`,
		"[red][box]overlay=x='(t-20)*50':y=30:enable='between(t,20,22)'[moved]",
		"[moved][blue]overlay=enable='gte(t,40)',select='not(mod(n,5))+between(t,20,22.1)'[v]",
	].join(";");
	const output = ["-map", "[v]", "-fps_mode", "vfr", ...RECORDER];
	return readFile(await keptVideo("mostly-still.mp4", ["-filter_complex", graph, ...output]));
}

async function recorded(bytes: Buffer): Promise<number> {
	const jobId = await t.addJob("uploading");
	await patch(t, await beginUpload(t, { jobId }), 0, bytes, { length: bytes.length });
	return (await t.recordings()).find((each) => each.jobId === jobId)?.id ?? 0;
}

const cutOf = (id: number, query = "", headers = {}) =>
	t.call(`/v1/recordings/${id}/proof?${query}`, { as: "key", headers });

async function chaptersOf(bytes: Buffer): Promise<[string, number][]> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-cut-"));
	try {
		await writeFile(join(folder, "cut.mp4"), bytes);
		const words = ["-v", "error", "-show_chapters", "-of", "json", join(folder, "cut.mp4")];
		const { chapters } = JSON.parse((await run("ffprobe", words)).stdout);
		return chapters.map(({ tags, start_time }: { tags: { title: string }; start_time: string }) => [
			tags.title,
			Number(start_time),
		]);
	} finally {
		await rm(folder, { recursive: true });
	}
}

const colorOf = ([red = 0, , blue = 0]: number[]): string => (red > blue ? "red" : "blue");

test("a review cut of a minute shows what changes, its markers, and the failure last", async () => {
	const id = await recorded(await mostlyStill());
	const mark = (label: string, kind: "note" | "fail", offsetSeconds: number) =>
		createRecordingMarker(t.as("key"), id, { label, kind, offsetSeconds });
	await mark("Pay: it's [50%], \\o/ 日本", "note", 30);
	await mark("Broken", "fail", 50);
	const { status, headers, body } = await cutOf(id);
	expect([status, headers["content-type"]]).toEqual([200, "video/mp4"]);
	const { codec, profile, pixelFormat, width, height, seconds } = await probeBytes(body);
	expect([codec, profile, pixelFormat, width, height]).toEqual(["h264", "Main", "yuv420p", 160, 90]);
	// 0 to 1, the box for 2 s and a second after it, 29.5 to 30.5, and the failure from 40 to 55.
	const colors = (await colorsOf(body)).map(colorOf);
	const perSecond = colors.length / seconds;
	const isRed = colors.lastIndexOf("red") + 1;
	expect(colors.slice(0, 4 * perSecond)).not.toContain("blue");
	expect(seconds).toBeCloseTo(20.1, 0);
	expect((colors.length - isRed) / perSecond).toBeCloseTo(15, 0);
	const chapters = await chaptersOf(body);
	expect(chapters.map(([title]) => title)).toEqual(["Checkout test", "Pay: it's [50%], \\o/ 日本", "Broken"]);
	expect(chapters[2]?.[1]).toBeCloseTo(seconds - 5, 0);
});

inExplore(test)("a review cut is a GIF on request, as long as its video and within its bytes", async () => {
	const id = await recorded(await mostlyStill());
	const { status, headers, body } = await cutOf(id, "format=gif&maxBytes=200000");
	expect([status, headers["content-type"]]).toEqual([200, "image/gif"]);
	expect(headers["content-disposition"]).toContain(`_${id}_proof.gif`);
	expect(body.subarray(0, 6).toString()).toBe("GIF89a");
	expect(body.length).toBeLessThanOrEqual(200_000);
	const gif = await probeBytes(body);
	const video = await probeBytes((await cutOf(id)).body);
	expect([gif.codec, gif.width, gif.height]).toEqual(["gif", 160, 90]);
	expect(gif.seconds).toBeCloseTo(video.seconds, 0);
});

test("an unchanged frame is told by its size, and a key frame by coming early or differing from the one before", () => {
	const group = (from: number, bytes: number, frames = 4) =>
		Array.from({ length: frames }, (_, index) => ({
			...{ at: from + index, isKey: index === 0, bytes: index === 0 ? bytes : 30 + (index % 2) },
		}));
	const still = [...group(0, 9_600), ...group(4, 9_000), ...group(8, 9_020)];
	expect(changesOf(still, 230_400)).toEqual([]);
	expect(changesOf([...still, ...group(12, 12_000), ...group(16, 12_010)], 230_400)).toEqual([12]);
	expect(changesOf([...still, ...group(12, 9_010, 2), ...group(14, 9_000)], 230_400)).toEqual([14]);
	const changed = [...group(12, 9_010, 2), { at: 14, bytes: 900, isKey: false }, { at: 15, bytes: 31, isKey: false }];
	expect(changesOf([...still, ...changed, ...group(16, 12_000), ...group(20, 12_010)], 230_400)).toEqual([14]);
});

test("a review cut is refused while the recording is live", async () => {
	const jobId = await t.addJob("recording");
	await patch(t, await beginUpload(t, { jobId }), 0, await readFile(await makeVideo("recorder.mp4")));
	const [live] = await t.recordings();
	const { status, body } = await cutOf(live?.id ?? 0);
	expect([status, JSON.parse(body.toString()).detail]).toEqual([
		409,
		`Recording ${live?.id} is still being recorded or uploaded. Stop it and wait until it is complete: a proof is of the whole recording.`,
	]);
});
