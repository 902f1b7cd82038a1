/** Joins two fragmented MP4s, as a runner does when another encoder continues a recording. */
import { boxesIn } from "@tapedeck/media/mp4-boxes.ts";

/** The timescale of the track, from its `mdhd` box. */
function timescaleOf(file: Buffer): number {
	const mdhd = find(file, ["moov", "trak", "mdia", "mdhd"]);
	return file.readUInt32BE(mdhd + (file[mdhd] === 1 ? 20 : 12));
}

/** Offset of the content of a box. @param path names of the boxes that lead to it. */
function find(file: Buffer, path: readonly string[], from = 0, to = file.length): number {
	for (const box of boxesIn(file, from, to)) {
		if (box.type !== path[0]) continue;
		return path.length === 1 ? box.body : find(file, path.slice(1), box.body, box.end);
	}
	throw new Error(`No box ${path.join("/")}.`);
}

/** The fragments of a file, each a moof and the boxes up to the next one. */
export function fragmentsOf(file: Buffer): Buffer[] {
	const starts = [...boxesIn(file, 0, file.length)].filter(({ type }) => type === "moof" || type === "mfra");
	return starts.flatMap(({ type, start }, index) =>
		type === "moof" ? [file.subarray(start, starts[index + 1]?.start ?? file.length)] : [],
	);
}

/** Everything before the first fragment. */
export const initOf = (file: Buffer): Buffer =>
	file.subarray(0, [...boxesIn(file, 0, file.length)].find(({ type }) => type === "moof")?.start);

/** The second file's fragments moved to begin at `atSeconds`, numbered on from `sequence`. */
export function movedFragments(file: Buffer, atSeconds: number, sequence: number): Buffer[] {
	const shift = BigInt(Math.round(atSeconds * timescaleOf(file)));
	return fragmentsOf(file).map((fragment, index) => {
		const moved = Buffer.from(fragment);
		const tfdt = find(moved, ["moof", "traf", "tfdt"]);
		if (moved[tfdt] !== 1) throw new Error("the test expects 64-bit decode times");
		moved.writeBigUInt64BE(moved.readBigUInt64BE(tfdt + 4) + shift, tfdt + 4);
		moved.writeUInt32BE(sequence + index, find(moved, ["moof", "mfhd"]) + 4);
		return moved;
	});
}

/** `first` as it is, then the fragments of `second` from `atSeconds` on. */
export function joinVideos(first: Buffer, second: Buffer, atSeconds: number): Buffer {
	const whole = fragmentsOf(first);
	return Buffer.concat([initOf(first), ...whole, ...movedFragments(second, atSeconds, whole.length + 1)]);
}
