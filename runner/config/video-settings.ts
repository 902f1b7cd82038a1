/**
 * A runner's video options for recordings that request none: TAPEDECK_VIDEO_PRESET, _CRF, _MAX_BITRATE, _FPS,
 * _MAX_WIDTH, _MAX_HEIGHT, _CURSOR, _REGION and _WINDOW.
 */
import {
	BITRATES,
	FRAME_RATES,
	MAX_CRF,
	parseRegion,
	VIDEO_PRESETS,
	VIDEO_SIZES,
} from "@tapedeck/contract/video-kinds.ts";
import { regionSchema, type VideoOptions, windowSchema } from "@tapedeck/contract/video-options.ts";
import * as z from "zod";
import { booleanFlag } from "./boolean-flag.ts";

const CRF = `Use a whole number from 0 (lossless) to ${MAX_CRF} (the worst).`;
const BITRATE = `Use bits per second from ${BITRATES.min} to ${BITRATES.max}, such as 1000000, 1000k or 1M.`;
const RATE = `Use a whole number of frames per second from ${FRAME_RATES.min} to ${FRAME_RATES.max}.`;
const PIXELS = `Use an even number of pixels from ${VIDEO_SIZES.min} to ${VIDEO_SIZES.max}, such as 1280.`;
const REGION = `Use <width>x<height>+<x>+<y> with sizes from ${VIDEO_SIZES.min} pixels, such as 800x600+100+50.`;
const FACTORS = { "": 1, k: 1_000, M: 1_000_000 };

/** A number written as digits. */
const digits = (isValid: (value: number) => boolean, error: string) =>
	z
		.string()
		.trim()
		.regex(/^\d{1,5}$/, { error })
		.transform(Number)
		.refine(isValid, { error })
		.optional();

const pixels = () => digits((size) => size % 2 === 0 && size >= VIDEO_SIZES.min && size <= VIDEO_SIZES.max, PIXELS);

/** The settings by their flags. */
export const videoShape = {
	"video-preset": z.enum(VIDEO_PRESETS, { error: `Use one of ${VIDEO_PRESETS.join(", ")}.` }).optional(),
	"video-crf": digits((crf) => crf <= MAX_CRF, CRF),
	"video-max-bitrate": z
		.string()
		.trim()
		.regex(/^\d{1,10}[kM]?$/, { error: BITRATE })
		.transform((text) => Number.parseInt(text, 10) * FACTORS[text.replace(/^\d+/, "") as keyof typeof FACTORS])
		.refine((bits) => bits >= BITRATES.min && bits <= BITRATES.max, { error: BITRATE })
		.optional(),
	"video-fps": digits((rate) => rate >= FRAME_RATES.min && rate <= FRAME_RATES.max, RATE),
	"video-max-width": pixels(),
	"video-max-height": pixels(),
	"video-cursor": booleanFlag.optional(),
	"video-region": z
		.string()
		.transform((text, ctx) => {
			const { success, data } = regionSchema.safeParse(parseRegion(text));
			if (success) return data;
			ctx.addIssue({ code: "custom", message: REGION });
			return z.NEVER;
		})
		.optional(),
	"video-window": windowSchema.optional(),
};

interface VideoSettings {
	"video-preset"?: VideoOptions["preset"];
	"video-crf"?: number;
	"video-max-bitrate"?: number;
	"video-fps"?: number;
	"video-max-width"?: number;
	"video-max-height"?: number;
	"video-cursor"?: boolean;
	"video-region"?: VideoOptions["region"];
	"video-window"?: string;
}

/** Errors about settings that contradict each other, by the flag to change. */
export function videoContradictions(settings: VideoSettings): { flag: keyof VideoSettings; message: string }[] {
	const { "video-preset": preset, "video-crf": crf, "video-region": region, "video-window": window } = settings;
	const quality = "Set either this or TAPEDECK_VIDEO_PRESET, which has a crf of its own.";
	return [
		...(preset !== undefined && crf !== undefined ? [{ flag: "video-crf" as const, message: quality }] : []),
		...(region !== undefined && window !== undefined
			? [{ flag: "video-window" as const, message: "Set either this or TAPEDECK_VIDEO_REGION." }]
			: []),
	];
}

export const videoOptionsOf = (settings: VideoSettings): VideoOptions => ({
	preset: settings["video-preset"],
	crf: settings["video-crf"],
	maxBitrate: settings["video-max-bitrate"],
	framesPerSecond: settings["video-fps"],
	maxWidth: settings["video-max-width"],
	maxHeight: settings["video-max-height"],
	cursor: settings["video-cursor"],
	region: settings["video-region"],
	window: settings["video-window"],
});
