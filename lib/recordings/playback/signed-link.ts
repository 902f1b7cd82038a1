/** Signed URLs that open one recording or attachment without credentials until they expire. They are not stored. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { SignedUrl } from "@tapedeck/contract/link.ts";
import { audit } from "#lib/audit/write-audit.ts";
import type { Context } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { timestamp } from "#lib/core/times.ts";
import { findRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";

/**
 * The file that a URL opens. The number alone does not name a recording or an attachment for ever: after a restore from a
 * backup, it may be given to another one. So the signature covers the upload's id, which is random except for a job's
 * video, and the time of creation.
 */
export interface SignedFile {
	file: "video of recording" | "poster of recording" | "attachment";
	row: Pick<RecordingRow, "id" | "uploadId" | "createdAt">;
}

/** Signs with its own key, derived from the secret key. */
export class LinkSigner {
	readonly #key: string;

	constructor(key: string) {
		this.#key = key;
	}

	/** @param expires seconds since 1970. @returns an HMAC over the file and the expiry, base64url. */
	sign({ file, row: { id, uploadId, createdAt } }: SignedFile, expires: number): string {
		return createHmac("sha256", this.#key)
			.update(`${file} ${id} ${uploadId} of ${createdAt} until ${expires}`)
			.digest("base64url");
	}

	/** @returns the query of a URL that opens the file until it expires. */
	query(signed: SignedFile, expires: number): string {
		return new URLSearchParams({ expires: String(expires), signature: this.sign(signed, expires) }).toString();
	}

	/**
	 * Verifies that a URL was signed for this file and has not expired.
	 * @param query of the URL.
	 * @throws unauthorized if the signature is wrong or expired, with a message for the person who opened the link.
	 */
	verify(signed: SignedFile, query: URLSearchParams, now: number): void {
		const [expires, signature] = [query.get("expires"), query.get("signature")];
		const until = expires !== null && /^[1-9]\d{0,11}$/.test(expires) ? Number(expires) : null;
		const expected = Buffer.from(this.sign(signed, until ?? 0));
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
 * `GET /v1/recordings/{id}/url`. Each call is in the audit log: whoever has a URL sees the video without signing in.
 * @returns URLs that work for anyone; they stop working when they expire or the recording is deleted.
 * @throws not_found
 */
export async function signedUrl(
	ctx: Context,
	signer: LinkSigner,
	recordingId: number,
	expiresInSeconds: number,
): Promise<SignedUrl> {
	const recording = await findRecording(ctx, recordingId);
	const expires = Math.floor(ctx.clock.now() / 1_000) + expiresInSeconds;
	const expiresAt = timestamp(expires * 1_000);
	await audit(ctx, {
		action: "link.signed",
		target: { kind: "recording", id: recordingId, name: recording.name },
		detail: { expiresAt },
	});
	const at = (file: "video" | "poster") =>
		`${ctx.baseUrl}/v1/recordings/${recordingId}/${file}?${signer.query({ file: `${file} of recording`, row: recording }, expires)}`;
	return { url: at("video"), posterUrl: at("poster"), expiresAt };
}
