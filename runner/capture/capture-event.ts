/** Waits for the next event of a running capture. */
import { stat } from "node:fs/promises";
import type { Region } from "@tapedeck/contract/video-kinds.ts";
import { pause } from "../base/wait.ts";
import type { Displays } from "../displays/displays.ts";
import type { Size } from "../video/video-format.ts";
import type { Capture } from "./ffmpeg.ts";
import { isSameRegion } from "./recorded-area.ts";

/** A capture whose file does not grow for this many polls, a second apart, hangs. */
const STALLED_POLLS = 5;
const POLL_MS = 1_000;
const LOOK_MS = 500;
/** Interval of checking the privacy and the clock: frames captured after the clock was set are lost. */
const CHECK_MS = 250;

/**
 * `ended`: ffmpeg ended by itself. `stopped`: the recording has to end. `area_changed`: the recorded area has moved or
 * changed its size, because the display was resized or the window moved. `stalled`: ffmpeg hangs. `clock_set`: the
 * clock that stamps the frames was set. `privacy`: a private span has to begin or to end.
 */
export type CaptureEvent = "ended" | "stopped" | "area_changed" | "stalled" | "clock_set" | "privacy";

export interface WatchedCapture {
	capture: Capture;
	displays: Displays;
	displayId: string;
	/** The recorded area. */
	area: Region;
	/** The area that should be recorded of a display of this size. */
	areaOf(display: Size): Region;
	/** Called twice a second: looks for changes of the area. */
	look(): Promise<void>;
	/** Whether the clock that stamps its frames was set. */
	isClockSet(): boolean;
	/** Whether it captures the display and must not, or the other way round. */
	isPrivacyDue(): boolean;
	/** Called once a second. */
	polled(): void;
	/** Aborted when the recording has to end. */
	stop: AbortSignal;
}

/** Resolves with the first event. */
export async function nextCaptureEvent(watched: WatchedCapture): Promise<CaptureEvent> {
	const { capture, displays, displayId, area, stop } = watched;
	const over = new AbortController();
	const { promise, resolve } = Promise.withResolvers<CaptureEvent>();
	const checkArea = () => {
		const display = displays.get(displayId);
		if (display && !isSameRegion(watched.areaOf(display), area)) resolve("area_changed");
	};
	const stopped = () => resolve("stopped");
	displays.on("changed", checkArea);
	stop.addEventListener("abort", stopped, { once: true });
	if (stop.aborted) stopped();
	checkArea();
	void capture.ended.then(() => resolve("ended"));
	void lookAgain(watched.look, over.signal, checkArea);
	const check = () => {
		if (watched.isClockSet()) resolve("clock_set");
		else if (watched.isPrivacyDue()) resolve("privacy");
	};
	const checks = setInterval(check, CHECK_MS);
	check();
	void stalls(capture.files.video, over.signal, watched.polled).then((stalled) => {
		if (stalled) resolve("stalled");
	});
	const event = await promise;
	over.abort();
	clearInterval(checks);
	displays.off("changed", checkArea);
	stop.removeEventListener("abort", stopped);
	return event;
}

async function lookAgain(look: () => Promise<void>, over: AbortSignal, seen: () => void): Promise<void> {
	while (!over.aborted) {
		await look();
		seen();
		await pause(LOOK_MS, over);
	}
}

/** Resolves with true when the file stops growing. Counts polls, not time, because the runner itself may be paused. */
async function stalls(file: string, over: AbortSignal, polled: () => void): Promise<boolean> {
	let [size, unchanged] = [-1, 0];
	while (unchanged < STALLED_POLLS) {
		await pause(POLL_MS, over);
		if (over.aborted) return false;
		polled();
		const now = await stat(file).then(
			(found) => found.size,
			() => -1,
		);
		unchanged = now === size ? unchanged + 1 : 0;
		size = now;
	}
	return true;
}
