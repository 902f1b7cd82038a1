/** Lists, which the API returns in pages. */

export interface Page<T> {
	data: T[];
	/** The cursor of the next page; null on the last one. */
	nextCursor: string | null;
}

/**
 * A list that is read as far as it is used: `for await (const job of client.jobs.list())`. Nothing is read before, and
 * each iteration begins anew.
 */
export class List<T> implements AsyncIterable<T> {
	readonly #read: (cursor: string | undefined) => Promise<Page<T>>;
	readonly #cursor: string | undefined;

	/** @param read reads the page that begins at the cursor. */
	constructor(read: (cursor: string | undefined) => Promise<Page<T>>, cursor?: string) {
		this.#read = read;
		this.#cursor = cursor;
	}

	/** @returns the first page, or the one at the list's `cursor`. */
	page(): Promise<Page<T>> {
		return this.#read(this.#cursor);
	}

	async *pages(): AsyncGenerator<Page<T>, void, undefined> {
		let cursor = this.#cursor;
		do {
			const page = await this.#read(cursor);
			yield page;
			cursor = page.nextCursor ?? undefined;
		} while (cursor !== undefined);
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
		for await (const { data } of this.pages()) yield* data;
	}

	/** @returns all entries, or the first `max`. */
	async toArray(max = Number.POSITIVE_INFINITY): Promise<T[]> {
		const all: T[] = [];
		if (max <= 0) return all;
		for await (const entry of this) {
			all.push(entry);
			if (all.length >= max) break;
		}
		return all;
	}
}
