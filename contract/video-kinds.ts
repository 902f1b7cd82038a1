/** Vocabulary of video options and clips: presets and limits. Without zod, because pages need it in their first load. */

/** `balanced`, `sharp` (larger files), or `small` (more blur, and more processor time where the screen moves). */
export const VIDEO_PRESETS = ["balanced", "sharp", "small"] as const;
export type VideoPreset = (typeof VIDEO_PRESETS)[number];

/** x264's constant rate factor: 0 is lossless, 51 the worst. */
export const MAX_CRF = 51;
export const PRESET_CRF: Readonly<Record<VideoPreset, number>> = { balanced: 28, sharp: 19, small: 33 };
/** In bits per second. */
export const BITRATES = { min: 50_000, max: 1_000_000_000 } as const;
/** In frames per second. */
export const FRAME_RATES = { min: 1, max: 60, default: 15 } as const;
/** Limits of width and height, in pixels. */
export const VIDEO_SIZES = { min: 16, max: 16_384 } as const;
/** The longest clip. */
export const MAX_CLIP_SECONDS = 600;

/** A rectangle of a display, in pixels from its upper left corner. */
export interface Region {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** A region as X programs write it: `800x600+100+50`; without a position, it begins at the upper left corner. */
export const regionText = ({ x, y, width, height }: Region): string => `${width}x${height}+${x}+${y}`;

/** @returns null for a text that is no region. Its limits are for the schema to check. */
export function parseRegion(text: string): Region | null {
	const match = /^\s*(\d{1,5})[x×](\d{1,5})(?:\+(\d{1,5})\+(\d{1,5}))?\s*$/.exec(text);
	if (match === null) return null;
	const [width = 0, height = 0, x = 0, y = 0] = match.slice(1).map((digits) => Number(digits ?? 0));
	return { x, y, width, height };
}
