/** Whether the dashboard is reachable. */

const TIMEOUT_MS = 3_000;

let streams = false;

/** Notes whether the event stream is open: while it is, the server is reachable. */
export function noteStream(isOpen: boolean): void {
	streams = isOpen;
}

/** Whether the server is known to be reachable, without a request. */
export const isSurelyReachable = (): boolean => streams && navigator.onLine;

/** Whether the dashboard is reachable now; sends a request only if that is unknown. */
export async function isReachable(): Promise<boolean> {
	if (isSurelyReachable()) return true;
	try {
		return (await fetch("/v1/health", { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) })).ok;
	} catch {
		return false;
	}
}
