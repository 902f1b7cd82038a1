import { existsSync } from "node:fs";
import { type VideoOptions, videoFormat } from "@tapedeck/contract/video-options.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startCounterDisplay } from "../../test/counter/counter-display.ts";
import { reservedNumber, startXvfb, type VirtualDisplay } from "../../test/displays/xvfb.ts";
import { requireProgram } from "../../test/processes/programs.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { pause, until } from "../../test/wait.ts";
import { isAlive } from "../base/process-id.ts";
import { readConfig } from "../config/config.ts";
import { captureFiles } from "../spool/capture-files.ts";
import { RecordedVideo } from "../video/recorded-video.ts";
import { endedBySignal, errorLineOf, faultOf, unknownFault } from "./capture-fault.ts";
import { Capture } from "./ffmpeg.ts";

const { childEnv } = readConfig([], { ...process.env, TAPEDECK_URL: "http://x.example", TAPEDECK_TOKEN: "t" });
let display: VirtualDisplay;
let folder: string;

beforeAll(async () => {
	display = await startXvfb();
});
afterAll(() => display.stop());
beforeEach(async () => {
	folder = await temporaryFolder("capture");
});

const start = (
	over: {
		program?: string;
		xName?: string;
		width?: number;
		height?: number;
		frames?: number;
		video?: string;
		options?: VideoOptions;
	} = {},
): Promise<Capture> => {
	const files = captureFiles(folder, 1);
	return Capture.start({
		program: over.program ?? requireProgram("ffmpeg"),
		env: childEnv,
		xName: over.xName ?? `${display.id}.0`,
		area: { x: 0, y: 0, width: over.width ?? 640, height: over.height ?? 360 },
		isBgrx: true,
		isPrivate: false,
		video: videoFormat(over.options ?? {}),
		frames: over.frames ?? null,
		files: { ...files, video: over.video ?? files.video },
	});
};

test("a display that doesn't exist is display_unavailable", async () => {
	const capture = await start({ xName: ":54321" });
	expect(await capture.firstFrame()).toBeNull();
	expect(faultOf(await capture.stderr(), ":54321", false)?.code).toBe("display_unavailable");
});

test.each([
	["Maximum number of clients reached\n[x11grab @ 0x5601] Cannot open display :7, error 1.", "-maxclients"],
	["Invalid MIT-MAGIC-COOKIE-1 key\n[x11grab @ 0x5601] Cannot open display :7, error 1.", "XAUTHORITY"],
	["[x11grab @ 0x5601] Cannot open display :7.3, error 6.", "without the part after the dot"],
	["[x11grab @ 0x5601] Cannot open display :7, error 1.", "start it"],
])("a display that refuses ffmpeg is display_unavailable, with the remedy for its reason: %s", (stderr, remedy) => {
	expect(faultOf(`${stderr}\n:7: Input/output error\n`, ":7", false)).toMatchObject({
		code: "display_unavailable",
		remedy: expect.stringContaining(remedy),
	});
});

test("a display that shrank just before the capture is detected", async () => {
	const capture = await start({ width: 1_280 });
	await capture.ended;
	expect(faultOf(await capture.stderr(), display.id, false)).toMatchObject({
		code: "display_unavailable",
		shrunk: true,
	});
});

test("a display that dies while it is recorded is display_lost, although ffmpeg exits with 0", async () => {
	const doomed = await startXvfb({ number: reservedNumber() });
	const capture = await start({ xName: `${doomed.id}.0` });
	expect(await capture.firstFrame()).not.toBeNull();
	await doomed.kill();
	await capture.ended;
	expect(faultOf(await capture.stderr(), doomed.id, true)?.code).toBe("display_lost");
	await doomed.stop();
});

test("a full disk is storage_full", async () => {
	const capture = await start({ video: "/dev/full" });
	await capture.ended;
	expect(faultOf(await capture.stderr(), display.id, false)?.code).toBe("storage_full");
});

test("a clean end has no fault, and the first frame's time is that of its capture", async () => {
	const before = Date.now();
	const capture = await start({ frames: 8 });
	const at = await capture.firstFrame();
	expect(at).toBeGreaterThanOrEqual(before);
	expect(at).toBeLessThanOrEqual(Date.now());
	const end = await capture.ended;
	expect(end.code).toBe(0);
	const stderr = await capture.stderr();
	expect(faultOf(stderr, display.id, true)).toBeNull();
	expect(endedBySignal(stderr)).toBe(false);
	expect(existsSync(capture.files.poster)).toBe(true);
	const video = new RecordedVideo(capture.files.video, { limitSeconds: 8 / 15 });
	await video.seal();
	expect(video.durationSeconds).toBeCloseTo(8 / 15, 6);
	await video.close();
});

test("the first frames of a small display are written immediately, too", async () => {
	// By default, ffmpeg would probe 1.4 s of such frames, and a stop within that time would lose almost all of them.
	const times: number[] = [];
	// The least of several: a busy machine makes some later, but none earlier.
	while (times.length < 8 && !(Math.min(...times) < 1_200)) {
		const capture = await start({ width: 160 });
		const at = (await capture.firstFrame()) ?? 0;
		const video = new RecordedVideo(capture.files.video);
		await until(async () => {
			await video.refresh();
			return video.durationSeconds > 0;
		}, "a fragment");
		times.push(Date.now() - at);
		await capture.stop(5_000);
		await video.close();
		folder = await temporaryFolder("capture");
	}
	expect(Math.min(...times)).toBeLessThan(1_200);
});

test("a capture of a display that always changes ends with its stop: no frame waits anywhere", async () => {
	const counter = await startCounterDisplay(() => performance.now());
	try {
		const late: number[] = [];
		// The least of several: a busy machine makes some later, but none earlier.
		while (late.length < 6 && !(Math.min(...late) < 0.4)) {
			const capture = await start({ xName: `${counter.id}.0`, width: 320, height: 240 });
			const at = (await capture.firstFrame()) ?? 0;
			await pause(3_000);
			const stoppedAt = Date.now();
			await capture.stop(5_000);
			const video = new RecordedVideo(capture.files.video);
			await video.seal();
			late.push((stoppedAt - at) / 1_000 - video.durationSeconds);
			await video.close();
		}
		expect(Math.min(...late)).toBeLessThan(0.4);
	} finally {
		await counter.stop();
	}
});

test("a capture is adopted by its pid file, and can be stopped twice", async () => {
	const capture = await start();
	await capture.firstFrame();
	const adopted = await Capture.adopt(capture.files);
	expect(adopted?.process).toEqual(capture.process);
	await Promise.all([adopted?.stop(5_000), capture.stop(5_000)]);
	expect(isAlive(capture.process)).toBe(false);
	expect(await Capture.adopt(capture.files)).toBeNull();
	expect(faultOf(await capture.stderr(), display.id, true)).toBeNull();
});

test("an ffmpeg that ignores the stop is killed after the grace period", async () => {
	const capture = await start();
	await capture.firstFrame();
	process.kill(capture.process.pid, "SIGSTOP");
	expect((await capture.stop(500)).signal).toBe("SIGKILL");
});

test("complete fragments survive a kill and are counted", async () => {
	const capture = await start();
	const video = new RecordedVideo(capture.files.video);
	await until(async () => {
		await video.refresh();
		return video.durationSeconds > 1;
	}, "a second of video");
	capture.kill();
	await capture.ended;
	await video.seal();
	expect(Math.round(video.durationSeconds * 15) / 15).toBeCloseTo(video.durationSeconds, 6);
	await video.close();
});

test("the last words are ffmpeg's last line that is not harmless output", () => {
	expect(errorLineOf("Input #0, x\n[libx264 @ 0x1] broken thing\nframe=  1 fps=0\n  indented\n")).toBe("broken thing");
	// Printed at the start of each recording by versions that know -fps_mode.
	expect(errorLineOf("-vsync is deprecated. Use -fps_mode\n")).toBe("");
});

test("the last words begin with the reason when ffmpeg's last line only says that something failed", () => {
	const stderr = `Input #0, x11grab, from ':99.0':
  Duration: N/A, start: 1795845076.845563, bitrate: 15925248 kb/s
[vost#0:0/libx264 @ 0x1] [enc:libx264 @ 0x2] One of -r/-fpsmax was specified together a non-CFR -vsync/-fps_mode. This is contradictory.
Error opening output file part-1.mp4.
Error opening output files: Invalid argument
`;
	expect(errorLineOf(stderr)).toBe(
		"One of -r/-fpsmax was specified together a non-CFR -vsync/-fps_mode. This is contradictory. Error opening output files: Invalid argument",
	);
	expect(errorLineOf("Input #0, x\nError opening output files: Invalid argument\n")).toBe(
		"Error opening output files: Invalid argument",
	);
});

test("the fault of an ffmpeg that ended by itself has its last words, and refers to no log", () => {
	const { what, remedy } = unknownFault("[mp4 @ 0x1] Unsupported thing\n", "status 234");
	expect(what).toBe("ffmpeg ended unexpectedly (status 234): Unsupported thing");
	expect(remedy).toContain("tapedeck doctor");
});
