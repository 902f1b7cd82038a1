/** The bytes of a recording in progress, over one connection, and the codec that they are in. */

/** Without a byte for this long the stream counts as broken; a runner sends several times a second. */
const SILENCE_MS = 8_000;
/**
 * A browser hands over whatever has arrived, up to megabytes: minutes of a still screen. After every chunk of this size
 * the caller decides whether it wants another.
 */
const CHUNK_BYTES = 64 * 1024;
/** The codec of runners, for an initialization segment without an `avcC` box. */
const DEFAULT_CODEC = "avc1.42C01F";

export interface LiveBytes {
	bytes: Uint8Array<ArrayBuffer>;
	/** The content type that the server sent, with its codecs; null when it names none. */
	type: string | null;
}

/**
 * Reads no further while the caller is busy with a chunk. The first chunk holds the whole initialization segment.
 * @throws when the connection is refused, breaks or falls silent, and when `outer` is aborted.
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
		const contentType = response.headers.get("content-type");
		const type = contentType?.includes("codecs=") ? contentType : null;
		const reader = response.body.getReader();
		for (;;) {
			const { done, value } = await within(reader.read());
			if (done) return;
			for (let start = 0; start < value.byteLength; start += CHUNK_BYTES) {
				signal.throwIfAborted();
				yield { bytes: value.subarray(start, start + CHUNK_BYTES), type };
			}
		}
	} finally {
		silent.abort();
	}
}

/**
 * The codec string of an H.264 initialization segment, for a server that sends none. In the `avcC` box, profile,
 * constraints and level follow the version (ISO/IEC 14496-15, 5.3.3).
 */
export function codecsOfInit(bytes: Uint8Array): string {
	for (let at = 0; at + 8 <= bytes.length; at += 1) {
		if (bytes[at] === 0x61 && bytes[at + 1] === 0x76 && bytes[at + 2] === 0x63 && bytes[at + 3] === 0x43) {
			const hex = [...bytes.subarray(at + 5, at + 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
			return `avc1.${hex.toUpperCase()}`;
		}
	}
	return DEFAULT_CODEC;
}
