/** Reads an object like a file, in blocks that grow while they are read in order. */
import type { Bucket } from "./bucket.ts";

const FIRST_BLOCK_BYTES = 256 * 1024;
/** In blocks, not one long answer: a viewer who pauses holds no connection to the store, and a broken one is repeated. */
const MAX_BLOCK_BYTES = 4 * 2 ** 20;

interface Block {
	start: number;
	end: number;
	bytes: Promise<Buffer>;
}

export class ObjectFile {
	readonly #bucket: Pick<Bucket, "read">;
	readonly #key: string;
	/** The start of the file in the object. */
	readonly #offset: number;
	readonly size: number;
	/** The block that is read, and the one after it. */
	#blocks: Block[] = [];

	/** @param from where the file begins in the object of `objectBytes` bytes. */
	constructor(bucket: Pick<Bucket, "read">, key: string, objectBytes: number, from = 0) {
		this.#bucket = bucket;
		this.#key = key;
		this.#offset = from;
		this.size = objectBytes - from;
	}

	/** Fetches the block at a position, so that a store that fails does so before an answer begins. */
	async prepare(position: number): Promise<void> {
		if (position < this.size) await this.#blockAt(position).bytes;
	}

	/** Like a `FileHandle`: fewer bytes than asked for mean a later call, none mean the end. */
	async read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
		if (position >= this.size) return { bytesRead: 0 };
		const block = this.#blockAt(position);
		const bytes = await block.bytes;
		const from = position - block.start;
		return { bytesRead: bytes.copy(buffer, offset, from, Math.min(bytes.length, from + length)) };
	}

	async close(): Promise<void> {
		this.#blocks = [];
	}

	#blockAt(position: number): Block {
		const known = this.#blocks.find(({ start, end }) => start <= position && position < end);
		if (known !== undefined) {
			this.#fetchNext(known);
			return known;
		}
		const last = this.#blocks.at(-1);
		const isNext = last !== undefined && position >= last.end && position - last.end < last.end - last.start;
		const block = this.#fetch(position, isNext ? (last.end - last.start) * 2 : FIRST_BLOCK_BYTES);
		this.#blocks = [block];
		return block;
	}

	/** The second block of a file that is read in order is fetched while the first one is used. */
	#fetchNext(block: Block): void {
		if (this.#blocks.at(-1) !== block || block.end >= this.size) return;
		this.#blocks = [block, this.#fetch(block.end, (block.end - block.start) * 2)];
	}

	#fetch(start: number, bytes: number): Block {
		const end = Math.min(this.size, start + Math.min(bytes, MAX_BLOCK_BYTES));
		const block = { start, end, bytes: this.#bucket.read(this.#key, this.#offset + start, this.#offset + end) };
		// Read again by whoever asks next.
		block.bytes.catch(() => {
			this.#blocks = this.#blocks.filter((each) => each !== block);
		});
		return block;
	}
}
