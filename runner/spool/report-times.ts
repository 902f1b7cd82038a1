/**
 * Converts the times of pending reports to the current clock. The dashboard corrects reported times by the difference of
 * the clocks at the time of the call, so they must follow the clock as of the call: a machine without network can often
 * synchronize its clock only when it reaches the dashboard again.
 */
import { wallAtBootMs } from "../base/clock.ts";

const offsets = new WeakMap<object, number>();

/** Smaller differences are clock drift. */
const SET_MS = 500;

/** Remembers that the times of an object follow the current clock. @returns the same object. */
export function stamped<T extends object>(holder: T): T {
	offsets.set(holder, wallAtBootMs());
	return holder;
}

/**
 * Converts a time to the current clock.
 * @param at RFC 3339.
 * @param holder the stamped object that it belongs to; times from a previous process are not changed.
 */
export function atCurrentClock(at: string, holder: object): string {
	const made = offsets.get(holder);
	const setBy = made === undefined ? 0 : wallAtBootMs() - made;
	return Math.abs(setBy) < SET_MS ? at : new Date(Date.parse(at) + setBy).toISOString();
}
