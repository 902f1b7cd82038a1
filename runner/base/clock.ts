/**
 * The two clocks of a recording. Video time follows the time since boot, which only goes on and counts a machine's
 * sleep too. ffmpeg stamps frames by the wall clock, which can be set at any moment.
 */
import { readFileSync } from "node:fs";
import { uptime } from "node:os";

/** A smaller change of the wall clock moves no frame by more than the half second that is promised. */
const CLOCK_SET_MS = 200;
/** Two readings that lie further apart are not of one moment: the process was paused between them. */
const ONE_MOMENT_MS = 5;
const TRIES = 10;
/** The kernel tells the time since boot in hundredths of a second; what differs by more is sleep. */
const SLEPT_MS = 100;

/** By how much the time since boot is ahead of performance.now(), which has finer steps but stops while a machine sleeps. */
let aheadMs = readAhead();

/** Milliseconds since boot, sleep included. All processes of one boot share it. */
export function bootMs(): number {
	const now = readAhead();
	if (Math.abs(now - aheadMs) > SLEPT_MS) aheadMs = now;
	return performance.now() + aheadMs;
}

/** What the wall clock read at boot, as far as it is set now: this changes only when somebody sets the clock. */
export function wallAtBootMs(): number {
	return together(bootMs, Date.now);
}

/** By which clock a capture stamps its frames. */
export interface WallClock {
	/** Identifies the boot: another boot counts from another moment. Empty where the system does not tell. */
	boot: string;
	wallAtBootMs: number;
}

export const wallClock = (): WallClock => ({ boot: bootId(), wallAtBootMs: wallAtBootMs() });

/** By how much the wall clock was set since then, in ms; 0 for what is only drift. */
export function clockSetBy(since: WallClock): number {
	const by = wallAtBootMs() - since.wallAtBootMs;
	return Math.abs(by) < CLOCK_SET_MS ? 0 : by;
}

/** Whether a clock that was noted down is one of this boot. */
export const isOfThisBoot = (clock: WallClock): boolean => clock.boot === bootId();

let knownBoot: string | undefined;
function bootId(): string {
	try {
		knownBoot ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
	} catch {
		knownBoot = "";
	}
	return knownBoot;
}

function readAhead(): number {
	return together(
		() => performance.now(),
		() => uptime() * 1_000,
	);
}

/** By how much `other` is ahead of `clock`, both read at one moment. */
function together(clock: () => number, other: () => number): number {
	let best = { apart: Number.POSITIVE_INFINITY, ahead: 0 };
	for (let tries = 0; tries < TRIES && best.apart > ONE_MOMENT_MS; tries++) {
		const before = clock();
		const ahead = other() - before;
		const apart = clock() - before;
		if (apart < best.apart) best = { apart, ahead };
	}
	return best.ahead;
}
