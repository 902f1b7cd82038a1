/** One track of a fragmented MP4 as its fragments come in: its samples and its clock. */
import { RUN_STRIDE, type SampleRun } from "./mp4-fragment.ts";
import type { Mp4Track } from "./mp4-movie.ts";
import { SampleTable } from "./sample-table.ts";

export class TrackIndex {
	readonly track: Mp4Track;
	readonly samples = new SampleTable();
	/** When its first sample is decoded, in its timescale. */
	firstDecodeTime = 0;
	/** What a `tfdt` is ahead of the time that the samples so far add up to. */
	#timeShift = 0;

	constructor(track: Mp4Track) {
		this.track = track;
	}

	/**
	 * Appends a run of samples.
	 * @returns when the run begins, in seconds from the track's first sample.
	 */
	append(run: SampleRun): number {
		const count = run.samples.length / RUN_STRIDE;
		if (run.decodeTime !== null) this.#follow(run.decodeTime);
		const begins = this.samples.duration / this.track.timescale;
		if (count > 0) this.samples.addChunk(run.offset, count, run.description);
		const field = (at: number): number => run.samples[at] as number;
		for (let at = 0; at < run.samples.length; at += RUN_STRIDE) {
			this.samples.addSample(field(at), field(at + 1), field(at + 2), field(at + 3) === 1);
		}
		return begins;
	}

	/**
	 * Moves to the time that the next fragment states: a gap lengthens the sample before it. A time that lies back
	 * by more than that sample lasts is taken for a new count, which goes on where the old one ended.
	 */
	#follow(decodeTime: number): void {
		const { samples } = this;
		if (samples.length === 0) {
			this.firstDecodeTime = decodeTime;
			this.#timeShift = decodeTime;
			return;
		}
		const ahead = decodeTime - (samples.duration + this.#timeShift);
		if (ahead === 0) return;
		const stretched = ahead < 0 && -ahead > samples.lastDuration ? 0 : samples.stretchLast(ahead);
		this.#timeShift += ahead - stretched;
	}
}
