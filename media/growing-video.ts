/** A video file that is being written: keeps its index up to date and notifies its watchers. */
import { open } from "node:fs/promises";
import type { ReadableAt, ReadableFile } from "./file-io.ts";
import { type FilePart, Mp4Index } from "./mp4-index.ts";

export class GrowingVideo {
	readonly path: string;
	readonly index = new Mp4Index();
	/** Bytes indexed so far. */
	bytes = 0;
	/** No more bytes will follow: the file is complete, abandoned or deleted. */
	final: boolean;
	#work: Promise<unknown> = Promise.resolve();
	#waiting = new Set<() => void>();

	constructor(path: string, final = false) {
		this.path = path;
		this.final = final;
	}

	/** Opens the file for reading, in a video that is stored elsewhere whatever stands for it. */
	open: () => Promise<ReadableFile> = () => open(this.path, "r");

	/**
	 * Reports that the file now has `size` bytes. Calls may overlap; they are processed in order.
	 * Resolves when the index is up to date and watchers were notified.
	 * @param latest its last bytes, if they are in memory.
	 */
	grew(file: ReadableAt, size: number, latest?: FilePart): Promise<void> {
		const turn = this.#work.then(async () => {
			if (size <= this.bytes) return;
			const changed = await this.index.update(file, size, latest);
			this.bytes = size;
			if (changed) this.#notify();
		});
		this.#work = turn.catch(() => undefined);
		return turn;
	}

	/** No more bytes will follow: watchers send what is left and end. */
	finish(): void {
		this.final = true;
		this.#notify();
	}

	/** The file grows again after all. */
	reopen(): void {
		this.final = false;
	}

	/** Whether anyone is waiting for growth. */
	get watched(): boolean {
		return this.#waiting.size > 0;
	}

	/** Resolves when the file grows or ends, or when the signal aborts. */
	change(signal: AbortSignal): Promise<void> {
		if (signal.aborted) return Promise.resolve();
		return new Promise((resolve) => {
			const settle = () => {
				this.#waiting.delete(settle);
				signal.removeEventListener("abort", settle);
				resolve();
			};
			this.#waiting.add(settle);
			signal.addEventListener("abort", settle);
		});
	}

	#notify(): void {
		for (const settle of [...this.#waiting]) settle();
	}
}
