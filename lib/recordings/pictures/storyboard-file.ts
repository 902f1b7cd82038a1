/**
 * Frames of a recording, appended to one file: each record is seconds (float64), length (uint32) and a JPEG. A crash
 * leaves at most one torn record at the end, which the next append overwrites.
 */
import { type FileHandle, open } from "node:fs/promises";
import { readAt, writeAt } from "@tapedeck/media/file-io.ts";

const HEAD_BYTES = 12;
const MAX_JPEG_BYTES = 2 ** 20;
const MAX_CACHED = 200;

/** The position of a frame in its file. */
export interface Frame {
	/** Seconds on the recording's timeline. */
	at: number;
	offset: number;
	length: number;
}

interface Index {
	/** Inode of the indexed file: a different file with the same name is indexed again. */
	inode: number;
	/** End of the last complete record. */
	end: number;
	frames: Frame[];
}

/** Reads and appends frames. Positions in the files used last are cached. */
export class StoryboardFiles {
	/** Least recently used first. A day's recording has about 1,800 frames. */
	readonly #indexes = new Map<string, Index>();
	readonly #appending = new Map<string, Promise<unknown>>();

	/** The frames of a file in the order they were added; empty if there is no file. */
	async framesOf(path: string): Promise<readonly Frame[]> {
		return (await this.#withFile(path, "r", async (_handle, index) => index.frames)) ?? [];
	}

	/** The bytes of a frame, or null if its file is gone. */
	async read(path: string, frame: Frame): Promise<Buffer | null> {
		const jpeg = await this.#withFile(path, "r", (handle) => readAt(handle, frame.offset, frame.length));
		return jpeg?.length === frame.length ? jpeg : null;
	}

	/**
	 * Appends a frame if it is wanted. Calls for the same file are serialized.
	 * @param isWanted decides, given the frames so far.
	 * @returns whether it was added.
	 */
	append(
		path: string,
		picture: { at: number; jpeg: Buffer },
		isWanted: (frames: readonly Frame[]) => boolean,
	): Promise<boolean> {
		const turn = (this.#appending.get(path) ?? Promise.resolve()).then(async () => {
			if (!isWanted(await this.framesOf(path))) return false;
			// Created only now, so that an unwanted frame leaves no file.
			await (await open(path, "a", 0o600)).close();
			return (await this.#withFile(path, "r+", (handle, index) => write(handle, index, picture))) ?? false;
		});
		const settled = turn
			.catch(() => undefined)
			.then(() => {
				if (this.#appending.get(path) === settled) this.#appending.delete(path);
			});
		this.#appending.set(path, settled);
		return turn;
	}

	async #withFile<T>(
		path: string,
		flags: string,
		work: (handle: FileHandle, index: Index) => Promise<T>,
	): Promise<T | null> {
		let handle: FileHandle;
		try {
			handle = await open(path, flags);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
			this.#indexes.delete(path);
			return null;
		}
		try {
			return await work(handle, await this.#indexOf(path, handle));
		} finally {
			await handle.close();
		}
	}

	async #indexOf(path: string, handle: FileHandle): Promise<Index> {
		const { ino, size } = await handle.stat();
		const known = this.#indexes.get(path);
		const index = known?.inode === ino && known.end <= size ? known : { inode: ino, end: 0, frames: [] };
		await extend(index, handle, size);
		this.#indexes.delete(path);
		this.#indexes.set(path, index);
		for (const oldest of this.#indexes.keys()) {
			if (this.#indexes.size <= MAX_CACHED) break;
			this.#indexes.delete(oldest);
		}
		return index;
	}
}

/** Indexes the complete records that follow its end. */
async function extend(index: Index, handle: FileHandle, size: number): Promise<void> {
	while (index.end + HEAD_BYTES < size) {
		const from = index.end;
		const head = await readAt(handle, from, HEAD_BYTES);
		if (head.length < HEAD_BYTES) return;
		const at = head.readDoubleLE(0);
		const length = head.readUInt32LE(8);
		const isWhole = Number.isFinite(at) && length > 0 && length <= MAX_JPEG_BYTES && from + HEAD_BYTES + length <= size;
		// A concurrent reader may have extended the same index.
		if (!isWhole || index.end !== from) return;
		index.frames.push({ at, offset: from + HEAD_BYTES, length });
		index.end = from + HEAD_BYTES + length;
	}
}

async function write(handle: FileHandle, index: Index, { at, jpeg }: { at: number; jpeg: Buffer }): Promise<true> {
	const head = Buffer.alloc(HEAD_BYTES);
	head.writeDoubleLE(at, 0);
	head.writeUInt32LE(jpeg.length, 8);
	const record = Buffer.concat([head, jpeg]);
	await handle.truncate(index.end);
	await writeAt(handle, index.end, record);
	index.frames.push({ at, offset: index.end + HEAD_BYTES, length: jpeg.length });
	index.end += record.length;
	return true;
}
