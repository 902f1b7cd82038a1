/** Times and durations: stored as milliseconds since 1970 and as seconds; in responses RFC 3339 and rounded seconds. */
import { invalid } from "./errors.ts";

/** RFC 3339 in UTC with milliseconds: `2026-11-21T01:12:00.000Z`. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();
export const timestampOrNull = (ms: number | null): string | null => (ms === null ? null : timestamp(ms));

/** Rounded to milliseconds. */
export const roundedSeconds = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

/**
 * The expiry that a caller chose, in milliseconds; null for none.
 * @throws validation_failed at `expiresAt` if it is in the past.
 */
export const futureExpiry = (expiresAt: string | null | undefined, now: number): number | null =>
	futureTime("expiresAt", expiresAt, now);

/** The same for any field. @param path the field. */
export function futureTime(path: string, time: string | null | undefined, now: number): number | null {
	if (time == null) return null;
	const at = Date.parse(time);
	if (at > now) return at;
	throw invalid({ path, code: "too_small", message: "Send a time in the future, or null." });
}
