/**
 * Finds which frames of a video differ from the ones before them, without decoding any: an encoder stores an unchanged frame
 * in a few bytes. Recorders of this project leave out equal frames, except for three a second.
 */
import { inputArguments, type ProgramInput, runFfmpeg, VIDEO_DECODERS } from "../run-ffmpeg.ts";

/** Reading the packets of hours takes a while, but little processor time. */
const LIMITS = { cpuSeconds: 60, timeoutMs: 120_000, maxOutputBytes: 64 * 2 ** 20 };
/** An unchanged frame is no larger, however large the picture: for each macroblock, a fraction of a bit. */
const STILL_BYTES = 100;
const STILL_BYTES_PER_PIXEL = 1 / 25_600;
/** Unchanged frames of a video differ by less than this. */
const SAME_BYTES = 6;
/** Key frames of the same picture differ in size by less than this. */
const SAME_KEY_FRAME = 0.02;

export interface FrameTimes {
	/** The beginnings of all frames, in seconds from the beginning of the video, ascending. */
	frames: number[];
	/** The beginnings of the frames that differ from the one before. */
	changes: number[];
}

interface Packet {
	at: number;
	bytes: number;
	isKey: boolean;
}

/** @returns null if ffprobe cannot read the video, or its packets are too many. */
export async function readFrameTimes(
	input: ProgramInput,
	pixels: number,
	signal: AbortSignal,
): Promise<FrameTimes | null> {
	const [limits, video] = inputArguments(input, VIDEO_DECODERS);
	const entries = "packet=pts_time,size,flags:format=start_time";
	const args = ["-v", "error", ...limits, "-select_streams", "v:0", "-show_entries", entries, "-of", "csv", ...video];
	const { stdout, reason } = await runFfmpeg("ffprobe", args, { ...LIMITS, signal });
	signal.throwIfAborted();
	if (reason !== null) return null;
	const lines = stdout.toString().split("\n");
	const start = Number(lines.findLast((line) => line.startsWith("format,"))?.split(",")[1]) || 0;
	const packets = lines.flatMap((line): Packet[] => {
		const [kind, time, size, flags = ""] = line.split(",");
		const at = Number(time) - start;
		if (kind !== "packet" || !Number.isFinite(at)) return [];
		return [{ at: Math.max(0, at), bytes: Number(size), isKey: flags.startsWith("K") }];
	});
	packets.sort((a, b) => a.at - b.at);
	return { frames: packets.map(({ at }) => at), changes: changesOf(packets, pixels) };
}

/**
 * A key frame stores the whole picture. It is a change if it comes earlier than its encoder needs one, as it does when all of
 * the picture changes, or if it differs in size from the key frame before it although nothing has changed in between.
 * @param packets by time.
 */
export function changesOf(packets: readonly Packet[], pixels: number): number[] {
	const inter = packets.flatMap(({ bytes, isKey }) => (isKey ? [] : bytes)).sort((a, b) => a - b);
	const smallest = inter[Math.floor(inter.length / 10)] ?? 0;
	const stillBytes = Math.min(STILL_BYTES + pixels * STILL_BYTES_PER_PIXEL, smallest + SAME_BYTES);
	const keys = packets.flatMap(({ isKey }, index) => (isKey ? index : []));
	const longest = Math.max(0, ...keys.slice(1).map((at, index) => at - (keys[index] as number)));
	let key: number | null = null;
	/** The size of a key frame, until something changes after it: then the next one is of another picture. */
	let keyBytes: number | null = null;
	return packets.flatMap(({ at, bytes, isKey }, index) => {
		if (!isKey) {
			if (bytes <= stillBytes) return [];
			keyBytes = null;
			return at;
		}
		const isEarly = key !== null && index - key < longest;
		const differs = keyBytes !== null && Math.abs(bytes - keyBytes) > keyBytes * SAME_KEY_FRAME;
		// The first one also has the encoder's name.
		keyBytes = index === 0 ? null : bytes;
		key = index;
		return isEarly || differs ? at : [];
	});
}
