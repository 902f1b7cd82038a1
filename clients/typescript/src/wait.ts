/** Waiting that an AbortSignal can end. */

/** @throws the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		if (signal?.aborted) return reject(signal.reason);
		const onAbort = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener("abort", onAbort);
			resolve();
		}, ms);
		signal?.addEventListener("abort", onAbort, { once: true });
	});
}

const FIRST_MS = 250;
const LONGEST_MS = 8_000;

/** @returns how long to wait before try number `attempt`, which counts from 1: longer each time, and never for all alike. */
export const backoffMs = (attempt: number): number =>
	Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
