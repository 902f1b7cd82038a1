/**
 * The tolerances of the checks, in milliseconds. The first group is what Tapedeck promises. The second group is the
 * delay that a busy machine may add: a process that gets no processor can neither record nor react.
 */

/** ffmpeg killed: the maximum loss before the kill, and the maximum time until recording continues. */
export const KILL_BEFORE = 500;
export const GO_ON_AFTER = 1_000;
/** An ffmpeg that hangs: the maximum time until it counts as hung. */
export const HANG_NOTICED_AFTER = 6_000;
/** Runner and ffmpeg killed, or a disk full: the maximum loss before the fault. */
export const CRASH_BEFORE = 2_000;
/** `selenium_idle`: from the grid's first zero to the end. */
export const IDLE_LEAST = 5_000;
export const IDLE_MOST = 6_000;
/** A silent runner's jobs are lost after 30 s from its last call, which may have been some seconds before it fell silent. */
export const LEASE_LEAST = 24_000;
/** A container stop. */
export const LEAVE_WITHIN = 8_000;
/** Auto-record: from the start of its runner, or an end that was not requested, to the first frame. */
export const AUTO_RECORD_AGAIN = 8_000;

/** Frames that far apart are no gap: the next one was only late. Seven of the fifteen frames a second. */
export const LATE_FRAME = 500;
/**
 * The delay that two busy cores may add to a reaction: to notice, to start a process, to capture its first frame.
 * Starting an ffmpeg alone takes a third of a second of processor time next to four others and their dashboard.
 */
export const BUSY = 1_000;
/**
 * The maximum time until a runner is connected again and knows what it has missed: its longest pause between attempts,
 * and a start.
 */
export const RECONNECT = 12_000;
/** A span without a frame that must be reported as a stall. Shorter ones may be reported too. */
export const STALL_REPORTED = 1_100;
export const STALL_LEAST = 900;
/** The tolerance between a frame's instant and its content, and between a stall's place and its reported place. */
export const TIMELINE = 500;
