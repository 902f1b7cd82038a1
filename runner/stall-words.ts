/** What a recording says about the stretches in which nothing was captured. */
import type { Stall } from "./video/video-part.ts";

export const secondsOf = (seconds: number): string => `${Number(seconds.toFixed(1))} s`;

/** `1:02:03.4` of the video. */
function placeOf(seconds: number): string {
	const tenths = Math.round(seconds * 10);
	const [hours, minutes] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60];
	const rest = ((tenths % 600) / 10).toFixed(1).padStart(4, "0");
	return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, "0")}:${rest}`;
}

export const stallMessage = ({ from, to }: Stall): string =>
	`The capture stalled for ${secondsOf(to - from)}, from ${placeOf(from)} to ${placeOf(to)} of the video, which shows the last frame from before. Check whether this machine was paused or short of processor time.`;

/** What the report of the end says of them. */
export const stallData = (stalls: readonly Stall[]): { stalls: number; stalledSeconds: number } => ({
	stalls: stalls.length,
	stalledSeconds: Math.round(stalls.reduce((sum, { from, to }) => sum + to - from, 0) * 1_000) / 1_000,
});
