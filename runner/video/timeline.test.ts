import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { requireProgram } from "../../test/processes/programs.ts";
import { jobSpool, newPart } from "../../test/runners/job-spool.ts";
import { Timeline } from "./timeline.ts";

const spool = jobSpool();

async function encode(part: number, size: string): Promise<void> {
	const source = ["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=15`, "-frames:v", "30", "-c:v", "libx264"];
	const flags = ["-movflags", "+frag_keyframe+empty_moov+default_base_moof+skip_trailer", "-frag_duration", "333333"];
	const file = join(spool().folder, `part-${part}.mp4`);
	await promisify(execFile)(requireProgram("ffmpeg"), ["-v", "error", "-y", ...source, ...flags, file]);
	spool().manifest.parts.push(newPart(part));
}

test("a first part that starts over is read afresh, whatever an earlier attempt left in its file", async () => {
	const timeline = new Timeline(spool(), null);
	const file = join(spool().folder, "part-1.mp4");
	await encode(1, "64x48");
	const attempt = await readFile(file);
	await writeFile(file, attempt.subarray(0, attempt.indexOf("moof", 0, "latin1") + 400));
	await timeline.place(timeline.last, Date.now() - 10_000);
	await timeline.video.sealPart();
	await timeline.forgetEmptyPart();
	// The upload refreshes constantly while it waits for the first frame.
	await timeline.video.refresh();
	await encode(1, "320x240");
	await timeline.place(timeline.last, Date.now() - 5_000);
	await timeline.video.seal();
	const whole = await readFile(file);
	expect(timeline.video.durationSeconds).toBeCloseTo(2, 6);
	expect(timeline.video.available).toBe(whole.length);
	await timeline.video.close();
});
