/** Text on the picture, as a filter of ffmpeg. */
import { fileURLToPath } from "node:url";

/** Shipped, because a machine may have no font, and reading the machine's list of fonts would write a cache. */
const FONT = fileURLToPath(import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"));
/** Mean width of a character of this font, as a share of its size. */
const CHARACTER_WIDTH = 0.6;

export interface CaptionPlace {
	/** Size of the picture in pixels. */
	width: number;
	height: number;
	/** From the bottom, from 0; `corner` is on the top left. */
	row: number | "corner";
	/** In seconds of the frames' times. */
	from: number;
	to: number;
}

/** @param text of any content: what does not fit on a line is cut. */
export function captionFilter(text: string, { width, height, row, from, to }: CaptionPlace): string {
	const size = Math.max(10, Math.round(height / 24));
	const most = Math.max(8, Math.floor((width - 2 * size) / (size * CHARACTER_WIDTH)));
	const characters = [...text];
	const shown = characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
	const place =
		row === "corner" ? `x=${size}:y=${size}` : `x=(w-tw)/2:y=h-${Math.round((row + 1) * size * 2)}-${size / 2}`;
	return [
		`drawtext=fontfile=${escaped(FONT)}:expansion=none:fontsize=${size}:fontcolor=white`,
		`box=1:boxcolor=black@0.7:boxborderw=${Math.round(size / 3)}:${place}`,
		`text=${escaped(shown)}:enable=${escaped(`between(t,${from.toFixed(3)},${to.toFixed(3)})`)}`,
	].join(":");
}

/** For an option's value, and then for a graph of filters: each has characters with a meaning of its own. */
const escaped = (value: string): string => value.replace(/[\\':]/g, "\\$&").replace(/[\\'[\],;]/g, "\\$&");
