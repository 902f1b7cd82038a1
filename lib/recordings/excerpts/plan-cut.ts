/**
 * Plans a review cut: what it shows of a recording, in which order and how fast, and which captions are on the picture. A
 * stretch in which nothing changes takes at most a second. The failure comes last, whole and at its own speed.
 */
import { formatPosition } from "@tapedeck/contract/video-time.ts";

/** Time for which an unchanged picture is shown. */
const STILL_SECONDS = 1;
/** Time for which a caption is readable. */
export const CAPTION_SECONDS = 2;
/** Captions that fit below each other. */
export const CAPTION_ROWS = 3;
/** The failure is shown from so long before it to so long after it, of a short cut less. */
const BEFORE_FAILURE = { seconds: 10, share: 0.4 };
const AFTER_FAILURE = { seconds: 5, share: 0.2 };
/** Around a marker, the cut shows this in any case, and where there is time enough, at its own speed. */
const AROUND_MARKER_SECONDS = 0.5;
const SLOW_AFTER_MARKER_SECONDS = 1.5;
/** Each piece is a run of ffmpeg. */
const MAX_PIECES = 60;
const SAME_SECONDS = 0.001;

/** A stretch of the recording, in seconds. */
export interface CutRange {
	from: number;
	to: number;
}

/** A moment of the recording that has a name. */
export interface CutMoment {
	at: number;
	text: string;
}

export interface CutPlanInput {
	durationSeconds: number;
	/** Beginnings of the frames that differ from the ones before them, ascending. */
	changes: readonly number[];
	/** Every one has a caption for 2 s, as long as there is time for all. */
	markers: readonly CutMoment[];
	/** Have captions where there is room, and chapters. */
	steps: readonly CutMoment[];
	failure: CutMoment | null;
	maxSeconds: number;
}

/** A stretch of the recording as the cut shows it. */
export interface CutPiece extends CutRange {
	speed: number;
	/** Shown in a corner of it: where it is from, and what was left out before it. */
	note: string;
	/** Its place in the cut, in seconds. */
	begins: number;
	ends: number;
}

/** A line of text on the picture, in seconds of the cut. */
export interface CutCaption extends CutRange {
	text: string;
	/** From the bottom, from 0. */
	row: number;
}

export interface CutPlan {
	pieces: CutPiece[];
	captions: CutCaption[];
	/** In seconds of the cut. */
	chapters: CutMoment[];
	seconds: number;
	/** Parts of the recording that are not shown. */
	leftOut: CutRange[];
	/** Markers without a caption: there are too many for the length of the cut. */
	hiddenMarkers: number;
}

export function planCut(input: CutPlanInput): CutPlan {
	const { durationSeconds, failure, markers, steps } = input;
	const failed = failureRange(input);
	const others = failed === null ? [{ from: 0, to: durationSeconds }] : without(failed, durationSeconds);
	const shown = shownRanges(input, others);
	const pieces = piecesOf(input, shown, failed);
	const end = pieces.at(-1)?.ends ?? 0;
	const named = failure === null ? markers : [...markers, failure];
	const place = ({ at, text }: CutMoment): CutMoment => ({ at: placeOf(pieces, at), text });
	const { captions, hidden } = placeCaptions(named.map(withTime).map(place), steps.map(place), input.maxSeconds);
	return {
		pieces,
		captions,
		chapters: [...named, ...steps].map(place).sort((a, b) => a.at - b.at),
		// The last frame stays until its captions were shown long enough.
		seconds: Math.max(end, ...captions.map(({ to }) => to)),
		leftOut: gapsOf(
			[...pieces].sort((a, b) => a.from - b.from),
			durationSeconds,
		),
		hiddenMarkers: hidden,
	};
}

const withTime = ({ at, text }: CutMoment): CutMoment => ({ at, text: `${formatPosition(at)} ${text}` });

function failureRange({ failure, durationSeconds, maxSeconds }: CutPlanInput): CutRange | null {
	if (failure === null) return null;
	const at = Math.min(failure.at, durationSeconds);
	const before = Math.min(BEFORE_FAILURE.seconds, maxSeconds * BEFORE_FAILURE.share);
	const after = Math.min(AFTER_FAILURE.seconds, maxSeconds * AFTER_FAILURE.share);
	return { from: Math.max(0, at - before), to: Math.min(durationSeconds, at + after) };
}

const without = ({ from, to }: CutRange, durationSeconds: number): CutRange[] =>
	[
		{ from: 0, to: from },
		{ from: to, to: durationSeconds },
	].filter(isLong);

const isLong = ({ from, to }: CutRange): boolean => to - from > SAME_SECONDS;

/** The parts that are shown besides the failure: the beginning and each change for a second, and the markers. */
function shownRanges({ changes, markers }: CutPlanInput, others: readonly CutRange[]): CutRange[] {
	const wanted = [
		{ from: 0, to: STILL_SECONDS },
		...changes.map((at) => ({ from: at, to: at + STILL_SECONDS })),
		...markers.map(({ at }) => around(at, AROUND_MARKER_SECONDS)),
	];
	return others.flatMap((within) => fewest(united(wanted.map((range) => clipped(range, within)))));
}

const around = (at: number, after: number): CutRange => ({ from: at - AROUND_MARKER_SECONDS, to: at + after });

const clipped = ({ from, to }: CutRange, within: CutRange): CutRange => ({
	from: Math.max(from, within.from),
	to: Math.min(to, within.to),
});

/** @returns them by time, those that touch as one. */
function united(ranges: readonly CutRange[]): CutRange[] {
	const result: CutRange[] = [];
	for (const range of ranges.filter(isLong).sort((a, b) => a.from - b.from)) {
		const last = result.at(-1);
		if (last !== undefined && range.from <= last.to + SAME_SECONDS) last.to = Math.max(last.to, range.to);
		else result.push({ ...range });
	}
	return result;
}

/** Closes the shortest gaps of a list that is too long: what is in them is shown faster. */
function fewest(ranges: readonly CutRange[]): CutRange[] {
	if (ranges.length <= MAX_PIECES) return [...ranges];
	const gaps = ranges.slice(1).map(({ from }, index) => from - (ranges[index] as CutRange).to);
	const longest = [...gaps].sort((a, b) => b - a)[MAX_PIECES - 1] as number;
	return united(
		ranges.map(({ from, to }, index) => {
			const gap = gaps[index];
			return { from, to: gap !== undefined && gap <= longest ? to + gap : to };
		}),
	);
}

interface Timed extends CutRange {
	speed: number;
}

function piecesOf(input: CutPlanInput, shown: readonly CutRange[], failed: CutRange | null): CutPiece[] {
	const rest = input.maxSeconds - (failed === null ? 0 : failed.to - failed.from) - CAPTION_SECONDS;
	const timed = inTime(shown, input.markers, rest);
	const last: Timed[] = failed === null ? [] : [{ ...failed, speed: 1 }];
	let ends = 0;
	return [...timed, ...last].map((piece, index, all): CutPiece => {
		const begins = ends;
		ends += (piece.to - piece.from) / piece.speed;
		const before = all[index - 1];
		const isFailure = failed !== null && index === all.length - 1;
		const isLast = index === all.length - 1;
		const leftOut = piece.from - (before?.to ?? 0);
		const after = isLast ? input.durationSeconds - Math.max(...all.map(({ to }) => to)) : 0;
		const note = [
			leftOut < -SAME_SECONDS ? `back at ${formatPosition(piece.from)}` : formatPosition(piece.from),
			...(isFailure ? ["the failure"] : []),
			...(leftOut > 0.05 ? [`${seconds(leftOut)} without change left out`] : []),
			...(piece.speed > 1 ? [`${piece.speed} times as fast`] : []),
			...(after > 0.05 ? [`then ${seconds(after)} without change`] : []),
		];
		return { ...piece, note: note.join(" · "), begins, ends };
	});
}

/** Shows the ranges faster if they are too long. Around markers, they are not faster if that takes half of the time at most. */
function inTime(shown: readonly CutRange[], markers: readonly CutMoment[], rest: number): Timed[] {
	if (lengthOf(shown) <= rest) return shown.map((range) => ({ ...range, speed: 1 }));
	const near = united(
		shown.flatMap((range) => markers.map(({ at }) => clipped(around(at, SLOW_AFTER_MARKER_SECONDS), range))),
	);
	const slow = lengthOf(near) <= rest / 2 ? near : [];
	const left = rest - lengthOf(slow);
	const speed = Math.ceil(((lengthOf(shown) - lengthOf(slow)) / left) * 10) / 10;
	const fast = shown.flatMap((range) => {
		const inside = slow.filter(({ from, to }) => from < range.to && to > range.from);
		return gapsOf(inside, range.to, range.from).map((gap) => ({ ...gap, speed }));
	});
	return [...slow.map((range) => ({ ...range, speed: 1 })), ...fast].sort((a, b) => a.from - b.from);
}

const lengthOf = (ranges: readonly CutRange[]): number => ranges.reduce((sum, { from, to }) => sum + to - from, 0);

/** The gaps between sorted ranges, up to `end`. */
function gapsOf(ranges: readonly CutRange[], end: number, begin = 0): CutRange[] {
	const gaps: CutRange[] = [];
	let at = begin;
	for (const { from, to } of ranges) {
		gaps.push({ from: at, to: from });
		at = Math.max(at, to);
	}
	return [...gaps, { from: at, to: end }].filter(isLong);
}

/** The time at which the cut shows a moment of the recording. A moment that is left out is at the piece that follows. */
function placeOf(pieces: readonly CutPiece[], at: number): number {
	const has = pieces.findLast(({ from, to }) => at >= from - SAME_SECONDS && at <= to + SAME_SECONDS);
	const piece = has ?? pieces.find(({ from }) => from > at) ?? pieces.at(-1);
	if (piece === undefined) return 0;
	return Math.min(piece.ends, piece.begins + Math.max(0, at - piece.from) / piece.speed);
}

/**
 * Gives each marker a row for as long as a caption is readable, if need be a little later. Steps have what is left of the
 * rows at their moment.
 */
function placeCaptions(markers: readonly CutMoment[], steps: readonly CutMoment[], maxSeconds: number) {
	const rows: CutRange[][] = Array.from({ length: CAPTION_ROWS }, () => []);
	const captions: CutCaption[] = [];
	const add = (text: string, row: number, from: number) => {
		const caption = { text, row, from, to: from + CAPTION_SECONDS };
		rows[row]?.push(caption);
		captions.push(caption);
	};
	let hidden = 0;
	for (const { at, text } of [...markers].sort((a, b) => a.at - b.at)) {
		const starts = rows.map((row) => Math.max(at, row.at(-1)?.to ?? 0));
		const from = Math.min(...starts);
		if (from + CAPTION_SECONDS > maxSeconds + SAME_SECONDS) hidden += 1;
		else add(text, starts.indexOf(from), from);
	}
	const isFree = (row: readonly CutRange[], at: number) =>
		row.every(({ from, to }) => to <= at || from >= at + CAPTION_SECONDS);
	for (const { at, text } of steps) {
		const row = rows.findIndex((row) => isFree(row, at));
		if (row >= 0 && at + CAPTION_SECONDS <= maxSeconds) add(text, row, at);
	}
	return { captions, hidden };
}

const seconds = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} s`;
