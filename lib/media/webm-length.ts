/**
 * Measures a WebM by its blocks: when the last one ends. Reads their headers only, a window at a time, and of clusters
 * whose size is stated only the last ones, so that neither time nor memory depend on the size of the frames.
 */
import { ELEMENT_HEADER_BYTES, elementAt, unsignedOf, variableSize } from "./ebml.ts";
import { type ReadableAt, readAt } from "./file-io.ts";

const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const TIMESTAMP = 0xe7;
const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const BLOCK_DURATION = 0x9b;

const WINDOW_BYTES = 32 * 1024;
/** Track number, time, flags and the number of laced frames. */
const MAX_BLOCK_HEADER_BYTES = 12;
const LACING = 0x06;
/** A frame of unknown duration lasts as long as the one before it, but no longer than this. */
const MAX_GUESSED_NS = 100e6;
/** The same without a frame before it. */
const GUESSED_NS = 40e6;

/** By number, the video and audio tracks: how long a frame lasts in nanoseconds, 0 if unknown. */
export type WebmTracks = Map<number, { frameNs: number }>;

interface Measured {
	start: number;
	/** Of the segment. */
	end: number;
	/** Nanoseconds of a tick. */
	scale: number;
	tracks: WebmTracks;
}

/**
 * @param of.start offset of the first cluster.
 * @returns seconds; 0 if there is no frame.
 * @throws only read errors.
 */
export async function measureWebm(file: ReadableAt, of: Measured): Promise<number> {
	const window = new Window(file, of.end);
	const blocks = new Blocks(of);
	/** Where the last clusters are that were skipped. */
	let skipped: { at: number; end: number }[] = [];
	let at = of.start;
	while (at < of.end) {
		const head = window.has(at, ELEMENT_HEADER_BYTES) ?? (await window.load(at, ELEMENT_HEADER_BYTES));
		const element = elementAt(head, 0);
		// Another file was appended, or it is cut off here.
		if (element === null || element.id === EBML || element.id === SEGMENT) break;
		const end = element.end === null ? null : at + element.end;
		if (element.id === CLUSTER && end !== null && end <= of.end) {
			skipped = [...skipped.slice(-1), { at, end }];
			at = end;
		} else if (element.id === CLUSTER) {
			at = await readBlocks(window, blocks, at + element.body, of.end);
		} else if (end === null) break;
		else at = end;
	}
	for (const cluster of skipped) {
		const element = elementAt(await window.load(cluster.at, ELEMENT_HEADER_BYTES), 0);
		await readBlocks(window, blocks, cluster.at + (element?.body ?? 0), cluster.end);
	}
	return blocks.endNs / 1e9;
}

/** Reads the content of a cluster from `at` on. @returns where it ends: at `end`, or at an element that is no part of it. */
async function readBlocks(window: Window, blocks: Blocks, start: number, end: number): Promise<number> {
	let at = start;
	while (at < end) {
		const wanted = ELEMENT_HEADER_BYTES + MAX_BLOCK_HEADER_BYTES;
		const head = window.has(at, wanted) ?? (await window.load(at, wanted));
		const element = elementAt(head, 0);
		if (element === null) return end;
		// Every element below a cluster has an id of one byte or two; those above it have four.
		if (element.id > 0xffff) return at;
		if (element.end === null) return end;
		const whole = element.end <= head.length;
		if (element.id === TIMESTAMP && whole) blocks.cluster(unsignedOf(head, element));
		else if (element.id === SIMPLE_BLOCK || element.id === BLOCK) blocks.block(head.subarray(element.body));
		else if (element.id === BLOCK_DURATION && whole) blocks.duration(unsignedOf(head, element));
		else if (element.id === BLOCK_GROUP) {
			blocks.group();
			at += element.body;
			continue;
		}
		at += element.end;
	}
	return end;
}

/** What blocks say about when they begin and end. */
class Blocks {
	readonly #of: Measured;
	#cluster = 0;
	/** The end of the last one that says how long it lasts. */
	#statedEndNs = 0;
	/** By track, the last of the others, and how long the one before it lasted. */
	readonly #open = new Map<number, { beginNs: number; gapNs: number }>();
	/** Of the group that is being read: its block and the duration that it states, in whichever order they come. */
	#block: { beginNs: number } | null = null;
	#statedNs: number | null = null;

	constructor(of: Measured) {
		this.#of = of;
	}

	/** When the last one ends. */
	get endNs(): number {
		const open = [...this.#open.values()].map(({ beginNs, gapNs }) => beginNs + gapNs);
		return Math.max(this.#statedEndNs, ...open);
	}

	cluster(ticks: number): void {
		this.#cluster = ticks;
	}

	group(): void {
		this.#block = null;
		this.#statedNs = null;
	}

	duration(ticks: number): void {
		this.#statedNs = ticks * this.#of.scale;
		if (this.#block !== null) this.#statedEndNs = Math.max(this.#statedEndNs, this.#block.beginNs + this.#statedNs);
	}

	block(header: Buffer): void {
		const number = variableSize(header, 0);
		const track = number?.value ?? 0;
		const frameNs = this.#of.tracks.get(track)?.frameNs;
		if (number === null || frameNs === undefined || header.length < number.width + 3) return;
		const beginNs = (this.#cluster + header.readInt16BE(number.width)) * this.#of.scale;
		const isLaced = ((header[number.width + 2] as number) & LACING) !== 0;
		const frames = isLaced ? (header[number.width + 3] ?? 0) + 1 : 1;
		const statedNs = this.#statedNs ?? frameNs * frames;
		if (statedNs > 0) this.#statedEndNs = Math.max(this.#statedEndNs, beginNs + statedNs);
		else this.#follow(track, beginNs);
		this.#block = { beginNs };
		this.#statedNs = null;
	}

	#follow(track: number, beginNs: number): void {
		const before = this.#open.get(track)?.beginNs;
		if (before !== undefined && before >= beginNs) return;
		const gapNs = before === undefined ? GUESSED_NS : Math.min(beginNs - before, MAX_GUESSED_NS);
		this.#open.set(track, { beginNs, gapNs });
	}
}

/** A part of a file in memory, read anew when something beyond it is wanted. */
class Window {
	readonly #file: ReadableAt;
	readonly #end: number;
	#bytes: Buffer = Buffer.alloc(0);
	#start = 0;

	constructor(file: ReadableAt, end: number) {
		this.#file = file;
		this.#end = end;
	}

	/** `length` bytes at `at`, or those up to the end; null if they are not in memory. */
	has(at: number, length: number): Buffer | null {
		const end = Math.min(at + length, this.#end);
		if (at < this.#start || end > this.#start + this.#bytes.length) return null;
		return this.#bytes.subarray(at - this.#start, end - this.#start);
	}

	/** The same, read from the file; fewer if it is shorter. */
	async load(at: number, length: number): Promise<Buffer> {
		this.#bytes = await readAt(this.#file, at, Math.min(Math.max(length, WINDOW_BYTES), this.#end - at));
		this.#start = at;
		return this.#bytes.subarray(0, length);
	}
}
