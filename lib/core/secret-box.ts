/**
 * AES-256-GCM encryption for secrets that must be readable later. An encrypted text is `1.<key id>.<nonce, tag and
 * cipher text>` (base64url). Version and key id come first, so that keys can be rotated and the format changed.
 */
import {
	createCipheriv,
	createDecipheriv,
	createHash,
	createHmac,
	hash,
	hkdfSync,
	randomBytes,
	timingSafeEqual,
} from "node:crypto";
import type { SecretBox } from "./context.ts";

export const SECRET_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "1";

/** Identifies a key without revealing it: 8 hex characters. */
const keyIdOf = (key: Uint8Array): string =>
	createHash("sha256").update("tapedeck key id").update(key).digest("hex").slice(0, 8);

/**
 * @param current the key to encrypt with, 32 bytes.
 * @param previous older keys, which can only decrypt.
 */
export function createSecretBox(current: Uint8Array, previous: readonly Uint8Array[] = []): SecretBox {
	for (const key of [current, ...previous]) {
		if (key.length !== SECRET_KEY_BYTES) {
			throw new Error(`A secret key has ${SECRET_KEY_BYTES} bytes, this one has ${key.length}.`);
		}
	}
	const keys = new Map([...previous, current].map((key) => [keyIdOf(key), key]));
	const currentHead = `${VERSION}.${keyIdOf(current)}`;
	return {
		head: `${currentHead}.`,
		seal(plain) {
			const nonce = randomBytes(NONCE_BYTES);
			// The head is authenticated too, so that a text cannot pass for one of another key or version.
			const cipher = createCipheriv("aes-256-gcm", current, nonce).setAAD(Buffer.from(currentHead));
			const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
			return `${currentHead}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url")}`;
		},
		open(sealed) {
			const [version, keyId = "", body = ""] = sealed.split(".");
			if (version !== VERSION) throw new Error("An encrypted secret has an unknown format.");
			const key = keys.get(keyId);
			if (key === undefined) {
				throw new Error(`A secret was encrypted with another key (${keyId}). Restore that key to read it.`);
			}
			const bytes = Buffer.from(body, "base64url");
			if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error("An encrypted secret is truncated.");
			const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
				authTagLength: TAG_BYTES,
			})
				.setAAD(Buffer.from(`${version}.${keyId}`))
				.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
			const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
			return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
		},
		hash: (plain) => `${currentHead}.${keyedHash(current, plain)}`,
		isHashOf(hash, plain) {
			const [version, keyId = "", digest = ""] = hash.split(".");
			const key = version === VERSION ? keys.get(keyId) : undefined;
			if (key === undefined) return false;
			const [expected, given] = [Buffer.from(keyedHash(key, plain)), Buffer.from(digest)];
			return expected.length === given.length && timingSafeEqual(expected, given);
		},
	};
}

/** HMAC-SHA-256 with a key derived for this purpose, base64url. */
const keyedHash = (key: Uint8Array, plain: string): string =>
	createHmac("sha256", deriveSecret(key, "hashes")).update(plain).digest("base64url");

/**
 * Derives a separate secret per purpose from the one stored key.
 * @returns 64 hex characters; the same for the same key and purpose.
 */
export function deriveSecret(key: Uint8Array, purpose: string): string {
	return Buffer.from(hkdfSync("sha256", key, "", `tapedeck ${purpose}`, SECRET_KEY_BYTES)).toString("hex");
}

/**
 * SHA-256, hex: what is stored of an API key, a runner token or a link. They are long and random, so a slow hash would
 * add no security.
 */
export const hashSecret = (secret: string): string => hash("sha256", secret);
