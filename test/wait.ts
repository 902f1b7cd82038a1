/**
 * Waiting in tests: `until` returns a value once it is there, and `pause` waits for a time that a test is about. An assertion
 * that comes true later is Vitest's `expect.poll`, whose limit is set in vitest.config.ts.
 */
import { setTimeout as pause } from "node:timers/promises";

export { pause };

const POLL_MS = 25;

/**
 * Polls until `read` returns a value.
 * @param what the expected state, as a statement for the error's message.
 * @throws when it does not occur in time.
 */
export async function until<T>(
	read: () => T | Promise<T>,
	what: string | (() => string),
	timeoutMs = 40_000,
): Promise<NonNullable<T>> {
	const deadline = performance.now() + timeoutMs;
	for (;;) {
		const found = await read();
		if (found) return found;
		if (performance.now() > deadline) {
			throw new Error(`Not within ${timeoutMs} ms: ${typeof what === "string" ? what : what()}`);
		}
		await pause(POLL_MS);
	}
}
