/** `interrupt`: nothing but a cancel ends it, and every job knows how to be cancelled. */
import type { StopCondition } from "./stop-condition.ts";

export const interruptCondition = (): StopCondition => ({
	captureSeconds: null,
	watch: async () => undefined,
});
