/** Starts a capture: waits for the display, starts ffmpeg and waits for the first frame. */
import { dirname } from "node:path";
import type { Region } from "@tapedeck/contract/video-kinds.ts";
import { clockSetBy, wallClock } from "../base/clock.ts";
import { pause } from "../base/wait.ts";
import type { RunnerConfig } from "../config/config.ts";
import type { Displays, OpenDisplay } from "../displays/displays.ts";
import { captureFiles } from "../spool/capture-files.ts";
import type { Manifest } from "../spool/spool.ts";
import { type CaptureFault, faultOf, fullDisk, slowFault, startFault, unknownFault } from "./capture-fault.ts";
import { Capture } from "./ffmpeg.ts";
import { areaOf, regionFault } from "./recorded-area.ts";

const FIRST_FRAME_MS = 15_000;
const STOP_GRACE_MS = 3_000;

/** Shared by all captures of a runner. */
export interface CaptureTools {
	config: Pick<RunnerConfig, "ffmpeg" | "childEnv">;
	displays: Displays;
}

type CaptureManifest = Pick<Manifest, "displayId" | "video" | "parts" | "privacy">;

/** The folder of a capture and its settings: a job's spool, or a buffer. */
export interface CaptureFolder {
	readonly folder: string;
	readonly manifest: CaptureManifest;
	readonly saveError: NodeJS.ErrnoException | null;
	/** Changes the manifest; resolves when the change is saved, or `saveError` set. */
	update(change: (manifest: CaptureManifest) => void): Promise<void>;
}

export interface CaptureStart {
	/** Number of the part, from 1. */
	part: number;
	/** The number of frames after which ffmpeg ends by itself; null for no limit. */
	frames: number | null;
	/** The place of the window that the recording follows; null while there is none. */
	window: Region | null;
	/** Maximum time to wait for the display. */
	displayWaitMs: number;
	/** The maximum interval of key frames, in seconds; the default if omitted. */
	keyFrameSeconds?: number;
	/** Aborted when the job has to end first: then the result is null, and anything captured stays in the spool. */
	stop: AbortSignal;
}

export type Begun = { capture: Capture; firstFrameAt: number } | { fault: CaptureFault };

/** Starts a part of a recording. On failure, removes the part from the manifest again. */
export async function beginCapture(
	tools: CaptureTools,
	spool: CaptureFolder,
	start: CaptureStart,
): Promise<Begun | null> {
	// Saving failed earlier, but may succeed now.
	if (spool.saveError !== null) await spool.update(() => undefined);
	if (spool.saveError !== null) return { fault: startFault(spool.saveError) };
	const { displayId } = spool.manifest;
	for (let attempt = 1; ; attempt++) {
		const display = await tools.displays.waitFor(displayId, start.displayWaitMs, start.stop);
		if (start.stop.aborted) return null;
		if (display === undefined) return { fault: noDisplay(tools, displayId, start.displayWaitMs) };
		const begun = await tryDisplay(tools, spool, display, start);
		const fault = begun !== null && "fault" in begun ? begun.fault : null;
		if (fault !== null) await forget(spool, start.part);
		if (!fault?.shrunk || attempt === 3) return begun;
		// The size changed just before the capture: the new one is known in a moment.
		await pause(200, start.stop);
	}
}

const forget = (spool: CaptureFolder, number: number): Promise<void> =>
	spool.update((manifest) => {
		manifest.parts = manifest.parts.filter(({ part }) => part < number);
	});

async function tryDisplay(
	tools: CaptureTools,
	spool: CaptureFolder,
	display: OpenDisplay,
	{ part, frames, window, keyFrameSeconds, stop }: Omit<CaptureStart, "displayWaitMs">,
): Promise<Begun | null> {
	const { xName } = display;
	const { video } = spool.manifest;
	// The first part has exactly the requested region, or fails. Later parts have the remaining region, because the test
	// continues.
	const missing = video.region === undefined || part > 1 ? null : regionFault(display, video.region);
	if (missing !== null) return { fault: missing };
	const area = areaOf(display, video, window);
	const files = captureFiles(spool.folder, part);
	const { ffmpeg, childEnv } = tools.config;
	const clock = wallClock();
	const { on: isPrivate } = spool.manifest.privacy;
	let capture: Capture;
	try {
		// Save the manifest first, so that ffmpeg can be found again whenever the runner is killed.
		await spool.update((manifest) => {
			const before = manifest.parts.filter((other) => other.part < part);
			const isExpected = part === 1 || before.at(-1)?.isPrivate !== isPrivate;
			manifest.parts = [
				...before,
				{
					part,
					firstFrameAt: null,
					startFrames: 0,
					clock,
					endFrames: null,
					reported: isExpected,
					...area,
					xName,
					isPrivate,
				},
			];
		});
		if (spool.saveError !== null) return { fault: startFault(spool.saveError) };
		const screen = { xName, area, isBgrx: tools.displays.isBgrx(spool.manifest.displayId), isPrivate };
		capture = await Capture.start({
			program: ffmpeg,
			env: childEnv,
			...screen,
			video,
			frames,
			keyFrameSeconds,
			files,
		});
	} catch (error) {
		return { fault: startFault(error) };
	}
	const at = await firstFrame(capture, stop);
	if (at === "stopped") {
		await capture.stop(STOP_GRACE_MS);
		return null;
	}
	if (at === null) return { fault: await faultOfStart(capture, { id: spool.manifest.displayId, area }) };
	if (clockSetBy(clock) !== 0) {
		// The first frame may be stamped by either setting of the clock: start over.
		capture.kill();
		await capture.ended;
		return tryDisplay(tools, spool, display, { part, frames, window, keyFrameSeconds, stop });
	}
	return { capture, firstFrameAt: at };
}

/** @returns ms since 1970; null when there was no frame in time, and ffmpeg was killed; "stopped" when `stop` came first. */
export async function firstFrame(capture: Capture, stop: AbortSignal): Promise<number | null | "stopped"> {
	const late = new AbortController();
	const stopped = pause(FIRST_FRAME_MS, AbortSignal.any([stop, late.signal])).then(() => "stopped" as const);
	const first = await Promise.race([capture.firstFrame(), stopped]);
	late.abort();
	if (first !== "stopped" || stop.aborted) return first;
	capture.kill();
	await capture.ended;
	return null;
}

/** Why a capture ended, or was killed, before its first frame. */
export async function faultOfStart(
	capture: Capture,
	{ id: displayId, area }: { id: string; area: Region },
): Promise<CaptureFault> {
	const end = await capture.ended;
	const stderr = await capture.stderr();
	const seconds = (performance.now() - capture.since) / 1_000;
	if (end.signal === "SIGKILL" && stderr.trim() === "") {
		return {
			code: "display_unavailable",
			what: `Display ${displayId} doesn't respond`,
			remedy: "restart its X server",
		};
	}
	const known = faultOf(stderr, displayId, false) ?? (await fullDisk(dirname(capture.files.video)));
	if (known !== null) return known;
	// It has opened the display, and said nothing that would be a reason.
	if (capture.wasKilled) return slowFault(displayId, { ...area, frames: 0, seconds });
	return unknownFault(stderr, end.signal ?? `status ${end.code}`);
}

/** The fault of a display that did not appear. */
export function noDisplay(tools: CaptureTools, displayId: string, waitedMs: number): CaptureFault {
	const { displays } = tools;
	return displays.refusalOf(displayId) ?? displays.notFound(displayId, `wasn't available within ${waitedMs / 1_000} s`);
}
