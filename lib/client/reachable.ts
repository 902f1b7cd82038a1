/** Whether the dashboard is reachable. */
import type { LiveState } from "./live/live-updates.ts";

const TIMEOUT_MS = 3_000;

let stream: LiveState = "connecting";

/** Stores the state of the event stream: while it is open, the server is reachable. */
export function noteStream(state: LiveState): void {
	stream = state;
}

/** Whether the server is known to be reachable, without a request. */
export const isSurelyReachable = (): boolean => stream === "live" && navigator.onLine;

/** Whether the dashboard is reachable now; sends a request only if that is unknown. */
export async function isReachable(): Promise<boolean> {
	if (isSurelyReachable()) return true;
	try {
		return (await fetch("/v1/health", { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) })).ok;
	} catch {
		return false;
	}
}
