/** Files of test results and test runs: screenshots, traces, logs and whatever else a test leaves behind. */
import type { IncomingMessage } from "node:http";
import type { Attachment } from "@tapedeck/contract/attachment.ts";
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from "@tapedeck/contract/attachment-kinds.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { notFound, TapedeckError } from "#lib/core/errors.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { storeFile } from "#lib/recordings/upload/store-file.ts";
import { type AttachmentOwner, attachmentsOf, attachmentView } from "./attachment-view.ts";
import { findResult } from "./list-results.ts";
import { type OwnerIds, ownedByRun } from "./store/result-owner.ts";
import { type AttachmentRow, publishResults } from "./store/result-store.ts";
import { purgeAttachments } from "./sweep-attachments.ts";
import { findRun, noteReport } from "./test-runs.ts";

interface Sent {
	name: string;
	req: IncomingMessage;
}

/**
 * `POST /v1/tests/{id}/attachments`: stores the request's body. One that breaks off leaves nothing.
 * @throws not_found; conflict if the result has `MAX_ATTACHMENTS`; bad_request; payload_too_large; insufficient_storage;
 *   quota_exceeded.
 */
export async function attachToResult(ctx: RecordingContext, resultId: number, sent: Sent): Promise<Attachment> {
	const find = (ctx: Context): Promise<OwnerIds> => findResult(ctx, resultId);
	return attach(ctx, { resultId, testRunId: null }, find, sent);
}

/** `POST /v1/test-runs/{id}/attachments`: the same for a test run. */
export async function attachToRun(ctx: RecordingContext, testRunId: number, sent: Sent): Promise<Attachment> {
	const find = async (ctx: Context): Promise<OwnerIds> => ownedByRun((await findRun(ctx, testRunId)).id);
	return attach(ctx, { resultId: null, testRunId }, find, sent);
}

/** @param find finds the owner, and says what its results belong to. */
async function attach(
	ctx: RecordingContext,
	owner: AttachmentOwner,
	find: (ctx: Context) => Promise<OwnerIds>,
	{ name, req }: Sent,
): Promise<Attachment> {
	const contentType = mediaTypeOf(req.headers["content-type"]);
	const of = await find(ctx);
	// Before the body is received, of which a repeated call sends the same again.
	await assertFree(ctx, owner, MAX_ATTACHMENTS + 1);
	let known: AttachmentRow | undefined;
	const added = await storeFile(
		ctx,
		req,
		{ contentType, maxBytes: MAX_ATTACHMENT_BYTES, tooLarge: TOO_LARGE },
		async (ctx, file) => {
			// It may have been deleted in the meantime. The run lives as long as files arrive.
			const { testRunId } = await find(ctx);
			if (testRunId !== null) await noteReport(ctx, testRunId);
			known = await attachmentsOf(ctx, owner)
				.selectAll()
				.where("name", "=", name)
				.where("sha256", "=", file.sha256)
				.executeTakeFirst();
			if (known !== undefined) return null;
			await assertFree(ctx, owner, MAX_ATTACHMENTS);
			return ctx.db
				.insertInto("attachment")
				.values({
					organizationId: ctx.actor.organizationId,
					...owner,
					name,
					contentType,
					...file,
					createdAt: ctx.clock.now(),
				})
				.returningAll()
				.executeTakeFirstOrThrow();
		},
	);
	if (added !== null) publishResults(ctx, of);
	return attachmentView(ctx, (added ?? known) as AttachmentRow);
}

const TOO_LARGE = `An attachment can have at most ${MAX_ATTACHMENT_BYTES / 2 ** 20} MiB. Send a smaller or compressed file.`;

/** @throws conflict if the owner has `most` attachments. */
async function assertFree(ctx: Context, owner: AttachmentOwner, most: number): Promise<void> {
	const { count } = await attachmentsOf(ctx, owner)
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.executeTakeFirstOrThrow();
	if (Number(count) < most) return;
	const what = owner.resultId === null ? "test run" : "result";
	throw new TapedeckError(
		"conflict",
		`This ${what} has ${MAX_ATTACHMENTS} attachments, which is the most that one can have. Put small files into one zip, or delete an attachment.`,
	);
}

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** Without parameters. */
function mediaTypeOf(header: string | undefined): string {
	const type = (header ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
	return MEDIA_TYPE.test(type) ? type : "application/octet-stream";
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
