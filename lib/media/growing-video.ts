/** A video file that is being written: its index, and the word to everyone who watches it grow. */
import { Mp4Index } from "./mp4-index.ts";
import type { ReadableAt } from "./read-at.ts";

export class GrowingVideo {
	readonly path: string;
	readonly index = new Mp4Index();
	/** Bytes that were taken into account. */
	bytes = 0;
	/** Nothing more will come: it is whole, was given up or is gone. */
	final: boolean;
	#work: Promise<unknown> = Promise.resolve();
	#waiting = new Set<() => void>();

	constructor(path: string, final = false) {
		this.path = path;
		this.final = final;
	}

	/**
	 * Tells that the file has `size` bytes now. Calls may overlap; they are worked off in order.
	 * Resolves when the index knows them and watchers were told.
	 */
	grew(file: ReadableAt, size: number): Promise<void> {
		const turn = this.#work.then(async () => {
			if (size <= this.bytes) return;
			const news = await this.index.update(file, size);
			this.bytes = size;
			if (news) this.#tell();
		});
		this.#work = turn.catch(() => undefined);
		return turn;
	}

	/** Nothing more will come: watchers send what is left and end. */
	finish(): void {
		this.final = true;
		this.#tell();
	}

	/** It grows again after all. */
	reopen(): void {
		this.final = false;
	}

	/** Someone waits for it to grow. */
	get watched(): boolean {
		return this.#waiting.size > 0;
	}

	/** Resolves at the next growth, at the end, or when the signal aborts. */
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

	#tell(): void {
		for (const settle of [...this.#waiting]) settle();
	}
}
