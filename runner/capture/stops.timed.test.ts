/** The end of a recording that is stopped, as against one that ends by itself after its frames. */

import { videoFormat } from "@tapedeck/contract/video-options.ts";
import { expect, test } from "vitest";
import { startXvfb } from "../../test/displays/xvfb.ts";
import { requireProgram } from "../../test/processes/programs.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { pause } from "../../test/wait.ts";
import { captureFiles } from "../spool/capture-files.ts";
import { RecordedVideo } from "../video/recorded-video.ts";
import { Capture } from "./ffmpeg.ts";

test("a stopped video ends within a quarter of a second, at whatever moment it is stopped", async () => {
	const display = await startXvfb();
	await display.move();
	const framesPerSecond = 30;
	const late: number[] = [];
	try {
		// ffmpeg from 7.0 on looks for signals at intervals, by default of half a second.
		for (const phaseMs of [0, 100, 200, 300, 400]) {
			const capture = await Capture.start({
				program: requireProgram("ffmpeg"),
				env: process.env,
				xName: `${display.id}.0`,
				isBgrx: true,
				isPrivate: false,
				frames: null,
				area: { x: 0, y: 0, width: 640, height: 360 },
				video: videoFormat({ framesPerSecond }),
				files: captureFiles(await temporaryFolder("stops"), 1),
			});
			const firstFrameAt = (await capture.firstFrame()) ?? 0;
			await pause(firstFrameAt + 1_000 + phaseMs - Date.now());
			const stoppedAt = Date.now();
			await capture.stop(5_000);
			const video = new RecordedVideo(capture.files.video, { framesPerSecond });
			await video.seal();
			late.push(video.durationSeconds - (stoppedAt - firstFrameAt) / 1_000);
			await video.close();
		}
	} finally {
		await display.stop();
	}
	expect(Math.max(...late), `${late.map((seconds) => seconds.toFixed(2)).join(", ")} s late`).toBeLessThan(0.25);
});
