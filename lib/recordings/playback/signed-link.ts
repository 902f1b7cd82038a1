/** Signed URLs that play one recording without credentials until they expire. They are not stored. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { SignedUrl } from "#lib/contract/link.ts";
import type { Context } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { timestamp } from "#lib/core/times.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";

/** Signs with its own key, derived from the secret key. */
export class LinkSigner {
	readonly #key: string;

	constructor(key: string) {
		this.#key = key;
	}

	/** @param expires seconds since 1970. @returns an HMAC over recording and expiry, base64url. */
	sign(recordingId: number, expires: number): string {
		return createHmac("sha256", this.#key).update(`recording ${recordingId} until ${expires}`).digest("base64url");
	}

	/**
	 * Verifies that a URL was signed for this recording and has not expired.
	 * @throws unauthorized if the signature is wrong or expired, with a message for the person who opened the link.
	 */
	verify(link: { recordingId: number; expires: string | null; signature: string | null }, now: number): void {
		const { recordingId, expires, signature } = link;
		const until = expires !== null && /^[1-9]\d{0,11}$/.test(expires) ? Number(expires) : null;
		const expected = Buffer.from(this.sign(recordingId, until ?? 0));
		const given = Buffer.from(signature ?? "");
		if (until === null || given.length !== expected.length || !timingSafeEqual(given, expected)) {
			throw new TapedeckError("unauthorized", "This link is not valid: it was changed, or only part of it was copied.");
		}
		if (until * 1_000 <= now) {
			const when = timestamp(until * 1_000);
			throw new TapedeckError(
				"unauthorized",
				`This link expired at ${when}. Ask the person who sent it for a new one.`,
			);
		}
	}
}

/**
 * `GET /v1/recordings/{id}/url`.
 * @returns URLs that work for anyone; they stop working when they expire or the recording is deleted.
 * @throws not_found
 */
export async function signedUrl(
	ctx: Context,
	signer: LinkSigner,
	recordingId: number,
	expiresInSeconds: number,
): Promise<SignedUrl> {
	await findRecording(ctx, recordingId);
	const expires = Math.floor(ctx.clock.now() / 1_000) + expiresInSeconds;
	const query = new URLSearchParams({ expires: String(expires), signature: signer.sign(recordingId, expires) });
	const api = `${ctx.baseUrl}/v1/recordings/${recordingId}`;
	return {
		url: `${api}/video?${query}`,
		posterUrl: `${api}/poster?${query}`,
		expiresAt: timestamp(expires * 1_000),
	};
}
