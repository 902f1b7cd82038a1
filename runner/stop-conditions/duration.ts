/** `duration`: ffmpeg itself ends on the exact frame; watching is only a fallback. */
import type { StopConditionConfig } from "@tapedeck/contract/stop-condition.ts";
import { pause } from "../base/wait.ts";
import { LATE_MS, type StopCondition } from "./stop-condition.ts";

/** setTimeout is limited to about 24 days, so longer waits are split. */
const LONGEST_PAUSE_MS = 86_400_000;

export function durationCondition(config: StopConditionConfig<"duration">): StopCondition {
	const limit = { seconds: config.durationSeconds, reached: { reason: "duration_elapsed" } } as const;
	return {
		limit,
		async watch(recording) {
			const { over } = recording;
			const leftMs = () => recording.startedAt + limit.seconds * 1_000 - performance.now();
			for (let left = leftMs(); !over.aborted && left > 0; left = leftMs()) {
				await pause(Math.min(LONGEST_PAUSE_MS, left), over);
			}
			// A separate pause: after a suspend past the end, ffmpeg too resumes only now and needs time to finish its file.
			await pause(LATE_MS, over);
			if (!over.aborted) recording.stop(limit.reached);
		},
	};
}
