/**
 * AES-256-GCM for what must be readable later. A sealed text is `1.<key id>.<nonce, tag and cipher text>`
 * (base64url): version and key id stand in front, so that keys can be rotated and formats changed.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import type { SecretBox } from "./context.ts";

export const SECRET_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "1";

/** Names a key without telling it: 8 hex characters. */
const keyIdOf = (key: Uint8Array): string =>
	createHash("sha256").update("tapedeck key id").update(key).digest("hex").slice(0, 8);

/**
 * @param current the key that new texts are sealed under, 32 bytes.
 * @param previous keys that older texts may still be sealed under.
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
			// The head is authenticated too: a text cannot be passed off as one of another key or version.
			const cipher = createCipheriv("aes-256-gcm", current, nonce).setAAD(Buffer.from(currentHead));
			const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
			return `${currentHead}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url")}`;
		},
		open(sealed) {
			const [version, keyId = "", body = ""] = sealed.split(".");
			if (version !== VERSION) throw new Error("A sealed secret has a format that this version does not know.");
			const key = keys.get(keyId);
			if (key === undefined) {
				throw new Error(`A secret was sealed under another key (${keyId}). Bring that key back to read it.`);
			}
			const bytes = Buffer.from(body, "base64url");
			if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error("A sealed secret is cut short.");
			const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
				authTagLength: TAG_BYTES,
			})
				.setAAD(Buffer.from(`${version}.${keyId}`))
				.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
			const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
			return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
		},
	};
}

/**
 * A secret of its own for one purpose, from the one key that is kept.
 * @returns 64 hex characters; the same for the same key and purpose.
 */
export function deriveSecret(key: Uint8Array, purpose: string): string {
	return Buffer.from(hkdfSync("sha256", key, "", `tapedeck ${purpose}`, SECRET_KEY_BYTES)).toString("hex");
}
