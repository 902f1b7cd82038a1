/** The size of a recording, from its display and its format. */
import type { VideoFormat } from "@tapedeck/contract/video-options.ts";

export interface Size {
	width: number;
	height: number;
}

/** H.264 with 4:2:0 color needs even sizes: an odd last row or column of the display is cropped. */
export const evenSize = ({ width, height }: Size): Size => ({ width: even(width), height: even(height) });

/** The size of a display's video: with its proportions, as large as the limits allow, and never enlarged. */
export function videoSize(display: Size, { maxWidth, maxHeight }: Pick<VideoFormat, "maxWidth" | "maxHeight">): Size {
	const { width, height } = evenSize(display);
	const scale = Math.min(1, (maxWidth ?? width) / width, (maxHeight ?? height) / height);
	if (scale === 1) return { width, height };
	// Rounded to the nearest even number, which is not above a limit, because limits are even.
	return { width: even(Math.round((width * scale) / 2) * 2), height: even(Math.round((height * scale) / 2) * 2) };
}

const even = (pixels: number): number => Math.max(2, pixels & ~1);
