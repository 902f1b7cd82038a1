/** From an order to a first frame: waits for the display, starts ffmpeg, looks whether it captures. */

import type { OpenDisplay } from "./displays.ts";
import { Capture, captureFiles } from "./ffmpeg.ts";
import { type CaptureFault, faultOf, unknownFault } from "./ffmpeg-reason.ts";
import { wordsOf } from "./log.ts";
import type { Services } from "./services.ts";
import type { JobSpool, Part } from "./spool.ts";
import { pause } from "./wait.ts";

const DISPLAY_WAIT_MS = 10_000;
const FIRST_FRAME_MS = 15_000;
const STOP_GRACE_MS = 3_000;

export type Begun = { capture: Capture } | { fault: CaptureFault };

/**
 * @param frames after which ffmpeg ends by itself; null for no end.
 * @param stop says that the job has to end before it began: then the answer is null, and whatever was captured
 * until then is in the spool.
 */
export async function beginCapture(
	services: Services,
	spool: JobSpool,
	frames: number | null,
	stop: AbortSignal,
): Promise<Begun | null> {
	if (spool.saveError !== null) return { fault: cannotStart(spool.saveError) };
	for (let attempt = 1; ; attempt++) {
		const display = await services.displays.waitFor(spool.manifest.displayId, DISPLAY_WAIT_MS, stop);
		if (stop.aborted) return null;
		if (display === undefined) return { fault: noDisplay(services, spool.manifest.displayId) };
		const begun = await tryDisplay(services, spool, display, frames, stop);
		const shrunk = begun !== null && "fault" in begun && begun.fault.shrunk;
		if (!shrunk || attempt === 3) return begun;
		// It changed between look and capture: its new size is known any moment.
		await pause(200, stop);
	}
}

async function tryDisplay(
	services: Services,
	spool: JobSpool,
	display: OpenDisplay,
	frames: number | null,
	stop: AbortSignal,
): Promise<Begun | null> {
	const { width, height, xName } = display;
	const files = captureFiles(spool.folder, 1);
	const { ffmpeg, childEnv } = services.config;
	let capture: Capture;
	try {
		// The manifest first: an ffmpeg that runs must be findable, whenever the runner is killed.
		await spool.update((manifest) => {
			manifest.parts = [{ part: 1, firstFrameAt: null, width, height, xName }];
		});
		capture = await Capture.start({ program: ffmpeg, env: childEnv, xName, width, height, frames, files });
	} catch (error) {
		return { fault: cannotStart(error) };
	}
	const at = await firstFrame(capture, stop);
	if (at === "stopped") {
		await capture.stop(STOP_GRACE_MS);
		return null;
	}
	if (at === null) return { fault: await faultOfStart(capture, spool.manifest.displayId) };
	await spool.update((manifest) => {
		const part = manifest.parts.at(-1);
		if (part) part.firstFrameAt = at;
	});
	return { capture };
}

async function firstFrame(capture: Capture, stop: AbortSignal): Promise<number | null | "stopped"> {
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
	return faultOf(stderr, displayId, false) ?? unknownFault(stderr, end.signal ?? `status ${end.code}`);
}

/** Takes up the ffmpeg of an earlier life of the runner; null when it runs no more. */
export async function resumeCapture(spool: JobSpool, part: Part): Promise<Capture | null> {
	const capture = await Capture.adopt(captureFiles(spool.folder, part.part));
	if (capture === null) return null;
	// The runner may have died before it knew of the first frame.
	const at = part.firstFrameAt ?? (await capture.firstFrame());
	await spool.update(() => {
		part.firstFrameAt = at;
	});
	return capture;
}

function noDisplay(services: Services, displayId: string): CaptureFault {
	const there = services.displays.list().map((display) => display.id);
	const choice = there.length === 0 ? "The runner has no display at all" : `The runner has ${there.join(", ")}`;
	const message =
		services.displays.refusalOf(displayId) ??
		`Display ${displayId} is not there and did not come within 10 s. ${choice}; start it, or choose another one.`;
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
