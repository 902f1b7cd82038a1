/** `duration`: ffmpeg itself ends on the very frame; watching is only for an ffmpeg that does not. */
import type { DurationConfig } from "#lib/contract/stop-condition.ts";
import { pause } from "../base/wait.ts";
import type { StopCondition } from "./stop-condition.ts";

/** How much longer than asked a recording may take before it is stopped from outside. */
const LATE_MS = 3_000;
/** Longer pauses than setTimeout can take are cut into pieces. */
const LONGEST_PAUSE_MS = 86_400_000;

export function durationCondition(config: DurationConfig): StopCondition {
	return {
		captureSeconds: config.durationSeconds,
		async watch(recording) {
			const { over } = recording;
			const leftMs = () => recording.startedAt + config.durationSeconds * 1_000 - performance.now();
			for (let left = leftMs(); !over.aborted && left > 0; left = leftMs()) {
				await pause(Math.min(LONGEST_PAUSE_MS, left), over);
			}
			// By itself: on a machine that was paused beyond the end, ffmpeg too comes back only now, and ends its file then.
			await pause(LATE_MS, over);
			if (!over.aborted) recording.stop({ reason: "duration_elapsed" });
		},
	};
}
