/** Summarizes a plain MP4's sample tables (`stbl`), to decide whether it can be played. */
import { type Box, findBox, fullBox, Mp4Error } from "./mp4-boxes.ts";

export interface ListedSamples {
	samples: number;
	/** Sum of the sample sizes. */
	bytes: number;
	/** Samples at which decoding can start. */
	keyframes: number;
	chunks: number;
	/** Offset of the last chunk. */
	lastChunk: number;
	/** Sum of their durations, in the track's timescale. */
	duration: number;
	/** When the last one that is shown ends. */
	end: number;
}

/** @throws Mp4Error if a table is longer than its box. */
export function listedSamples(bytes: Buffer, stbl: Box): ListedSamples {
	const table = (type: string) => findBox(bytes, stbl.body, stbl.end, type);
	const sizes = sampleSizes(bytes, table("stsz"), table("stz2"));
	const stss = table("stss");
	const [stco, co64] = [table("stco"), table("co64")];
	const chunkBox = stco ?? co64;
	const chunks = chunkBox === null ? null : counted(bytes, chunkBox, stco === null ? 8 : 4);
	let lastChunk = 0;
	for (let index = 0; index < (chunks?.count ?? 0); index += 1) {
		const at = (chunks?.body ?? 0) + index * (stco === null ? 8 : 4);
		const offset = stco === null ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at);
		lastChunk = Math.max(lastChunk, offset);
	}
	return {
		...sizes,
		// Without a sync sample table, every sample is a keyframe.
		keyframes: stss === null ? sizes.samples : counted(bytes, stss, 4).count,
		chunks: chunks?.count ?? 0,
		lastChunk,
		...sampleTimes(bytes, table("stts"), table("ctts")),
	};
}

/** Goes through both tables at once, run by run: in a run, the last sample ends last. */
function sampleTimes(bytes: Buffer, stts: Box | null, ctts: Box | null): { duration: number; end: number } {
	const [durations, offsets] = [runsOf(bytes, stts), runsOf(bytes, ctts)];
	const offset = { left: 0, value: 0 };
	let duration = 0;
	let end = 0;
	for (const run of durations) {
		// A negative duration is that of a damaged file.
		const each = Math.max(0, run.value);
		for (let left = run.count; left > 0; ) {
			if (offset.left === 0) {
				const next = offsets.next().value;
				Object.assign(offset, { left: next?.count ?? left, value: next?.value ?? 0 });
			}
			const count = Math.min(left, offset.left);
			duration += count * each;
			end = Math.max(end, duration + offset.value);
			left -= count;
			offset.left -= count;
		}
	}
	return { duration, end };
}

function* runsOf(bytes: Buffer, box: Box | null): Generator<{ count: number; value: number }, undefined> {
	const { count, body } = box === null ? { count: 0, body: 0 } : counted(bytes, box, 8);
	for (let at = body; at < body + count * 8; at += 8) {
		const samples = bytes.readUInt32BE(at);
		if (samples > 0) yield { count: samples, value: bytes.readInt32BE(at + 4) };
	}
}

function counted(bytes: Buffer, box: Box, each: number): { count: number; body: number } {
	const { body } = fullBox(bytes, box);
	const count = bytes.readUInt32BE(body);
	if (body + 4 + count * each > box.end) throw new Mp4Error("malformed", `The box "${box.type}" is cut off.`);
	return { count, body: body + 4 };
}

function sampleSizes(bytes: Buffer, stsz: Box | null, stz2: Box | null): { samples: number; bytes: number } {
	const box = stsz ?? stz2;
	if (box === null) return { samples: 0, bytes: 0 };
	const { body } = fullBox(bytes, box);
	const samples = bytes.readUInt32BE(body + 4);
	if (stsz === null) {
		const bits = bytes.readUInt8(body + 3);
		if (body + 8 + (samples * bits) / 8 > box.end) throw new Mp4Error("malformed", 'The box "stz2" is cut off.');
		return { samples, bytes: samples };
	}
	const size = bytes.readUInt32BE(body);
	if (size !== 0) return { samples, bytes: samples * size };
	if (body + 8 + samples * 4 > box.end) throw new Mp4Error("malformed", 'The box "stsz" is cut off.');
	let sum = 0;
	for (let index = 0; index < samples; index += 1) sum += bytes.readUInt32BE(body + 8 + index * 4);
	return { samples, bytes: sum };
}
