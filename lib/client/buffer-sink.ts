/** A SourceBuffer that takes one thing at a time and stays small. */

/** Removing costs the browser something: in pieces that are worth it. */
const WORTH_SECONDS = 30;

export class BufferSink {
	readonly #buffer: SourceBuffer;

	constructor(buffer: SourceBuffer) {
		this.#buffer = buffer;
	}

	/** @throws when the bytes cannot be decoded. */
	append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
		return this.#do(() => this.#buffer.appendBuffer(bytes));
	}

	/** Drops what lies before `seconds`. */
	async trim(seconds: number): Promise<void> {
		const { buffered } = this.#buffer;
		if (buffered.length === 0 || buffered.start(0) > seconds - WORTH_SECONDS) return;
		await this.#do(() => this.#buffer.remove(0, seconds));
	}

	/** Forgets what was half received: the next bytes begin with an initialization segment. */
	reset(): void {
		this.#buffer.abort();
	}

	/** Drops everything. */
	async clear(): Promise<void> {
		this.#buffer.abort();
		await this.#do(() => this.#buffer.remove(0, Number.POSITIVE_INFINITY));
	}

	#do(act: () => void): Promise<void> {
		return new Promise((resolve, reject) => {
			const done = new AbortController();
			const settle = (error?: unknown) => {
				done.abort();
				if (error === undefined) resolve();
				else reject(error);
			};
			const { signal } = done;
			this.#buffer.addEventListener("updateend", () => settle(), { signal });
			this.#buffer.addEventListener("error", () => settle(new Error("the picture could not be decoded")), { signal });
			try {
				act();
			} catch (error) {
				settle(error);
			}
		});
	}
}
