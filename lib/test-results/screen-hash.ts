/**
 * What a failure's last frame looks like, in 64 bits: for each of 8 × 8 places whether it is clearly brighter than its right
 * neighbour. Two frames of the same screen differ in few bits, whatever small thing has changed in it.
 */

/** Differences of brightness below this are noise of the video's compression. */
const CLEARLY = 3;
const WIDTH = 9;
const HEIGHT = 8;

/** @param grey 9 × 8 bytes, row by row. @returns 16 hexadecimal digits. */
export function screenHash(grey: Uint8Array): string {
	let hash = 0n;
	for (let y = 0; y < HEIGHT; y += 1) {
		for (let x = 0; x < WIDTH - 1; x += 1) {
			const at = y * WIDTH + x;
			const isBrighter = (grey[at] as number) > (grey[at + 1] as number) + CLEARLY;
			hash = (hash << 1n) | (isBrighter ? 1n : 0n);
		}
	}
	return hash.toString(16).padStart(16, "0");
}
