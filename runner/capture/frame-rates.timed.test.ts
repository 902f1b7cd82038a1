/**
 * Properties of a recording at every frame rate: its length, the times of its frames, and the places where parts can
 * begin.
 */

import { videoFormat } from "@tapedeck/contract/video-options.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CounterDisplay, startCounterDisplay } from "../../test/counter/counter-display.ts";
import { readVideo } from "../../test/counter/read-video.ts";
import { variants } from "../../test/in-explore.ts";
import { requireProgram } from "../../test/processes/programs.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { captureFiles } from "../spool/capture-files.ts";
import { RecordedVideo } from "../video/recorded-video.ts";
import { Capture } from "./ffmpeg.ts";

let folder: string;
let display: CounterDisplay;
beforeEach(async () => {
	folder = await temporaryFolder("rates");
	// The time since 1970, as far as a counter goes.
	display = await startCounterDisplay(() => Date.now() - began);
});
afterEach(async () => {
	await display.stop();
});
const began = Date.now();

const capture = (framesPerSecond: number, frames: number | null): Promise<Capture> =>
	Capture.start({
		...{
			program: requireProgram("ffmpeg"),
			env: process.env,
			xName: `${display.id}.0`,
			isBgrx: true,
			isPrivate: false,
		},
		...{
			area: { x: 0, y: 0, width: 320, height: 240 },
			video: videoFormat({ framesPerSecond, preset: "sharp" }),
			frames,
		},
		files: captureFiles(folder, 1),
	});

/** A fragment takes a third of a second, or one frame if that is longer. */
const RATES = variants([1, 2, 5, 30, 60], (rate) => rate === 1 || rate === 60);

describe.each(RATES)("at %i frames a second", (framesPerSecond) => {
	test("a duration is exact, and each frame shows what the display showed at its time", async () => {
		const seconds = 4;
		const running = await capture(framesPerSecond, seconds * framesPerSecond);
		const startedAt = (await running.firstFrame()) ?? 0;
		expect((await running.ended).code).toBe(0);
		const video = new RecordedVideo(running.files.video, { framesPerSecond, limitSeconds: seconds });
		await video.seal();
		expect(video.durationSeconds).toBeCloseTo(seconds, 6);
		await video.close();
		const { frames, complaints } = await readVideo(running.files.video);
		expect(complaints).toBe("");
		const shown = frames.filter(({ at }) => at < seconds * 1_000 - 1);
		expect(shown.length).toBeGreaterThan(0);
		expect(shown.length).toBeLessThanOrEqual(seconds * framesPerSecond);
		// A frame that is captured while the display paints its counter shows none.
		const readable = shown.flatMap(({ at, counter }) => (counter === null ? [] : [{ at, counter }]));
		expect(readable.length).toBeGreaterThanOrEqual(shown.length * 0.95);
		for (const { at, counter } of readable) expect(Math.abs(began + counter - startedAt - at)).toBeLessThan(500);
	});

	test("a killed encoder loses a third of a second, or the frame that was shown", async () => {
		const running = await capture(framesPerSecond, null);
		const startedAt = (await running.firstFrame()) ?? 0;
		const video = new RecordedVideo(running.files.video, { framesPerSecond });
		const lost: number[] = [];
		// The least of several: a busy machine writes some later, but none earlier.
		const promised = Math.max(1 / 3, 1 / framesPerSecond) + 0.4;
		while (lost.length < 10 && !(Math.min(...lost) < promised)) {
			await new Promise((resolve) => setTimeout(resolve, 700));
			await video.refresh();
			lost.push((Date.now() - startedAt) / 1_000 - video.durationSeconds);
		}
		running.kill();
		await running.ended;
		await video.seal();
		await video.close();
		expect(Math.min(...lost)).toBeLessThan(promised);
	});
});
