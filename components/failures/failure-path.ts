import { pathAt } from "#components/recordings/player/player-link.ts";
import type { Failure } from "#lib/contract/failure.ts";

/** A video begins so many seconds before its failure. */
const BEFORE_SECONDS = 5;

/**
 * Where a failure is shown: its video from shortly before, or its job if it recorded nothing.
 * @param lastChangeAt when the screen last changed, for those without a marker; null while that is unknown
 */
export function failurePath(failure: Failure, lastChangeAt: number | null = null): string {
	const { recording, deletedRecording, failMarker, job } = failure;
	if (recording === null) return job === null ? `/recordings/${deletedRecording?.id}` : `/jobs/${job.id}`;
	return pathAt(`/recordings/${recording.id}`, secondsBefore({ failMarker }, lastChangeAt));
}

/** From which second on a failure is shown. */
export const secondsBefore = (
	{ failMarker }: Pick<Failure, "failMarker">,
	lastChangeAt: number | null = null,
): number => Math.max(0, (failMarker?.offsetSeconds ?? lastChangeAt ?? 0) - BEFORE_SECONDS);
