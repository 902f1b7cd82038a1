/** The bytes of a recording that is still being made, over one connection. */

/** Without a byte for this long the stream counts as broken; a runner sends several times a second. */
const SILENCE_MS = 8_000;
/**
 * A browser hands over whatever has arrived, up to megabytes: minutes of a calm picture. Who reads decides after every
 * piece whether there is room for another.
 */
const PIECE_BYTES = 64 * 1024;

export interface LiveBytes {
	bytes: Uint8Array<ArrayBuffer>;
	/** What the server says they are, with the codecs; null when it does not say. */
	type: string | null;
}

/**
 * Reads no further while the caller is busy with what it got. The first piece holds the whole initialization segment.
 * @throws when the connection is refused, breaks off or falls silent, and when `outer` is aborted.
 */
export async function* liveBytes(path: string, outer: AbortSignal): AsyncGenerator<LiveBytes> {
	const silent = new AbortController();
	const within = async <T>(wait: Promise<T>): Promise<T> => {
		const timer = setTimeout(() => silent.abort(), SILENCE_MS);
		try {
			return await wait;
		} finally {
			clearTimeout(timer);
		}
	};
	try {
		const signal = AbortSignal.any([outer, silent.signal]);
		const response = await within(fetch(path, { signal, credentials: "same-origin" }));
		if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
		const told = response.headers.get("content-type");
		const type = told?.includes("codecs=") ? told : null;
		const reader = response.body.getReader();
		for (;;) {
			const { done, value } = await within(reader.read());
			if (done) return;
			for (let start = 0; start < value.byteLength; start += PIECE_BYTES) {
				signal.throwIfAborted();
				yield { bytes: value.subarray(start, start + PIECE_BYTES), type };
			}
		}
	} finally {
		silent.abort();
	}
}
