/** Chapters of an MP4 as the box `chpl`, which VLC, mpv and ffmpeg read. Browsers ignore it. */
import { box } from "./mp4-boxes.ts";

export interface Chapter {
	/** In seconds. */
	at: number;
	text: string;
}

/** Their number has one byte, and so has the length of each title. */
const MOST = 255;
const TICKS_PER_SECOND = 10_000_000;

/** @param chapters by time; those behind the 255th are left out. @returns an empty buffer if there are none. */
export function chapterBox(chapters: readonly Chapter[]): Buffer {
	const listed = chapters.slice(0, MOST);
	if (listed.length === 0) return Buffer.alloc(0);
	const head = Buffer.alloc(9);
	head.writeUInt8(1, 0);
	head.writeUInt8(listed.length, 8);
	const entries = listed.map(({ at, text }) => {
		const title = shortened(text);
		const start = Buffer.alloc(9);
		start.writeBigUInt64BE(BigInt(Math.round(at * TICKS_PER_SECOND)));
		start.writeUInt8(title.length, 8);
		return Buffer.concat([start, title]);
	});
	return box("udta", box("chpl", head, ...entries));
}

/** Shortens a title, without a cut character at its end. */
function shortened(text: string): Buffer {
	const bytes = Buffer.from(text);
	if (bytes.length <= MOST) return bytes;
	return Buffer.from(new TextDecoder().decode(bytes.subarray(0, MOST), { stream: true }));
}
