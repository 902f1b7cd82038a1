/** A request's headers, read where Node's parser left them: filling a web `Headers` takes longer than most calls do. */
import type { IncomingMessage } from "node:http";

/** The part of the headers that we read. A web `Headers` has it as well; iterated, they are what `new Headers` takes. */
export type RequestHeaders = Pick<Headers, "get" | "has"> & Iterable<[string, string]>;

export class IncomingHeaders implements RequestHeaders {
	readonly #raw: readonly string[];

	constructor({ rawHeaders }: IncomingMessage) {
		this.#raw = rawHeaders;
	}

	/** @returns the values of all headers of that name, joined as a web `Headers` joins them. */
	get(name: string): string | null {
		const wanted = name.toLowerCase();
		let value: string | null = null;
		for (let index = 0; index + 1 < this.#raw.length; index += 2) {
			const each = this.#raw[index] as string;
			if (each.length !== wanted.length || each.toLowerCase() !== wanted) continue;
			const text = this.#raw[index + 1] as string;
			value = value === null ? text : `${value}${wanted === "cookie" ? "; " : ", "}${text}`;
		}
		return value;
	}

	has(name: string): boolean {
		return this.get(name) !== null;
	}

	*[Symbol.iterator](): IterableIterator<[string, string]> {
		for (let index = 0; index + 1 < this.#raw.length; index += 2) {
			yield [this.#raw[index] as string, this.#raw[index + 1] as string];
		}
	}
}
