/** Signed URLs of attachments, for tools and for the trace viewer, which has no session. */
import type { SignedAttachment } from "@tapedeck/contract/attachment.ts";
import { isTrace } from "@tapedeck/contract/attachment-kinds.ts";
import { audit } from "#lib/audit/write-audit.ts";
import type { Actor, Context, Database } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { timestamp } from "#lib/core/times.ts";
import type { LinkSigner } from "#lib/recordings/playback/signed-link.ts";
import { findAttachment } from "./attachments.ts";

type SignatureContext = { db: Database; links: LinkSigner; clock: Context["clock"] };

/**
 * `GET /v1/attachments/{id}/url`. Each call is in the audit log: whoever has the URL reads the file without signing in.
 * @param viewer the origin of the trace viewer; null without one.
 * @throws not_found
 */
export async function signedAttachment(
	ctx: Context,
	{ links, viewer }: { links: LinkSigner; viewer: string | null },
	attachmentId: number,
	expiresInSeconds: number,
): Promise<SignedAttachment> {
	const attachment = await findAttachment(ctx, attachmentId);
	const expires = Math.floor(ctx.clock.now() / 1_000) + expiresInSeconds;
	const expiresAt = timestamp(expires * 1_000);
	const { name, resultId, testRunId } = attachment;
	await audit(ctx, { action: "attachment.signed", detail: { attachmentId, name, resultId, testRunId, expiresAt } });
	const query = links.query({ file: "attachment", row: attachment }, expires);
	const url = `${ctx.baseUrl}/v1/attachments/${attachmentId}?${query}`;
	const viewerUrl = viewer !== null && isTrace(name) ? `${viewer}/?trace=${encodeURIComponent(url)}` : null;
	return { url, viewerUrl, expiresAt };
}

/**
 * The caller of a signed URL of an attachment.
 * @returns a promise of the caller, or null if the URL has no signature. It rejects with unauthorized for a wrong or expired
 *   signature, and with not_found.
 */
export function byAttachmentSignature(
	app: SignatureContext,
	{ attachmentId }: { attachmentId: number },
	{ searchParams }: URL,
): Promise<Actor> | null {
	return searchParams.has("signature") ? openSigned(app, attachmentId, searchParams) : null;
}

async function openSigned(app: SignatureContext, attachmentId: number, searchParams: URLSearchParams): Promise<Actor> {
	const attachment = await app.db
		.selectFrom("attachment")
		.select(["id", "uploadId", "createdAt", "organizationId"])
		.where("id", "=", attachmentId)
		.executeTakeFirst();
	if (attachment === undefined) throw notFound("attachment");
	app.links.verify({ file: "attachment", row: attachment }, searchParams, app.clock.now());
	return { kind: "link", organizationId: attachment.organizationId, recordingId: null };
}
