import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { videoFormat } from "@tapedeck/contract/video-options.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startXvfb, type VirtualDisplay } from "../../test/displays/xvfb.ts";
import { inExplore } from "../../test/in-explore.ts";
import { startChild } from "../../test/processes/child.ts";
import { requireProgram } from "../../test/processes/programs.ts";
import { nothingLeft } from "../../test/runners/runner-process.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { pause } from "../../test/wait.ts";
import { isAlive, ownProcess, parseStat } from "../base/process-id.ts";
import { readConfig } from "../config/config.ts";
import { captureFiles } from "../spool/capture-files.ts";
import { RUNNER_FILE } from "../spool/data-dir.ts";
import { RecordedVideo } from "../video/recorded-video.ts";
import { Capture } from "./ffmpeg.ts";
import { keepWatchdog } from "./watchdog.ts";

const { childEnv } = readConfig([], { ...process.env, TAPEDECK_URL: "http://x.example", TAPEDECK_TOKEN: "t" });
let display: VirtualDisplay;
let dataDir: string;
let capture: Capture;

beforeEach(async () => {
	display = await startXvfb();
	dataDir = await temporaryFolder("watchdog");
	capture = await startCapture(join(dataDir, "jobs", "job-1"));
});

async function startCapture(folder: string): Promise<Capture> {
	await mkdir(folder, { recursive: true });
	const capture = await Capture.start({
		program: requireProgram("ffmpeg"),
		env: childEnv,
		xName: `${display.id}.0`,
		area: { x: 0, y: 0, width: 640, height: 360 },
		isBgrx: true,
		isPrivate: false,
		video: videoFormat({}),
		frames: null,
		files: captureFiles(folder, 1),
	});
	await capture.firstFrame();
	return capture;
}
afterEach(async () => {
	await capture.stop(2_000);
	await rm(join(dataDir, RUNNER_FILE), { force: true });
	await nothingLeft(dataDir);
	await display.stop();
});

/** A dead runner: its pid file names a process that has ended. */
async function deadRunner(): Promise<string> {
	const child = startChild("/bin/sh", ["-c", "cat /proc/$$/stat"]);
	await child.exited;
	const id = parseStat(child.output());
	return `${id?.pid} ${id?.startTicks}\n`;
}

test("an ffmpeg whose runner is not restarted is ended cleanly", async () => {
	await writeFile(join(dataDir, RUNNER_FILE), await deadRunner());
	const watchdog = keepWatchdog(dataDir, childEnv, 2);
	const end = await capture.ended;
	// The file is complete: ffmpeg had time to finish it.
	expect(end.signal).toBeNull();
	const video = new RecordedVideo(capture.files.video);
	await video.seal();
	expect(video.hasFrames).toBe(true);
	await video.close();
	watchdog.stop();
});

inExplore(test)("an ffmpeg of a buffer whose runner is not restarted is ended, too", async () => {
	const buffer = await startCapture(join(dataDir, "buffer", "99"));
	await writeFile(join(dataDir, RUNNER_FILE), await deadRunner());
	const watchdog = keepWatchdog(dataDir, childEnv, 2);
	expect((await buffer.ended).signal).toBeNull();
	watchdog.stop();
});

test("an ffmpeg with a running runner is left alone", async () => {
	const own = ownProcess();
	await writeFile(join(dataDir, RUNNER_FILE), `${own.pid} ${own.startTicks}\n`);
	const watchdog = keepWatchdog(dataDir, childEnv, 1);
	await pause(5_000);
	expect(isAlive(capture.process)).toBe(true);
	watchdog.stop();
});
