/**
 * The two clocks of a recording. Video time follows the time since boot, which is monotonic and includes sleep. ffmpeg
 * stamps frames with the wall clock, which can be set at any moment.
 */
import { uptime } from "node:os";
import { bootId } from "@tapedeck/machine/boot-id.ts";

/** Smaller changes of the wall clock are ignored: frames stay within the promised half second. */
const CLOCK_SET_MS = 200;
/** Two readings further apart than this are not simultaneous: the process was paused between them. */
const ONE_MOMENT_MS = 5;
const TRIES = 10;
/** The kernel reports the time since boot in hundredths of a second; a larger difference means sleep. */
const SLEPT_MS = 100;

/**
 * The difference between the time since boot and performance.now(), which is finer but stops while the machine sleeps.
 */
let aheadMs = readAhead();

/** Milliseconds since boot, including sleep. The same for all processes of one boot. */
export function bootMs(): number {
	const now = readAhead();
	if (Math.abs(now - aheadMs) > SLEPT_MS) aheadMs = now;
	return performance.now() + aheadMs;
}

/** The time of the boot by the current wall clock, in ms since 1970. Changes only when the clock is set. */
export function wallAtBootMs(): number {
	return aheadOf(bootMs, Date.now);
}

/** Identifies the setting of the wall clock that stamps a capture's frames. */
export interface WallClock {
	/** Id of the boot; empty where the system has none. */
	boot: string;
	wallAtBootMs: number;
}

export const wallClock = (): WallClock => ({ boot: bootId(), wallAtBootMs: wallAtBootMs() });

/** The change of the wall clock since then, in ms; 0 for mere drift. */
export function clockSetBy(since: WallClock): number {
	const by = wallAtBootMs() - since.wallAtBootMs;
	return Math.abs(by) < CLOCK_SET_MS ? 0 : by;
}

/** Whether a saved clock is from the current boot. */
export const isOfThisBoot = (clock: WallClock): boolean => clock.boot === bootId();

const madeWithClock = new WeakMap<object, number>();

/** Readings of one setting of the clock differ by less. */
const READING_ERROR_MS = 20;
let stampingClock = Number.NaN;

/** Smaller differences are clock drift. */
const SET_MS = 500;

/**
 * Creates an object whose times follow the wall clock. All of them, and the later corrections by `atCurrentClock`, are
 * by the same setting of the clock, even if it is set in the meantime.
 * @param make receives a function that converts a moment in ms since boot to RFC 3339.
 */
export function stamped<T extends object>(make: (timeOf: (moment: number) => string) => T): T {
	const read = wallAtBootMs();
	// The same for all, so that the times of two objects are exactly as far apart as their moments.
	if (!(Math.abs(read - stampingClock) < READING_ERROR_MS)) stampingClock = read;
	const clock = stampingClock;
	const holder = make((moment) => new Date(clock + moment).toISOString());
	madeWithClock.set(holder, clock);
	return holder;
}

/**
 * Converts a time to the current wall clock. The dashboard corrects reported times by the difference of the clocks at
 * the time of the call, so they must follow the clock at that time: a machine without network can often synchronize its
 * clock only when it reaches the dashboard again.
 * @param at RFC 3339.
 * @param holder the stamped object that it belongs to; times from a previous process are not changed.
 */
export function atCurrentClock(at: string, holder: object): string {
	const made = madeWithClock.get(holder);
	const setBy = made === undefined ? 0 : wallAtBootMs() - made;
	return Math.abs(setBy) < SET_MS ? at : new Date(Date.parse(at) + setBy).toISOString();
}

function readAhead(): number {
	return aheadOf(
		() => performance.now(),
		() => uptime() * 1_000,
	);
}

/** The difference by which `other` is ahead of `clock`, both read at the same moment. */
function aheadOf(clock: () => number, other: () => number): number {
	let best = { apart: Number.POSITIVE_INFINITY, ahead: 0 };
	for (let tries = 0; tries < TRIES && best.apart > ONE_MOMENT_MS; tries++) {
		const before = clock();
		const ahead = other() - before;
		const apart = clock() - before;
		if (apart < best.apart) best = { apart, ahead };
	}
	return best.ahead;
}
