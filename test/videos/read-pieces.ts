/** Splits a fragmented MP4 into the chunks that a runner uploads. */
import { readFileSync } from "node:fs";

/** @returns each fragment as a chunk; the header is part of the first one. */
export function readPieces(file: string): Buffer[] {
	const video = readFileSync(file);
	const pieces: Buffer[] = [];
	let from = 0;
	for (let at = 0; at + 8 <= video.length; at += video.readUInt32BE(at)) {
		const end = at + video.readUInt32BE(at);
		if (video.toString("latin1", at + 4, at + 8) !== "mdat") continue;
		pieces.push(video.subarray(from, end));
		from = end;
	}
	return pieces;
}
