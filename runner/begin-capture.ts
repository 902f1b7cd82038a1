/** From an order to a first frame: waits for the display, starts ffmpeg, looks whether it captures. */

import { dirname } from "node:path";
import { clockSetBy, wallClock } from "./base/clock.ts";
import type { OpenDisplay } from "./displays/displays.ts";
import { Capture, captureFiles } from "./capture/ffmpeg.ts";
import { type CaptureFault, faultOf, unknownFault } from "./ffmpeg-reason.ts";
import { fullDisk } from "./full-disk.ts";
import { wordsOf } from "./log.ts";
import type { Services } from "./services.ts";
import type { JobSpool } from "./spool.ts";
import { pause } from "./base/wait.ts";

const FIRST_FRAME_MS = 15_000;
const STOP_GRACE_MS = 3_000;

export interface CaptureStart {
	/** Its number, from 1. */
	part: number;
	/** After which ffmpeg ends by itself; null for no end. */
	frames: number | null;
	/** Size of the video that the picture is fitted into; null for its own. */
	fit: { width: number; height: number } | null;
	/** How long the display may take to be there. */
	displayWaitMs: number;
	/** Says that the job has to end before this began: then the answer is null, and what was captured is in the spool. */
	stop: AbortSignal;
}

export type Begun = { capture: Capture; firstFrameAt: number } | { fault: CaptureFault };

/** Begins a part of a recording. When it cannot, the manifest is as it was. */
export async function beginCapture(services: Services, spool: JobSpool, start: CaptureStart): Promise<Begun | null> {
	// What could not be saved earlier may well be saved now.
	if (spool.saveError !== null) await spool.update(() => undefined);
	if (spool.saveError !== null) return { fault: cannotStart(spool.saveError) };
	const { displayId } = spool.manifest;
	for (let attempt = 1; ; attempt++) {
		const display = await services.displays.waitFor(displayId, start.displayWaitMs, start.stop);
		if (start.stop.aborted) return null;
		if (display === undefined) return { fault: noDisplay(services, displayId, start.displayWaitMs) };
		const begun = await tryDisplay(services, spool, display, start);
		const fault = begun !== null && "fault" in begun ? begun.fault : null;
		if (fault !== null) await forget(spool, start.part);
		if (!fault?.shrunk || attempt === 3) return begun;
		// It changed between look and capture: its new size is known any moment.
		await pause(200, start.stop);
	}
}

const forget = (spool: JobSpool, number: number): Promise<void> =>
	spool.update((manifest) => {
		manifest.parts = manifest.parts.filter(({ part }) => part < number);
	});

async function tryDisplay(
	services: Services,
	spool: JobSpool,
	display: OpenDisplay,
	{ part, frames, fit, stop }: Omit<CaptureStart, "displayWaitMs">,
): Promise<Begun | null> {
	const { width, height, xName } = display;
	const files = captureFiles(spool.folder, part);
	const { ffmpeg, childEnv } = services.config;
	const clock = wallClock();
	let capture: Capture;
	try {
		// The manifest first: an ffmpeg that runs must be findable, whenever the runner is killed.
		await spool.update((manifest) => {
			const before = manifest.parts.filter((other) => other.part < part);
			manifest.parts = [
				...before,
				{ part, firstFrameAt: null, startFrames: 0, clock, endFrames: null, told: part === 1, width, height, xName },
			];
		});
		if (spool.saveError !== null) return { fault: cannotStart(spool.saveError) };
		capture = await Capture.start({ program: ffmpeg, env: childEnv, xName, width, height, frames, fit, files });
	} catch (error) {
		return { fault: cannotStart(error) };
	}
	const at = await firstFrame(capture, stop);
	if (at === "stopped") {
		await capture.stop(STOP_GRACE_MS);
		return null;
	}
	if (at === null) return { fault: await faultOfStart(capture, spool.manifest.displayId) };
	if (clockSetBy(clock) !== 0) {
		// By which clock the first frame is stamped nobody knows.
		capture.kill();
		await capture.ended;
		return tryDisplay(services, spool, display, { part, frames, fit, stop });
	}
	return { capture, firstFrameAt: at };
}

/** @returns null when there is none in time: then it is ended. "stopped" when the recording has to end first. */
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

async function faultOfStart(capture: Capture, displayId: string): Promise<CaptureFault> {
	const end = await capture.ended;
	const stderr = await capture.stderr();
	if (end.signal === "SIGKILL" && stderr.trim() === "") {
		return { reason: "display_unavailable", message: `Display ${displayId} does not answer; restart its X server.` };
	}
	const known = faultOf(stderr, displayId, false) ?? (await fullDisk(dirname(capture.files.video)));
	return known ?? unknownFault(stderr, end.signal ?? `status ${end.code}`);
}

function noDisplay(services: Services, displayId: string, waitedMs: number): CaptureFault {
	const there = services.displays.list().map((display) => display.id);
	const choice = there.length === 0 ? "The runner has no display at all" : `The runner has ${there.join(", ")}`;
	const message =
		services.displays.refusalOf(displayId) ??
		`Display ${displayId} is not there and did not come within ${waitedMs / 1_000} s. ${choice}; start it, or choose another one.`;
	return { reason: "display_unavailable", message };
}

function cannotStart(error: unknown): CaptureFault {
	const code = (error as NodeJS.ErrnoException).code ?? "";
	if (["ENOSPC", "EDQUOT", "EROFS"].includes(code)) {
		return {
			reason: "storage_full",
			message: `The runner's data directory cannot take the recording (${code}); make room on its disk, or set TAPEDECK_DATA_DIR.`,
		};
	}
	return { reason: "ffmpeg_failed", message: `ffmpeg could not be started (${wordsOf(error)}); see the runner's log.` };
}
