/** Encoding of recordings: the options at several levels, and the values that result. */
import * as z from "zod";
import "./no-eval.ts";
import { plainText } from "./primitives.ts";
import { BITRATES, FRAME_RATES, MAX_CRF, PRESET_CRF, VIDEO_PRESETS, VIDEO_SIZES } from "./video-kinds.ts";

const CRF = `Send crf as a whole number from 0 (lossless) to ${MAX_CRF} (the worst).`;
const BITRATE = `Send maxBitrate as a whole number of bits per second from ${BITRATES.min} to ${BITRATES.max}.`;
const RATE = `Send framesPerSecond as a whole number from ${FRAME_RATES.min} to ${FRAME_RATES.max}, such as 15.`;

const REGION =
	'Send region as an object with x, y, width and height, such as {"x": 0, "y": 0, "width": 800, "height": 600}.';

const WINDOW =
	"Send window as a part of the window's title or as its id, such as 0x1e00003, of at most 200 characters.";

/** @param min of this number of pixels of a region. */
const regionPixels = (field: string, min: number) => {
	const error = `Send ${field} as a whole number of pixels from ${min} to ${VIDEO_SIZES.max}.`;
	return z.int({ error }).min(min, { error }).max(VIDEO_SIZES.max, { error });
};

/** A rectangle of the display. Of an odd width or height, the last column or row is left out, as of a display. */
export const regionSchema = z.strictObject(
	{
		x: regionPixels("x", 0),
		y: regionPixels("y", 0),
		width: regionPixels("width", VIDEO_SIZES.min),
		height: regionPixels("height", VIDEO_SIZES.min),
	},
	{ error: ({ code }) => (code === "invalid_type" ? REGION : undefined) },
);

export const windowSchema = plainText("window", WINDOW).trim().min(1, { error: WINDOW }).max(200, { error: WINDOW });

const sizeSchema = (field: string) => {
	const error = `Send ${field} as an even number of pixels from ${VIDEO_SIZES.min} to ${VIDEO_SIZES.max}, such as 1280.`;
	return z
		.int({ error })
		.min(VIDEO_SIZES.min, { error })
		.max(VIDEO_SIZES.max, { error })
		.multipleOf(2, { error })
		.optional();
};

/** Video options of a job, an organization or a runner. The next level sets those that are left out. */
export const videoOptionsSchema = z
	.strictObject(
		{
			preset: z.enum(VIDEO_PRESETS, { error: `Send preset as one of ${VIDEO_PRESETS.join(", ")}.` }).optional(),
			framesPerSecond: z
				.int({ error: RATE })
				.min(FRAME_RATES.min, { error: RATE })
				.max(FRAME_RATES.max, { error: RATE })
				.optional(),
			/** A larger display is scaled down to fit. A smaller one is never enlarged. */
			maxWidth: sizeSchema("maxWidth"),
			maxHeight: sizeSchema("maxHeight"),
			/** Whether the pointer is recorded. */
			cursor: z.boolean({ error: "Send cursor as true or false." }).optional(),
			/** Instead of the preset's. */
			crf: z.int({ error: CRF }).min(0, { error: CRF }).max(MAX_CRF, { error: CRF }).optional(),
			/** The most bits per second. */
			maxBitrate: z
				.int({ error: BITRATE })
				.min(BITRATES.min, { error: BITRATE })
				.max(BITRATES.max, { error: BITRATE })
				.optional(),
			/** The recorded part of the display, instead of all of it. */
			region: regionSchema.optional(),
			/** The window to follow instead: a part of its title, in any case, or its id, such as 0x1e00003. */
			window: windowSchema.optional(),
		},
		{
			error: ({ code }) =>
				code === "invalid_type"
					? 'Send video as an object, such as {"preset": "sharp", "framesPerSecond": 30}.'
					: undefined,
		},
	)
	.refine(({ region, window }) => region === undefined || window === undefined, {
		path: ["window"],
		error: "Send either region or window.",
	});
export type VideoOptions = z.infer<typeof videoOptionsSchema>;
/** The options that come from the other side, which may know more of them. */
export const receivedVideoOptionsSchema = z.object(videoOptionsSchema.shape);

/** Everything that decides how a recording is encoded. A limit that is missing is none. */
export const videoFormatSchema = z.object({
	preset: z.enum(VIDEO_PRESETS),
	framesPerSecond: z.int(),
	cursor: z.boolean(),
	crf: z.int(),
	maxWidth: z.int().optional(),
	maxHeight: z.int().optional(),
	maxBitrate: z.int().optional(),
	region: regionSchema.optional(),
	window: plainText("window").optional(),
});
export type VideoFormat = z.infer<typeof videoFormatSchema>;

/**
 * Merges options: those of `upper`, else those of `lower`. A preset has its own quality, so it replaces a `crf` below it.
 * Region and window both say what is shown, so either of them replaces both below it.
 */
export function overrideVideo(lower: VideoOptions = {}, upper: VideoOptions = {}): VideoOptions {
	const { crf, region, window, ...rest } = lower;
	const quality = upper.preset === undefined ? { crf } : {};
	const shown = upper.region === undefined && upper.window === undefined ? { region, window } : {};
	return withoutUndefined({ ...rest, ...quality, ...shown, ...withoutUndefined(upper) });
}

/** The resulting options, with the built-in values for those left out. */
export function videoFormat(options: VideoOptions): VideoFormat {
	const preset = options.preset ?? "balanced";
	const builtIn = { preset, framesPerSecond: FRAME_RATES.default, cursor: true, crf: PRESET_CRF[preset] };
	return { ...builtIn, ...withoutUndefined(options) };
}

const withoutUndefined = <Options extends object>(options: Options): Options =>
	Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
