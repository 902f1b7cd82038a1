/**
 * The index of a fragmented MP4 that may still be growing: its complete content so far, and the header that makes it
 * playable at once. Reads only `ftyp`, `moov` and `moof` boxes, each once; media data is skipped.
 */
import { type ReadableAt, readAt } from "./file-io.ts";
import { NumberTable } from "./growing-table.ts";
import { boxHeader, MAX_HEADER_BYTES, Mp4Error } from "./mp4-boxes.ts";
import { parseFragment, RUN_STRIDE, type SampleRun } from "./mp4-fragment.ts";
import { faststartHeader, faststartHeaderBytes, movieSeconds } from "./mp4-header.ts";
import { type Mp4Movie, type Mp4Track, parseMovie } from "./mp4-movie.ts";
import { TrackIndex } from "./track-index.ts";

const MAX_MOOV_BYTES = 16 * 2 ** 20;
const MAX_MOOF_BYTES = 8 * 2 ** 20;
/** A week at 30 frames per second, with a margin. */
const MAX_SAMPLES = 24_000_000;
/** Limit on consecutive irrelevant boxes without a fragment. */
const MAX_IDLE_BOXES = 10_000;
const WINDOW_BYTES = 16 * 1024;

/** Bytes of a file and where they begin. */
export type FilePart = { start: number; bytes: Buffer };

export class Mp4Index {
	/** Why indexing stopped; complete fragments before it still play. */
	fault: Mp4Error | null = null;
	/** Length of the initialization segment (`ftyp` to `moov`); 0 until it is complete. */
	initBytes = 0;
	/** Offset up to which fragments are complete. */
	completeBytes = 0;
	/** Number of complete fragments. */
	fragments = 0;
	/** Offsets of the fragments that begin with a video keyframe, ascending. */
	readonly keyframeOffsets = new NumberTable();
	/** When each of those begins, in seconds from the first frame. */
	readonly keyframeSeconds = new NumberTable();
	#movie: Mp4Movie | null = null;
	#tracks = new Map<number, TrackIndex>();
	#video: TrackIndex | null = null;
	/** Offset of the next box. */
	#next = 0;
	/** Parsing cannot continue until the file has this many bytes. */
	#needBytes = 8;
	#pending: { start: number; runs: SampleRun[] } | null = null;
	#idleBoxes = 0;
	/** Input of the last `update`, and its last read. Kept longer, they would no longer be young garbage. */
	#latest: FilePart | null = null;
	#window: FilePart | null = null;
	#header: { completeBytes: number; bytes: Buffer } | null = null;

	/** Timescale of the video track, in units per second; 0 until known. */
	get timescale(): number {
		return this.#video?.track.timescale ?? 0;
	}

	get width(): number {
		return this.#video?.track.width ?? 0;
	}

	get height(): number {
		return this.#video?.track.height ?? 0;
	}

	/** Codec of the video, such as `avc1.64001f`; empty until known. */
	get codec(): string {
		return this.#video?.track.codec ?? "";
	}

	/** Codecs of all tracks, for `video/mp4; codecs="…"`. */
	get codecs(): string {
		return [...this.#tracks.values()].map(({ track }) => track.codec).join(",");
	}

	/** Length of the complete fragments, including the last frame. */
	get durationSeconds(): number {
		return this.#movie === null ? 0 : movieSeconds(this.#movie, [...this.#tracks.values()]);
	}

	/** Number of video frames in complete fragments. */
	get samples(): number {
		return this.#video?.samples.length ?? 0;
	}

	/** Length of the progressive MP4: `header()` plus the complete fragments. Null while nothing is playable. */
	get downloadBytes(): number | null {
		if (this.#movie === null || !this.playable) return null;
		return faststartHeaderBytes(this.#movie, [...this.#tracks.values()]) + this.completeBytes;
	}

	/** Whether anything is playable. */
	get playable(): boolean {
		return this.samples > 0;
	}

	/** Approximate memory used by the index. */
	get allocatedBytes(): number {
		let bytes = this.keyframeOffsets.allocatedBytes + this.keyframeSeconds.allocatedBytes;
		for (const { samples } of this.#tracks.values()) bytes += samples.allocatedBytes;
		return bytes + (this.#header?.bytes.length ?? 0);
	}

	/**
	 * Indexes what has been completed since the last call. Calls must not overlap.
	 * @param size the file's length in bytes; it must never shrink.
	 * @param latest its last bytes, if they are in memory: they are not read again.
	 * @returns whether the index changed. An invalid file sets `fault`.
	 * @throws only read errors.
	 */
	async update(file: ReadableAt, size: number, latest?: FilePart): Promise<boolean> {
		if (this.fault !== null || size < this.#needBytes) return false;
		const before = this.#next;
		this.#latest = latest ?? null;
		try {
			while (await this.#step(file, size));
		} catch (error) {
			if (!(error instanceof Mp4Error)) throw error;
			this.fault = error;
			this.#pending = null;
			return true;
		} finally {
			this.#latest = null;
			this.#window = null;
		}
		return this.#next !== before;
	}

	/**
	 * `ftyp + moov + mdat header`: followed by the first `completeBytes` bytes of the file, it is a progressive MP4.
	 * @param userData boxes about the movie, such as its chapters.
	 * @throws Mp4Error if nothing is playable yet.
	 */
	header(userData?: Buffer): Buffer {
		if (this.#movie === null || !this.playable) throw new Mp4Error("malformed", "There is nothing to play yet.");
		if (userData !== undefined && userData.length > 0) {
			return faststartHeader(this.#movie, [...this.#tracks.values()], this.completeBytes, userData);
		}
		if (this.#header?.completeBytes !== this.completeBytes) {
			const bytes = faststartHeader(this.#movie, [...this.#tracks.values()], this.completeBytes);
			this.#header = { completeBytes: this.completeBytes, bytes };
		}
		return this.#header.bytes;
	}

	/** Processes the box at `#next`. @returns true if it is done and the next one can follow. */
	async #step(file: ReadableAt, size: number): Promise<boolean> {
		const start = this.#next;
		const head = await this.#read(file, size, start, Math.min(MAX_HEADER_BYTES, size - start));
		const header = head === null ? null : boxHeader(head, 0);
		if (header === null) return this.#wait(start + (head === null ? 8 : MAX_HEADER_BYTES));
		if (start === 0 && header.type !== "ftyp") throw new Mp4Error("not_mp4", "It does not begin as an MP4 does.");
		if (header.size === 0) throw new Mp4Error("not_fragmented", `The box "${header.type}" has no end.`);
		const end = start + header.size;
		// Validated before the box is complete, so that nothing waits for a box that is too large.
		this.#validateBox(header.type, header.size);
		if (end > size) return this.#wait(end);
		if (header.type === "moov" || header.type === "moof") {
			const bytes = await this.#read(file, size, start, header.size);
			if (bytes === null) return this.#wait(end);
			this.#take(header.type, bytes, header.headerBytes, start);
		} else if (header.type === "mdat" && this.#pending !== null) this.#commit(end);
		this.#next = end;
		this.#needBytes = end + 8;
		return this.#needBytes <= size;
	}

	#validateBox(type: string, size: number): void {
		switch (type) {
			case "moov":
				if (this.#movie !== null) throw new Mp4Error("unsupported", "There is a second moov box.");
				if (size > MAX_MOOV_BYTES) throw new Mp4Error("too_large", "The moov box is too large.");
				return;
			case "moof":
				if (this.#movie === null) throw new Mp4Error("malformed", "A fragment comes before the moov box.");
				if (this.#pending !== null) throw new Mp4Error("malformed", "A fragment has no media data.");
				if (size > MAX_MOOF_BYTES) throw new Mp4Error("too_large", "A moof box is too large.");
				return;
			case "mdat":
				if (this.#movie === null) throw new Mp4Error("not_fragmented", "Its media data comes before the moov box.");
				if (this.#pending !== null) return;
		}
		this.#idleBoxes += 1;
		if (this.#idleBoxes > MAX_IDLE_BOXES) throw new Mp4Error("malformed", "It is nothing but empty boxes.");
	}

	#take(type: "moov" | "moof", bytes: Buffer, body: number, fileOffset: number): void {
		const whole = { type, start: 0, body, end: bytes.length };
		if (type === "moof") {
			const tracks = new Map([...this.#tracks].map(([id, { track }]) => [id, track]));
			this.#pending = { start: fileOffset, runs: parseFragment(bytes, whole, fileOffset, tracks) };
			return;
		}
		const movie = parseMovie(bytes, whole);
		if (!movie.fragmented || movie.tracks.some((track) => track.listed.samples > 0)) {
			throw new Mp4Error("not_fragmented", "It is an MP4 without fragments.");
		}
		if (!movie.tracks.some(isVideo)) {
			throw new Mp4Error("unsupported", "It has no video track.");
		}
		this.#movie = movie;
		for (const track of movie.tracks) this.#tracks.set(track.id, new TrackIndex(track));
		this.#video = [...this.#tracks.values()].find(({ track }) => isVideo(track)) ?? null;
		this.initBytes = fileOffset + bytes.length;
		this.completeBytes = this.initBytes;
	}

	/** The pending fragment's media data is complete and ends at `end`: adds its samples. */
	#commit(end: number): void {
		const { start, runs } = this.#pending as { start: number; runs: SampleRun[] };
		let samples = 0;
		for (const run of runs) {
			samples += run.samples.length / RUN_STRIDE;
			if (run.offset < start || run.offset + run.bytes > end) {
				throw new Mp4Error("malformed", "A sample lies outside its fragment.");
			}
		}
		if (samples > end - start) throw new Mp4Error("malformed", "A fragment has more samples than bytes.");
		const total = [...this.#tracks.values()].reduce((sum, track) => sum + track.samples.length, samples);
		if (total > MAX_SAMPLES) throw new Mp4Error("too_large", "There are too many samples.");
		const firstVideo = runs.find((run) => run.trackId === this.#video?.track.id && run.samples.length > 0);
		let begins = 0;
		for (const run of runs) {
			const seconds = (this.#tracks.get(run.trackId) as TrackIndex).append(run);
			if (run === firstVideo) begins = seconds;
		}
		if (firstVideo !== undefined && firstVideo.samples[RUN_STRIDE - 1] === 1) {
			this.keyframeOffsets.push(start);
			this.keyframeSeconds.push(begins);
		}
		this.#pending = null;
		this.#idleBoxes = 0;
		this.fragments += 1;
		this.completeBytes = end;
	}

	#wait(needBytes: number): false {
		this.#needBytes = needBytes;
		return false;
	}

	/** Reads `length` bytes at `at`, from memory if possible; null if the file has fewer. */
	async #read(file: ReadableAt, size: number, at: number, length: number): Promise<Buffer | null> {
		if (length < 8 || at + length > size) return null;
		const known = partWith(this.#latest, at, length) ?? partWith(this.#window, at, length);
		if (known !== null) return known;
		const wanted = Math.min(Math.max(length, WINDOW_BYTES), size - at);
		const bytes = await readAt(file, at, wanted);
		if (wanted <= WINDOW_BYTES) this.#window = { start: at, bytes };
		return bytes.length < length ? null : bytes.subarray(0, length);
	}
}

function partWith(part: FilePart | null, at: number, length: number): Buffer | null {
	if (part === null || at < part.start || at + length > part.start + part.bytes.length) return null;
	return part.bytes.subarray(at - part.start, at - part.start + length);
}

const isVideo = (track: Mp4Track): boolean => track.handler === "vide";
