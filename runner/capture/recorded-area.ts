/** The part of a display that a recording shows. */
import { type Region, regionText } from "@tapedeck/contract/video-kinds.ts";
import type { VideoFormat } from "@tapedeck/contract/video-options.ts";
import type { DisplayFault } from "../displays/allowed-displays.ts";
import type { Size } from "../video/video-format.ts";

/** @returns the recorded area of a display of this size. @param window the position of the window that the recording follows. */
export const areaOf = (display: Size, { region }: Pick<VideoFormat, "region">, window: Region | null): Region =>
	regionWithin(display, window ?? region ?? { x: 0, y: 0, width: display.width, height: display.height });

/** The same region, moved into the display as far as it has to be, and never larger than the display. */
function regionWithin(display: Size, { x, y, ...wanted }: Region): Region {
	const width = Math.min(wanted.width, display.width);
	const height = Math.min(wanted.height, display.height);
	const inside = (from: number, most: number): number => Math.min(Math.max(0, from), most);
	return { x: inside(x, display.width - width), y: inside(y, display.height - height), width, height };
}

export const isSameRegion = (a: Region, b: Region): boolean =>
	a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/** The fault of a region that the display does not have; null when it has all of it. */
export function regionFault(display: Size & { id: string }, region: Region): DisplayFault | null {
	if (isSameRegion(region, regionWithin(display, region))) return null;
	return {
		code: "display_unavailable",
		what: `The region ${regionText(region)} is not on display ${display.id}, which is ${display.width}x${display.height}`,
		remedy: "choose one that is, or start a larger display",
	};
}
