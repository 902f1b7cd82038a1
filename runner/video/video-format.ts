/** The video format shared by all recordings. */

export const FRAMES_PER_SECOND = 15;
export const FRAME_SECONDS = 1 / FRAMES_PER_SECOND;

export interface Size {
	width: number;
	height: number;
}

/** H.264 with 4:2:0 color needs even sizes: an odd last row or column of the display is cropped. */
export const evenSize = ({ width, height }: Size): Size => ({ width: even(width), height: even(height) });

const even = (pixels: number): number => Math.max(2, pixels & ~1);
