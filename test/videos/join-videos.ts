/** For tests: two fragmented MP4s sewn into one, as a runner does when its encoder died and another one went on. */
import { boxesIn } from "#lib/media/mp4-boxes.ts";

/** Where the tracks' timescale stands in a recording's `mdhd`, read from the file itself. */
function timescaleOf(file: Buffer): number {
	const mdhd = find(file, ["moov", "trak", "mdia", "mdhd"]);
	return file.readUInt32BE(mdhd + (file[mdhd] === 1 ? 20 : 12));
}

/** Offset of the content of a box, by the way that leads to it. */
function find(file: Buffer, way: readonly string[], from = 0, to = file.length): number {
	for (const box of boxesIn(file, from, to)) {
		if (box.type !== way[0]) continue;
		return way.length === 1 ? box.body : find(file, way.slice(1), box.body, box.end);
	}
	throw new Error(`there is no ${way.join("/")}`);
}

/** The fragments of a file, each a moof and what follows it up to the next one. */
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
