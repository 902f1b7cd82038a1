/** How a recording is encoded. */
import * as z from "zod";

export const VIDEO_PRESETS = ["balanced", "sharp", "small"] as const;
export type VideoPreset = (typeof VIDEO_PRESETS)[number];

/** x264's constant rate factor: 0 is lossless, 51 the worst. */
export const MAX_CRF = 51;
/** In bits per second. */
export const BITRATES = { min: 50_000, max: 1_000_000_000 } as const;

export const videoOptionsSchema = z.object({
	/** `balanced`, `sharp` (larger files), or `small` (more blur, and more processor time where the screen moves). */
	preset: z.enum(VIDEO_PRESETS).default("balanced"),
	/** Instead of the preset's. */
	crf: z.int().min(0).max(MAX_CRF).optional(),
	/** The most bits per second; no limit when left out. */
	maxBitrate: z.int().min(BITRATES.min).max(BITRATES.max).optional(),
	/** Whether the pointer is recorded. */
	cursor: z.boolean().default(true),
});
export type VideoOptions = z.infer<typeof videoOptionsSchema>;
