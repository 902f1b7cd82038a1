/** `duration`: ffmpeg itself ends on the exact frame; watching is only a fallback. */
import type { StopConditionConfig } from "@tapedeck/contract/stop-condition.ts";
import { pause } from "../base/wait.ts";
import type { CaptureLimit, StopCondition, WatchedRecording } from "./stop-condition.ts";

/** The maximum time by which a recording may exceed its limit before it is stopped. */
const LATE_MS = 3_000;
/** setTimeout is limited to about 24 days, so longer waits are split. */
const LONGEST_PAUSE_MS = 86_400_000;

export function durationCondition(config: StopConditionConfig<"duration">): StopCondition {
	const limit: CaptureLimit = { seconds: config.durationSeconds, reached: { reason: "duration_elapsed" } };
	return { limit, watch: (recording) => stopIfLate(recording, limit) };
}

/** Stops the recording if ffmpeg has not ended at the limit. */
export async function stopIfLate(recording: WatchedRecording, limit: CaptureLimit): Promise<void> {
	const { over } = recording;
	const leftMs = () => recording.startedAt + limit.seconds * 1_000 - performance.now();
	for (let left = leftMs(); !over.aborted && left > 0; left = leftMs()) {
		await pause(Math.min(LONGEST_PAUSE_MS, left), over);
	}
	// A separate pause: after a suspend past the end, ffmpeg too resumes only now and needs time to finish its file.
	await pause(LATE_MS, over);
	if (!over.aborted) recording.stop(limit.reached);
}
