/** Secrets of API keys, runner tokens and links: random, shown once, stored as a hash. */
import { randomBytes } from "node:crypto";
import { hashSecret } from "#lib/core/secret-box.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS = 40;
const PREFIX_LENGTH = 12;

/** @returns `tdk_` or `tdr_` and 40 random base-62 characters (238 bits). */
export function makeSecret(kind: "tdk" | "tdr"): string {
	let text = "";
	while (text.length < RANDOM_CHARACTERS) {
		for (const byte of randomBytes(RANDOM_CHARACTERS)) {
			// 248 is the largest multiple of 62 in a byte: bytes above it would favour some characters.
			if (byte < 248 && text.length < RANDOM_CHARACTERS) text += ALPHABET[byte % ALPHABET.length];
		}
	}
	return `${kind}_${text}`;
}

/** The first characters, enough to recognize a secret by; never more than half of a short one chosen by an operator. */
export const prefixOf = (secret: string): string => secret.slice(0, Math.min(PREFIX_LENGTH, secret.length / 2));

/**
 * The secret of an invitation or password reset link: 256 random bits. It goes after the link's `#`, which browsers do
 * not send, so it appears in no server log and no Referer. Looking it up by hash reveals nothing by timing.
 */
export function makeLinkToken(): { token: string; hash: string } {
	const token = randomBytes(32).toString("base64url");
	return { token, hash: hashSecret(token) };
}
