/** Records a display for a moment, with the arguments of a recording, to find out whether it can be recorded. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VideoFormat } from "@tapedeck/contract/video-options.ts";
import { pause } from "../base/wait.ts";
import type { RecordableDisplay } from "../displays/displays.ts";
import { captureFiles } from "../spool/capture-files.ts";
import { RecordedVideo } from "../video/recorded-video.ts";
import { faultOfStart, firstFrame } from "./begin-capture.ts";
import { type CaptureFault, faultOf, slowFault, startFault, unknownFault } from "./capture-fault.ts";
import { Capture, KEPT_PER_SECOND } from "./ffmpeg.ts";
import { areaOf, regionFault } from "./recorded-area.ts";

/** This many seconds of video are enough if they have enough frames. */
const ENOUGH_SECONDS = 1;
/** Time after which the rate of a slow capture is reported, in seconds. */
const SLOW_SECONDS = 6;
/** ffmpeg ends by itself after this many seconds, in case this process is killed. */
const LONGEST_SECONDS = 15;
const STOP_GRACE_MS = 3_000;
const POLL_MS = 50;

export interface TriedCapture {
	program: string;
	env: NodeJS.ProcessEnv;
	video: VideoFormat;
}

/** Leaves no files. @returns why the display cannot be recorded; null when it can. */
export async function tryCapture(display: RecordableDisplay, tried: TriedCapture): Promise<CaptureFault | null> {
	const { video } = tried;
	const missing = video.region === undefined ? null : regionFault(display, video.region);
	if (missing !== null) return missing;
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-doctor-"));
	try {
		return await tryIn(folder, display, tried);
	} catch (error) {
		return startFault(error);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function tryIn(folder: string, display: RecordableDisplay, tried: TriedCapture): Promise<CaptureFault | null> {
	const files = captureFiles(folder, 1);
	const area = areaOf(display, tried.video, null);
	const { framesPerSecond } = tried.video;
	const frames = LONGEST_SECONDS * framesPerSecond;
	const screen = { xName: display.xName, isBgrx: display.isBgrx, area, isPrivate: false };
	const capture = await Capture.start({ ...tried, ...screen, frames, files });
	const at = await firstFrame(capture, new AbortController().signal);
	if (typeof at !== "number") return faultOfStart(capture, { id: display.id, area });
	const recorded = new RecordedVideo(files.video, { framesPerSecond });
	// No more frames of an unchanged display are kept.
	const enough = Math.min(KEPT_PER_SECOND, framesPerSecond) * (2 / 3);
	const isEnough = () => {
		const { durationSeconds, lastFrames } = recorded;
		return durationSeconds >= ENOUGH_SECONDS && lastFrames / durationSeconds >= enough;
	};
	const begun = performance.now();
	const spent = () => (performance.now() - begun) / 1_000;
	try {
		while (!capture.isEnded && spent() < SLOW_SECONDS) {
			await recorded.refresh();
			if (isEnough()) break;
			await pause(POLL_MS);
		}
		const seconds = spent();
		const endedAlone = capture.isEnded;
		const end = await capture.stop(STOP_GRACE_MS);
		const stderr = await capture.stderr();
		const known = faultOf(stderr, display.id, true);
		if (known !== null) return known;
		if (endedAlone) return end.code === 0 ? null : unknownFault(stderr, end.signal ?? `status ${end.code}`);
		await recorded.seal();
		if (isEnough()) return null;
		// The length of the last frame is unknown, because no frame follows it.
		const captured = { frames: Math.max(1, recorded.lastFrames), seconds: Math.max(recorded.durationSeconds, seconds) };
		return slowFault(display.id, { ...captured, ...area });
	} finally {
		await recorded.close();
	}
}
