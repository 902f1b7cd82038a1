/** Describes requested video options, or those of a video, in a few words. */
import { regionText } from "@tapedeck/contract/video-kinds.ts";
import type { VideoOptions } from "@tapedeck/contract/video-options.ts";

/** For example `30 fps, sharp, CRF 19, at most 1280 pixels wide`; null for nothing. */
export function videoText(video: VideoOptions): string | null {
	const { framesPerSecond, preset, crf, maxWidth, maxHeight, maxBitrate, cursor, region, window } = video;
	const parts = [
		framesPerSecond === undefined ? [] : [`${framesPerSecond} fps`],
		preset === undefined ? [] : [preset],
		crf === undefined ? [] : [`CRF ${crf}`],
		maxWidth === undefined ? [] : [`at most ${maxWidth} pixels wide`],
		maxHeight === undefined ? [] : [`at most ${maxHeight} pixels high`],
		maxBitrate === undefined ? [] : [`at most ${Math.round(maxBitrate / 1_000)} kbit/s`],
		cursor === false ? ["without pointer"] : [],
		region === undefined ? [] : [`region ${regionText(region)}`],
		window === undefined ? [] : [`window ${window}`],
	].flat();
	return parts.length === 0 ? null : parts.join(", ");
}
