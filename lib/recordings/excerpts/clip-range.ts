/** The part of a recording that a clip shows. */
import { CLIP_AROUND_FAILURE, type ClipFormat, MAX_GIF_SECONDS } from "@tapedeck/contract/clip.ts";
import { MAX_CLIP_SECONDS } from "@tapedeck/contract/video-kinds.ts";
import { invalid } from "#lib/core/errors.ts";
import { roundedSeconds } from "#lib/core/times.ts";

const { before: BEFORE_FAILURE_SECONDS, after: AFTER_FAILURE_SECONDS } = CLIP_AROUND_FAILURE;
const USUAL_SECONDS = BEFORE_FAILURE_SECONDS + AFTER_FAILURE_SECONDS;

export interface ClipRange {
	/** Seconds from the beginning of the recording. */
	from: number;
	to: number;
}

/**
 * The stretch that is asked for, without what is after the end. What is left out lies around the failure, is 25 s long, or
 * the last 25 s.
 * @param durationSeconds the length of the video, by now.
 * @throws validation_failed for a stretch that is empty, backwards, too long, or after the end.
 */
export function clipRange(
	asked: { from?: number; to?: number; format: ClipFormat },
	durationSeconds: number,
	failedAt: number | null,
): ClipRange {
	const { from, to } = around(asked, durationSeconds, failedAt);
	if (to <= from) {
		throw invalid({
			path: "to",
			code: "too_small",
			message: "Send to as more seconds than from: nothing lies between.",
		});
	}
	if (from >= durationSeconds) {
		const message = `Send from as less than ${roundedSeconds(durationSeconds)}, the length of the recording.`;
		throw invalid({ path: "from", code: "too_big", message });
	}
	const end = Math.min(to, durationSeconds);
	const longest = asked.format === "gif" ? MAX_GIF_SECONDS : MAX_CLIP_SECONDS;
	if (end - from > longest) {
		const what = asked.format === "gif" ? "a GIF" : "a clip";
		const message = `Send to as at most ${longest} seconds after from: ${what} is no longer.`;
		throw invalid({ path: "to", code: "too_big", message });
	}
	return { from, to: end };
}

function around(
	{ from, to }: { from?: number; to?: number },
	durationSeconds: number,
	failedAt: number | null,
): ClipRange {
	if (from !== undefined) return { from, to: to ?? from + USUAL_SECONDS };
	if (to !== undefined) return { from: Math.max(0, to - USUAL_SECONDS), to };
	if (failedAt === null) return { from: Math.max(0, durationSeconds - USUAL_SECONDS), to: durationSeconds };
	// A failure at the very end is shown there.
	const moment = Math.min(failedAt, durationSeconds);
	return { from: Math.max(0, moment - BEFORE_FAILURE_SECONDS), to: moment + AFTER_FAILURE_SECONDS };
}
