/** Video options as forms hold them: text, and empty for options that the next level decides. */
import { FRAME_RATES, MAX_CRF, parseRegion, regionText, VIDEO_SIZES } from "@tapedeck/contract/video-kinds.ts";
import type { VideoOptions } from "@tapedeck/contract/video-options.ts";

export type VideoField = keyof VideoOptions;
export type VideoValues = { [Field in VideoField]-?: string };

export const EMPTY_VIDEO: VideoValues = {
	preset: "",
	framesPerSecond: "",
	maxWidth: "",
	maxHeight: "",
	crf: "",
	maxBitrate: "",
	cursor: "",
	region: "",
	window: "",
};
export const VIDEO_FIELDS = Object.keys(EMPTY_VIDEO) as VideoField[];

const PIXELS = `Enter an even number of pixels, ${VIDEO_SIZES.min} or more, e.g. 1280.`;
/** The expected value of each field that may be wrong. */
export const VIDEO_MESSAGES: Record<VideoField, string> = {
	preset: "Choose a preset.",
	framesPerSecond: `Enter a whole number from ${FRAME_RATES.min} to ${FRAME_RATES.max}.`,
	maxWidth: PIXELS,
	maxHeight: PIXELS,
	crf: `Enter a whole number from 0 (lossless) to ${MAX_CRF}.`,
	maxBitrate: "Enter bits per second, 50000 or more.",
	cursor: "Choose whether the pointer is recorded.",
	window: "Enter a part of the window's title, and no region.",
	region: "Enter width, height and position in pixels, e.g. 800x600+100+50.",
};

export const videoValuesOf = (video: VideoOptions): VideoValues => ({
	...EMPTY_VIDEO,
	...Object.fromEntries(
		Object.entries(video).map(([field, value]) => [
			field,
			typeof value === "object" ? regionText(value) : String(value),
		]),
	),
});

/** Typed values, not validated: numbers, or the text itself for the server to refuse. Nothing for empty fields. */
export const videoOf = (values: VideoValues): { [Field in VideoField]?: VideoOptions[Field] | string } =>
	Object.fromEntries(
		Object.entries(values)
			.map(([field, text]) => [field, text.trim()] as const)
			.filter(([, text]) => text !== "")
			.map(([field, text]) => [field, valueIn(field as VideoField, text)]),
	);

function valueIn(field: VideoField, text: string): boolean | number | string | VideoOptions["region"] {
	if (field === "cursor") return text === "true";
	if (field === "window") return text;
	return field === "region" ? (parseRegion(text) ?? text) : numberIn(text);
}

const numberIn = (text: string): number | string => (Number.isNaN(Number(text)) ? text : Number(text));
