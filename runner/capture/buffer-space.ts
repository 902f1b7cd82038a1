/** Computes the space that buffers need, and checks whether a disk has it. */
import type { Fault } from "../base/fault.ts";

/** Size of a minute of video, for moving content at 1280x720. A still screen takes a tenth. */
export const BYTES_PER_MINUTE = 5_000_000;
/** Below this free space, buffers are deleted so that recordings can continue. */
export const RESERVED_BYTES = 200_000_000;
/** At most one part is kept beyond the requested length. */
export const MAX_PART_SECONDS = 60;

/**
 * @param free bytes of the disk. @param seconds the length of the buffer.
 * @returns the fault of a buffer that is larger than the disk, for at least one display; null for one that fits.
 */
export function bufferSpaceFault(free: number, seconds: number): Fault<"buffer_too_large"> | null {
	const needed = RESERVED_BYTES + Math.ceil(((seconds + MAX_PART_SECONDS) / 60) * BYTES_PER_MINUTE);
	if (needed <= free) return null;
	const [has, needs] = [free, needed].map((bytes) => `${Math.ceil(bytes / 1e6)} MB`);
	return {
		code: "buffer_too_large",
		what: `A buffer of ${seconds} s does not fit on the disk of the data directory: it needs about ${needs} free, and there are ${has}`,
		remedy: "set TAPEDECK_BUFFER to less, free some space, or set TAPEDECK_DATA_DIR to a folder on a larger disk",
	};
}
