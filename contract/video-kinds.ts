/** Vocabulary of video options: presets and limits. Without zod, because pages need it in their first load. */

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
/** Of width and height, in pixels. */
export const VIDEO_SIZES = { min: 16, max: 16_384 } as const;
