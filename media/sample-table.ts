/** The samples of one track, as `stbl` stores them. */
import { NumberTable, RunTable, WordTable } from "./growing-table.ts";

const MAX_WORD = 0xffff_ffff;

export class SampleTable {
	/** Number of samples. */
	length = 0;
	/** Sum of all durations, in the track's timescale. */
	duration = 0;
	/** End of the last displayed frame, in the track's timescale: reordered frames end after `duration`. */
	presentationEnd = 0;
	#sizes = new WordTable();
	#durations = new RunTable();
	#compositionOffsets = new RunTable();
	#hasCompositionOffsets = false;
	#syncSamples = new WordTable();
	#chunkOffsets = new NumberTable();
	/** (first chunk, samples per chunk, sample description), one for each change. */
	#chunkRuns = new WordTable();
	#lastChunkRun = { samples: 0, description: 0 };

	/** Starts a chunk: the next `samples` samples are consecutive in the file from `offset`. */
	addChunk(offset: number, samples: number, description: number): void {
		this.#chunkOffsets.push(offset);
		if (samples !== this.#lastChunkRun.samples || description !== this.#lastChunkRun.description) {
			this.#lastChunkRun = { samples, description };
			this.#chunkRuns.push(this.#chunkOffsets.length);
			this.#chunkRuns.push(samples);
			this.#chunkRuns.push(description);
		}
	}

	addSample(size: number, duration: number, compositionOffset: number, sync: boolean): void {
		this.#sizes.push(size);
		this.#durations.push(duration);
		if (compositionOffset !== 0 && !this.#hasCompositionOffsets) {
			this.#hasCompositionOffsets = true;
			this.#compositionOffsets.pushRun(0, this.length);
		}
		if (this.#hasCompositionOffsets) this.#compositionOffsets.push(compositionOffset);
		this.length += 1;
		this.duration += duration;
		this.presentationEnd = Math.max(this.presentationEnd, this.duration + compositionOffset);
		if (sync) this.#syncSamples.push(this.length);
	}

	/**
	 * Lengthens the last sample (or shortens it if `by` is negative), so that the next one begins later.
	 * @returns the actual change: a duration has 32 bits and is never negative.
	 */
	stretchLast(by: number): number {
		if (this.length === 0) return 0;
		const last = this.#durations.last;
		const duration = Math.max(0, Math.min(MAX_WORD, last + by));
		if (duration !== last) this.#durations.replaceLast(duration);
		this.duration += duration - last;
		this.presentationEnd += duration - last;
		return duration - last;
	}

	/** Duration of the last sample. */
	get lastDuration(): number {
		return this.#durations.last;
	}

	get allocatedBytes(): number {
		return [
			this.#sizes,
			this.#durations,
			this.#compositionOffsets,
			this.#syncSamples,
			this.#chunkOffsets,
			this.#chunkRuns,
		].reduce((sum, table) => sum + table.allocatedBytes, 0);
	}

	/** Number of bytes that `writeBoxes` writes. */
	get boxBytes(): number {
		return (
			16 +
			this.#durations.length * 8 +
			(this.#hasCompositionOffsets ? 16 + this.#compositionOffsets.length * 8 : 0) +
			(this.#allSync ? 0 : 16 + this.#syncSamples.length * 4) +
			16 +
			this.#chunkRuns.length * 4 +
			20 +
			this.length * 4 +
			16 +
			this.#chunkOffsets.length * 8
		);
	}

	/**
	 * Writes stts, ctts, stss, stsc, stsz and co64, as far as needed.
	 * @param shift added to all chunk offsets, for the header before the file's bytes.
	 * @returns the offset after them.
	 */
	writeBoxes(target: Buffer, start: number, shift: number): number {
		let at = countedBox(target, start, "stts", 0, this.#durations.length, 8);
		at = this.#durations.copyTo(target, at);
		if (this.#hasCompositionOffsets) {
			// Version 1 reads the offsets as signed; positive ones below 2^31 are the same.
			at = countedBox(target, at, "ctts", 1, this.#compositionOffsets.length, 8);
			at = this.#compositionOffsets.copyTo(target, at);
		}
		if (!this.#allSync) {
			at = countedBox(target, at, "stss", 0, this.#syncSamples.length, 4);
			at = this.#syncSamples.copyTo(target, at);
		}
		at = countedBox(target, at, "stsc", 0, this.#chunkRuns.length / 3, 12);
		at = this.#chunkRuns.copyTo(target, at);
		at = boxStart(target, at, "stsz", 0, 20 + this.length * 4);
		at = target.writeUInt32BE(0, at);
		at = target.writeUInt32BE(this.length, at);
		at = this.#sizes.copyTo(target, at);
		at = countedBox(target, at, "co64", 0, this.#chunkOffsets.length, 8);
		return this.#chunkOffsets.copyTo(target, at, shift);
	}

	get #allSync(): boolean {
		return this.#syncSamples.length === this.length;
	}
}

function boxStart(target: Buffer, at: number, type: string, version: number, size: number): number {
	target.writeUInt32BE(size, at);
	target.write(type, at + 4, 4, "latin1");
	return target.writeUInt32BE(version * 0x100_0000, at + 8);
}

function countedBox(target: Buffer, at: number, type: string, version: number, count: number, each: number): number {
	return target.writeUInt32BE(count, boxStart(target, at, type, version, 16 + count * each));
}
