/** Whether a recording shows all that it must: the counters in its frames against the rules. */
import type { Frame } from "../test/counter/read-video.ts";
import { LATE_PICTURE, STALL_LEAST, STALL_TOLD, TIMELINE } from "./rules.ts";

export interface Span {
	from: number;
	to: number;
}

export interface RecordingFacts {
	frames: readonly Frame[];
	complaints: string;
	/** Instant of the first frame as the job tells it, ms since the run began. */
	startedAt: number;
	/** Length as the file tells it, ms: the last frame may be held. */
	lengthMs: number;
	/** Stalls as the job's history tells them, ms from the first frame. */
	stalls: readonly Span[];
	/** Length as the dashboard tells it. */
	durationSeconds: number;
	/** Every counter that its display has shown, in order. */
	painted: readonly number[];
	/** Stretches that may be missing. */
	allowed: readonly Span[];
	/** The recording must show everything until `from`, and nothing after `to`. */
	end: Span;
	/** The length that was asked for; null when none was. */
	askedSeconds: number | null;
}

export interface Verdict {
	seconds: number;
	/** Seconds that are missing, by whether a rule allows it. */
	lostWithin: number;
	lostBeyond: number;
	/** What is wrong, one sentence each. */
	faults: string[];
	/** The largest difference between a frame's place on the timeline and what it shows, ms. */
	drift: number;
}

const FRAME_MS = 1_000 / 15;
/** One frame, and the rounding of what tells it. */
const LENGTH_TOLERANCE = 1.5 * FRAME_MS;
const MOST_UNREADABLE = 0.01;

export function judgeRecording(facts: RecordingFacts): Verdict {
	const faults: string[] = [];
	const readable = facts.frames.filter((frame): frame is Frame & { counter: number } => frame.counter !== null);
	const first = readable[0];
	const last = readable.at(-1);
	if (facts.complaints !== "") faults.push(`decoding it complains: ${facts.complaints.split("\n")[0]}`);
	if (first === undefined || last === undefined) {
		return { seconds: 0, lostWithin: 0, lostBeyond: 0, faults: [...faults, "no frame of it can be read"], drift: 0 };
	}
	const unreadable = facts.frames.length - readable.length;
	if (unreadable > facts.frames.length * MOST_UNREADABLE) {
		faults.push(`${unreadable} of ${facts.frames.length} frames cannot be read`);
	}
	faults.push(...judgeOrder(facts.frames, readable));
	const drift = judgeTimeline(facts, readable, faults);
	judgeLength(facts, faults);
	faults.push(...judgeStalls(facts));
	const { within, beyond } = judgeGaps(facts, readable, faults);
	if (last.counter > facts.end.to) {
		faults.push(`it shows ${seconds(last.counter)}, and had to end by ${seconds(facts.end.to)}`);
	}
	return { seconds: facts.lengthMs / 1_000, lostWithin: within / 1_000, lostBeyond: beyond / 1_000, faults, drift };
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

function judgeOrder(frames: readonly Frame[], readable: readonly (Frame & { counter: number })[]): string[] {
	const wrong: string[] = [];
	const still = frames.find((frame, index) => index > 0 && frame.at <= (frames[index - 1]?.at ?? -1));
	if (still !== undefined) wrong.push(`its timeline does not go on at ${seconds(still.at)}`);
	const back = readable.find((frame, index) => index > 0 && frame.counter < (readable[index - 1]?.counter ?? 0));
	if (back !== undefined) wrong.push(`at ${seconds(back.at)} it shows ${seconds(back.counter)}, which came before`);
	return wrong;
}

/**
 * A frame shows the instant at which it stands, or what was on the display just before. A pause between the capture of a
 * frame and the reading of the clock makes it the first one after the pause: it shows what was held anyway, for a moment
 * more.
 */
function judgeTimeline(
	facts: RecordingFacts,
	readable: readonly (Frame & { counter: number })[],
	faults: string[],
): number {
	let worst = 0;
	let place: (Frame & { counter: number }) | null = null;
	for (const [index, frame] of readable.entries()) {
		const before = readable[index - 1];
		const isHeld = before !== undefined && frame.counter - before.counter <= TIMELINE;
		if (isHeld && frame.at - before.at > TIMELINE) continue;
		const late = facts.startedAt + frame.at - frame.counter;
		if (Math.abs(late) > Math.abs(worst)) {
			worst = late;
			place = frame;
		}
	}
	if (place !== null && Math.abs(worst) > TIMELINE) {
		faults.push(
			`at ${seconds(place.at)} it shows ${seconds(place.counter)}, which was ${seconds(place.counter - facts.startedAt)} after its first frame`,
		);
	}
	return worst;
}

function judgeLength(facts: RecordingFacts, faults: string[]): void {
	const length = facts.lengthMs;
	if (Math.abs(length - facts.durationSeconds * 1_000) > LENGTH_TOLERANCE) {
		faults.push(`it is ${seconds(length)} long, and the dashboard says ${facts.durationSeconds} s`);
	}
	if (facts.askedSeconds !== null && Math.abs(length - facts.askedSeconds * 1_000) > LENGTH_TOLERANCE) {
		faults.push(`it is ${seconds(length)} long, and ${facts.askedSeconds} s were asked for`);
	}
}

/** Where the picture stood still because no frame was captured: the history has to tell it, and nothing else. */
function judgeStalls({ frames, lengthMs, stalls }: RecordingFacts): string[] {
	const holes = frames.map(({ at }, index) => ({ from: at + FRAME_MS, to: frames[index + 1]?.at ?? lengthMs }));
	const near = (a: Span, b: Span) => Math.abs(a.from - b.from) <= TIMELINE && Math.abs(a.to - b.to) <= TIMELINE;
	const untold = holes.filter((hole) => hole.to - hole.from > STALL_TOLD && !stalls.some((told) => near(told, hole)));
	const real = holes.filter(({ from, to }) => to - from > STALL_LEAST);
	const invented = stalls.filter((told) => !real.some((hole) => near(told, hole)));
	return [
		...untold.map(
			({ from, to }) => `its picture stands still from ${seconds(from)} to ${seconds(to)}, and nothing tells it`,
		),
		...invented.map(({ from, to }) => `a stall from ${seconds(from)} to ${seconds(to)} is told that is not in it`),
	];
}

function judgeGaps(
	facts: RecordingFacts,
	readable: readonly (Frame & { counter: number })[],
	faults: string[],
): { within: number; beyond: number } {
	let within = 0;
	let beyond = 0;
	const shown = readable.map(({ counter }) => counter);
	for (const [index, from] of shown.entries()) {
		const isLast = index === shown.length - 1;
		const to = isLast ? facts.end.from : (shown[index + 1] ?? from);
		if (to - from <= LATE_PICTURE) continue;
		// What the display itself did not show then is not missing.
		const span = missing(facts.painted, from, to);
		if (span === null) continue;
		const lost = span.to - span.from;
		const excused = lost - uncovered(span, facts.allowed);
		within += excused;
		beyond += lost - excused;
		// The picture at the edge of an allowed stretch may be late like any other.
		if (lost - excused > LATE_PICTURE) {
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

/** The stretch of what was painted after one instant and before another; null when it is too short to be a gap. */
export function missing(painted: readonly number[], from: number, to: number): Span | null {
	const first = painted[firstAfter(painted, from)];
	const last = painted[firstAfter(painted, to - 1) - 1];
	if (first === undefined || last === undefined || last - first <= LATE_PICTURE) return null;
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

/** How much of a span none of the others covers, ms. */
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
