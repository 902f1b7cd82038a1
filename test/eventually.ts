import { vi } from "vitest";

/**
 * Repeats `check` until it passes. The limit is long, because a busy machine may take ten times as long as an idle one;
 * Vitest's own limit is one second.
 */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
	vi.waitFor(check, { timeout: 30_000, interval: 10 });
