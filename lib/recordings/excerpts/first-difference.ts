/** `GET /v1/recordings/{id}/first-difference`: where two recordings begin to show something else. */
import { setImmediate } from "node:timers/promises";
import {
	type FirstDifference,
	type FirstDifferenceQuery,
	MAX_COMPARED_SECONDS,
} from "@tapedeck/contract/first-difference.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { roundedSeconds } from "#lib/core/times.ts";
import { withPlayableInput } from "../pictures/video-input.ts";
import type { RecordingContext } from "../recording-context.ts";
import { inputArguments, ONE_FILTER, type ProgramInput, runFfmpeg } from "../run-ffmpeg.ts";

/** Size of the frames that are compared, in gray. A different letter still changes a pixel by more than compression does. */
const WIDTH = 96;
const HEIGHT = 54;
const PIXELS = WIDTH * HEIGHT;
const ALIKE = 20;
const SAMPLES_PER_SECOND = 10;
/**
 * A picture that the other recording shows this much earlier or later is no difference: two runs are never exactly as
 * fast, and a cursor blinks.
 */
const SLACK_SECONDS = 2;
const SLACK_SAMPLES = SLACK_SECONDS * SAMPLES_PER_SECOND;
/** The first difference is often soon: so much is decoded at a time. */
const PART_SECONDS = 20;
const LIMITS = { cpuSeconds: 30, timeoutMs: 120_000 };
/** Time limit of a call. The next call compares the rest. */
const ANSWER_WITHIN_MS = 60_000;
/** Compared without a break for other requests. */
const SAMPLES_AT_A_TIME = 20;

export interface FirstDifferenceCall extends FirstDifferenceQuery {
	recordingId: number;
	signal: AbortSignal;
}

/**
 * Compares what both recordings have, `to` included at most 600 s from `from` on, as far as the time suffices.
 * @throws not_found if one of them doesn't exist, or nothing of it is playable yet; unavailable if one cannot be decoded, or
 *   takes too long; too_many_requests; the signal's reason.
 */
export function findFirstDifference(ctx: RecordingContext, call: FirstDifferenceCall): Promise<FirstDifference> {
	const { recordingId, with: otherId, offset = 0, from = 0, to = Number.POSITIVE_INFINITY, signal } = call;
	return withPlayableInput(ctx, recordingId, (left, leftSeconds) =>
		withPlayableInput(ctx, otherId, async (right, rightSeconds) => {
			const begin = Math.max(0, -offset);
			const end = Math.min(leftSeconds, rightSeconds - offset);
			const first = Math.max(begin, from);
			const last = Math.min(end, to, first + MAX_COMPARED_SECONDS);
			const deadline = performance.now() + ANSWER_WITHIN_MS;
			for (let at = first; at < last; at += PART_SECONDS) {
				const until = Math.min(last, at + PART_SECONDS);
				const readFrom = Math.max(begin, at - SLACK_SECONDS);
				const seconds = Math.min(end, until + SLACK_SECONDS) - readFrom;
				if (performance.now() > deadline) return { at: null, comparedTo: roundedSeconds(at) };
				const found = await ctx.excerpts.take(ctx, "long", signal, async (signal) => {
					const ours = await samplesOf(left, { from: readFrom, seconds, signal });
					const theirs = await samplesOf(right, { from: readFrom + offset, seconds, signal });
					return firstUnlike(ours, theirs, {
						from: Math.round((at - readFrom) * SAMPLES_PER_SECOND),
						to: Math.floor((until - readFrom) * SAMPLES_PER_SECOND),
					});
				});
				const comparedTo = roundedSeconds(until);
				if (found !== null) return { at: roundedSeconds(readFrom + found / SAMPLES_PER_SECOND), comparedTo };
			}
			return { at: null, comparedTo: roundedSeconds(Math.max(first, last)) };
		}),
	);
}

/** Frames as grey values, from left to right and from top to bottom; each is what is shown at its time. */
type Samples = readonly Buffer[];

async function samplesOf(
	input: ProgramInput,
	{ from, seconds, signal }: { from: number; seconds: number; signal: AbortSignal },
): Promise<Samples> {
	const [limits, video] = inputArguments(input);
	// `round=up`: a frame is shown from the first sample after its beginning on.
	const filter = `fps=${SAMPLES_PER_SECOND}:start_time=0:round=up,scale=${WIDTH}:${HEIGHT}:flags=area,format=gray`;
	const args = [
		...["-v", "error", "-nostdin", ...limits, ...ONE_FILTER],
		...["-ss", from.toFixed(3), "-t", seconds.toFixed(3), ...video],
		...["-map", "0:v:0", "-vf", filter, "-f", "rawvideo", "pipe:1"],
	];
	const { stdout, reason } = await runFfmpeg("ffmpeg", args, { ...LIMITS, signal });
	signal.throwIfAborted();
	if (reason !== null) {
		throw new TapedeckError(
			"unavailable",
			"The dashboard could not extract the frames of these recordings. Try again.",
		);
	}
	return Array.from({ length: Math.floor(stdout.length / PIXELS) }, (_, index) =>
		stdout.subarray(index * PIXELS, (index + 1) * PIXELS),
	);
}

/** @returns the first sample of the stretch that one of both has, and the other has at no time near it; null if there is none. */
async function firstUnlike(left: Samples, right: Samples, stretch: { from: number; to: number }) {
	const end = Math.min(stretch.to, left.length - 1, right.length - 1);
	for (let at = stretch.from; at <= end; at += 1) {
		if (!isShownNear(right, at, left[at] as Buffer) || !isShownNear(left, at, right[at] as Buffer)) return at;
		if (at % SAMPLES_AT_A_TIME === 0) await setImmediate();
	}
	return null;
}

/** Looks at the same time first, then further and further from it. */
function isShownNear(samples: Samples, at: number, sample: Buffer): boolean {
	for (let distance = 0; distance <= SLACK_SAMPLES; distance += 1) {
		for (const near of [samples[at - distance], samples[at + distance]]) {
			if (near !== undefined && areAlike(near, sample)) return true;
		}
	}
	return false;
}

function areAlike(one: Buffer, other: Buffer): boolean {
	for (let pixel = 0; pixel < PIXELS; pixel += 1) {
		if (Math.abs((one[pixel] as number) - (other[pixel] as number)) >= ALIKE) return false;
	}
	return true;
}
