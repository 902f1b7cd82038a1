/** The secret of an API key or runner token: random, shown once, kept as a hash. */
import { createHash, randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS = 40;
const PREFIX_LENGTH = 12;

/** @returns `tdk_` or `tdr_` and 40 random characters of base 62 (238 bits). */
export function makeSecret(kind: "tdk" | "tdr"): string {
	let text = "";
	while (text.length < RANDOM_CHARACTERS) {
		for (const byte of randomBytes(RANDOM_CHARACTERS)) {
			// 248 is the greatest multiple of 62 in a byte: what lies above would favour some characters.
			if (byte < 248 && text.length < RANDOM_CHARACTERS) text += ALPHABET[byte % ALPHABET.length];
		}
	}
	return `${kind}_${text}`;
}

/** SHA-256, hex. The secrets are long and random, so that a slow hash would only slow us. */
export const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** The first characters, enough to recognise it; never more than half of a short one that a person chose. */
export const prefixOf = (secret: string): string => secret.slice(0, Math.min(PREFIX_LENGTH, secret.length / 2));
