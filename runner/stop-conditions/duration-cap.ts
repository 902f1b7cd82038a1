/** Ends a recording at the cap, unless another reason has ended it before. */
import { pause } from "../base/wait.ts";
import type { StopDecision } from "../spool/spool.ts";
import { LATE_MS, type StopCondition } from "./stop-condition.ts";

/** The dashboard may set the cap of a recording that began without it. */
const LOOK_EVERY_MS = 5_000;

const capReached = (maxDurationSeconds: number): StopDecision => ({
	reason: "duration_cap",
	data: { maxDurationSeconds },
});

/**
 * A cap that is known at the beginning limits the capture, like a duration.
 * @param capSeconds reads the cap, counted from the first frame; null while there is none.
 */
export function withCap(condition: StopCondition, capSeconds: () => number | null): StopCondition {
	if (condition.limit !== null) return condition;
	const known = capSeconds();
	return {
		...condition,
		limit: known === null ? null : { seconds: known, reached: capReached(known) },
		async watch(recording) {
			const { over } = recording;
			const capped = async (): Promise<void> => {
				while (!over.aborted) {
					const cap = capSeconds();
					const leftMs = cap === null ? LOOK_EVERY_MS : recording.startedAt + cap * 1_000 - performance.now();
					if (cap !== null && leftMs <= 0) {
						if (known !== null) await pause(LATE_MS, over);
						if (!over.aborted) recording.stop(capReached(cap));
						return;
					}
					await pause(Math.min(LOOK_EVERY_MS, leftMs), over);
				}
			};
			await Promise.all([condition.watch(recording), capped()]);
		},
	};
}
