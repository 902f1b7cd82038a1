/** The codec string of an H.264 initialization segment, for a server that does not tell it. */

const COMMON = "avc1.42C01F";

/** Looks for the `avcC` box: behind its name stand the version, then profile, constraints and level. */
export function codecsOfInit(bytes: Uint8Array): string {
	for (let at = 0; at + 8 <= bytes.length; at += 1) {
		if (bytes[at] === 0x61 && bytes[at + 1] === 0x76 && bytes[at + 2] === 0x63 && bytes[at + 3] === 0x43) {
			const hex = [...bytes.subarray(at + 5, at + 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
			return `avc1.${hex.toUpperCase()}`;
		}
	}
	return COMMON;
}
