/** Copies what ffmpeg has captured, from a key frame on, while the file may still grow. */
import { type FileHandle, open, rename } from "node:fs/promises";
import { boxHeader, MAX_HEADER_BYTES } from "@tapedeck/media/mp4-boxes.ts";
import { type Mp4Track, parseMovie } from "@tapedeck/media/mp4-movie.ts";
import { type FragmentTimes, fragmentTimes, shiftFragment } from "./move-fragment.ts";

/** A complete fragment: its `moof`, and the bytes of both boxes in the file. */
interface Fragment {
	at: number;
	size: number;
	moof: Buffer;
	times: FragmentTimes;
}

interface CaptureIndex {
	track: Mp4Track;
	/** Bytes in front of the first fragment. */
	headBytes: number;
	fragments: Fragment[];
}

/**
 * Copies a capture into a file that begins with a key frame: the last one that is not after `seconds`, else the first.
 * The copy's times begin at 0, as those of any capture. It replaces what the target has in one step.
 * @returns where in the source it begins, in seconds; null when there is nothing to copy.
 */
export async function copyCapture(source: string, target: string, seconds: number): Promise<number | null> {
	const file = await open(source, "r");
	try {
		const index = await indexOf(file);
		if (index === null) return null;
		const { timescale } = index.track;
		const begins = ({ times }: Fragment) => times.isKey && times.start <= seconds * timescale;
		const first = index.fragments.findLast(begins) ?? index.fragments.find(({ times }) => times.isKey);
		if (first === undefined) return null;
		await writeCopy(file, `${target}.new`, index, first);
		await rename(`${target}.new`, target);
		return first.times.start / timescale;
	} finally {
		await file.close();
	}
}

/** Until when a capture has complete fragments, in seconds. */
export async function capturedSeconds(source: string): Promise<number> {
	const file = await open(source, "r");
	try {
		const index = await indexOf(file);
		return index === null ? 0 : (index.fragments.at(-1)?.times.end ?? 0) / index.track.timescale;
	} finally {
		await file.close();
	}
}

async function indexOf(file: FileHandle): Promise<CaptureIndex | null> {
	const { size: fileSize } = await file.stat();
	let index: CaptureIndex | null = null;
	let pending: Omit<Fragment, "size"> | null = null;
	for (let at = 0; at + 8 <= fileSize; ) {
		const header = boxHeader(await bytesAt(file, at, Math.min(MAX_HEADER_BYTES, fileSize - at)), 0);
		if (header === null || header.size === 0 || at + header.size > fileSize) break;
		const { type, headerBytes, size } = header;
		if (type === "moov") {
			const box = { type, start: 0, body: headerBytes, end: size };
			const [track] = parseMovie(await bytesAt(file, at, size), box).tracks;
			if (track === undefined) return null;
			index = { track, headBytes: at + size, fragments: [] };
		} else if (type === "moof" && index !== null) {
			const moof = await bytesAt(file, at, size);
			pending = { at, moof, times: fragmentTimes(moof, index.track) };
		} else if (type === "mdat" && index !== null && pending !== null) {
			index.fragments.push({ ...pending, size: at + size - pending.at });
			pending = null;
		}
		at += size;
	}
	return index;
}

async function writeCopy(file: FileHandle, path: string, index: CaptureIndex, first: Fragment): Promise<void> {
	const { track, headBytes, fragments } = index;
	const before = fragments.indexOf(first);
	const shift = { units: BigInt(-first.times.start), sequence: -before, limit: null };
	const copy = await open(path, "w", 0o600);
	try {
		await copy.write(await bytesAt(file, 0, headBytes));
		for (const { at, size, moof } of fragments.slice(before)) {
			shiftFragment(moof, track, shift);
			await copy.write(moof);
			await copy.write(await bytesAt(file, at + moof.length, size - moof.length));
		}
	} finally {
		await copy.close();
	}
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
	const bytes = Buffer.alloc(length);
	const { bytesRead } = await file.read(bytes, 0, length, at);
	return bytes.subarray(0, bytesRead);
}
