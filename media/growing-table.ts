/** Append-only tables in the byte order of the file format, so that writing a header is a plain copy. */

const FIRST_BYTES = 256;

/** Big-endian 32-bit words in a buffer that doubles when full. */
export class WordTable {
	#bytes = Buffer.allocUnsafe(FIRST_BYTES);
	/** Number of words. */
	length = 0;

	push(word: number): void {
		const at = this.length * 4;
		if (at === this.#bytes.length) this.#bytes = grown(this.#bytes);
		this.#bytes.writeUInt32BE(word >>> 0, at);
		this.length += 1;
	}

	/** Copies all words to `target`. @returns the offset after them. */
	copyTo(target: Buffer, at: number): number {
		return at + this.#bytes.copy(target, at, 0, this.length * 4);
	}

	get allocatedBytes(): number {
		return this.#bytes.length;
	}
}

/** A run-length encoded sequence of words, as `stts` and `ctts` store them. */
export class RunTable {
	#runs = new WordTable();
	#count = 0;
	#word = 0;

	push(word: number): void {
		if (this.#count > 0 && word === this.#word) {
			this.#count += 1;
			return;
		}
		this.#flush();
		this.#word = word;
		this.#count = 1;
	}

	pushRun(word: number, count: number): void {
		if (count === 0) return;
		this.push(word);
		this.#count += count - 1;
	}

	/** The last word, or 0 if there is none. */
	get last(): number {
		return this.#word;
	}

	replaceLast(word: number): void {
		if (this.#count === 0) return;
		this.#count -= 1;
		if (this.#count > 0) this.#flush();
		this.#count = 1;
		this.#word = word;
	}

	get length(): number {
		return this.#runs.length / 2 + (this.#count > 0 ? 1 : 0);
	}

	/** Writes the runs as (count, word). @returns the offset after them. */
	copyTo(target: Buffer, at: number): number {
		const next = this.#runs.copyTo(target, at);
		if (this.#count === 0) return next;
		target.writeUInt32BE(this.#count, next);
		return target.writeUInt32BE(this.#word >>> 0, next + 4);
	}

	get allocatedBytes(): number {
		return this.#runs.allocatedBytes;
	}

	#flush(): void {
		if (this.#count === 0) return;
		this.#runs.push(this.#count);
		this.#runs.push(this.#word);
		this.#count = 0;
	}
}

/** Numbers up to 2^53: file offsets and times. */
export class NumberTable {
	#numbers = new Float64Array(FIRST_BYTES / 8);
	length = 0;

	push(value: number): void {
		if (this.length === this.#numbers.length) {
			const larger = new Float64Array(this.#numbers.length * 2);
			larger.set(this.#numbers);
			this.#numbers = larger;
		}
		this.#numbers[this.length] = value;
		this.length += 1;
	}

	/** The number at `index`; a negative index counts from the end. */
	at(index: number): number | undefined {
		const place = index < 0 ? this.length + index : index;
		return place >= 0 && place < this.length ? this.#numbers[place] : undefined;
	}

	/** The index of the last number not above `limit`, in an ascending table; 0 if all are above. */
	lastUpTo(limit: number): number {
		let low = 0;
		let high = this.length - 1;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if ((this.#numbers[middle] as number) <= limit) low = middle;
			else high = middle - 1;
		}
		return low;
	}

	/** Writes all numbers plus `shift` as 64-bit integers. @returns the offset after them. */
	copyTo(target: Buffer, at: number, shift: number): number {
		let place = at;
		for (let index = 0; index < this.length; index += 1) {
			const value = (this.#numbers[index] as number) + shift;
			const high = Math.floor(value / 0x1_0000_0000);
			target.writeUInt32BE(high, place);
			target.writeUInt32BE(value - high * 0x1_0000_0000, place + 4);
			place += 8;
		}
		return place;
	}

	get allocatedBytes(): number {
		return this.#numbers.byteLength;
	}
}

function grown(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
	const larger = Buffer.allocUnsafe(bytes.length * 2);
	bytes.copy(larger);
	return larger;
}
