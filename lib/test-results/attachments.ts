/** Files of test results and test runs: screenshots, traces, logs and whatever else a test leaves behind. */
import type { IncomingMessage } from "node:http";
import type { Attachment } from "@tapedeck/contract/attachment.ts";
import { ATTACHMENT_TOO_LARGE, MAX_ATTACHMENT_BYTES } from "@tapedeck/contract/attachment-kinds.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { storeFile } from "#lib/recordings/upload/store-file.ts";
import { attachmentView } from "./attachment-view.ts";
import { findResult } from "./list-results.ts";
import { type AttachmentOwner, addAttachment, assertCanAttach, mediaTypeOf } from "./store/attachment-rows.ts";
import { ownedByRun } from "./store/result-owner.ts";
import { type AttachmentRow, publishResults } from "./store/result-store.ts";
import { purgeAttachments } from "./sweep-attachments.ts";

/**
 * `POST /v1/tests/{id}/attachments` and `POST /v1/test-runs/{id}/attachments`: stores the request's body. One that breaks off
 * leaves nothing.
 * @throws not_found; conflict if the owner has `MAX_ATTACHMENTS`; bad_request; payload_too_large; insufficient_storage;
 *   quota_exceeded.
 */
export async function attach(
	ctx: RecordingContext,
	owner: AttachmentOwner,
	{ name, req }: { name: string; req: IncomingMessage },
): Promise<Attachment> {
	const contentType = mediaTypeOf(req.headers["content-type"]);
	await assertCanAttach(ctx, owner);
	const limits = { contentType, maxBytes: MAX_ATTACHMENT_BYTES, tooLarge: ATTACHMENT_TOO_LARGE };
	let known: AttachmentRow | undefined;
	const added = await storeFile(ctx, req, limits, async (ctx, file) => {
		const added = await addAttachment(ctx, { owner, name, contentType }, file);
		known = added.row;
		return added.isNew ? added : null;
	});
	if (added !== null) publishResults(ctx, added.of);
	return attachmentView(ctx, added?.row ?? (known as AttachmentRow));
}

/** @throws not_found, also if its result or test run was deleted. */
export async function findAttachment(ctx: Context, attachmentId: number): Promise<AttachmentRow> {
	const row = await ctx.db
		.selectFrom("attachment")
		.selectAll()
		.where("id", "=", attachmentId)
		.where("organizationId", "=", ctx.actor.organizationId)
		.where((where) => where.or([where("resultId", "is not", null), where("testRunId", "is not", null)]))
		.executeTakeFirst();
	if (row === undefined) throw notFound("attachment");
	return row;
}

/** `DELETE /v1/attachments/{id}`, for good. @throws not_found */
export async function deleteAttachment(ctx: RecordingContext, attachmentId: number): Promise<void> {
	const { id, name, resultId, testRunId } = await findAttachment(ctx, attachmentId);
	const of = resultId === null ? ownedByRun(testRunId as number) : await findResult(ctx, resultId);
	await inTransaction(ctx, async (ctx) => {
		const removed = await ctx.db
			.updateTable("attachment")
			.set({ resultId: null, testRunId: null })
			.where("id", "=", id)
			.where((where) => where.or([where("resultId", "is not", null), where("testRunId", "is not", null)]))
			.returning("id")
			.executeTakeFirst();
		// Another call at the same time has deleted it.
		if (removed === undefined) throw notFound("attachment");
		await audit(ctx, { action: "attachment.deleted", detail: { attachmentId: id, name, resultId, testRunId } });
	});
	await purgeAttachments(ctx, [id]);
	publishResults(ctx, of);
}
