/** Whether the dashboard would answer, as far as this tab can know. */
import type { LiveState } from "./live-updates.ts";

const PATIENCE_MS = 3_000;

let stream: LiveState = "connecting";

/** Notes how the event stream fares: while it lives, so does the server. */
export function noteStream(state: LiveState): void {
	stream = state;
}

/** Whether an answer is to be expected without asking. */
export const isSurelyReachable = (): boolean => stream === "live" && navigator.onLine;

/** Whether the dashboard answers now; asks it only when that is in doubt. */
export async function isReachable(): Promise<boolean> {
	if (isSurelyReachable()) return true;
	try {
		return (await fetch("/v1/health", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) })).ok;
	} catch {
		return false;
	}
}
