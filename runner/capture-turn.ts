/** What can happen to a running capture, and when it does. */
import { stat } from "node:fs/promises";
import type { Displays } from "./displays/displays.ts";
import type { Capture } from "./capture/ffmpeg.ts";
import { pause } from "./base/wait.ts";

/** A capture whose file does not grow for that many looks, a second apart, hangs. */
const STALLED_LOOKS = 5;
const LOOK_MS = 1_000;
/** How often the clock is looked at: what is captured after it was set is lost. */
const CLOCK_LOOK_MS = 250;

/**
 * `ended`: by itself. `stopped`: it has to end. `resized`: its display has another size. `stalled`: it hangs.
 * `clock_set`: its frames are stamped by a clock that was set.
 */
export type CaptureTurn = "ended" | "stopped" | "resized" | "stalled" | "clock_set";

export interface WatchedCapture {
	capture: Capture;
	displays: Displays;
	displayId: string;
	/** Of the display when the capture began. */
	size: { width: number; height: number };
	/** Whether the clock that stamps its frames was set. */
	isClockSet(): boolean;
	/** Called once a second. */
	looked(): void;
	/** Aborted when the recording has to end. */
	stop: AbortSignal;
}

/** Resolves with the first thing that happens. */
export async function nextTurn(watched: WatchedCapture): Promise<CaptureTurn> {
	const { capture, displays, displayId, size, stop } = watched;
	const over = new AbortController();
	const { promise, resolve } = Promise.withResolvers<CaptureTurn>();
	const look = () => {
		const display = displays.get(displayId);
		if (display && (display.width !== size.width || display.height !== size.height)) resolve("resized");
	};
	const stopped = () => resolve("stopped");
	displays.on("changed", look);
	stop.addEventListener("abort", stopped, { once: true });
	if (stop.aborted) stopped();
	look();
	void capture.ended.then(() => resolve("ended"));
	const clock = setInterval(() => {
		if (watched.isClockSet()) resolve("clock_set");
	}, CLOCK_LOOK_MS);
	void stalls(capture.files.video, over.signal, watched.looked).then((stalled) => {
		if (stalled) resolve("stalled");
	});
	const turn = await promise;
	over.abort();
	clearInterval(clock);
	displays.off("changed", look);
	stop.removeEventListener("abort", stopped);
	return turn;
}

/** Resolves with true when the file stops growing. Looks are counted, not time: the runner itself may be paused. */
async function stalls(file: string, over: AbortSignal, looked: () => void): Promise<boolean> {
	let [size, looks] = [-1, 0];
	while (looks < STALLED_LOOKS) {
		await pause(LOOK_MS, over);
		if (over.aborted) return false;
		looked();
		const now = await stat(file).then(
			(found) => found.size,
			() => -1,
		);
		looks = now === size ? looks + 1 : 0;
		size = now;
	}
	return true;
}
