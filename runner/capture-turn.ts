/** What can happen to a running capture, and when it does. */
import { stat } from "node:fs/promises";
import type { Displays } from "./displays.ts";
import type { Capture } from "./ffmpeg.ts";
import { pause } from "./wait.ts";

/** A capture whose file does not grow for that many looks, a second apart, hangs. */
const STALLED_LOOKS = 5;
const LOOK_MS = 1_000;

/** `ended`: by itself. `stopped`: it has to end. `resized`: its display has another size. `stalled`: it hangs. */
export type CaptureTurn = "ended" | "stopped" | "resized" | "stalled";

export interface WatchedCapture {
	capture: Capture;
	displays: Displays;
	displayId: string;
	/** Of the display when the capture began. */
	size: { width: number; height: number };
	/** Aborted when the recording has to end. */
	stop: AbortSignal;
}

/** Resolves with the first thing that happens. */
export async function nextTurn({ capture, displays, displayId, size, stop }: WatchedCapture): Promise<CaptureTurn> {
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
	void stalls(capture.files.video, over.signal).then((stalled) => {
		if (stalled) resolve("stalled");
	});
	const turn = await promise;
	over.abort();
	displays.off("changed", look);
	stop.removeEventListener("abort", stopped);
	return turn;
}

/** Resolves with true when the file stops growing. Looks are counted, not time: the runner itself may be paused. */
async function stalls(file: string, over: AbortSignal): Promise<boolean> {
	let [size, looks] = [-1, 0];
	while (looks < STALLED_LOOKS) {
		await pause(LOOK_MS, over);
		if (over.aborted) return false;
		const now = await stat(file).then(
			(found) => found.size,
			() => -1,
		);
		looks = now === size ? looks + 1 : 0;
		size = now;
	}
	return true;
}
