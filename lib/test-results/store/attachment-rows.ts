/** The rows of attachments: who owns them, and how many an owner can have. */
import { MAX_ATTACHMENTS } from "@tapedeck/contract/attachment-kinds.ts";
import { plainType } from "@tapedeck/contract/media-type.ts";
import type { Context } from "#lib/core/context.ts";
import { notFound, TapedeckError } from "#lib/core/errors.ts";
import { noteReport } from "./note-report.ts";
import { type OwnerIds, ownedByRun } from "./result-owner.ts";
import type { AttachmentRow } from "./result-store.ts";

/** The owner of an attachment; one of them is set. */
export type AttachmentOwner = { resultId: number; testRunId: null } | { resultId: null; testRunId: number };

export interface NewAttachment {
	owner: AttachmentOwner;
	name: string;
	contentType: string;
}

type AttachedFile = Pick<AttachmentRow, "uploadId" | "bytes" | "sha256" | "objectKey" | "width" | "height">;

/** A query for those of one result or test run. */
export const attachmentsOf = (ctx: Context, { resultId, testRunId }: AttachmentOwner) =>
	ctx.db
		.selectFrom("attachment")
		.where(resultId === null ? "testRunId" : "resultId", "=", resultId ?? testRunId)
		.where("organizationId", "=", ctx.actor.organizationId);

/**
 * Call before the file is received.
 * @throws not_found for the result or the test run; conflict if it has more attachments than are allowed: a repeated call
 *   sends one of them again.
 */
export async function assertCanAttach(ctx: Context, owner: AttachmentOwner): Promise<void> {
	await findOwner(ctx, owner);
	await assertFree(ctx, owner, MAX_ATTACHMENTS + 1);
}

/**
 * Adds the row of a stored file. The run of its owner lives as long as files arrive.
 * @param ctx its database must be a transaction; call `publishResults` with `of` after the commit if the attachment is new.
 * @returns the known attachment, and not a new one, if it has the same name and the same bytes.
 * @throws not_found if the owner was deleted in the meantime; conflict if it has `MAX_ATTACHMENTS`.
 */
export async function addAttachment(
	ctx: Context,
	{ owner, name, contentType }: NewAttachment,
	file: AttachedFile,
): Promise<{ row: AttachmentRow; of: OwnerIds; isNew: boolean }> {
	const of = await findOwner(ctx, owner);
	if (of.testRunId !== null) await noteReport(ctx, of.testRunId);
	const known = await attachmentsOf(ctx, owner)
		.selectAll()
		.where("name", "=", name)
		.where("sha256", "=", file.sha256)
		.executeTakeFirst();
	if (known !== undefined) return { row: known, of, isNew: false };
	await assertFree(ctx, owner, MAX_ATTACHMENTS);
	const row = await ctx.db
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
	return { row, of, isNew: true };
}

/** @returns what the owner's results belong to. */
async function findOwner({ db, actor }: Context, { resultId, testRunId }: AttachmentOwner): Promise<OwnerIds> {
	const { organizationId } = actor;
	if (resultId === null) {
		const run = db.selectFrom("testRun").select("id").where("id", "=", testRunId);
		if ((await run.where("organizationId", "=", organizationId).executeTakeFirst()) === undefined)
			throw notFound("test run");
		return ownedByRun(testRunId);
	}
	const row = await db
		.selectFrom("testResult")
		.select(["jobId", "testRunId", "recordingId"])
		.where("id", "=", resultId)
		.where("organizationId", "=", organizationId)
		.executeTakeFirst();
	if (row === undefined) throw notFound("test result");
	return row;
}

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

/** The type of an attachment, without parameters. */
export function mediaTypeOf(stated: string | null | undefined): string {
	const type = plainType(stated);
	return MEDIA_TYPE.test(type) ? type : "application/octet-stream";
}
