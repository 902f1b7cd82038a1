/** Describes spans without a captured frame, for the job's events and its end. */
import { formatInstant } from "@tapedeck/contract/video-time.ts";
import type { Stall } from "../video/video-part.ts";

export const rounded = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

export const secondsOf = (seconds: number): string => `${Number(seconds.toFixed(1))} s`;

/** Message of a stall in the job's events. The cause of a restart has an event of its own. */
export function stallMessage({ from, to, isRestart }: Stall): string {
	const [begin, end] = [formatInstant(from), formatInstant(to)];
	if (isRestart) {
		return `Nothing was captured for ${secondsOf(to - from)}, from ${begin} to ${end} of the video, while the capture was restarted. The video shows the last frame from before.`;
	}
	return `The capture stalled for ${secondsOf(to - from)}, from ${begin} to ${end} of the video, which shows the last frame from before. Check whether this machine was paused or short of CPU time.`;
}

/** Number and total duration of stalls, for the final report; empty when there were none. */
export const stallSummary = (stalls: readonly Stall[]): { stalls?: number; stalledSeconds?: number } =>
	stalls.length === 0
		? {}
		: { stalls: stalls.length, stalledSeconds: rounded(stalls.reduce((sum, { from, to }) => sum + to - from, 0)) };
