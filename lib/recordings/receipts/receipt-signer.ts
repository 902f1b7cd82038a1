/** Signs receipts with ed25519, with a key that is derived from the secret key: dashboards that share it have the same. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import {
	PAYLOAD_TYPE,
	type Receipt,
	type ReceiptKeys,
	type Statement,
	signedBytes,
} from "@tapedeck/contract/receipt.ts";

/** Header of a private key of 32 bytes in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

interface SigningKey {
	id: string;
	privateKey: KeyObject;
	/** Hexadecimal. */
	publicKey: string;
}

export class ReceiptSigner {
	readonly #keys: readonly [SigningKey, ...SigningKey[]];

	/** @param seeds 64 hexadecimal digits each: of the key to sign with, and of those that it replaced. */
	constructor(seeds: readonly [string, ...string[]]) {
		const [current, ...previous] = seeds;
		this.#keys = [signingKey(current), ...previous.map(signingKey)];
	}

	sign(statement: Statement): Receipt {
		const payload = Buffer.from(JSON.stringify(statement));
		const [{ id, privateKey }] = this.#keys;
		const sig = sign(null, signedBytes(PAYLOAD_TYPE, payload), privateKey).toString("base64");
		return { payloadType: PAYLOAD_TYPE, payload: payload.toString("base64"), signatures: [{ keyid: id, sig }] };
	}

	/** The public keys: receipts of a replaced secret key stay verifiable for as long as that key is kept. */
	publicKeys(): ReceiptKeys {
		const keys = this.#keys.map(({ id, publicKey }) => [
			id,
			{ keytype: "ed25519" as const, scheme: "ed25519" as const, keyval: { public: publicKey } },
		]);
		return { keys: Object.fromEntries(keys) };
	}
}

function signingKey(seed: string): SigningKey {
	const key = Buffer.concat([PKCS8_HEAD, Buffer.from(seed, "hex")]);
	const privateKey = createPrivateKey({ key, format: "der", type: "pkcs8" });
	const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
	const bytes = Buffer.from(x, "base64url");
	return { id: createHash("sha256").update(bytes).digest("hex"), privateKey, publicKey: bytes.toString("hex") };
}
