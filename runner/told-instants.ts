/**
 * Instants that wait to be told. The dashboard corrects them by the difference of the clocks when they are sent, so
 * they have to be by the clock as it is then: a machine without a network has often none to set its clock by, and
 * sets it at the very moment at which the dashboard can be reached again.
 */
import { wallAtBootMs } from "./base/clock.ts";

const offsets = new WeakMap<object, number>();

/** Below this it is the drift of one clock against the other. */
const SET_MS = 500;

/** Remembers by which clock `at` is: the one of this moment. @returns the same object. */
export function stamped<T extends { at: string }>(told: T): T {
	offsets.set(told, wallAtBootMs());
	return told;
}

/** The same, with `at` by the clock as it is now. What an earlier life of the runner left stays as it is. */
export function byPresentClock<T extends { at: string }>(told: T): T {
	const made = offsets.get(told);
	const setBy = made === undefined ? 0 : wallAtBootMs() - made;
	if (Math.abs(setBy) < SET_MS) return told;
	return { ...told, at: new Date(Date.parse(told.at) + setBy).toISOString() };
}
