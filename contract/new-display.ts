/** Virtual displays, which a runner makes for a job and ends with it. */
import * as z from "zod";
import "./no-eval.ts";

/** The smallest and the largest width and height of a virtual display, in pixels. */
export const MIN_DISPLAY_PIXELS = 16;
export const MAX_DISPLAY_PIXELS = 8_192;
const RANGE = `from ${MIN_DISPLAY_PIXELS} to ${MAX_DISPLAY_PIXELS}`;

const pixels = (what: string) => {
	const error = `Send the ${what} of the new display as a whole number of pixels ${RANGE}.`;
	return z.int({ error }).min(MIN_DISPLAY_PIXELS, { error }).max(MAX_DISPLAY_PIXELS, { error });
};

export const newDisplaySchema = z.strictObject(
	{ width: pixels("width"), height: pixels("height") },
	{ error: 'Send display as an object such as {"width": 1280, "height": 720}.' },
);
/** The size of a virtual display, in pixels. */
export type NewDisplay = z.output<typeof newDisplaySchema>;

/** The size in a text such as `1920x1080`; null if it is none, or beyond the limits. */
export function sizeIn(text: string): NewDisplay | null {
	const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(text.trim()) ?? [];
	return newDisplaySchema.safeParse({ width: Number(width), height: Number(height) }).data ?? null;
}

/** The notation of a size, for messages. */
export const SIZE_NOTATION = `Use a size in pixels such as 1920x1080, each ${RANGE}.`;

/** The most virtual displays that a runner makes at a time. */
export const MAX_VIRTUAL_DISPLAYS = 100;
export const virtualDisplaysSchema = z.int().positive().max(MAX_VIRTUAL_DISPLAYS);
