/** Whether a recording shows everything that it must: the counters in its frames against the rules. */
import type { Frame } from "#test/counter/read-video.ts";
import { LATE_FRAME, STALL_LEAST, STALL_REPORTED, TIMELINE } from "./rules.ts";

export interface Span {
	from: number;
	to: number;
}

export interface RecordingInput {
	frames: readonly Frame[];
	complaints: string;
	/** Instant of the first frame by the job, ms since the run began. */
	startedAt: number;
	/** Length by the file, ms: the last frame may be held. */
	lengthMs: number;
	/** Stalls by the job's history, ms from the first frame. */
	stalls: readonly Span[];
	/** Length by the dashboard. */
	durationSeconds: number;
	/** Every counter that its display has shown, in order. */
	painted: readonly number[];
	/** Stretches that may be missing. */
	allowed: readonly Span[];
	/** The recording must show everything until `from`, and nothing after `to`. */
	end: Span;
	/** The requested length; null if there was none. */
	askedSeconds: number | null;
}

export interface RecordingResult {
	seconds: number;
	/** Seconds that are missing, by whether a rule allows it. */
	lostWithin: number;
	lostBeyond: number;
	/** The faults found, one sentence each. */
	faults: string[];
	/** The largest difference between a frame's time and the time it shows, in ms. */
	drift: number;
}

const FRAME_MS = 1_000 / 15;
/** One and a half frames: a frame, and the rounding of its time. */
const LENGTH_TOLERANCE = 1.5 * FRAME_MS;
const MOST_UNREADABLE = 0.01;

export function checkRecording(input: RecordingInput): RecordingResult {
	const faults: string[] = [];
	const readable = input.frames.filter((frame): frame is Frame & { counter: number } => frame.counter !== null);
	const first = readable[0];
	const last = readable.at(-1);
	if (input.complaints !== "") faults.push(`decoding it complains: ${input.complaints.split("\n")[0]}`);
	if (first === undefined || last === undefined) {
		return { seconds: 0, lostWithin: 0, lostBeyond: 0, faults: [...faults, "no frame of it can be read"], drift: 0 };
	}
	const unreadable = input.frames.length - readable.length;
	if (unreadable > input.frames.length * MOST_UNREADABLE) {
		faults.push(`${unreadable} of ${input.frames.length} frames cannot be read`);
	}
	faults.push(...checkOrder(input.frames, readable));
	const drift = checkTimeline(input, readable, faults);
	checkLength(input, faults);
	faults.push(...checkStalls(input));
	const { within, beyond } = checkGaps(input, readable, faults);
	if (last.counter > input.end.to) {
		faults.push(`it shows ${seconds(last.counter)}, and had to end by ${seconds(input.end.to)}`);
	}
	return { seconds: input.lengthMs / 1_000, lostWithin: within / 1_000, lostBeyond: beyond / 1_000, faults, drift };
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

function checkOrder(frames: readonly Frame[], readable: readonly (Frame & { counter: number })[]): string[] {
	const wrong: string[] = [];
	const still = frames.find((frame, index) => index > 0 && frame.at <= (frames[index - 1]?.at ?? -1));
	if (still !== undefined) wrong.push(`its timeline does not go on at ${seconds(still.at)}`);
	const back = readable.find((frame, index) => index > 0 && frame.counter < (readable[index - 1]?.counter ?? 0));
	if (back !== undefined) wrong.push(`at ${seconds(back.at)} it shows ${seconds(back.counter)}, which came before`);
	return wrong;
}

/**
 * A frame shows the instant of its time, or the number before it: the next number may be painted late on a busy
 * machine. After a pause between the capture of a frame and the reading of the clock, it counts as the first frame
 * after the pause: it shows the previous content, which players hold during the pause anyway, a moment longer.
 */
function checkTimeline(
	input: RecordingInput,
	readable: readonly (Frame & { counter: number })[],
	faults: string[],
): number {
	let worst = 0;
	let place: (Frame & { counter: number }) | null = null;
	for (const [index, frame] of readable.entries()) {
		const before = readable[index - 1];
		const isHeld = before !== undefined && frame.counter - before.counter <= TIMELINE;
		if (isHeld && frame.at - before.at > TIMELINE) continue;
		const late = lateness(input, frame);
		if (Math.abs(late) > Math.abs(worst)) {
			worst = late;
			place = frame;
		}
	}
	if (place !== null && Math.abs(worst) > TIMELINE) {
		faults.push(
			`at ${seconds(place.at)} it shows ${seconds(place.counter)}, which was ${seconds(place.counter - input.startedAt)} after its first frame`,
		);
	}
	return worst;
}

/** The delay of a frame after its content was on the display; negative if the frame is too early. */
function lateness({ startedAt, painted }: RecordingInput, { at, counter }: { at: number; counter: number }): number {
	const instant = startedAt + at;
	if (instant <= counter) return instant - counter;
	const next = painted[firstAfter(painted, counter)] ?? counter;
	return Math.max(0, instant - next);
}

function checkLength(input: RecordingInput, faults: string[]): void {
	const length = input.lengthMs;
	if (Math.abs(length - input.durationSeconds * 1_000) > LENGTH_TOLERANCE) {
		faults.push(`it is ${seconds(length)} long, and the dashboard says ${input.durationSeconds} s`);
	}
	if (input.askedSeconds !== null && Math.abs(length - input.askedSeconds * 1_000) > LENGTH_TOLERANCE) {
		faults.push(`it is ${seconds(length)} long, and ${input.askedSeconds} s were asked for`);
	}
}

/** Spans without a captured frame: the history must report each of them, and no others. */
function checkStalls({ frames, lengthMs, stalls }: RecordingInput): string[] {
	const holes = frames.map(({ at }, index) => ({ from: at + FRAME_MS, to: frames[index + 1]?.at ?? lengthMs }));
	const near = (a: Span, b: Span) => Math.abs(a.from - b.from) <= TIMELINE && Math.abs(a.to - b.to) <= TIMELINE;
	const unreported = holes.filter(
		(hole) => hole.to - hole.from > STALL_REPORTED && !stalls.some((stall) => near(stall, hole)),
	);
	const real = holes.filter(({ from, to }) => to - from > STALL_LEAST);
	const invented = stalls.filter((stall) => !real.some((hole) => near(stall, hole)));
	return [
		...unreported.map(
			({ from, to }) => `it shows one frame from ${seconds(from)} to ${seconds(to)}, and no stall is reported`,
		),
		...invented.map(({ from, to }) => `a stall from ${seconds(from)} to ${seconds(to)} is reported that is not in it`),
	];
}

function checkGaps(
	input: RecordingInput,
	readable: readonly (Frame & { counter: number })[],
	faults: string[],
): { within: number; beyond: number } {
	let within = 0;
	let beyond = 0;
	const shown = readable.map(({ counter }) => counter);
	for (const [index, from] of shown.entries()) {
		const isLast = index === shown.length - 1;
		const to = isLast ? input.end.from : (shown[index + 1] ?? from);
		if (to - from <= LATE_FRAME) continue;
		// A span in which the display itself showed no change is not missing.
		const span = missing(input.painted, from, to);
		if (span === null) continue;
		const lost = span.to - span.from;
		const excused = lost - uncovered(span, input.allowed);
		within += excused;
		beyond += lost - excused;
		// The frame at the edge of an allowed span may be late like any other.
		if (lost - excused > LATE_FRAME) {
			const where = isLast ? "at its end" : "in it";
			faults.push(
				`${where} ${seconds(span.from)} to ${seconds(span.to)} is missing, ${seconds(lost - excused)} of it beyond the rules`,
			);
		} else {
			within += lost - excused;
			beyond -= lost - excused;
		}
	}
	return { within, beyond };
}

/** The span that was painted after one instant and before another; null when it is too short to be a gap. */
export function missing(painted: readonly number[], from: number, to: number): Span | null {
	const first = painted[firstAfter(painted, from)];
	const last = painted[firstAfter(painted, to - 1) - 1];
	if (first === undefined || last === undefined || last - first <= LATE_FRAME) return null;
	return { from: first, to: last };
}

/** Index of the first value that is greater. */
function firstAfter(sorted: readonly number[], value: number): number {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((sorted[middle] ?? 0) > value) high = middle;
		else low = middle + 1;
	}
	return low;
}

/** The part of a span that none of the others covers, in ms. */
export function uncovered(span: Span, covers: readonly Span[]): number {
	let at = span.from;
	let bare = 0;
	for (const cover of [...covers].sort((a, b) => a.from - b.from)) {
		if (cover.to <= at || cover.from >= span.to) continue;
		bare += Math.max(0, cover.from - at);
		at = Math.max(at, cover.to);
	}
	return bare + Math.max(0, span.to - at);
}
