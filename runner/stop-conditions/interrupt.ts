/** `interrupt`: the recording runs until it is cancelled, which every job handles by itself. */
import type { StopCondition } from "./stop-condition.ts";

export const interruptCondition = (): StopCondition => ({
	captureSeconds: null,
	watch: async () => undefined,
});
