/** Edit lists: which parts of a track are played, and when (ISO/IEC 14496-12, 8.6.6). */
import { boxesIn, fullBox } from "./mp4-boxes.ts";

export interface Edit {
	/** In the movie's timescale. 0 means up to the end of the track. */
	duration: number;
	/** Its start in the track, in the track's timescale; -1 if nothing is shown. */
	mediaTime: number;
	/** Rate as 16.16 fixed point. */
	rate: number;
}

/** @param edts a whole `edts` box. */
export function readEdits(edts: Buffer): Edit[] {
	const edits: Edit[] = [];
	for (const child of boxesIn(edts, 8, edts.length)) {
		if (child.type !== "elst") continue;
		const { version, body } = fullBox(edts, child);
		const count = edts.readUInt32BE(body);
		const each = version === 1 ? 20 : 12;
		for (let at = body + 4, index = 0; index < count && at + each <= child.end; index += 1, at += each) {
			edits.push(readEdit(edts, at, version));
		}
	}
	return edits;
}

function readEdit(bytes: Buffer, at: number, version: number): Edit {
	if (version !== 1) {
		return { duration: bytes.readUInt32BE(at), mediaTime: bytes.readInt32BE(at + 4), rate: bytes.readUInt32BE(at + 8) };
	}
	return {
		duration: Number(bytes.readBigUInt64BE(at)),
		mediaTime: Number(bytes.readBigInt64BE(at + 8)),
		rate: bytes.readUInt32BE(at + 16),
	};
}

/** The samples of a track, in its timescale. */
export interface PlayedTrack {
	edts: Buffer | null;
	timescale: number;
	/** Sum of the durations of its samples. */
	duration: number;
	/** When the last one that is shown ends. */
	end: number;
	/** The number of seconds by which it begins later than the movie. */
	delaySeconds?: number;
}

/** @returns the played seconds of a track, including empty edits before them. */
export function playedSeconds(
	{ edts, timescale, duration, end, delaySeconds = 0 }: PlayedTrack,
	movieTimescale: number,
): number {
	const edits = edts === null ? [] : readEdits(edts);
	if (!edits.some(({ mediaTime }) => mediaTime >= 0)) return delaySeconds + duration / timescale;
	let seconds = delaySeconds;
	let empty = 0;
	for (const edit of edits) {
		const stated = edit.duration / movieTimescale;
		if (edit.mediaTime < 0) {
			empty += stated;
			continue;
		}
		// An edit that goes beyond the track shows nothing there.
		const rest = Math.max(0, (end - edit.mediaTime) / timescale);
		seconds += empty + (edit.duration === 0 ? rest : Math.min(stated, rest));
		empty = 0;
	}
	return seconds;
}
