/** Ends a recording at the cap, unless another reason has ended it before. */
import { pause } from "../base/wait.ts";
import { stopIfLate } from "./duration.ts";
import type { CaptureLimit, StopCondition, WatchedRecording } from "./stop-condition.ts";

/** The dashboard may set the cap of a recording that began without it. */
const LOOK_EVERY_MS = 5_000;

const limitOf = (maxDurationSeconds: number): CaptureLimit => ({
	seconds: maxDurationSeconds,
	reached: { reason: "duration_cap", data: { maxDurationSeconds } },
});

/**
 * A cap that is known at the beginning limits the capture, like a duration.
 * @param capSeconds reads the cap, counted from the first frame; null while there is none.
 */
export function withCap(condition: StopCondition, capSeconds: () => number | null): StopCondition {
	if (condition.limit !== null) return condition;
	const known = capSeconds();
	const limit = known === null ? null : limitOf(known);
	return {
		limit,
		async watch(recording) {
			const capped = limit === null ? stopAtCap(recording, capSeconds) : stopIfLate(recording, limit);
			await Promise.all([condition.watch(recording), capped]);
		},
	};
}

/** Stops a recording that has begun without a cap when it reaches the one that it may get. */
async function stopAtCap(recording: WatchedRecording, capSeconds: () => number | null): Promise<void> {
	const { over } = recording;
	while (!over.aborted) {
		const cap = capSeconds();
		const leftMs = cap === null ? LOOK_EVERY_MS : recording.startedAt + cap * 1_000 - performance.now();
		if (cap !== null && leftMs <= 0) return recording.stop(limitOf(cap).reached);
		await pause(Math.min(LOOK_EVERY_MS, leftMs), over);
	}
}
