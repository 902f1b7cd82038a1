/** Codes of an authenticator app. */
import { createHmac } from "node:crypto";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The length of a time step. */
const STEP_MS = 30_000;

/** @returns a code that follows the one of `totpOf` and is accepted, too, because each is accepted once. */
export const nextTotpOf = (uri: string): string => totpOf(uri, Date.now() + STEP_MS);

/** @returns the code of `otpauth://totp/…` at a moment in ms since 1970, per RFC 6238: SHA-1, 6 digits, 30 s. */
export function totpOf(uri: string, at = Date.now()): string {
	const secret = new URL(uri).searchParams.get("secret") ?? "";
	const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
	const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
	const counter = Buffer.alloc(8);
	counter.writeBigUInt64BE(BigInt(Math.floor(at / STEP_MS)));
	const digest = createHmac("sha1", key).update(counter).digest();
	const offset = (digest.at(-1) ?? 0) & 15;
	return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
