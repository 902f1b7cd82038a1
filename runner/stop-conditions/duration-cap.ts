/** Ends a recording at the cap, unless another reason has ended it before. */
import { pause } from "../base/wait.ts";
import type { StopCondition } from "./stop-condition.ts";

/** The dashboard may set the cap of a recording that began without it. */
const LOOK_EVERY_MS = 5_000;

/** @param capSeconds reads the cap, counted from the first frame; null while there is none. */
export function withCap(condition: StopCondition, capSeconds: () => number | null): StopCondition {
	if (condition.captureSeconds !== null) return condition;
	return {
		...condition,
		async watch(recording) {
			const { over } = recording;
			const capped = async (): Promise<void> => {
				while (!over.aborted) {
					const cap = capSeconds();
					const leftMs = cap === null ? LOOK_EVERY_MS : recording.startedAt + cap * 1_000 - performance.now();
					if (leftMs <= 0) return recording.stop({ reason: "duration_cap", data: { maxDurationSeconds: cap } });
					await pause(Math.min(LOOK_EVERY_MS, leftMs), over);
				}
			};
			await Promise.all([condition.watch(recording), capped()]);
		},
	};
}
