/** How a runner encodes its recordings: TAPEDECK_VIDEO_PRESET, _CRF, _MAX_BITRATE and _CURSOR. */
import { BITRATES, MAX_CRF, VIDEO_PRESETS, type VideoOptions } from "@tapedeck/contract/video-options.ts";
import * as z from "zod";
import { booleanFlag } from "./boolean-flag.ts";

const CRF = `Use a whole number from 0 (lossless) to ${MAX_CRF} (the worst).`;
const BITRATE = `Use bits per second from ${BITRATES.min} to ${BITRATES.max}, such as 1000000, 1000k or 1M.`;
const FACTORS = { "": 1, k: 1_000, M: 1_000_000 };

/** The settings by their flags. */
export const videoShape = {
	"video-preset": z.enum(VIDEO_PRESETS, { error: `Use one of ${VIDEO_PRESETS.join(", ")}.` }).optional(),
	"video-crf": z
		.string()
		.trim()
		.regex(/^\d{1,2}$/, { error: CRF })
		.transform(Number)
		.refine((crf) => crf <= MAX_CRF, { error: CRF })
		.optional(),
	"video-max-bitrate": z
		.string()
		.trim()
		.regex(/^\d{1,10}[kM]?$/, { error: BITRATE })
		.transform((text) => Number.parseInt(text, 10) * FACTORS[text.replace(/^\d+/, "") as keyof typeof FACTORS])
		.refine((bits) => bits >= BITRATES.min && bits <= BITRATES.max, { error: BITRATE })
		.optional(),
	"video-cursor": booleanFlag.default(true),
};

interface VideoSettings {
	"video-preset"?: VideoOptions["preset"];
	"video-crf"?: number;
	"video-max-bitrate"?: number;
	"video-cursor": boolean;
}

/** The fault of settings that contradict each other; null when they don't. */
export const videoContradiction = (settings: VideoSettings): string | null =>
	settings["video-preset"] !== undefined && settings["video-crf"] !== undefined
		? "Set either this or TAPEDECK_VIDEO_PRESET, which has a crf of its own."
		: null;

export const videoOptionsOf = (settings: VideoSettings): VideoOptions => ({
	preset: settings["video-preset"] ?? "balanced",
	crf: settings["video-crf"],
	maxBitrate: settings["video-max-bitrate"],
	cursor: settings["video-cursor"],
});
