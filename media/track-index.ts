/** One track of a fragmented MP4 as its fragments arrive: its samples and its clock. */
import { RUN_STRIDE, type SampleRun } from "./mp4-fragment.ts";
import type { Mp4Track } from "./mp4-movie.ts";
import { SampleTable } from "./sample-table.ts";

export class TrackIndex {
	readonly track: Mp4Track;
	readonly samples = new SampleTable();
	/** When its first sample is decoded, in its timescale. */
	firstDecodeTime = 0;
	/** Difference between a `tfdt` and the sum of the sample durations before it. */
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
	 * Follows the time stated by the next fragment. A gap lengthens the sample before it. If the time goes back by more
	 * than that sample's duration, the encoder restarted its clock, and the fragment continues where the last one ended.
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
